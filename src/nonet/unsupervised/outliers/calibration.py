"""Calibrations of outlier scores: from a detector's own scale to the unit interval.

Detectors score on scales of their own: a log-density, a distance, a path length. A calibration maps
the scores of one detector to outlier probabilities, by comparison with the scores of training rows
that the detector has not seen. Scores follow scikit-learn's sign: the lower, the more abnormal.

References
----------
H.-P. Kriegel, P. Kroeger, E. Schubert and A. Zimek, Interpreting and unifying outlier scores, SIAM
International Conference on Data Mining, 2011.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import erf, gammainc

from nonet._base.aliases import Array, Floats


@dataclass(frozen=True)
class RankCalibration:
    """The fraction of training scores that are more normal; a tie counts half."""

    sorted_scores: Floats

    @classmethod
    def learn(cls, scores: Floats) -> RankCalibration:
        """Store the training scores in order."""
        return cls(np.sort(scores))

    def __call__(self, scores: Floats) -> Floats:
        """Return an outlier probability for each score."""
        below = np.searchsorted(self.sorted_scores, scores, side="left")
        not_above = np.searchsorted(self.sorted_scores, scores, side="right")
        fractions: Floats = 1 - (below + not_above) / (2 * len(self.sorted_scores))
        return fractions


@dataclass(frozen=True)
class GaussianCalibration:
    """Gaussian scaling: ``max(0, erf(z / sqrt(2)))`` of the standardised outlier score z."""

    mean: float
    deviation: float

    @classmethod
    def learn(cls, scores: Floats) -> GaussianCalibration:
        """Store mean and standard deviation of the training scores."""
        return cls(float(scores.mean()), float(scores.std()))

    def __call__(self, scores: Floats) -> Floats:
        """Return an outlier probability for each score."""
        z = _divide(self.mean - scores, self.deviation)
        scaled: Floats = np.maximum(0.0, erf(z / np.sqrt(2)))
        return scaled


@dataclass(frozen=True)
class GammaCalibration:
    """Gamma scaling: the upper half of a gamma distribution fitted by its moments.

    With F the distribution function, and the outlier score s counted from the most normal training
    row: ``max(0, (F(s) - F(mean)) / (1 - F(mean)))``.
    """

    most_normal: float
    mean: float
    variance: float

    @classmethod
    def learn(cls, scores: Floats) -> GammaCalibration:
        """Store the maximum of the training scores, and the moments of the distance to it."""
        distances = scores.max() - scores
        return cls(float(scores.max()), float(distances.mean()), float(distances.var()))

    def __call__(self, scores: Floats) -> Floats:
        """Return an outlier probability for each score."""
        distances = np.maximum(0.0, self.most_normal - scores)
        at_mean = self._distribution(np.array(self.mean))
        above = (self._distribution(distances) - at_mean) / max(1 - float(at_mean), 1e-12)
        scaled: Floats = np.clip(above, 0.0, 1.0)
        return scaled

    def _distribution(self, distances: Array) -> Floats:
        if self.variance <= 0:  # all training rows score the same
            return np.where(distances > self.mean, 1.0, 0.0)
        shape, scale = self.mean**2 / self.variance, self.variance / self.mean
        values: Floats = gammainc(shape, distances / scale)
        return values


SCORE_CALIBRATIONS: dict[str, Callable[[Floats], Any]] = {
    "rank": RankCalibration.learn,
    "gaussian": GaussianCalibration.learn,
    "gamma": GammaCalibration.learn,
}


def learn_calibrations(name: str, outputs: Floats) -> tuple[Callable[[Floats], Floats], ...]:
    """Return the calibration of each detector, learned from held-out scores, an (n, k) array."""
    return tuple(map(SCORE_CALIBRATIONS[name], outputs.T))


def _divide(differences: Floats, deviation: float) -> Floats:
    """Divide by the deviation; if all training scores are equal, any difference is extreme."""
    if deviation > 0:
        return differences / deviation
    return np.where(differences > 0, np.inf, np.where(differences < 0, -np.inf, 0.0))
