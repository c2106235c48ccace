"""Confidence intervals from a bootstrap distribution, on plain arrays.

Each function takes the distribution of one number, (n_resamples,), and returns (low, high). The
probabilities of the resamples are None when all count alike, and otherwise those of an exact
enumeration. Reference: B. Efron & R. Tibshirani (1993), An Introduction to the Bootstrap, chapters
12-14 and 22.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from nonet._base.aliases import Floats
from nonet._base.params import Real, bad_parameter
from nonet._base.results import Result

_LEVEL = Real(0, 1, open_low=True, open_high=True)

Ends = tuple[float, float]


@dataclass(frozen=True)
class Interval(Result):
    """A confidence interval; ``low, high = interval`` unpacks it.

    Attributes
    ----------
    low : float or ndarray
        Lower end, one number for each component of the statistic.
    high : float or ndarray
        Upper end.
    confidence_level : float
        The fraction of samples whose interval should hold the true value.
    method : str
        How the ends were found.

    Examples
    --------
    >>> from nonet import bootstrap
    >>> low, high = bootstrap([1.0, 4.0, 7.0, 9.0], "mean", exact=True).interval("percentile")
    >>> low < 5.25 < high
    True
    """

    low: float | Floats
    high: float | Floats
    confidence_level: float
    method: str

    _shown: ClassVar[tuple[str, ...]] = ("low", "high", "confidence_level", "method")

    def __iter__(self) -> Iterator[Any]:
        return iter((self.low, self.high))


def check_level(confidence_level: float) -> float:
    """Return the level if it lies strictly between 0 and 1."""
    if not _LEVEL.allows(confidence_level):
        raise bad_parameter("interval", "confidence_level", _LEVEL.describe(), confidence_level)
    return float(confidence_level)


def tails(confidence_level: float) -> tuple[float, float]:
    """Return the probabilities below the lower and the upper end."""
    outside = (1 - check_level(confidence_level)) / 2
    return outside, 1 - outside


def float_or_array(value: Floats) -> float | Floats:
    """Return a number for an array without dimensions, and other arrays as they are."""
    return float(value) if np.ndim(value) == 0 else value


def distribution_quantile(
    distribution: Floats, levels: Any, probabilities: Floats | None = None
) -> Floats:
    """Return quantiles: interpolated if all values count alike, else the inverse of the CDF."""
    if probabilities is None:
        return np.asarray(np.quantile(distribution, levels))
    order = np.argsort(distribution)
    reached = np.cumsum(probabilities[order])
    positions = np.searchsorted(reached / reached[-1] * (1 + 1e-12), np.asarray(levels))
    return distribution[order][np.minimum(positions, len(order) - 1)]


def normal_ends(estimate: float, standard_error: float, confidence_level: float) -> Ends:
    """Estimate plus and minus a normal quantile of standard errors."""
    reach = ndtri(tails(confidence_level)[1]) * standard_error
    return estimate - reach, estimate + reach


def t_ends(
    estimate: Any, standard_error: Any, degrees_of_freedom: Any, confidence_level: float
) -> tuple[Any, Any]:
    """Estimate plus and minus a quantile of Student's t of standard errors."""
    reach = stdtrit(degrees_of_freedom, tails(confidence_level)[1]) * standard_error
    return estimate - reach, estimate + reach


def percentile_ends(
    distribution: Floats, confidence_level: float, probabilities: Floats | None = None
) -> Ends:
    """Quantiles of the distribution itself."""
    low, high = distribution_quantile(distribution, tails(confidence_level), probabilities)
    return float(low), float(high)


def basic_ends(
    estimate: float,
    distribution: Floats,
    confidence_level: float,
    probabilities: Floats | None = None,
) -> Ends:
    """Quantiles of the distribution, mirrored at the estimate."""
    low, high = percentile_ends(distribution, confidence_level, probabilities)
    return 2 * estimate - high, 2 * estimate - low


def studentised_ends(
    estimate: float,
    standard_error: float,
    distribution: Floats,
    standard_errors: Floats,
    confidence_level: float,
) -> Ends:
    """Quantiles of (value - estimate) / its standard error, mirrored and scaled back."""
    usable = standard_errors > 0
    if not usable.any():
        raise ValueError("no resample has a positive standard error: use another interval.")
    pivots = (distribution[usable] - estimate) / standard_errors[usable]
    low, high = distribution_quantile(pivots, tails(confidence_level))
    return float(estimate - high * standard_error), float(estimate - low * standard_error)


def bias_correction(
    estimate: float, distribution: Floats, probabilities: Floats | None = None
) -> float:
    """Return z0, the normal quantile of the fraction below the estimate; ties count half."""
    below = (distribution < estimate) + 0.5 * (distribution == estimate)
    fraction = float(np.average(below, weights=probabilities))
    if fraction in (0.0, 1.0):
        side = "above" if fraction == 0 else "below"
        raise ValueError(
            f"the BCa correction is infinite, as every resample lies {side} the estimate; use the "
            "percentile interval, or a statistic that is not at the edge of its range."
        )
    return float(ndtri(fraction))


def acceleration(
    derivatives: Sequence[Floats], probabilities: Sequence[Floats], sizes: Sequence[int]
) -> float:
    """Return a, a sixth of the skewness of the statistic as a sum over the units drawn.

    For each pool: what one more copy of a unit adds to the statistic, how likely the unit is, and
    how many units are drawn.
    """
    cubes = squares = 0.0
    for own, unit_probabilities, size in zip(derivatives, probabilities, sizes, strict=True):
        centred = own - np.sum(unit_probabilities * own)
        cubes += size * float(np.sum(unit_probabilities * centred**3))
        squares += size * float(np.sum(unit_probabilities * centred**2))
    return cubes / (6 * squares**1.5) if squares > 0 else 0.0


def bca_ends(
    estimate: float,
    distribution: Floats,
    a: float,
    confidence_level: float,
    probabilities: Floats | None = None,
) -> Ends:
    """Quantiles of the distribution at levels corrected for bias and for acceleration a."""
    z0 = bias_correction(estimate, distribution, probabilities)
    z = z0 + ndtri(tails(confidence_level))
    low, high = distribution_quantile(distribution, ndtr(z0 + z / (1 - a * z)), probabilities)
    return float(low), float(high)
