"""A booster as it is at given scores, for scorers: nothing is predicted a second time.

Boosting keeps the scores of the rows it looks at up to date, round by round. A scorer of
scikit-learn wants an estimator, though. It gets this one, which predicts from the scores that are
there and is the booster's estimator in all else.
"""

from __future__ import annotations

from typing import Any

from sklearn.base import ClassifierMixin, RegressorMixin, is_classifier

from nonet._base.aliases import Array, Floats
from nonet.boosting.gradient.booster import by_row
from nonet.boosting.gradient.rows import Rows


class ScoredModel:
    """A model of which the scores of the rows in question are known.

    Parameters
    ----------
    model : estimator
        A booster's estimator, fitted or in its fit.
    scores : array of shape (n_scores, n_rows)
        The scores of all rows that it will be asked about.
    """

    def __init__(self, model: Any, scores: Floats) -> None:
        self._model, self._scores = model, scores

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # copying and pickling ask before there is a model
            raise AttributeError(name)
        return getattr(self._model, name)

    def __sklearn_tags__(self) -> Any:
        return self._model.__sklearn_tags__()

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any) -> Array:
        """Predict the rows of the known scores."""
        predictions: Array = self._model._predict_scores(self._scores, X)
        return predictions


class ScoredRegressor(RegressorMixin, ScoredModel):
    """A regressor at given scores."""


class ScoredClassifier(ClassifierMixin, ScoredModel):
    """A classifier at given scores."""

    def predict_proba(self, X: Any) -> Floats:
        """Return the probabilities of the rows of the known scores."""
        probabilities: Floats = self._model._probabilities(self._scores)
        return probabilities

    def decision_function(self, X: Any) -> Floats:
        """Return the known scores."""
        return by_row(self._scores)


def at_scores(model: Any, scores: Floats) -> ScoredModel:
    """Return a model as it is at these scores."""
    return (ScoredClassifier if is_classifier(model) else ScoredRegressor)(model, scores)


def ask_scorer(scorer: Any, model: Any, rows: Rows) -> float:
    """Let a scorer judge the scores so far of rows.

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
