"""The class with the largest support if that is enough, silence otherwise: the reject option."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import SILENT, Array, Codes, Floats
from nonet._base.params import Choice, Integer, Nothing, Real
from nonet._base.row_hash import hash_rows
from nonet.decide.argmax import choose_largest
from nonet.decide.rule import DecisionRule
from nonet.decide.support import check_argument, check_class_support, gap_at_top, is_empty, reaches

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
    """Choose the largest support where it reaches its bars, and keep silent elsewhere.

    Parameters
    ----------
    support : array-like of shape (n, n_classes)
        Used as it is: rows need not sum to one, and the bars are in the same units. A row of
        zeros is always silent.
    min_support : float, default=None
        Silence where the largest support is below it. A support equal to it speaks.
    min_margin : float, default=None
        Silence where the largest support leads the second by less than it. A lead equal to it
        speaks. With both bars None, ``min_support`` is 0.5.
    tie : {'first', 'random', 'abstain'}, default='first'
        What happens when several classes share a support that is large enough.
    random_state : int, default=None
        The seed of random ties; None is the seed 0.
    row_keys : array-like of int of shape (n,), default=None
        As in :func:`choose_largest`.

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
    codes = choose_largest(checked, tie=tie, random_state=random_state, row_keys=row_keys)
    codes[_excess(checked, min_support, min_margin) < 0] = SILENT
    return codes


def _excess(support: Floats, min_support: float | None, min_margin: float | None) -> Floats:
    """Return by how much a row clears the bar it clears least; negative rows are silent."""
    if min_support is None and min_margin is None:
        min_support = _DEFAULT_MIN_SUPPORT
    excess = np.where(is_empty(support), -np.inf, np.inf)
    if min_support is not None:
        excess = np.minimum(excess, _clearance(support.max(axis=1), min_support))
    if min_margin is not None:
        excess = np.minimum(excess, _clearance(gap_at_top(support), min_margin))
    return excess


def _clearance(values: Floats, bar: float) -> Floats:
    """Return values minus the bar, never negative where the bar is reached up to rounding."""
    return np.where(reaches(values, bar), np.maximum(values - bar, 0.0), values - bar)


class Abstain(DecisionRule):
    """The class with the largest support if that is enough, silence otherwise.

    Parameters
    ----------
    min_support : float, default=None
        Silence where the largest support is below it.
    min_margin : float, default=None
        Silence where the largest support leads the second by less than it. With both bars None,
        ``min_support`` is 0.5, the notes' reject option.
    abstain_label : object, default=None
        The label of silence; see :func:`resolve_abstain_label`.
    tie : {'first', 'random', 'abstain'}, default='first'
        What happens when several classes share a support that is large enough.
    random_state : int, default=None
        The seed of random ties; None is the seed 0.

    Notes
    -----
    Equality speaks: a row at the bar gets a class. Support is used as it is, in the units that F
    gives it: vote shares and probabilities sum to one, sums of scores do not. Ensembles whose F
    gives scores hand this rule probabilities (:class:`nonet.AdaBoostClassifier` under some of its
    methods, the reductions to binary problems in their default decoding). In a problem of
    many classes a calibrated probability may rarely reach 0.5; a lower ``min_support``, a
    ``min_margin``, or the threshold of a risk-coverage curve is then the better bar.

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
    def can_be_silent(self) -> bool:
        """Always: that is what the rule is for."""
        return True

    @property
    def needs_probabilities(self) -> bool:
        """Always: the bars are numbers."""
        return True

    def decide(self, support: Floats) -> Codes:
        """Return the code of the largest support, -1 where it does not reach its bars."""
        return self._decide(support, None)

    def decide_rows(self, support: Floats, X: Any = None) -> Codes:
        """Return the same, with random ties that depend on the rows of X."""
        if self.tie != "random" or X is None:
            return self.decide(support)
        return self._decide(support, hash_rows(X))

    def _decide(self, support: Floats, row_keys: Array | None) -> Codes:
        return choose_or_abstain(
            support,
            self.min_support,
            self.min_margin,
            tie=self.tie,
            random_state=self.random_state,
            row_keys=row_keys,
        )

    def speak(self, support: Floats) -> Codes:
        """Return the code of the largest support, however small."""
        tie = "first" if self.tie == "abstain" else self.tie
        return choose_largest(support, tie=tie, random_state=self.random_state)

    def confidence(self, support: Floats) -> Floats:
        """Return by how much a row clears the bar it clears least: it speaks from 0 on."""
        return _excess(check_class_support(support), self.min_support, self.min_margin)
