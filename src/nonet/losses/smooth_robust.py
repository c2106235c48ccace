"""Robust losses with a second derivative: squared for small errors, about linear for large ones.

Newton steps need no replacement of their hessians, in contrast to those of `robust`.
"""

from __future__ import annotations

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.losses.loss import Loss
from nonet.losses.robust import residual_quantile

_MAX_MEANS = 100


class PseudoHuberLoss(Loss):
    """A smooth form of Huber's loss, w^2 (sqrt(1 + e^2 / w^2) - 1) of the error e = y - f.

    Parameters
    ----------
    width : float, default=1.0
        Error at which the loss turns from squared to linear, above 0.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.losses import PseudoHuberLoss
    >>> PseudoHuberLoss().value(np.array([0.0, 100.0]), np.zeros(2)).round(1)
    array([ 0., 99.])
    """

    def __init__(self, width: float = 1.0) -> None:
        self.width = _check_width(width, "pseudo-Huber")

    def __repr__(self) -> str:
        return f"PseudoHuberLoss(width={self.width!r})"

    def value(self, y: Array, score: Floats) -> Floats:
        return np.asarray(self.width**2 * (self._root(y, score) - 1))

    def gradient_hessian(self, y: Array, score: Floats) -> tuple[Floats, Floats]:
        root = self._root(y, score)
        return np.asarray((score - y) / root), np.asarray(1 / root**3)

    def start(self, y: Array, sample_weight: Floats | None = None) -> float:
        return _reweighted_mean(self, y, sample_weight)

    def _root(self, y: Array, score: Floats) -> Floats:
        return np.asarray(np.hypot(1.0, (y - score) / self.width))


class FairLoss(Loss):
    """Fair's loss, w^2 (|e| / w - log(1 + |e| / w)) of the error e = y - f.

    Parameters
    ----------
    width : float, default=1.0
        Error at which the loss turns from squared to linear, above 0.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.losses import FairLoss
    >>> FairLoss().gradient_hessian(np.zeros(2), np.array([0.0, 1.0]))
    (array([0. , 0.5]), array([1.  , 0.25]))
    """

    def __init__(self, width: float = 1.0) -> None:
        self.width = _check_width(width, "Fair")

    def __repr__(self) -> str:
        return f"FairLoss(width={self.width!r})"

    def value(self, y: Array, score: Floats) -> Floats:
        error = np.abs(y - score) / self.width
        return np.asarray(self.width**2 * (error - np.log1p(error)))

    def gradient_hessian(self, y: Array, score: Floats) -> tuple[Floats, Floats]:
        factor = 1 / (1 + np.abs(score - y) / self.width)
        return np.asarray((score - y) * factor), np.asarray(factor**2)

    def start(self, y: Array, sample_weight: Floats | None = None) -> float:
        return _reweighted_mean(self, y, sample_weight)


def _check_width(width: float, what: str) -> float:
    if not width > 0:
        raise ValueError(f"width of the {what} loss must be above 0, got {width!r}.")
    return float(width)


def _reweighted_mean(loss: Loss, y: Array, sample_weight: Floats | None) -> float:
    """Return the best constant by repeated means, in which large errors have small weights.

    The gradient is the error times a factor that falls with its size. No mean raises the loss.
    """
    score = residual_quantile(y, 0.5, sample_weight)
    for _ in range(_MAX_MEANS):
        gradient, _ = loss.gradient_hessian(y, np.full(len(y), score))
        error = score - y
        factors = np.divide(gradient, error, out=np.ones(len(y)), where=error != 0)
        weights = factors if sample_weight is None else factors * sample_weight
        before, score = score, float(np.average(y, weights=weights))
        if abs(score - before) <= 1e-12 * max(1.0, abs(score)):
            break
    return score
