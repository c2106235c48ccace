"""A tree of arbiters: each pair of subtrees has an arbiter for the rows where they disagree.

Reference: P. Chan & S. Stolfo (1995), Learning arbiter and combiner trees from partitioned data
for scaling machine learning, KDD, 39-44.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonet._base.aliases import ABSTAINED, Array, Codes, Floats, Kind
from nonet._base.frames import take_rows
from nonet.members.fit import fit_member
from nonet.members.member import Member
from nonet.members.outputs import predict_member
from nonet.members.plan import MemberPlan
from nonet.stacking.single_target import allow_one_class

_N_FOLDS = 5


@dataclass(frozen=True)
class Leaf:
    """One member: its decision is its column of the outputs."""

    position: int

    def decide(self, outputs: Codes, X: Any, classes: Array) -> Codes:
        """Return the member's class codes."""
        return np.array(outputs[:, self.position], dtype=np.intp)


@dataclass(frozen=True)
class Node:
    """Two subtrees and the arbiter where they differ; None if they never did in training."""

    left: Leaf | Node
    right: Leaf | Node
    arbiter: Member | None

    def decide(self, outputs: Codes, X: Any, classes: Array) -> Codes:
        """Return the codes on which both subtrees agree, and the arbiter's codes elsewhere."""
        codes = self.left.decide(outputs, X, classes)
        differ = np.flatnonzero(codes != self.right.decide(outputs, X, classes))
        if self.arbiter is not None and differ.size:
            codes[differ] = predict_member(self.arbiter, take_rows(X, differ), "labels", [classes])[
                0
            ]
        return codes


@dataclass(frozen=True)
class Branch:
    """A subtree during growth: the rows of its members and its held-out codes of all rows."""

    node: Leaf | Node
    rows: Array
    codes: Codes


@dataclass(frozen=True)
class ArbiterTree:
    """A tree of arbiters as F of an ensemble.

    Attributes
    ----------
    root : Node or Leaf
    classes : ndarray of shape (n_classes,)
    dispute_rows : ndarray of int
        The training rows that any arbiter was fitted on.
    """

    root: Leaf | Node
    classes: Array
    dispute_rows: Array
    reads: Kind = "labels"

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return "tree of arbiters of labels"

    def __call__(self, outputs: Codes, X: Any) -> Floats:
        """Return support of 1 for the class that the root decides on, of shape (n, n_classes)."""
        codes = self.root.decide(outputs, X, self.classes)
        return np.asarray(codes[:, np.newaxis] == np.arange(len(self.classes)), dtype=np.float64)


def grow_arbiter_tree(
    plan: MemberPlan,
    X: Any,
    labels: Array,
    outputs: Codes,
    parts: Sequence[Array],
    classes: Array,
) -> ArbiterTree:
    """Join neighbours level by level; an arbiter is fitted on the rows where both disagree.

    ``outputs`` are held-out class codes of the members. The arbiters below a node also use
    held-out codes when the disputes of the node are found.
    """
    level = [Branch(Leaf(i), part, outputs[:, i]) for i, part in enumerate(parts)]
    disputed: list[Array] = [np.empty(0, dtype=np.intp)]
    while len(level) > 1:
        joined = []
        for left, right in zip(level[::2], level[1::2], strict=False):
            rows = np.union1d(left.rows, right.rows)
            differ = rows[left.codes[rows] != right.codes[rows]]
            own = replace(plan, rows=differ)
            arbiter = None if not differ.size else fit_arbiter(own, X, labels)
            codes = left.codes
            if arbiter is not None and len(level) > 2:  # the codes of the root are not needed
                settled = held_out_codes(arbiter, own, X, labels, classes)
                is_open = (left.codes != right.codes) & (settled != ABSTAINED)
                codes = np.where(is_open, settled, left.codes)
            disputed.append(differ)
            joined.append(Branch(Node(left.node, right.node, arbiter), rows, codes))
        level = [*joined, *level[2 * len(joined) :]]  # an odd one is joined on the next level
    return ArbiterTree(level[0].node, classes, np.unique(np.concatenate(disputed)))


def held_out_codes(
    member: Member, plan: MemberPlan, X: Any, labels: Array, classes: Array
) -> Codes:
    """Return the class codes of all rows by models that were fitted without the row.

    The member predicts the rows that are not in its plan. Those of its plan are split, class by
    class, into folds, and predicted by clones fitted on the other folds; a single row of a plan
    cannot be predicted (-1).
    """
    codes: Codes = np.full(len(labels), ABSTAINED)
    assert plan.rows is not None
    others = plan.unseen_rows(len(labels))
    if others.size:
        codes[others] = predict_member(member, take_rows(X, others), "labels", [classes])[0]
    by_class = plan.rows[np.argsort(labels[plan.rows], kind="stable")]
    n_folds = min(_N_FOLDS, len(by_class)) if len(by_class) > 1 else 0
    for fold in range(n_folds):
        test = by_class[fold::n_folds]
        rest = plan.on_rows(np.setdiff1d(plan.rows, test))
        clone = fit_arbiter(rest, X, labels)
        codes[test] = predict_member(clone, take_rows(X, test), "labels", [classes])[0]
    return codes


def fit_arbiter(plan: MemberPlan, X: Any, labels: Array) -> Member:
    """Fit an arbiter on the rows of its plan; with one class it always predicts that class."""
    return fit_member(allow_one_class(plan, labels), X, labels)
