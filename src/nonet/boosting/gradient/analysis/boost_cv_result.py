"""Result of cross-validating the number of rounds of a booster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Floats
from nonet._base.results import PlottableResult
from nonet.resampling.error_estimates.cv_result import error_over_folds
from nonet.resampling.error_estimates.selection_rules import one_standard_error


@dataclass(frozen=True)
class BoostCV(PlottableResult):
    """Held-out scores after every round; larger is better.

    Attributes
    ----------
    fold_scores : ndarray of shape (n_folds, n_rounds)
        The score of each fold's held-out rows after each round.
    fold_fractions : ndarray of shape (n_folds,)
        Fraction of each fold in the held-out rows, or in their weights.
    predictions : ndarray of shape (n_samples,) or (n_samples, n_classes)
        Predictions after ``best_round`` rounds of the boosters that held the row out;
        probabilities of a classifier. NaN for rows that no fold held out.
    scoring : str
        The score that was computed.
    model : estimator or None
        The booster fitted on all rows, if ``refit`` was set.

    Examples
    --------
    >>> from nonet.boosting import BoostCV
    >>> scores = np.array([[-3.0, -1.0, -0.9], [-5.0, -2.0, -1.9]])
    >>> result = BoostCV(scores, np.array([0.5, 0.5]), np.empty(0), "minus the loss", None)
    >>> result.best_round, result.one_standard_error_round
    (3, 2)
    """

    fold_scores: Floats
    fold_fractions: Floats
    predictions: Floats
    scoring: str
    model: Any

    _shown: ClassVar[tuple[str, ...]] = ("scoring", "n_rounds", "best_round", "best_score")
    _plot: ClassVar[str] = "plot_boost_cv"

    @property
    def n_rounds(self) -> int:
        """Number of rounds that were scored."""
        return int(self.fold_scores.shape[1])

    @property
    def scores(self) -> Floats:
        """The mean score after each round, with folds weighted by their held-out rows."""
        means: Floats = self.fold_fractions @ self.fold_scores
        return means

    @property
    def standard_errors(self) -> Floats:
        """Standard errors of the means over folds; approximate, because folds share rows."""
        return error_over_folds(self.fold_scores, self.fold_fractions)

    @property
    def best_round(self) -> int:
        """The smallest number of rounds with the best mean score."""
        return int(np.argmax(self.scores)) + 1

    @property
    def best_score(self) -> float:
        """The mean score after ``best_round`` rounds."""
        return float(self.scores.max())

    @property
    def one_standard_error_round(self) -> int:
        """The smallest number of rounds within one standard error of the best."""
        return one_standard_error(-self.scores, self.standard_errors) + 1
