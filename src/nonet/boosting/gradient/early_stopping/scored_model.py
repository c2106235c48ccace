"""A booster at given scores, so that scorers do not have to predict again.

Boosting updates the scores of the rows it evaluates in every round. A scorer of scikit-learn needs
an estimator, however. This one predicts from the given scores, and delegates everything else to the
booster's estimator.
"""

from __future__ import annotations

from typing import Any

from sklearn.base import ClassifierMixin, RegressorMixin, is_classifier

from nonet._base.aliases import Array, Floats
from nonet.boosting.gradient.booster import by_row
from nonet.boosting.gradient.rows import Rows


class ScoredModel:
    """A model that predicts from given scores.

    Parameters
    ----------
    model : estimator
        A booster's estimator, fitted or in its fit.
    scores : array of shape (n_scores, n_rows)
        The scores of all rows that it will predict.
    """

    def __init__(self, model: Any, scores: Floats) -> None:
        self._model, self._scores = model, scores

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # copying and pickling look these up before there is a model
            raise AttributeError(name)
        return getattr(self._model, name)

    def __sklearn_tags__(self) -> Any:
        return self._model.__sklearn_tags__()

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any) -> Array:
        """Predict the rows from the given scores."""
        predictions: Array = self._model._predict_scores(self._scores, X)
        return predictions


class ScoredRegressor(RegressorMixin, ScoredModel):
    """A regressor at given scores."""


class ScoredClassifier(ClassifierMixin, ScoredModel):
    """A classifier at given scores."""

    def predict_proba(self, X: Any) -> Floats:
        """Return the probabilities of the rows from the given scores."""
        probabilities: Floats = self._model._probabilities(self._scores)
        return probabilities

    def decision_function(self, X: Any) -> Floats:
        """Return the given scores."""
        return by_row(self._scores)


def at_scores(model: Any, scores: Floats) -> ScoredModel:
    """Return a model that predicts from these scores."""
    return (ScoredClassifier if is_classifier(model) else ScoredRegressor)(model, scores)


def score_rows(scorer: Any, model: Any, rows: Rows) -> float:
    """Apply a scorer to the current scores of rows.

    Parameters
    ----------
    scorer : callable
        scorer(estimator, X, y), with ``sample_weight`` if the rows have weights.
    model : estimator
        The booster's estimator.
    rows : Rows
        The rows.

    Returns
    -------
    float
    """
    weights = {} if rows.weights is None else {"sample_weight": rows.weights}
    labels = model._labels_of(rows.target)
    return float(scorer(at_scores(model, rows.scores), rows.X, labels, **weights))
