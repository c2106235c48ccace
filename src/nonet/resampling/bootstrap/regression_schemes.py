"""Resamples of a regression that keep the predictors and generate new responses.

Data are (X, y). The fit is least squares with an intercept; residuals are divided by
sqrt(1 - leverage), so that all have the variance of the noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Floats
from nonet._base.params import Choice, bad_parameter
from nonet.resampling.bootstrap.draws import Tables
from nonet.resampling.bootstrap.schemes import Scheme
from nonet.resampling.statistics.least_squares import fit_with_leverage
from nonet.resampling.statistics.samples import Sample

_NOISE = Choice("rademacher", "mammen")
_GOLDEN = (1 + np.sqrt(5)) / 2


@dataclass(frozen=True)
class ResponseDraws:
    """Resamples with new responses about a fit."""

    scheme: Residual | Wild
    X: Any
    fitted: Floats
    residuals: Floats
    seed: int

    def tables(self, resample: int) -> Tables:
        """Return X and the new response."""
        key = np.array([self.seed, resample], dtype=np.uint64)
        random = np.random.Generator(np.random.Philox(key=key))
        return (self.X, self.fitted + self.scheme.errors(self.residuals, random)), None


def _bind(scheme: Residual | Wild, sample: Sample, seed: int) -> ResponseDraws:
    if len(sample.parts) != 2 or not sample.paired:
        raise ValueError("residual and wild bootstrap need paired data (X, y).")
    fitted, residuals, leverage = fit_with_leverage(*sample.arrays)
    slack = 1 - leverage
    if slack.min() < 1e-12:
        raise ValueError(
            f"row {int(np.argmin(slack))} has leverage 1: the fit passes through it whatever its "
            "response, so it has no residual; leave it out."
        )
    return ResponseDraws(scheme, sample.parts[0], fitted, residuals / np.sqrt(slack), seed)


@dataclass(frozen=True)
class Residual(Scheme):
    """Fitted values plus residuals drawn with replacement: the noise is the same everywhere.

    Examples
    --------
    >>> from nonet import bootstrap
    >>> from nonet.resampling import Residual
    >>> x, y = np.arange(8.0), np.array([1.0, 3, 2, 5, 4, 6, 8, 7])
    >>> result = bootstrap((x, y), "coefficients", scheme=Residual(), n_resamples=200)
    >>> result.standard_error.shape
    (2,)
    """

    def bind(self, sample: Sample, seed: int) -> ResponseDraws:
        """Fit the data and centre the residuals."""
        return _bind(self, sample, seed)

    def errors(self, residuals: Floats, random: np.random.Generator) -> Floats:
        """Return one set of errors."""
        return np.asarray(random.choice(residuals - residuals.mean(), size=len(residuals)))


@dataclass(frozen=True)
class Wild(Scheme):
    """Fitted values plus each row's own residual times a random factor: noise may differ by row.

    Wu (1986), Mammen (1993).

    Attributes
    ----------
    noise : {'rademacher', 'mammen'}, default='rademacher'
        The factor, of mean 0 and variance 1: a random sign, or Mammen's two points, whose third
        moment is 1 too.

    Examples
    --------
    >>> from nonet import bootstrap
    >>> from nonet.resampling import Wild
    >>> x, y = np.arange(8.0), np.array([1.0, 3, 2, 5, 4, 6, 8, 7])
    >>> result = bootstrap((x, y), "coefficients", scheme=Wild(), n_resamples=200)
    >>> result.standard_error.shape
    (2,)
    """

    noise: str = "rademacher"

    def __post_init__(self) -> None:
        if not _NOISE.allows(self.noise):
            raise bad_parameter(self, "noise", _NOISE.describe(), self.noise)

    def bind(self, sample: Sample, seed: int) -> ResponseDraws:
        """Fit the data."""
        return _bind(self, sample, seed)

    def errors(self, residuals: Floats, random: np.random.Generator) -> Floats:
        """Return one set of errors."""
        u = random.random(len(residuals))
        if self.noise == "rademacher":
            return residuals * np.where(u < 0.5, -1.0, 1.0)
        factors = np.where(u < _GOLDEN / np.sqrt(5), 1 - _GOLDEN, _GOLDEN)
        return np.asarray(residuals * factors)
