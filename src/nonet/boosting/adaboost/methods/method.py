"""What makes one way of boosting: how a member is judged, weighed, and what rows weigh next.

``rounds.py`` runs the loop; a method is all in which two ways of boosting differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.extmath import softmax

from nonet._base.aliases import Array, Codes, Floats, Kind, Task
from nonet._base.params import Rule, check_params
from nonet._native.loss import normalise_weights, sum_marked
from nonet.combine.rule import CombinationRule

# No row's share of the weight falls below this, as in scikit-learn: it could never come back.
LEAST_WEIGHT = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class TrainingRows:
    """The rows that are boosted on.

    Attributes
    ----------
    table : array, sparse matrix or frame
    target : ndarray of shape (n_rows,)
        Labels or numbers, as the user gave them.
    weights : ndarray of shape (n_rows,)
        The first weights, of sum 1.
    codes : ndarray of int of shape (n_rows,)
        Class codes; empty in regression.
    classes : ndarray of shape (n_classes,)
        Labels of the classes; empty in regression.
    """

    table: Any
    target: Array
    weights: Floats
    codes: Codes
    classes: Array

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)

    @property
    def signs(self) -> Floats:
        """+1 for the second of two classes, -1 for the first."""
        return np.where(self.codes == 1, 1.0, -1.0)


@dataclass(frozen=True)
class Verdict:
    """What a round found out about its member.

    Attributes
    ----------
    error : float
        The weighted error eps_t.
    weight : float
        The member's weight in the vote.
    alpha : float
        The same in the scale in which rows are reweighted by exp(-alpha u).
    wrong : ndarray of bool of shape (n_rows,)
        Which rows the member answers wrong.
    steps : ndarray of shape (n_rows,) or None
        alpha u, what the member adds to the score of each row; None if u is +1 where the member
        is right and -1 where it is wrong.
    z : float or None
        The sum of the reweighted weights; None if it is that of the rows times exp(-steps).
    total_scores : ndarray of shape (n_rows,) or None
        The scores of the rows after this round, over the sum of all weights, if the weights of
        earlier members have changed.
    stop : str
        Why boosting ends with this member; empty if it goes on.
    is_kept : bool
        Whether the member enters the vote.
    is_perfect : bool
        Whether the member makes no weighted error, so that its best weight would be infinite.
    """

    error: float
    weight: float
    alpha: float
    wrong: Array
    steps: Floats | None = None
    z: float | None = None
    total_scores: Floats | None = None
    stop: str = ""
    is_kept: bool = True
    is_perfect: bool = False

    def at_least(self, weight: float) -> Verdict:
        """Return the verdict with a weight of at least this size, alpha and steps in proportion."""
        factor = max(1.0, weight / abs(self.weight))
        steps = None if self.steps is None else factor * self.steps
        return replace(self, weight=factor * self.weight, alpha=factor * self.alpha, steps=steps)

    def scores(self) -> Floats:
        """Return what the member adds to the score of each row, positive where it is right."""
        if self.steps is not None:
            return self.steps
        return np.array([self.alpha, -self.alpha]).take(self.wrong.view(np.int8))


class BoostingMethod(BaseEstimator):
    """Parent of the ways of boosting.

    A child says what it reads and implements ``judge``; most inherit the rest.

    Attributes
    ----------
    reads : {'labels', 'probabilities', 'scores', 'values'}
        What the members are asked for.
    most_classes : int or None
        How many classes the method can tell apart; None is any number.
    weights_follow_scores : bool
        Whether rows are multiplied by exp(-alpha u) each round, and by nothing else.
    gives_fractions : bool
        Whether F gives fractions that sum to one, of the vote or as mean probabilities; otherwise
        it gives scores.
    is_averaged : bool
        Whether F divides the sum of the members by the sum of the sizes of their weights.
    changes_earlier_weights : bool
        Whether a round changes the weights of earlier members; ``final_weights`` has the last.
    perfect_member_weighs_most : bool
        Whether a member without error weighs at least as much as every member before it.

    Examples
    --------
    Every member the same small weight, whatever its error:

    >>> from nonet.boosting import AdaBoostClassifier, VoteMethod
    >>> class Steady(VoteMethod):
    ...     def vote_weight(self, error, rows):
    ...         return 0.1
    >>> model = AdaBoostClassifier(method=Steady(), n_estimators=5).fit([[0], [1], [2]], [0, 1, 0])
    >>> model.estimator_weights_
    array([0.1, 0.1, 0.1, 0.1, 0.1])
    """

    reads: ClassVar[Kind] = "labels"
    task: ClassVar[Task] = "classification"
    most_classes: ClassVar[int | None] = None
    weights_follow_scores: ClassVar[bool] = True
    gives_fractions: ClassVar[bool] = False
    is_averaged: ClassVar[bool] = True
    changes_earlier_weights: ClassVar[bool] = False
    perfect_member_weighs_most: ClassVar[bool] = True
    _rules: ClassVar[Mapping[str, Rule]] = {}

    def check(self, n_classes: int) -> None:
        """Check the parameters now that the classes are known."""
        check_params(self, self._rules)
        if self.most_classes is not None and n_classes > self.most_classes:
            raise ValueError(
                f"{type(self).__name__} boosts {self.most_classes} classes, but y has {n_classes}; "
                "method='samme' or 'discrete' takes any number."
            )

    def start(self, rows: TrainingRows, learning_rate: float) -> BoostingMethod:
        """Return a copy that is ready for the first round on these rows."""
        begun: BoostingMethod = type(self)(**self.get_params(deep=False))
        begun.learning_rate = learning_rate
        begun.begin(rows)
        return begun

    learning_rate: float = 1.0

    def begin(self, rows: TrainingRows) -> None:
        """Set up what the method remembers from round to round; most remember nothing."""

    def first_weights(self, rows: TrainingRows) -> Floats:
        """Return the weights of the first round."""
        return rows.weights.copy()

    def prepare(self, estimator: Any, by_default: Any) -> Any:
        """Return the learner that the members are made of, given the user's (None: by default)."""
        return by_default if estimator is None else estimator

    def target(self, rows: TrainingRows) -> Floats | None:
        """Return what the next member learns instead of the labels; None is the labels."""
        return None

    def bound_factor(self, n_classes: int) -> float:
        """Return what the product of Z has to be multiplied by to bound the training error."""
        return 1.0

    def judge(self, answers: Array, weights: Floats, rows: TrainingRows) -> Verdict:
        """Say how good the member is on the weighted rows, and what it weighs."""
        raise NotImplementedError

    def reweigh(self, weights: Floats, verdict: Verdict) -> Floats:
        """Return what rows weigh in the next round; the loop makes the sum 1.

        Shifted by the largest exponent: nothing overflows, and rows of weight 0 keep it.
        """
        exponents = -verdict.scores()
        return np.asarray(weights * np.exp(exponents - exponents.max()))

    def final_weights(self, weights: list[float]) -> list[float]:
        """Return the weights of the members now that all are known."""
        return weights

    def rule(self) -> CombinationRule:
        """Return F: the weighted sum of what the members say."""
        raise NotImplementedError

    def contribution(self, answers: Array, weight: float, n_classes: int) -> Floats:
        """Return what one member adds to the support of the classes, shape (n, n_classes)."""
        raise NotImplementedError

    def class_scores(self, support: Floats) -> Floats:
        """Turn the support that F gives into scores of sum 0."""
        return support

    def probabilities(self, support: Floats) -> Floats:
        """Turn the support that F gives into probabilities: a softmax of its scores."""
        scores = self.class_scores(support)
        return np.asarray(softmax(scores / max(scores.shape[1] - 1, 1), copy=False))


def smoothed_error(weights: Floats) -> float:
    """Return the error that a member without error is weighed by.

    One more row, half right and half wrong, is added to the n rows. The odds of a right answer are
    then 2n + 1, which is Schapire and Singer's smoothing: (1 + e) / (0 + e) with e = 1/2n.
    """
    return 0.5 / (int(np.count_nonzero(weights)) + 1)


def normalise(weights: Floats, absent: Array | None) -> Floats:
    """Make the sum 1, with no row below the least weight but the absent ones."""
    weights = np.ascontiguousarray(weights, dtype=np.float64)
    normalise_weights(weights.reshape(-1), LEAST_WEIGHT)
    if absent is not None:
        weights[absent] = 0.0
    return weights


def weight_of(weights: Floats, marked: Array) -> float:
    """Return the weight of the marked rows; the same bits on any number of threads."""
    return sum_marked(weights.reshape(-1), marked.reshape(-1))


def weighted_mean(weights: Floats, numbers: Floats) -> float:
    """Return the mean of numbers under weights of sum 1."""
    return float((weights * numbers).sum())
