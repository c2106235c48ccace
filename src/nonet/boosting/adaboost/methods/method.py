"""Interface of boosting methods: evaluate a member, weight it, and reweight the rows.

``rounds.py`` runs the loop; a method holds everything that differs between variants of boosting.
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

# As in scikit-learn, no row's fraction of the weight falls below this: it could never recover.
MIN_WEIGHT = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class TrainingRows:
    """The training rows of boosting.

    Attributes
    ----------
    table : array, sparse matrix or frame
    target : ndarray of shape (n_rows,)
        Labels or numeric targets, as the user gave them.
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
class Evaluation:
    """The evaluation of a round's member.

    Attributes
    ----------
    error : float
        The weighted error eps_t.
    weight : float
        The member's weight in the vote.
    alpha : float
        The same weight in the scale in which rows are reweighted by exp(-alpha u).
    wrong : ndarray of bool of shape (n_rows,)
        Which rows the member predicts wrong.
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

    def at_least(self, weight: float) -> Evaluation:
        """Return a copy with at least this weight, alpha and steps in proportion."""
        factor = max(1.0, weight / abs(self.weight))
        steps = None if self.steps is None else factor * self.steps
        return replace(self, weight=factor * self.weight, alpha=factor * self.alpha, steps=steps)

    def scores(self) -> Floats:
        """Return what the member adds to the score of each row, positive where it is right."""
        if self.steps is not None:
            return self.steps
        return np.array([self.alpha, -self.alpha]).take(self.wrong.view(np.int8))


class BoostingMethod(BaseEstimator):
    """Parent of the boosting methods.

    A child declares what it reads and implements ``evaluate``; most children inherit the rest.

    Attributes
    ----------
    reads : {'labels', 'probabilities', 'scores', 'values'}
        The kind of member outputs that the method reads.
    max_classes : int or None
        Maximum number of classes that the method supports; None is no limit.
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
    A method that gives every member the same small weight:

    >>> from nonet.boosting import AdaBoostClassifier, LabelMethod
    >>> class Steady(LabelMethod):
    ...     def vote_weight(self, error, rows):
    ...         return 0.1
    >>> model = AdaBoostClassifier(method=Steady(), n_estimators=5).fit([[0], [1], [2]], [0, 1, 0])
    >>> model.estimator_weights_
    array([0.1, 0.1, 0.1, 0.1, 0.1])
    """

    reads: ClassVar[Kind] = "labels"
    task: ClassVar[Task] = "classification"
    max_classes: ClassVar[int | None] = None
    weights_follow_scores: ClassVar[bool] = True
    gives_fractions: ClassVar[bool] = False
    is_averaged: ClassVar[bool] = True
    changes_earlier_weights: ClassVar[bool] = False
    perfect_member_weighs_most: ClassVar[bool] = True
    _rules: ClassVar[Mapping[str, Rule]] = {}

    def check(self, n_classes: int) -> None:
        """Check the parameters against the number of classes."""
        check_params(self, self._rules)
        if self.max_classes is not None and n_classes > self.max_classes:
            raise ValueError(
                f"{type(self).__name__} boosts {self.max_classes} classes, but y has {n_classes}; "
                "use method='samme' or 'discrete', which accept any number."
            )

    def start(self, rows: TrainingRows, learning_rate: float) -> BoostingMethod:
        """Return a copy that is ready for the first round on these rows."""
        begun: BoostingMethod = type(self)(**self.get_params(deep=False))
        begun.learning_rate = learning_rate
        begun.begin(rows)
        return begun

    learning_rate: float = 1.0

    def begin(self, rows: TrainingRows) -> None:
        """Set up the state that the method keeps between rounds; most methods keep none."""

    def first_weights(self, rows: TrainingRows) -> Floats:
        """Return the weights of the first round."""
        return rows.weights.copy()

    def prepare(self, estimator: Any, by_default: Any) -> Any:
        """Return the estimator to clone: the user's, or ``by_default`` if it is None."""
        return by_default if estimator is None else estimator

    def target(self, rows: TrainingRows) -> Floats | None:
        """Return the target of the next member; None means the labels."""
        return None

    def bound_factor(self, n_classes: int) -> float:
        """Return the factor that turns the product of Z into a bound on the training error."""
        return 1.0

    def evaluate(self, predictions: Array, weights: Floats, rows: TrainingRows) -> Evaluation:
        """Evaluate the member on the weighted rows, and compute its weight."""
        raise NotImplementedError

    def reweight(self, weights: Floats, evaluation: Evaluation) -> Floats:
        """Return the weights of the rows in the next round; the loop scales their sum to 1.

        The maximum exponent is subtracted: nothing overflows, and rows of weight 0 keep it.
        """
        exponents = -evaluation.scores()
        return np.asarray(weights * np.exp(exponents - exponents.max()))

    def final_weights(self, weights: list[float]) -> list[float]:
        """Return the final weights of the members after the last round."""
        return weights

    def rule(self) -> CombinationRule:
        """Return F: the weighted sum of the members' outputs."""
        raise NotImplementedError

    def contribution(self, predictions: Array, weight: float, n_classes: int) -> Floats:
        """Return what one member adds to the support of the classes, shape (n, n_classes)."""
        raise NotImplementedError

    def class_scores(self, support: Floats) -> Floats:
        """Turn the support that F returns into scores of sum 0."""
        return support

    def probabilities(self, support: Floats) -> Floats:
        """Turn the support that F returns into probabilities: a softmax of its scores."""
        scores = self.class_scores(support)
        return np.asarray(softmax(scores / max(scores.shape[1] - 1, 1), copy=False))


def smoothed_error(weights: Floats) -> float:
    """Return the error from which the weight of a member without error is computed.

    One more row, half right and half wrong, is added to the n rows. The odds of being right are
    then 2n + 1, which is Schapire and Singer's smoothing: (1 + e) / (0 + e) with e = 1/2n.
    """
    return 0.5 / (int(np.count_nonzero(weights)) + 1)


def normalise(weights: Floats, absent: Array | None) -> Floats:
    """Scale the weights to sum 1 and raise all but absent rows to the minimum weight."""
    weights = np.ascontiguousarray(weights, dtype=np.float64)
    normalise_weights(weights.reshape(-1), MIN_WEIGHT)
    if absent is not None:
        weights[absent] = 0.0
    return weights


def weight_of(weights: Floats, marked: Array) -> float:
    """Return the weight of the marked rows; bitwise the same for any number of threads."""
    return sum_marked(weights.reshape(-1), marked.reshape(-1))


def expected_value(weights: Floats, values: Floats) -> float:
    """Return the mean of values under weights of sum 1."""
    return float((weights * values).sum())
