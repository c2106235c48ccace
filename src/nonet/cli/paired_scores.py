"""Two models on the same rows: the difference of their scores, with a test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from nonet._base.aliases import Array, Floats
from nonet.auto.metric import Metric
from nonet.resampling import mcnemar_test
from nonet.resampling.error_estimates.model_tests import ModelTest


@dataclass(frozen=True, eq=False)
class PairedScores:
    """Scores of two models on the same rows.

    Attributes
    ----------
    metric : str
    better : {'smaller', 'larger'}
    scores, errors : tuple of float
        Of the first and of the second model, with standard errors.
    difference : float
        Score of the first minus that of the second.
    difference_error : float
        Standard error of the difference, from the same groups of rows left out of both.
    p_value : float
        Two-sided, of the difference by its standard error; NaN for a single row.
    mcnemar : ModelTest or None
        Of the labels, in classification.
    """

    metric: str
    better: str
    scores: tuple[float, float]
    errors: tuple[float, float]
    difference: float
    difference_error: float
    p_value: float
    mcnemar: ModelTest | None

    @property
    def winner(self) -> int | None:
        """0 or 1 if a model is better beyond the 5 % level, None otherwise."""
        if not self.p_value < 0.05:
            return None
        return int((self.difference > 0) == (self.better == "smaller"))

    def document(self, names: tuple[str, str]) -> dict[str, Any]:
        """Return the same for JSON."""
        models = [
            {"model": name, "score": score, "standard_error": error}
            for name, score, error in zip(names, self.scores, self.errors, strict=True)
        ]
        return {
            "metric": self.metric,
            "better": self.better,
            "models": models,
            "difference": self.difference,
            "standard_error": self.difference_error,
            "p_value": self.p_value,
            "winner": None if self.winner is None else names[self.winner],
            "mcnemar_p_value": None if self.mcnemar is None else self.mcnemar.p_value,
        }


def compare_scores(
    metric: Metric,
    y: Array,
    first: Floats,
    second: Floats,
    weight: Floats | None = None,
) -> PairedScores:
    """Compare the predictions of two models.

    Parameters
    ----------
    metric : Metric
    y : ndarray of shape (n_rows,)
        Class codes, or values.
    first, second : ndarray of shape (n_rows, n_classes) or (n_rows,)
        Probabilities, or values.
    weight : ndarray of shape (n_rows,), optional

    Returns
    -------
    found : PairedScores

    Examples
    --------
    >>> y = np.arange(50.0)
    >>> found = compare_scores(Metric("rmse", 1.0), y, y + 1, y + 2 + y % 2)
    >>> found.winner, round(found.difference, 2)
    (0, -1.55)
    """
    losses = [metric.loss(y, support, weight) for support in (first, second)]
    errors = [metric.standard_error(y, support, weight) for support in (first, second)]
    spread = metric.standard_error(y, first, weight, None, second)
    scores = metric.shown(losses[0]), metric.shown(losses[1])
    test = None
    if metric.classes is not None:
        labels = [np.argmax(support, axis=1) for support in (first, second)]
        test = mcnemar_test(y, *labels)
    return PairedScores(
        metric.name,
        metric.better,
        scores,
        (errors[0], errors[1]),
        scores[0] - scores[1],
        spread,
        _p_value(losses[0] - losses[1], spread),
        test,
    )


def _p_value(difference: float, spread: float) -> float:
    if difference == 0:
        return 1.0
    if np.isnan(spread):
        return float("nan")
    return float(2 * stats.norm.sf(abs(difference) / spread)) if spread > 0 else 0.0
