"""Rescaling from resamples of m rows to samples of n rows.

A statistic that converges as n ** -rate deviates by (m / n) ** rate as much in samples of n rows as
in samples of m rows. Resamples without replacement share rows with the sample: for root-n
statistics the variance of their distance from the estimate is smaller by the factor 1 - m / n.

References: P. Bickel, F. Goetze & W. van Zwet (1997), Resampling fewer than n observations,
Statistica Sinica 7, 1-31; D. Politis & J. Romano (1994), Large sample confidence regions based on
subsamples under minimal assumptions, Annals of Statistics 22, 2031-2050.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nonet._base.aliases import Floats

ROOT_N = 0.5
"""The rate of means and of smooth functions of them."""


@dataclass(frozen=True)
class Rescaling:
    """How the spread of resamples becomes that of samples as large as the data.

    Attributes
    ----------
    ratio : float
        Units in a resample over units in the sample, m / n.
    rate : float
        The statistic converges as n ** -rate; 0 leaves the spread as it is.
    replace : bool, default=True
        Whether units are drawn with replacement.
    """

    ratio: float
    rate: float
    replace: bool = True

    @property
    def of_spread(self) -> float:
        """Factor of standard errors."""
        return float(self.ratio**self.rate) * self.of_pivot

    @property
    def of_bias(self) -> float:
        """Factor of the bias: the bias of root-n statistics is of the order 1 / n.

        Without replacement that is 1 / n over 1 / m - 1 / n.
        """
        return self.ratio * self.of_pivot**2 if self.rate == ROOT_N else self.of_spread

    @property
    def of_pivot(self) -> float:
        """Factor of distances in standard errors of the resample: 1 with replacement.

        The correction for a finite population holds for root-n statistics only.
        """
        if self.replace or self.rate != ROOT_N:
            return 1.0
        return float((1 - self.ratio) ** -0.5)

    def about(self, estimate: Any, values: Floats) -> Floats:
        """Return the values with their distance from the estimate rescaled."""
        return values if self.of_spread == 1 else estimate + self.of_spread * (values - estimate)


def choose_rescaling(
    sizes: Sequence[tuple[int, int]], rate: float, replace: bool = True
) -> Rescaling:
    """Return the rescaling for pools with m units in a resample and n in the sample, (m, n).

    The fractions m / n may differ as much as whole numbers make them. No pools, as with schemes,
    means resamples of full size.
    """
    if rate == 0 or not sizes:
        return Rescaling(1.0, rate)
    drawn, own = zip(*sizes, strict=True)
    ratio = sum(drawn) / sum(own)
    if any(abs(m - ratio * n) > 0.5 for m, n in sizes):
        raise ValueError(
            "size must be the same fraction of every sample or stratum, but resamples have "
            f"{drawn} of {own} rows (or groups), which no factor can rescale; rate=0 leaves them "
            "as they are."
        )
    return Rescaling(ratio, rate, replace)
