"""Held-out scores of a blend after each candidate member is added.

A blend is a mean in which member m counts ``counts[m]`` times. A ``CandidateScores`` function
takes the counts of the blend so far and some candidates, and returns the score of the blend
with each of them added once; larger is better. With counts of 0 these are the scores of the
members alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import get_scorer, get_scorer_names

from nonet._base.aliases import Array, Floats
from nonet._base.params import Rule
from nonet.combine.held_out import HeldOut
from nonet.combine.least_squares import error_gram

CandidateScores = Callable[[Floats, Array], Floats]

_ROWS_AT_ONCE = 4096  # rows x members of one block stay in the cache


class Scoring(Rule):
    """A name of a scikit-learn scorer, or a callable (estimator, X, y)."""

    def allows(self, value: Any) -> bool:
        """Return whether scikit-learn has a scorer of that name, or the value is callable."""
        if isinstance(value, str):
            return value in get_scorer_names()
        return callable(value) and not isinstance(value, type)

    def describe(self) -> str:
        """Describe what is allowed."""
        return (
            "a callable (estimator, X, y) or a scorer name that "
            "sklearn.metrics.get_scorer_names() lists, such as 'accuracy' or 'r2'"
        )


class ReadyClassifier(ClassifierMixin, BaseEstimator):
    """A classifier for scorers, whose input X is already the support of the classes."""

    def __init__(self, classes: Array) -> None:
        self.classes = classes

    @property
    def classes_(self) -> Array:
        """The classes, in the order of the columns of the support."""
        return self.classes

    def predict(self, X: Floats) -> Array:
        """Return the label with the highest support, the first one if several are equal."""
        labels: Array = self.classes[np.argmax(X, axis=1)]
        return labels

    def predict_proba(self, X: Floats) -> Floats:
        """Return the support scaled to sum to one; a row without support becomes uniform."""
        if X.min() < 0:
            raise ValueError(
                "outputs hold negative supports, which are not probabilities; choose a scoring "
                "that reads labels or decision values, such as 'accuracy'."
            )
        sums = X.sum(axis=1, keepdims=True)
        empty = sums == 0
        return np.where(empty, 1 / X.shape[1], X / np.where(empty, 1.0, sums))

    def decision_function(self, X: Floats) -> Floats:
        """Return the support; for two classes, the second minus the first."""
        return X[:, 1] - X[:, 0] if X.shape[1] == 2 else X


class ReadyRegressor(RegressorMixin, BaseEstimator):
    """A regressor for scorers, whose input X is already the prediction."""

    def predict(self, X: Floats) -> Floats:
        """Return X, as a vector if there is one target."""
        return X[:, 0] if X.shape[1] == 1 else X


def scores_by(scoring: str | Callable[..., float], held_out: HeldOut) -> CandidateScores:
    """Return candidate scores by a scikit-learn scorer.

    Parameters
    ----------
    scoring : str or callable
        A scorer, its name, or a callable (estimator, X, y). It is given ``sample_weight`` if
        the held-out rows have weights.
    held_out : HeldOut
        The predictions of the members.

    Returns
    -------
    candidate_scores : callable

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.combine.blend_scores import scores_by
    >>> from nonet.combine.held_out import check_held_out
    >>> votes = check_held_out([[0, 1], [1, 1]], [0, 1], classes=["no", "yes"])
    >>> scores_by("accuracy", votes)(np.zeros(2), np.arange(2))
    array([1. , 0.5])
    """
    scorer = get_scorer(scoring)
    predictor, truth = _ready_predictions(held_out)
    weight = held_out.sample_weight
    known: dict[str, Any] = {} if weight is None else {"sample_weight": weight}

    def candidate_scores(counts: Floats, candidates: Array) -> Floats:
        blend = np.zeros((held_out.n_rows, held_out.n_targets))
        for member in np.flatnonzero(counts):
            blend += counts[member] * held_out.member(int(member))
        size = counts.sum() + 1
        blends = ((blend + held_out.member(member)) / size for member in candidates)
        return np.array([_score(scorer, predictor, blend, truth, known) for blend in blends])

    return candidate_scores


def _ready_predictions(held_out: HeldOut) -> tuple[BaseEstimator, Array]:
    if held_out.classes is not None:
        return ReadyClassifier(held_out.classes), held_out.classes[held_out.target]
    predictor = ReadyRegressor()
    return predictor, predictor.predict(held_out.target)


def _score(
    scorer: Any, predictor: BaseEstimator, blend: Floats, truth: Array, known: Mapping[str, Any]
) -> float:
    try:
        score = float(scorer(predictor, blend, truth, **known))
    except TypeError as why:
        if "sample_weight" not in str(why):
            raise
        raise TypeError(
            f"scoring {scorer!r} takes no sample_weight; choose a scoring that does, "
            "or leave sample_weight out."
        ) from why
    if not np.isfinite(score):
        raise ValueError(
            f"scoring {scorer!r} gives {score} on these {len(truth)} held-out rows; "
            "choose another scoring or more rows."
        )
    return score


def squared_error_scores(held_out: HeldOut) -> CandidateScores:
    """Return candidate scores by minus the mean squared error.

    Parameters
    ----------
    held_out : HeldOut
        The predictions of k members.

    Returns
    -------
    candidate_scores : callable
        Each call costs k^2 operations, however many rows there are, because the error of a
        blend is the mean of the members' errors and depends only on their products.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.combine.blend_scores import squared_error_scores
    >>> from nonet.combine.held_out import check_held_out
    >>> scores = squared_error_scores(check_held_out([[1.0, 4.0]], [2.0]))
    >>> scores(np.array([1.0, 0.0]), np.arange(2))
    array([-1.  , -0.25])
    """
    numbers = held_out.row_weights.sum() * held_out.n_targets
    products = error_gram(held_out)[:-1, :-1] / numbers
    own = np.diag(products)

    def candidate_scores(counts: Floats, candidates: Array) -> Floats:
        with_blend = products @ counts
        errors = counts @ with_blend + 2 * with_blend + own
        scores: Floats = -errors[candidates] / (counts.sum() + 1) ** 2
        return scores

    return candidate_scores


def log_loss_scores(held_out: HeldOut) -> CandidateScores:
    """Return candidate scores by minus the mean log loss.

    Parameters
    ----------
    held_out : HeldOut
        The predictions of the members: supports of at least 0, or votes.

    Returns
    -------
    candidate_scores : callable
        Supports are scaled to sum to one over the classes; probabilities below the machine
        epsilon count as that, as in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.combine.blend_scores import log_loss_scores
    >>> from nonet.combine.held_out import check_held_out
    >>> held_out = check_held_out([[[0.5, 0.5], [1.0, 0.0]]], [0], classes=["no", "yes"])
    >>> log_loss_scores(held_out)(np.zeros(2), np.arange(2)).round(6)
    array([-0.693147,  0.      ])
    """
    on_truth, in_all = _support_of_truth(held_out)
    row_weights = held_out.row_weights / held_out.row_weights.sum()
    blocks = [slice(a, a + _ROWS_AT_ONCE) for a in range(0, held_out.n_rows, _ROWS_AT_ONCE)]

    def candidate_scores(counts: Floats, candidates: Array) -> Floats:
        scores = np.zeros(len(candidates))
        for rows in blocks:
            named = _with_each(on_truth[rows], counts, candidates)
            summed = _with_each(in_all[rows], counts, candidates)
            scores += row_weights[rows] @ _log_ratio(named, summed)
        return scores

    return candidate_scores


def _support_of_truth(held_out: HeldOut) -> tuple[Floats, Floats]:
    """Return each member's support for the true class and for all classes, both (n, k)."""
    target = held_out.target
    if held_out.outputs.ndim == 2:
        hits = held_out.outputs == target[:, np.newaxis]
        return hits.astype(np.float64), (held_out.outputs >= 0).astype(np.float64)
    if held_out.outputs.min() < 0:
        raise ValueError(
            "outputs hold negative supports, which have no log loss; choose a `scoring` that "
            "reads labels or decision values, such as 'accuracy'."
        )
    on_truth = held_out.outputs[np.arange(held_out.n_rows), :, target]
    return on_truth.astype(np.float64), held_out.outputs.sum(axis=2, dtype=np.float64)


def _with_each(values: Floats, counts: Floats, candidates: Array) -> Floats:
    """Return the sum over the blend plus each candidate, (rows, candidates)."""
    added: Floats = values[:, candidates] + (values @ counts)[:, np.newaxis]
    return added


def _log_ratio(support: Floats, whole: Floats) -> Floats:
    empty = whole == 0
    whole[empty] = 1.0  # all members abstain, so the probability is 0
    support /= whole
    np.maximum(support, np.finfo(np.float64).eps, out=support)
    return np.log(support, out=support)
