"""Nested cross-validation of a whole stack and its members."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.frames import count_rows, make_indexable, take_rows
from nonet._base.parallel import run_all
from nonet._base.progress import Steps
from nonet._base.results import Result
from nonet.members.folds import make_folds
from nonet.stacking.cross_fitted_models import CrossFittedModels
from nonet.stacking.given_models import GivenModels


@dataclass(frozen=True)
class HonestScore(Result):
    """The score of an ensemble on rows that were not used in any step of its fit.

    Attributes
    ----------
    score : float
        The mean over the outer folds; larger is better.
    standard_error : float
        Standard error of the mean, from the spread of the folds. Folds have training rows in
        common, so it is somewhat too small.
    fold_scores : ndarray of shape (n_folds,)
    member_scores : dict of str to ndarray
        The scores of the members in the same folds; NaN where the scorer cannot score a member,
        or where it was not selected.
    best_member : str or None
        The member with the best mean score in these folds.
    gain : float
        Score of the ensemble minus that of its best member.
    gain_error : float
        Standard error of the gain, from its spread over the folds.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> from nonet import StackingRegressor, honest_score
    >>> X, y = load_diabetes(return_X_y=True)
    >>> members = [("linear", LinearRegression()), ("near", KNeighborsRegressor(20))]
    >>> result = honest_score(StackingRegressor(members), X, y, cv=5)
    >>> result.best_member
    'linear'
    >>> 0.45 < result.score < 0.55
    True
    """

    _shown: ClassVar[tuple[str, ...]] = (
        "score",
        "standard_error",
        "best_member",
        "gain",
        "gain_error",
    )

    score: float
    standard_error: float
    fold_scores: Floats
    member_scores: dict[str, Floats]
    best_member: str | None
    gain: float
    gain_error: float


def honest_score(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    scoring: Any = None,
    cv: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    n_jobs: int | None = None,
) -> HonestScore:
    """Score a whole stack, blend or selection by nested cross-validation.

    Each outer fold fits the whole ensemble on its training rows: members, inner folds,
    final model. The members fitted there are scored on the same held-out rows.

    Parameters
    ----------
    estimator : ensemble or estimator
        Not prefit: its members must be refitted in each fold.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
    y : array-like of shape (n_samples,) or (n_samples, n_targets)
    scoring : str or callable, default=None
        A scikit-learn scorer, its name, or a callable (estimator, X, y); None is the
        estimator's own ``score``.
    cv : int, float, splitter or iterable, default=None
        The outer folds; None is 5, stratified for classifiers.
    groups : array-like of shape (n_samples,), default=None
        The group of each row, for the outer and for the inner splitter.
    sample_weight : array-like of shape (n_samples,), default=None
        Passed to fit.
    n_jobs : int, default=None
        The number of outer folds run in parallel.

    Returns
    -------
    result : HonestScore

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from nonet import SelectionClassifier, honest_score
    >>> X, y = load_wine(return_X_y=True)
    >>> members = [("bayes", GaussianNB()), ("tree", DecisionTreeClassifier(random_state=0))]
    >>> result = honest_score(SelectionClassifier(members), X, y)
    >>> result.gain <= 0  # choosing cannot beat the one that is best in hindsight
    True
    """
    if getattr(estimator, "prefit", False):
        raise ValueError(
            "honest_score fits the members anew in each fold, but they are prefit; use "
            "an ensemble with cv=None or a splitter."
        )
    X = make_indexable(X)
    weight = check_sample_weight(sample_weight, count_rows(X))
    known = {"groups": groups, "sample_weight": weight}
    params = {name: value for name, value in known.items() if value is not None}
    if not isinstance(estimator, CrossFittedModels):
        params.pop("groups", None)
    target = np.asarray(y)
    folds = make_folds(cv, X, target, groups, classifier=is_classifier(estimator))
    scorer = check_scoring(estimator, scoring=scoring)
    calls = [(estimator, X, target, train, test, scorer, params) for train, test in folds]
    scores = run_all(_score_fold, calls, n_jobs=n_jobs, steps=Steps("honest_score", "folds"))
    names = dict.fromkeys(name for _, members in scores for name in members)
    members = {name: np.array([of.get(name, np.nan) for _, of in scores]) for name in names}
    return _summarise(np.array([own for own, _ in scores]), members)


def _score_fold(
    estimator: Any, X: Any, y: Array, train: Array, test: Array, scorer: Any, params: dict[str, Any]
) -> tuple[float, dict[str, float]]:
    fitted = clone(estimator)
    own = {name: take_rows(value, train) for name, value in params.items()}
    fitted.fit(take_rows(X, train), take_rows(y, train), **own)
    unseen, truth = take_rows(X, test), take_rows(y, test)
    members = fitted.members_ if isinstance(fitted, GivenModels) else []
    return float(scorer(fitted, unseen, truth)), {
        member.name: score_member(scorer, member.estimator, unseen, truth) for member in members
    }


def score_member(scorer: Any, model: Any, X: Any, y: Array) -> float:
    """Return the score of a member; NaN if the scorer cannot score it."""
    try:
        return float(scorer(model, X, y))
    except (AttributeError, TypeError, ValueError):  # no probabilities, a regressor, own columns
        return np.nan


def _summarise(own: Floats, members: dict[str, Floats]) -> HonestScore:
    means = {name: scores.mean() for name, scores in members.items() if np.isfinite(scores).all()}
    best = max(means, key=lambda name: means[name]) if means else None
    gains = own - members[best] if best is not None else np.full(len(own), np.nan)
    return HonestScore(
        float(own.mean()),
        standard_error(own),
        own,
        members,
        best,
        float(gains.mean()),
        standard_error(gains),
    )


def standard_error(scores: Floats) -> float:
    """Return the standard error of a mean of fold scores; NaN for a single one."""
    return float(np.std(scores, ddof=1) / np.sqrt(len(scores))) if len(scores) > 1 else np.nan
