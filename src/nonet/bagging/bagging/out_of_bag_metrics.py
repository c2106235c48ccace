"""Scores of given predictions, and the standard errors of these scores."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import get_scorer, r2_score

from nonet._base.aliases import Array, Floats

_JACKKNIFE_GROUPS = 10

Scoring = bool | str | Callable[[Array, Array], float]


@dataclass(frozen=True)
class TargetsAndPredictions:
    """Predictions of an ensemble for some rows, with the true targets.

    Attributes
    ----------
    y, predictions : ndarray of shape (n_rows,) or (n_rows, n_targets)
    fractions : list of ndarray or None
        For each target the fractions of its classes; None in regression.
    classes : ndarray or list of ndarray or None
    """

    y: Array
    predictions: Array
    fractions: list[Floats] | None = None
    classes: Any = None

    def take(self, rows: Array) -> TargetsAndPredictions:
        """Return the predictions for some of the rows."""
        fractions = (
            None if self.fractions is None else [fraction[rows] for fraction in self.fractions]
        )
        return replace(
            self, y=self.y[rows], predictions=self.predictions[rows], fractions=fractions
        )


def score_predictions(scoring: Scoring, predictions: TargetsAndPredictions) -> float:
    """Score by metric(y, predictions) or by a scorer's name; True is accuracy or R squared.

    A scorer gets probabilities if its metric needs them (area under a curve, log loss).
    """
    if scoring is True:
        return _usual_score(predictions)
    if not isinstance(scoring, str):
        assert callable(scoring)
        return float(scoring(predictions.y, predictions.predictions))
    if predictions.fractions is None:
        view: _Given = _Values(predictions.predictions)
    else:
        fractions: Any = (
            predictions.fractions[0] if len(predictions.fractions) == 1 else predictions.fractions
        )
        view = _Labels(predictions.predictions, fractions, predictions.classes)
    return float(get_scorer(scoring)(view, np.arange(len(predictions.y)), predictions.y))


def score_or_nan(scoring: Scoring, predictions: TargetsAndPredictions) -> float:
    """Score, or return NaN if the score is undefined: a class may be missing from the rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns about undefined scores
        try:
            return score_predictions(scoring, predictions)
        except ValueError:
            return np.nan


def score_error(scoring: Scoring, predictions: TargetsAndPredictions) -> float:
    """Return the standard error of a score, on the assumption that rows are independent.

    For the accuracy and R squared it is that of a mean over the rows (R squared by its influence
    function); for other scores it is a jackknife that leaves out one of ten groups of rows. It is
    NaN if a score is undefined without some rows.
    """
    if scoring is True:
        terms = _right(predictions) if predictions.fractions is not None else _r2_terms(predictions)
        return float(np.std(terms, ddof=1) / np.sqrt(len(terms))) if len(terms) > 1 else np.nan
    n_groups = min(_JACKKNIFE_GROUPS, len(predictions.y))
    if n_groups < 2:
        return np.nan
    groups = _spread_groups(predictions.y, n_groups)
    scores = [
        score_or_nan(scoring, predictions.take(np.flatnonzero(groups != group)))
        for group in range(n_groups)
    ]
    return float(np.std(scores) * np.sqrt(n_groups - 1))


def _spread_groups(y: Array, n_groups: int) -> Array:
    """Assign rows to groups, stratified by class or by the value of y."""
    order = np.argsort(y if y.ndim == 1 else y[:, 0], kind="stable")
    groups = np.empty(len(y), dtype=np.intp)
    groups[order] = np.arange(len(y)) % n_groups
    return groups


def _usual_score(predictions: TargetsAndPredictions) -> float:
    if predictions.fractions is None:
        return float(r2_score(predictions.y, predictions.predictions))
    return float(np.mean(_right(predictions)))


def _right(predictions: TargetsAndPredictions) -> Array:
    """Return which rows have only right labels."""
    right = (predictions.y == predictions.predictions).reshape(len(predictions.y), -1)
    whole: Array = right.all(axis=1)
    return whole


def _r2_terms(predictions: TargetsAndPredictions) -> Floats:
    """Return per-row terms whose mean has the first-order error of R squared."""
    y = predictions.y.reshape(len(predictions.y), -1).astype(np.float64)
    errors = (y - predictions.predictions.reshape(y.shape)) ** 2
    spread = (y - y.mean(axis=0)) ** 2
    variance = spread.mean(axis=0)
    variance = np.where(variance > 0, variance, 1.0)
    unexplained = errors.mean(axis=0) / variance
    terms: Floats = ((errors - unexplained * spread) / variance).mean(axis=1)
    return terms


class _Given(BaseEstimator):
    """Given predictions as an estimator for scikit-learn's scorers; X holds row indices."""

    def __init__(self, predictions: Array, probabilities: Any = None, classes: Any = None) -> None:
        self.predictions = predictions
        self.probabilities = probabilities
        self.classes_ = classes

    def predict(self, X: Array) -> Array:
        return self.predictions[X]

    def __sklearn_is_fitted__(self) -> bool:
        return True


class _Labels(ClassifierMixin, _Given):
    def predict_proba(self, X: Array) -> Any:
        if isinstance(self.probabilities, list):
            return [of_target[X] for of_target in self.probabilities]
        return self.probabilities[X]


class _Values(RegressorMixin, _Given):
    pass
