"""Scores of answers that were given already, and how sure they are."""

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
class Answers:
    """What an ensemble said of some rows, and the truth.

    Attributes
    ----------
    y, predictions : ndarray of shape (n_rows,) or (n_rows, n_targets)
    shares : list of ndarray or None
        For each target the shares of its classes; None in regression.
    classes : ndarray or list of ndarray or None
    """

    y: Array
    predictions: Array
    shares: list[Floats] | None = None
    classes: Any = None

    def take(self, rows: Array) -> Answers:
        """Return the answers for some of the rows."""
        shares = None if self.shares is None else [share[rows] for share in self.shares]
        return replace(self, y=self.y[rows], predictions=self.predictions[rows], shares=shares)


def score_answers(scoring: Scoring, answers: Answers) -> float:
    """Score with metric(y, predictions), or with a scorer by its name; True is the usual score.

    A scorer gets probabilities where its metric needs them (area under a curve, log loss).
    """
    if scoring is True:
        return _usual_score(answers)
    if not isinstance(scoring, str):
        assert callable(scoring)
        return float(scoring(answers.y, answers.predictions))
    if answers.shares is None:
        view: _Given = _Numbers(answers.predictions)
    else:
        shares: Any = answers.shares[0] if len(answers.shares) == 1 else answers.shares
        view = _Labels(answers.predictions, shares, answers.classes)
    return float(get_scorer(scoring)(view, np.arange(len(answers.y)), answers.y))


def score_or_nan(scoring: Scoring, answers: Answers) -> float:
    """Score, or return NaN where the score is not defined: a class may be missing from the rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn's, of scores that are not defined
        try:
            return score_answers(scoring, answers)
        except ValueError:
            return np.nan


def score_error(scoring: Scoring, answers: Answers) -> float:
    """Return the standard error of a score, as if rows were drawn independently.

    For the accuracy and R squared it is that of a mean of terms, one a row (R squared by its
    influence function); for other scores the jackknife that leaves out one of ten groups of rows.
    NaN where a score is not defined without some rows.
    """
    if scoring is True:
        terms = _right(answers) if answers.shares is not None else _r2_terms(answers)
        return float(np.std(terms, ddof=1) / np.sqrt(len(terms))) if len(terms) > 1 else np.nan
    n_groups = min(_JACKKNIFE_GROUPS, len(answers.y))
    if n_groups < 2:
        return np.nan
    groups = _spread_groups(answers.y, n_groups)
    scores = [
        score_or_nan(scoring, answers.take(np.flatnonzero(groups != group)))
        for group in range(n_groups)
    ]
    return float(np.std(scores) * np.sqrt(n_groups - 1))


def _spread_groups(y: Array, n_groups: int) -> Array:
    """Deal out the rows so that each group has its share of every class and of the range of y."""
    order = np.argsort(y if y.ndim == 1 else y[:, 0], kind="stable")
    groups = np.empty(len(y), dtype=np.intp)
    groups[order] = np.arange(len(y)) % n_groups
    return groups


def _usual_score(answers: Answers) -> float:
    if answers.shares is None:
        return float(r2_score(answers.y, answers.predictions))
    return float(np.mean(_right(answers)))


def _right(answers: Answers) -> Array:
    """Tell which rows have all their labels right."""
    right = (answers.y == answers.predictions).reshape(len(answers.y), -1)
    whole: Array = right.all(axis=1)
    return whole


def _r2_terms(answers: Answers) -> Floats:
    """Return the terms of which R squared's first-order error is the mean."""
    y = answers.y.reshape(len(answers.y), -1).astype(np.float64)
    errors = (y - answers.predictions.reshape(y.shape)) ** 2
    spread = (y - y.mean(axis=0)) ** 2
    variance = spread.mean(axis=0)
    variance = np.where(variance > 0, variance, 1.0)
    unexplained = errors.mean(axis=0) / variance
    terms: Floats = ((errors - unexplained * spread) / variance).mean(axis=1)
    return terms


class _Given(BaseEstimator):
    """Answers already given, in the form that scikit-learn's scorers ask for; X is row numbers."""

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


class _Numbers(RegressorMixin, _Given):
    pass
