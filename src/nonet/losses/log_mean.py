"""Losses for positive means, whose score is the logarithm of the mean."""

from __future__ import annotations

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.sums import exact_mean, log_of
from nonet.losses.loss import refuse_targets
from nonet.losses.native import NativeLoss

# Beyond this score the mean overflows.
_MAX_SCORE = 707.0


class LogMeanLoss(NativeLoss):
    """A loss whose score is the logarithm of the mean."""

    is_self_concordant = True

    def inverse_link(self, score: Floats) -> Floats:
        return np.exp(np.minimum(score, _MAX_SCORE))

    def start(self, y: Array, sample_weight: Floats | None = None) -> float:
        return self.start_of_mean(exact_mean(y, sample_weight))

    def start_of_mean(self, mean: float) -> float:
        return log_of(max(mean, 10 * float(np.finfo(np.float64).eps)))


class PoissonLoss(LogMeanLoss):
    """Half the Poisson deviance up to a constant, L(y, f) = exp(f) - y f, for counts and rates.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.losses import PoissonLoss
    >>> PoissonLoss().inverse_link(np.array([0.0, np.log(3)])).round(6)
    array([1., 3.])
    """

    _name = "poisson"

    def value(self, y: Array, score: Floats) -> Floats:
        return np.asarray(np.exp(score) - y * score)

    def check_targets(self, y: Array) -> None:
        refuse_targets(y, y >= 0, "Poisson", "of at least 0")
        if not (y > 0).any():
            raise ValueError("The Poisson loss needs a target y above 0, got zeros only.")


class GammaLoss(LogMeanLoss):
    """Half the gamma deviance up to a constant, L(y, f) = f + y exp(-f), for positive amounts.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.losses import GammaLoss
    >>> GammaLoss().value(np.array([1.0]), np.array([0.0]))
    array([1.])
    """

    _name = "gamma"

    def value(self, y: Array, score: Floats) -> Floats:
        return np.asarray(score + y * np.exp(-score))

    def check_targets(self, y: Array) -> None:
        refuse_targets(y, y > 0, "gamma", "above 0")


class TweedieLoss(LogMeanLoss):
    """Half the Tweedie deviance up to a constant, for amounts with many zeros.

    Parameters
    ----------
    power : float, default=1.5
        The variance grows as the mean to this power, above 1 and below 2.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.losses import TweedieLoss
    >>> TweedieLoss(1.5).value(np.array([0.0]), np.array([0.0]))
    array([2.])
    """

    _name = "tweedie"

    def __init__(self, power: float = 1.5) -> None:
        if not 1 < power < 2:
            raise ValueError(
                f"power of the Tweedie loss must be above 1 and below 2, got {power!r}; 1 is the "
                "Poisson loss and 2 the gamma loss."
            )
        self.power = float(power)

    @property
    def _shape(self) -> float:
        return self.power

    def __repr__(self) -> str:
        return f"TweedieLoss(power={self.power!r})"

    def value(self, y: Array, score: Floats) -> Floats:
        rising = np.exp((2 - self.power) * score) / (2 - self.power)
        falling = y * np.exp((1 - self.power) * score) / (1 - self.power)
        return np.asarray(rising - falling)

    def check_targets(self, y: Array) -> None:
        refuse_targets(y, y >= 0, "Tweedie", "of at least 0")
        if not (y > 0).any():
            raise ValueError("The Tweedie loss needs a target y above 0, got zeros only.")
