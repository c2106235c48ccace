"""The sign of a score in a two-class problem, and the treatment of zero.

The lecture notes use three conventions for sign(0): the positive class ("+1 if the sum is >= 0"),
either class, and an abstention (the extra class 0).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Codes, Floats
from nonet.decide.rule import DecisionRule
from nonet.decide.support import check_argument, check_two_class_support
from nonet.decide.two_classes import (
    SIDES,
    check_two_classes,
    choose_side,
    non_abstaining_policy,
    signed_distance,
)


def choose_by_sign(support: ArrayLike, *, zero: str = "positive") -> Codes:
    """Choose the second of two classes where the score is positive, the first where negative.

    Parameters
    ----------
    support : array-like of shape (n,) or (n, 2)
        A signed score, positive for the second class; or the support of both classes, whose
        score is the second minus the first (equal up to rounding is zero).
    zero : {'positive', 'negative', 'abstain'}, default='positive'
        What a score of zero means: the second class, the first, or no decision.

    Returns
    -------
    codes : ndarray of int of shape (n,)
        1, 0, or -1 for no decision.

    Examples
    --------
    >>> from nonet.decide import choose_by_sign
    >>> choose_by_sign([-2.0, 0.0, 3.0])
    array([0, 1, 1])
    >>> choose_by_sign([-2.0, 0.0, 3.0], zero="abstain")
    array([ 0, -1,  1])
    """
    check_argument("choose_by_sign", "zero", SIDES, zero)
    return choose_side(_signed_score(support), zero)


def _signed_score(support: ArrayLike) -> Floats:
    checked = check_two_class_support(support)
    return checked if checked.ndim == 1 else signed_distance(checked[:, 1], checked[:, 0])


class Sign(DecisionRule):
    """The sign of the score in a two-class problem.

    Parameters
    ----------
    zero : {'positive', 'negative', 'abstain'}, default='positive'
        What a score of zero means: the second class, the first, or an abstention.
    abstain_label : object, default=None
        The abstain label when ``zero="abstain"``; see :func:`resolve_abstain_label`.

    Examples
    --------
    >>> from nonet.decide import Sign
    >>> Sign(zero="negative").decide([-2.0, 0.0, 3.0])
    array([0, 0, 1])
    """

    _rules = {"zero": SIDES}

    def __init__(self, zero: str = "positive", abstain_label: Any = None) -> None:
        self.zero = zero
        self.abstain_label = abstain_label

    @property
    def can_abstain(self) -> bool:
        """Whether a score of zero is an abstention."""
        return self.zero == "abstain"

    def check(self, classes: ArrayLike) -> None:
        """Check the parameters and that there are two classes."""
        super().check(classes)
        check_two_classes(self, classes)

    def decide(self, support: Floats) -> Codes:
        """Return 1 for a positive score, 0 for a negative one, and the code for zero on zero."""
        return choose_by_sign(support, zero=self.zero)

    def decide_without_abstaining(self, support: Floats) -> Codes:
        """Return the code, with zero as positive where the rule would abstain."""
        return choose_by_sign(support, zero=non_abstaining_policy(self.zero))

    def confidence(self, support: Floats) -> Floats:
        """Return the distance of the score from zero."""
        return np.abs(_signed_score(support))
