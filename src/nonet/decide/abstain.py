"""The reject option: predict the class with the highest support if it is enough, else abstain."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import ABSTAINED, Array, Codes, Floats
from nonet._base.params import Choice, Integer, Nothing, Real
from nonet._base.row_hash import hash_rows
from nonet.decide.argmax import choose_maximum
from nonet.decide.rule import DecisionRule
from nonet.decide.support import (
    check_argument,
    check_class_support,
    gap_at_top,
    is_empty,
    reaches,
    warn_above_one,
)

_BAR = Nothing() | Real()
_GAP = Nothing() | Real(0)
_DEFAULT_MIN_SUPPORT = 0.5


def choose_or_abstain(
    support: ArrayLike,
    min_support: float | None = None,
    min_margin: float | None = None,
    *,
    tie: str = "first",
    random_state: int | None = None,
    row_keys: ArrayLike | None = None,
) -> Codes:
    """Choose the highest support where it reaches its thresholds, and abstain elsewhere.

    Parameters
    ----------
    support : array-like of shape (n, n_classes)
        Used as it is: rows need not sum to one, and the thresholds are in the same units. A row
        of zeros is always an abstention.
    min_support : float, default=None
        Abstain where the highest support is below it. A support equal to it is accepted.
    min_margin : float, default=None
        Abstain where the highest support leads the second by less than it. An equal lead is
        accepted. With both thresholds None, ``min_support`` is 0.5.
    tie : {'first', 'random', 'abstain'}, default='first'
        What happens when several classes have the same sufficient support.
    random_state : int, default=None
        The seed of random ties; None is the seed 0.
    row_keys : array-like of int of shape (n,), default=None
        As in :func:`choose_maximum`.

    Returns
    -------
    codes : ndarray of int of shape (n,)
        Positions of the classes; -1 for no decision.

    Examples
    --------
    >>> from nonet.decide import choose_or_abstain
    >>> choose_or_abstain([[0.5, 0.3, 0.2], [0.4, 0.3, 0.3]])
    array([ 0, -1])
    >>> choose_or_abstain([[0.5, 0.3, 0.2], [0.4, 0.3, 0.3]], min_margin=0.1)
    array([0, 0])
    """
    check_argument("choose_or_abstain", "min_support", _BAR, min_support)
    check_argument("choose_or_abstain", "min_margin", _GAP, min_margin)
    checked = check_class_support(support)
    codes = choose_maximum(checked, tie=tie, random_state=random_state, row_keys=row_keys)
    codes[_excess(checked, min_support, min_margin) < 0] = ABSTAINED
    return codes


def _excess(support: Floats, min_support: float | None, min_margin: float | None) -> Floats:
    """Return the smaller of the two distances to the thresholds; negative means abstain."""
    if min_support is None and min_margin is None:
        min_support = _DEFAULT_MIN_SUPPORT
    excess = np.where(is_empty(support), -np.inf, np.inf)
    if min_support is not None:
        excess = np.minimum(excess, _clearance(support.max(axis=1), min_support))
    if min_margin is not None:
        excess = np.minimum(excess, _clearance(gap_at_top(support), min_margin))
    return excess


def _clearance(values: Floats, threshold: float) -> Floats:
    """Return values minus the threshold, never negative where it is reached up to rounding."""
    return np.where(
        reaches(values, threshold), np.maximum(values - threshold, 0.0), values - threshold
    )


class Abstain(DecisionRule):
    """Predict the class with the highest support if it is enough, else abstain.

    Parameters
    ----------
    min_support : float, default=None
        Abstain where the highest support is below it.
    min_margin : float, default=None
        Abstain where the highest support leads the second by less than it. With both thresholds
        None, ``min_support`` is 0.5, the reject option of the lecture notes.
    abstain_label : object, default=None
        The label of an abstention; see :func:`resolve_abstain_label`.
    tie : {'first', 'random', 'abstain'}, default='first'
        What happens when several classes have the same sufficient support.
    random_state : int, default=None
        The seed of random ties; None is the seed 0.

    Notes
    -----
    A row exactly at the threshold gets a class. Support is used in the units that F
    gives it: vote fractions and probabilities sum to one, sums of scores do not. Ensembles whose F
    gives scores pass probabilities to this rule (:class:`nonet.AdaBoostClassifier` under some of
    its methods, the reductions to binary problems in their default decoding). With
    many classes a calibrated probability may rarely reach 0.5; a lower ``min_support``, a
    ``min_margin``, or the threshold of a risk-coverage curve is then the better choice.

    References
    ----------
    C. K. Chow (1970). On optimum recognition error and reject tradeoff. IEEE Transactions on
    Information Theory 16(1), 41-46.

    Examples
    --------
    >>> from nonet.decide import Abstain
    >>> Abstain(min_support=0.6).decide([[0.7, 0.3], [0.45, 0.55]])
    array([ 0, -1])
    """

    _rules = {
        "min_support": _BAR,
        "min_margin": _GAP,
        "tie": Choice("first", "random", "abstain"),
        "random_state": Nothing() | Integer(0),
    }

    def __init__(
        self,
        min_support: float | None = None,
        min_margin: float | None = None,
        abstain_label: Any = None,
        tie: str = "first",
        random_state: int | None = None,
    ) -> None:
        self.min_support = min_support
        self.min_margin = min_margin
        self.abstain_label = abstain_label
        self.tie = tie
        self.random_state = random_state

    @property
    def can_abstain(self) -> bool:
        """Always True."""
        return True

    @property
    def needs_probabilities(self) -> bool:
        """Always True: the thresholds refer to the size of the support."""
        return True

    def decide(self, support: Floats) -> Codes:
        """Return the code of the highest support, -1 where it does not reach its thresholds."""
        return self._decide(support, None)

    def decide_rows(self, support: Floats, X: Any = None) -> Codes:
        """Return the same, with random ties that depend on the rows of X."""
        if self.tie != "random" or X is None:
            return self.decide(support)
        return self._decide(support, hash_rows(X))

    def _decide(self, support: Floats, row_keys: Array | None) -> Codes:
        warn_above_one("min_support", self.min_support, np.asarray(support))
        return choose_or_abstain(
            support,
            self.min_support,
            self.min_margin,
            tie=self.tie,
            random_state=self.random_state,
            row_keys=row_keys,
        )

    def decide_without_abstaining(self, support: Floats) -> Codes:
        """Return the code of the highest support, however small."""
        tie = "first" if self.tie == "abstain" else self.tie
        return choose_maximum(support, tie=tie, random_state=self.random_state)

    def confidence(self, support: Floats) -> Floats:
        """Return the smaller of the two distances to the thresholds; 0 or more means accepted."""
        return _excess(check_class_support(support), self.min_support, self.min_margin)
