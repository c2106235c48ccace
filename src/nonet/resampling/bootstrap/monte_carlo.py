"""Monte Carlo error of bootstrap results: the error due to a finite number of resamples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nonet._base.aliases import Floats
from nonet._base.results import Result
from nonet.resampling.bootstrap.intervals import tails


@dataclass(frozen=True)
class MonteCarloError(Result):
    """Standard errors, over the random draws alone, of what a bootstrap reports.

    Attributes
    ----------
    mean : float or ndarray
        Of the mean of the distribution, and so of the bias.
    standard_error : float or ndarray
        Of the bootstrap standard error.
    low : float or ndarray
        Of the lower end of the percentile interval.
    high : float or ndarray
        Of its upper end.
    confidence_level : float
        The level of that interval.

    Examples
    --------
    >>> from nonet import bootstrap
    >>> result = bootstrap([1.0, 4.0, 7.0, 9.0], "mean", n_resamples=999, random_state=0)
    >>> result.monte_carlo_error().standard_error < 0.1
    True
    """

    mean: float | Floats
    standard_error: float | Floats
    low: float | Floats
    high: float | Floats
    confidence_level: float

    _shown: ClassVar[tuple[str, ...]] = (
        "mean",
        "standard_error",
        "low",
        "high",
        "confidence_level",
    )

    def worst(self) -> Floats:
        """Return the maximum of them, for each component."""
        errors = [np.asarray(e) for e in (self.mean, self.standard_error, self.low, self.high)]
        return np.asarray(np.max(errors, axis=0))


def monte_carlo_error(distribution: Floats, confidence_level: float = 0.95) -> MonteCarloError:
    """Estimate the error that is due to the number of resamples."""
    n_resamples = len(distribution)
    variance = distribution.var(axis=0, ddof=1)
    fourth = np.mean((distribution - distribution.mean(axis=0)) ** 4, axis=0)
    of_variance = np.sqrt(np.maximum(fourth - variance**2, 0) / n_resamples)
    spread = np.sqrt(variance)
    of_spread = np.divide(of_variance, 2 * spread, out=np.zeros_like(spread), where=spread > 0)
    low, high = (_error_of_quantile(distribution, level) for level in tails(confidence_level))
    return MonteCarloError(
        np.sqrt(variance / n_resamples)[()], of_spread[()], low, high, confidence_level
    )


def _error_of_quantile(distribution: Floats, level: float) -> Floats:
    """Half the distance of the quantiles one binomial standard deviation to either side."""
    step = np.sqrt(level * (1 - level) / len(distribution))
    around = np.clip([level - step, level + step], 0, 1)
    below, above = np.quantile(distribution, around, axis=0)
    return np.asarray((above - below) / 2)[()]
