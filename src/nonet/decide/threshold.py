"""Predict the positive class where its support reaches a fixed or tuned threshold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Codes, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.params import Anything, Choice, Having, Instance, Nothing, Real
from nonet.decide.labels import position_of
from nonet.decide.rule import DecisionRule
from nonet.decide.support import check_argument, check_two_class_support, is_empty, warn_above_one
from nonet.decide.tuning import DEFAULT_SCORING, check_scoring, find_threshold, warn_of_one_class
from nonet.decide.two_classes import (
    SIDES,
    check_two_classes,
    choose_side,
    non_abstaining_policy,
    signed_distance,
)


def choose_by_threshold(
    support: ArrayLike, threshold: float = 0.5, *, at_equality: str = "positive", positive: int = 1
) -> Codes:
    """Choose the positive class where its support is above the threshold, the other below it.

    Parameters
    ----------
    support : array-like of shape (n, 2) or (n,)
        The support of both classes, of which the positive one is compared; or a signed
        score, positive for the second class, whose sign is reversed if the first is the positive
        one. Numbers that differ from the threshold only by rounding are equal to it, and so is
        a row of zeros, F's "no decision".
    threshold : float, default=0.5
        The threshold, in the units of the support.
    at_equality : {'positive', 'negative', 'abstain'}, default='positive'
        The choice where the support equals the threshold.
    positive : {0, 1}, default=1
        The code of the positive class.

    Returns
    -------
    codes : ndarray of int of shape (n,)
        0, 1, or -1 for no decision.

    Examples
    --------
    >>> from nonet.decide import choose_by_threshold
    >>> choose_by_threshold([[0.7, 0.3], [0.5, 0.5], [0.4, 0.6]])
    array([0, 1, 1])
    >>> choose_by_threshold([[0.7, 0.3], [0.5, 0.5], [0.4, 0.6]], at_equality="abstain")
    array([ 0, -1,  1])
    """
    check_argument("choose_by_threshold", "threshold", Real(), threshold)
    check_argument("choose_by_threshold", "at_equality", SIDES, at_equality)
    return choose_side(_distance(support, threshold, positive), at_equality, positive)


def _distance(support: ArrayLike, threshold: float, positive: int) -> Floats:
    checked = check_two_class_support(support)
    distance = signed_distance(_positive_score(checked, positive), threshold)
    if checked.ndim == 2:
        distance[is_empty(checked)] = 0.0
    return distance


def _positive_score(support: Floats, positive: int) -> Floats:
    if support.ndim == 2:
        return support[:, positive]
    return support if positive == 1 else -support


class Threshold(DecisionRule):
    """Predict the positive class where its support reaches a threshold; for two classes.

    Parameters
    ----------
    threshold : float or 'tune', default=0.5
        'tune' finds the threshold on held-out support, for the metric ``scoring``. An ensemble
        without out-of-bag predictions gets this support from clones fitted on five folds.
    at_equality : {'positive', 'negative', 'abstain'}, default='positive'
        The choice where the support equals the threshold. 'abstain' makes no decision there.
    pos_label : object, default=None
        The positive class; None is the last one.
    scoring : str or callable, default=None
        The metric that a tuned threshold maximises: the name of a scikit-learn scorer that reads
        decisions, computed with ``pos_label`` as the positive class, or a custom function
        ``metric(y_true, y_pred)`` of the original labels, larger is better (it receives
        ``sample_weight`` if there are weights). None is 'balanced_accuracy'.
    abstain_label : object, default=None
        The abstain label when ``at_equality="abstain"``; see :func:`resolve_abstain_label`.

    Attributes
    ----------
    threshold_ : float
        The threshold found by :meth:`tune`.

    Notes
    -----
    On (n, 2) support the threshold is compared with the support of the positive class as it is;
    on an (n,) signed score it is compared with the score, so that the natural threshold is 0:
    log-odds of 0 are a probability of 0.5.

    Examples
    --------
    >>> from nonet.decide import Threshold
    >>> Threshold(0.3).decide([[0.6, 0.4], [0.8, 0.2]])
    array([1, 0])
    """

    _rules = {
        "threshold": Real() | Choice("tune"),
        "at_equality": SIDES,
        "pos_label": Anything(),
        "scoring": Nothing()
        | Instance("the name of a scorer", str)
        | Having("a metric", "__call__"),
    }
    threshold_: float

    def __init__(
        self,
        threshold: float | str = 0.5,
        at_equality: str = "positive",
        pos_label: Any = None,
        scoring: str | Callable[..., float] | None = None,
        abstain_label: Any = None,
    ) -> None:
        self.threshold = threshold
        self.at_equality = at_equality
        self.pos_label = pos_label
        self.scoring = scoring
        self.abstain_label = abstain_label

    @property
    def can_abstain(self) -> bool:
        """Whether the rule abstains at the threshold."""
        return self.at_equality == "abstain"

    @property
    def needs_held_out(self) -> bool:
        """Whether the threshold must be tuned."""
        return self.threshold == "tune"

    @property
    def needs_probabilities(self) -> bool:
        """Whether the threshold is a given number; a tuned one suits any support."""
        return not self.needs_held_out

    def check(self, classes: ArrayLike) -> None:
        """Check the parameters, and that there are two classes and ``pos_label`` is one of them."""
        super().check(classes)
        check_two_classes(self, classes)
        self._positive_among(classes)
        if self.needs_held_out:
            check_scoring(self.scoring)

    def tune(
        self,
        support: Floats,
        codes: Codes,
        classes: ArrayLike,
        sample_weight: ArrayLike | None = None,
    ) -> DecisionRule:
        """Return a copy with the ``threshold_`` that is best on this held-out support.

        Rows without any support carry no information on the threshold and are left out.
        """
        tuned = self.bind(classes)
        if not self.needs_held_out:
            return tuned
        checked = check_two_class_support(support)
        weight = check_sample_weight(sample_weight, len(checked))
        positive = tuned._positive()
        known = np.ones(len(checked), bool) if checked.ndim == 1 else ~is_empty(checked)
        scores, truth = _positive_score(checked, positive)[known], (np.asarray(codes) == positive)
        scoring = DEFAULT_SCORING if self.scoring is None else self.scoring
        tuned.threshold_ = find_threshold(
            scores,
            truth[known],
            scoring=scoring,
            labels=tuned.classes_[[1 - positive, positive]],
            sample_weight=None if weight is None else weight[known],
            prefer=0.0 if checked.ndim == 1 else 0.5,
        )
        warn_of_one_class(scores > tuned.threshold_, truth[known], scoring)
        return tuned

    def decide(self, support: Floats) -> Codes:
        """Return the positive class above the threshold and the other class below it, as codes."""
        return choose_side(self._distance(support), self.at_equality, self._positive())

    def decide_without_abstaining(self, support: Floats) -> Codes:
        """Return the code, with the threshold as positive where the rule would abstain."""
        policy = non_abstaining_policy(self.at_equality)
        return choose_side(self._distance(support), policy, self._positive())

    def confidence(self, support: Floats) -> Floats:
        """Return the distance from the threshold."""
        return np.abs(self._distance(support))

    def _distance(self, support: Floats) -> Floats:
        warn_above_one("threshold", self._border(), np.asarray(support))
        return _distance(support, self._border(), self._positive())

    def _border(self) -> float:
        if not self.needs_held_out:
            return float(self.threshold)
        if not hasattr(self, "threshold_"):
            raise ValueError(
                "Threshold with threshold='tune' cannot decide before it is tuned: call "
                "tune(support, codes, classes) on held-out support, or set a number."
            )
        return self.threshold_

    def _positive(self) -> int:
        if self.pos_label is None:
            return 1
        if not hasattr(self, "classes_"):
            raise ValueError(
                "Threshold with a pos_label cannot decide before it has classes: "
                "call bind(classes) first."
            )
        return self._positive_among(self.classes_)

    def _positive_among(self, classes: ArrayLike) -> int:
        return 1 if self.pos_label is None else position_of(self.pos_label, classes, "pos_label")
