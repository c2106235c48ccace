"""Arg max: the class with the highest support, and the treatment of ties."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import ABSTAINED, Array, Codes, Floats
from nonet._base.params import Anything, Choice, Integer, Nothing, bad_parameter
from nonet._base.row_hash import hash_rows, mix_words
from nonet._base.rule_words import parameters_in_words
from nonet._native import vote as vote_kernels
from nonet.decide.rule import DecisionRule
from nonet.decide.support import (
    check_argument,
    check_class_support,
    gap_at_top,
    is_empty,
    rounding_of,
)

_TIES = Choice("first", "random", "abstain")
_SEED = Nothing() | Integer(0)


def choose_maximum(
    support: ArrayLike,
    *,
    tie: str = "first",
    random_state: int | None = None,
    row_keys: ArrayLike | None = None,
) -> Codes:
    """Choose the class with the highest support in each row.

    Parameters
    ----------
    support : array-like of shape (n, n_classes)
        A row of zeros is a tie of all classes.
    tie : {'first', 'random', 'abstain'}, default='first'
        Which class is chosen when several have the highest support. 'first' is the plain
        arg max, as in scikit-learn. The others treat supports that differ only by rounding as
        equal, so that weights .1 + .2 tie with .3.
    random_state : int, default=None
        The seed of random ties; None is the seed 0.
    row_keys : array-like of int of shape (n,), default=None
        What a random tie depends on besides the seed: rows with equal keys and equal ties get
        equal classes, in any order. None uses the position of the row. Estimators pass hashes of
        the rows of X.

    Returns
    -------
    codes : ndarray of int of shape (n,)
        Positions of the classes; -1 for no decision.

    Examples
    --------
    >>> from nonet.decide import choose_maximum
    >>> choose_maximum([[0.2, 0.8], [0.5, 0.5]])
    array([1, 0])
    >>> choose_maximum([[0.2, 0.8], [0.5, 0.5]], tie="abstain")
    array([ 1, -1])
    """
    check_argument("choose_maximum", "tie", _TIES, tie)
    check_argument("choose_maximum", "random_state", _SEED, random_state)
    checked = check_class_support(support)
    codes: Codes = vote_kernels.argmax(checked)
    if tie == "first":
        return codes
    tied = _find_ties(checked, codes)
    open_rows = np.flatnonzero(tied.sum(axis=1) > 1)
    if tie == "abstain":
        codes[open_rows] = ABSTAINED
    else:
        keys = _check_row_keys(row_keys, len(codes))
        codes[open_rows] = _draw(tied[open_rows], keys[open_rows], random_state or 0)
    return codes


def _find_ties(support: Floats, codes: Codes) -> Array:
    """Mark, in each row, the classes whose support is the highest up to rounding."""
    top = np.take_along_axis(support, codes[:, np.newaxis], axis=1)
    return np.asarray(support >= top - rounding_of(support) * np.abs(top))


def _draw(tied: Array, row_keys: Array, seed: int) -> Codes:
    """Sample one of the tied classes of each row, all with the same probability."""
    word = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
    uniform = (mix_words(mix_words(row_keys) ^ word) >> np.uint64(11)) * 2.0**-53
    position = (uniform * tied.sum(axis=1)).astype(np.intp)
    rank = tied.cumsum(axis=1) - 1
    return np.asarray(np.argmax(tied & (rank == position[:, np.newaxis]), axis=1))


def _check_row_keys(row_keys: ArrayLike | None, n_rows: int) -> Array:
    """Return one 64-bit integer for each row; None numbers the rows."""
    keys = np.arange(n_rows) if row_keys is None else np.asarray(row_keys)
    if keys.shape != (n_rows,) or keys.dtype.kind not in "iu":
        raise ValueError(
            f"row_keys must hold a whole number for each of the {n_rows} rows of the support, but "
            f"has shape {keys.shape} and dtype {keys.dtype}."
        )
    return keys.astype(np.uint64)


class Argmax(DecisionRule):
    """Predict the class with the highest support.

    Parameters
    ----------
    tie : {'first', 'random', 'abstain', 'arbiter'}, default='first'
        What happens when several classes have the highest support: the first of them, one at
        random, an abstention, or the prediction of ``arbiter``. See :func:`choose_maximum`.
    random_state : int, default=None
        The seed of random ties; None is the seed 0. In an ensemble a random tie depends on the
        seed and on the row of X: equal rows get equal classes, whatever the other rows are.
    arbiter : estimator or str, default=None
        The model that decides ties when ``tie="arbiter"``: an estimator, or the name of a member.
    abstain_label : object, default=None
        The abstain label when ``tie="abstain"``; see :func:`resolve_abstain_label`.

    Examples
    --------
    >>> from nonet.decide import Argmax
    >>> Argmax(tie="abstain").decide([[0.2, 0.8], [0.5, 0.5]])
    array([ 1, -1])
    """

    _rules = {
        "tie": Choice("first", "random", "abstain", "arbiter"),
        "random_state": _SEED,
        "arbiter": Anything(),
    }

    def __init__(
        self,
        tie: str = "first",
        random_state: int | None = None,
        arbiter: Any = None,
        abstain_label: Any = None,
    ) -> None:
        self.tie = tie
        self.random_state = random_state
        self.arbiter = arbiter
        self.abstain_label = abstain_label

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return f"class of the highest support{parameters_in_words(self)}"

    @property
    def can_abstain(self) -> bool:
        """Whether the rule leaves ties undecided, as abstentions or for the arbiter."""
        return self.tie in ("abstain", "arbiter")

    def check(self, classes: ArrayLike) -> None:
        """Check the parameters; ``arbiter`` and ``tie="arbiter"`` must be used together."""
        if self.tie == "arbiter" and self.arbiter is None:
            allowed = "an estimator or the name of a member when tie='arbiter'"
            raise bad_parameter(self, "arbiter", allowed, None)
        if self.tie != "arbiter" and self.arbiter is not None:
            raise bad_parameter(self, "arbiter", f"None when tie={self.tie!r}", self.arbiter)
        super().check(classes)

    def decide(self, support: Floats) -> Codes:
        """Return the code of the highest support, -1 for ties left undecided or to the arbiter."""
        tie = "abstain" if self.tie == "arbiter" else self.tie
        return choose_maximum(support, tie=tie, random_state=self.random_state)

    def decide_rows(self, support: Floats, X: Any = None) -> Codes:
        """Return the same, with random ties that depend on the rows of X."""
        if self.tie != "random" or X is None:
            return self.decide(support)
        seed, keys = self.random_state, hash_rows(X)
        return choose_maximum(support, tie="random", random_state=seed, row_keys=keys)

    def confidence(self, support: Floats) -> Floats:
        """Return the gap between the two highest supports, which is 0 for a tie."""
        checked = check_class_support(support)
        return np.where(is_empty(checked), -np.inf, gap_at_top(checked))
