"""Robust losses, which grow no faster than the error, so that outliers have bounded gradients.

Their hessian is 0 almost everywhere and is replaced by 1 in the search for splits; the values of
the leaves are then computed exactly (Friedman, 2001).

References
----------
J. Friedman, "Greedy function approximation: a gradient boosting machine", *Annals of Statistics*
29, 2001.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.utils.stats import _weighted_percentile

from nonet._base.aliases import Array, Floats
from nonet.losses.native import NativeLoss


def residual_quantile(values: Floats, level: float, sample_weight: Floats | None) -> float:
    """Return a quantile as scikit-learn does: interpolated without weights, the lower with them.

    Parameters
    ----------
    values : array of shape (n_rows,)
        Values.
    level : float
        Level of the quantile, between 0 and 1.
    sample_weight : array of shape (n_rows,) or None
        Weights of rows.

    Returns
    -------
    float

    Examples
    --------
    >>> values = np.array([1.0, 2.0])
    >>> residual_quantile(values, 0.5, None), residual_quantile(values, 0.5, np.ones(2))
    (1.5, 1.0)
    """
    if sample_weight is None:
        return float(np.quantile(values, level))
    if (sample_weight == sample_weight[0]).all() and sample_weight[0] > 0:
        # Equal weights need no sorting.
        position = max(math.ceil(level * len(values)) - 1, 0)
        return float(np.partition(values, position)[position])
    return float(_weighted_percentile(values, sample_weight, 100 * level))


class AbsoluteLoss(NativeLoss):
    """The absolute error, ``L(y, f) = |y - f|``, whose prediction is a median.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.losses import AbsoluteLoss
    >>> AbsoluteLoss().start(np.array([1.0, 2.0, 90.0]))
    2.0
    """

    _name = "absolute"
    has_constant_hessian = True
    has_exact_leaves = True

    def value(self, y: Array, score: Floats) -> Floats:
        return np.abs(y - score)

    def start(self, y: Array, sample_weight: Floats | None = None) -> float:
        return residual_quantile(y, 0.5, sample_weight)

    def leaf_value(self, y: Array, score: Floats, sample_weight: Floats | None = None) -> float:
        return residual_quantile(y - score, 0.5, sample_weight)


class QuantileLoss(NativeLoss):
    """The quantile loss, L(y, f) = (y - f) (level - [y < f]), whose prediction is a quantile.

    Parameters
    ----------
    level : float
        Level of the quantile, between 0 and 1.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.losses import QuantileLoss
    >>> QuantileLoss(0.9).value(np.array([1.0, 1.0]), np.array([0.0, 2.0])).round(2)
    array([0.9, 0.1])
    """

    _name = "quantile"
    has_constant_hessian = True
    has_exact_leaves = True

    def __init__(self, level: float) -> None:
        if not 0 <= level <= 1:
            raise ValueError(f"level of the quantile loss must be between 0 and 1, got {level!r}.")
        self.level = float(level)

    @property
    def _shape(self) -> float:
        return self.level

    def __repr__(self) -> str:
        return f"QuantileLoss(level={self.level!r})"

    def value(self, y: Array, score: Floats) -> Floats:
        return np.where(y >= score, self.level * (y - score), (1 - self.level) * (score - y))

    def start(self, y: Array, sample_weight: Floats | None = None) -> float:
        return residual_quantile(y, self.level, sample_weight)

    def leaf_value(self, y: Array, score: Floats, sample_weight: Floats | None = None) -> float:
        return residual_quantile(y - score, self.level, sample_weight)


class HuberLoss(NativeLoss):
    """Huber's loss: squared up to an error of `width`, linear beyond it.

    Parameters
    ----------
    width : float
        Maximum error with a squared loss, above 0.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.losses import HuberLoss
    >>> HuberLoss(1.0).value(np.array([0.5, 3.0]), np.array([0.0, 0.0]))
    array([0.125, 2.5  ])
    """

    _name = "huber"
    has_constant_hessian = True
    has_exact_leaves = True

    def __init__(self, width: float) -> None:
        if not width > 0:
            raise ValueError(f"width of Huber's loss must be above 0, got {width!r}.")
        self.width = float(width)

    @property
    def _shape(self) -> float:
        return self.width

    def __repr__(self) -> str:
        return f"HuberLoss(width={self.width!r})"

    def value(self, y: Array, score: Floats) -> Floats:
        error = np.abs(y - score)
        return np.where(
            error <= self.width, 0.5 * error**2, self.width * (error - 0.5 * self.width)
        )

    def start(self, y: Array, sample_weight: Floats | None = None) -> Any:
        # One step from the median: the mean of the residuals clipped at the width.
        median = residual_quantile(y, 0.5, sample_weight)
        step = np.clip(y - median, -self.width, self.width)
        return median + float(np.average(step, weights=sample_weight))

    def leaf_value(self, y: Array, score: Floats, sample_weight: Floats | None = None) -> float:
        return float(self.start(y - score, sample_weight))
