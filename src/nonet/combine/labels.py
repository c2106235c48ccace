"""Rules on class labels: combine (n, k) class codes into (n, c) fractions of the vote.

Codes are positions in the list of classes; -1 marks a member that abstains.
:func:`nonet.combine.encode_labels` converts labels of any type into codes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Array, Codes, Floats, Kind, Task
from nonet._base.arrays import check_label_outputs, check_member_weights, encode_labels
from nonet._base.params import Anything, Integer, Real, bad_parameter
from nonet._native import vote as vote_kernels
from nonet.combine.rule import CombinationRule

# Sums of weights such as 0.1 + 0.7 fall short of 0.8 by a rounding error, which must not decide
# a vote.
_ROUNDING = 1e-12


def plurality(
    codes: ArrayLike, weights: ArrayLike | None = None, *, n_classes: int | None = None
) -> Floats:
    """Count the votes: return each class's fraction of the vote (relative majority).

    Parameters
    ----------
    codes : array-like of int of shape (n, k)
        Class codes of the k members; -1 marks an abstention.
    weights : array-like of shape (k,), optional
        Votes per member: the weighted vote.
    n_classes : int, optional
        The number of classes; the maximum code plus one if not given.

    Returns
    -------
    fractions : ndarray of shape (n, n_classes)
        Each class's fraction of all the votes that could be cast.

    Examples
    --------
    >>> from nonet.combine import plurality
    >>> plurality([[0, 0, 1]]).round(3)
    array([[0.667, 0.333]])
    >>> plurality([[0, 0, 1]], weights=[0.2, 0.2, 0.6])
    array([[0.4, 0.6]])
    """
    votes, cast = _count(codes, weights, n_classes)
    votes /= cast
    return votes


def majority(
    codes: ArrayLike, weights: ArrayLike | None = None, *, n_classes: int | None = None
) -> Floats:
    """Return the vote of the class with more than half of all the votes, and 0 for all others.

    Where no class has more than half, the row is all zero: no decision (absolute majority).

    Parameters
    ----------
    codes : array-like of int of shape (n, k)
        Class codes of the k members; -1 marks an abstention, which counts among "all the votes".
    weights : array-like of shape (k,), optional
        Votes per member.
    n_classes : int, optional
        The number of classes; the maximum code plus one if not given.

    Returns
    -------
    fractions : ndarray of shape (n, n_classes)

    Examples
    --------
    >>> from nonet.combine import majority
    >>> majority([[0, 0, 1, 2], [1, 1, 1, 2]])
    array([[0.  , 0.  , 0.  ],
           [0.  , 0.75, 0.  ]])
    """
    fractions = plurality(codes, weights, n_classes=n_classes)
    fractions[fractions <= 0.5 * (1 + _ROUNDING)] = 0
    return fractions


def k_of_n(
    codes: ArrayLike, k: int, *, positive: int | None = None, n_classes: int | None = None
) -> Floats:
    """Choose the positive class where at least k members vote for it, else the other votes decide.

    With two classes "the others" is the negative class; with more classes, it is the plurality
    among the votes for other classes. ``k = 1`` is OR, ``k = N`` is AND.

    Parameters
    ----------
    codes : array-like of int of shape (n, N)
        Class codes of the N members; -1 marks an abstention.
    k : int in 1..N
        The number of votes that the positive class needs.
    positive : int, optional
        The code of the positive class, by default the last one.
    n_classes : int, optional
        The number of classes; the maximum code plus one, at least 2, if not given.

    Returns
    -------
    fractions : ndarray of shape (n, n_classes)
        1 for the positive class where it wins, else 0 for it and vote fractions for the others.

    Examples
    --------
    >>> from nonet.combine import k_of_n
    >>> k_of_n([[1, 1, 0], [1, 0, 0]], k=2)
    array([[0., 1.],
           [1., 0.]])
    """
    checked = check_label_outputs(codes)
    n_members = checked.shape[1]
    if not Integer(1, n_members).allows(k):
        allowed = f"a whole number from 1 to {n_members}, the number of members"
        raise bad_parameter("k_of_n", "k", allowed, k)
    return _elect(checked, None, float(k), positive, n_classes)


def weighted_k_of_n(
    codes: ArrayLike,
    weights: ArrayLike | None,
    threshold: float,
    *,
    positive: int | None = None,
    n_classes: int | None = None,
) -> Floats:
    """Choose the positive class where the weights of its voters reach the threshold.

    Parameters
    ----------
    codes : array-like of int of shape (n, N)
        Class codes of the N members; -1 marks an abstention.
    weights : array-like of shape (N,) or None
        One non-negative weight per member; None gives each the weight 1.
    threshold : float
        The minimum total weight of the positive voters: above 0, at most the sum of all weights.
    positive : int, optional
        The code of the positive class, by default the last one.
    n_classes : int, optional
        The number of classes; the maximum code plus one, at least 2, if not given.

    Returns
    -------
    fractions : ndarray of shape (n, n_classes)
        As in :func:`k_of_n`.

    Examples
    --------
    >>> from nonet.combine import weighted_k_of_n
    >>> weighted_k_of_n([[1, 0, 0], [0, 1, 1]], weights=[3, 1, 1], threshold=3)
    array([[0., 1.],
           [1., 0.]])
    """
    checked = check_label_outputs(codes)
    voters = check_member_weights(weights, checked.shape[1])
    _check_threshold("weighted_k_of_n", threshold, checked.shape[1], voters)
    return _elect(checked, voters, float(threshold), positive, n_classes)


def _check_threshold(owner: Any, threshold: Any, n_members: int, weights: Floats | None) -> None:
    most = float(n_members if weights is None else weights.sum())
    if not Real(0, most * (1 + _ROUNDING), open_low=True).allows(threshold):
        allowed = f"a number above 0 and at most {most:g}, the sum of the weights"
        raise bad_parameter(owner, "threshold", allowed, threshold)


def _elect(
    codes: Codes, weights: Floats | None, needed: float, positive: int | None, n_classes: int | None
) -> Floats:
    if n_classes is None:
        # The positive class exists even if no member votes for it in this batch.
        n_classes = max(int(codes.max(initial=0)) + 1, 2)
    votes, _ = _count(codes, weights, n_classes)
    positive = votes.shape[1] - 1 if positive is None else positive
    if not Integer(0, votes.shape[1] - 1).allows(positive):
        allowed = f"a class code from 0 to {votes.shape[1] - 1}"
        raise bad_parameter("k_of_n", "positive", allowed, positive)
    wins = votes[:, positive] >= needed * (1 - _ROUNDING)
    votes[wins] = 0
    votes[:, positive] = wins
    if votes.shape[1] == 2:
        # With two classes, "not positive" is the other class, even if no member votes for it.
        votes[:, 1 - positive] = ~wins
    sums = votes.sum(axis=1, keepdims=True)
    np.divide(votes, sums, out=votes, where=sums > 0)
    return votes


def _count(
    codes: ArrayLike, weights: ArrayLike | None, n_classes: int | None
) -> tuple[Floats, float]:
    """Return the votes of each class, and the number of votes that could be cast."""
    checked = check_label_outputs(codes)
    voters = check_member_weights(weights, checked.shape[1])
    if n_classes is None:
        n_classes = int(checked.max(initial=0)) + 1
    votes = vote_kernels.votes(checked, voters, n_classes)
    return votes, float(checked.shape[1] if voters is None else voters.sum())


class _PositiveRule(CombinationRule):
    """Parent of the rules that treat one class as positive."""

    reads: dict[Task, Kind] = {"classification": "labels"}
    takes_weights = False
    pos_label: Any = None

    def check(self, n_members: int, classes: Array | None, weights: Floats | None = None) -> None:
        """Check that the positive label is one of the classes."""
        super().check(n_members, classes, weights)
        if classes is not None:
            self._positive(classes)

    def _positive(self, classes: Array) -> int:
        if self.pos_label is None:
            return len(classes) - 1
        return self._find("pos_label", self.pos_label, classes)

    def _find(self, parameter: str, label: Any, classes: Array) -> int:
        try:
            return int(encode_labels([label], classes)[0])
        except (TypeError, ValueError) as why:
            allowed = f"one of the classes {classes.tolist()!r}"
            raise bad_parameter(self, parameter, allowed, label) from why

    def _needed(self, n_members: int) -> int:
        raise NotImplementedError

    def support(
        self, outputs: ArrayLike, weights: Floats | None = None, classes: Array | None = None
    ) -> Floats:
        """Choose the positive class, or let the other votes decide."""
        assert classes is not None
        codes = check_label_outputs(outputs)
        return k_of_n(
            codes,
            self._needed(codes.shape[1]),
            positive=self._positive(classes),
            n_classes=len(classes),
        )


class KOfN(_PositiveRule):
    """The positive class needs at least k votes; see :func:`k_of_n`.

    Parameters
    ----------
    k : int
        The number of votes that the positive class needs, from 1 to the number of members.
    pos_label : label, optional
        The positive class, by default the last one.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.combine import KOfN
    >>> KOfN(2).support([[1, 1, 0], [1, 0, 0]], classes=np.array(["no", "yes"]))
    array([[0., 1.],
           [1., 0.]])
    """

    _rules = {"k": Integer(1), "pos_label": Anything()}

    def __init__(self, k: int, pos_label: Any = None) -> None:
        self.k = k
        self.pos_label = pos_label

    def check(self, n_members: int, classes: Array | None, weights: Floats | None = None) -> None:
        """Check k against the number of members and the label against the classes."""
        super().check(n_members, classes, weights)
        if self.k > n_members:
            allowed = f"a whole number from 1 to {n_members}, the number of members"
            raise bad_parameter(self, "k", allowed, self.k)

    def _needed(self, n_members: int) -> int:
        return self.k


class And(_PositiveRule):
    """The positive class needs the votes of all members (N of N).

    Parameters
    ----------
    pos_label : label, optional
        The positive class, by default the last one.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.combine import And
    >>> And().support([[1, 1], [1, 0]], classes=np.array([0, 1]))
    array([[0., 1.],
           [1., 0.]])
    """

    _rules = {"pos_label": Anything()}

    def __init__(self, pos_label: Any = None) -> None:
        self.pos_label = pos_label

    def _needed(self, n_members: int) -> int:
        return n_members


class Or(_PositiveRule):
    """One vote is enough for the positive class (1 of N).

    Parameters
    ----------
    pos_label : label, optional
        The positive class, by default the last one.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.combine import Or
    >>> Or().support([[0, 0], [1, 0]], classes=np.array([0, 1]))
    array([[1., 0.],
           [0., 1.]])
    """

    _rules = {"pos_label": Anything()}

    def __init__(self, pos_label: Any = None) -> None:
        self.pos_label = pos_label

    def _needed(self, n_members: int) -> int:
        return 1


class AtLeastOne(Or):
    """Return the certain label wherever at least one member predicts it (the biased rule).

    It is OR with a guarantee: if members are never wrong when they predict the certain
    label (one-sided error), neither is the ensemble, and its error falls as (1 - p)^k.

    Parameters
    ----------
    certain_label : label
        The label that members predict only when they are certain. It has no default.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.combine import AtLeastOne
    >>> AtLeastOne("composite").support([[1, 1, 0]], classes=np.array(["composite", "prime"]))
    array([[1., 0.]])
    """

    _rules = {"certain_label": Anything()}

    def __init__(self, certain_label: Any) -> None:
        self.certain_label = certain_label

    def _positive(self, classes: Array) -> int:
        return self._find("certain_label", self.certain_label, classes)


class WeightedKOfN(_PositiveRule):
    """The weights of the positive voters must reach a threshold; see :func:`weighted_k_of_n`.

    Parameters
    ----------
    threshold : float
        Above 0, at most the sum of the ensemble's weights.
    pos_label : label, optional
        The positive class, by default the last one.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.combine import WeightedKOfN
    >>> rule = WeightedKOfN(threshold=3)
    >>> rule.support([[1, 0, 0], [0, 1, 1]], np.array([3, 1, 1]), np.array([0, 1]))
    array([[0., 1.],
           [1., 0.]])
    """

    takes_weights = True
    _rules = {"threshold": Real(0, open_low=True), "pos_label": Anything()}

    def __init__(self, threshold: float, pos_label: Any = None) -> None:
        self.threshold = threshold
        self.pos_label = pos_label

    def check(self, n_members: int, classes: Array | None, weights: Floats | None = None) -> None:
        """Check the threshold against the weights and the label against the classes."""
        super().check(n_members, classes, weights)
        _check_threshold(self, self.threshold, n_members, weights)

    def support(
        self, outputs: ArrayLike, weights: Floats | None = None, classes: Array | None = None
    ) -> Floats:
        """Choose the positive class, or let the other votes decide."""
        assert classes is not None
        codes = check_label_outputs(outputs)
        return weighted_k_of_n(
            codes,
            weights,
            self.threshold,
            positive=self._positive(classes),
            n_classes=len(classes),
        )
