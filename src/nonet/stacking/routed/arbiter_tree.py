"""A tree of arbiters: each pair of neighbours has one for the rows on which they disagree.

Reference: P. Chan & S. Stolfo (1995), Learning arbiter and combiner trees from partitioned data
for scaling machine learning, KDD, 39-44.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonet._base.aliases import SILENT, Array, Codes, Floats, Kind
from nonet._base.frames import take_rows
from nonet.members.fit import fit_member
from nonet.members.member import Member
from nonet.members.outputs import ask_member
from nonet.members.plan import MemberPlan
from nonet.stacking.single_target import allow_one_class

_N_FOLDS = 5


@dataclass(frozen=True)
class Leaf:
    """One member: its answer is its column of the outputs."""

    place: int

    def decide(self, outputs: Codes, X: Any, classes: Array) -> Codes:
        """Return the member's class codes."""
        return np.array(outputs[:, self.place], dtype=np.intp)


@dataclass(frozen=True)
class Node:
    """Two subtrees, and who decides where they differ; None if they never did in training."""

    left: Leaf | Node
    right: Leaf | Node
    judge: Member | None

    def decide(self, outputs: Codes, X: Any, classes: Array) -> Codes:
        """Return the codes on which both subtrees agree, the arbiter's where they do not."""
        codes = self.left.decide(outputs, X, classes)
        differ = np.flatnonzero(codes != self.right.decide(outputs, X, classes))
        if self.judge is not None and differ.size:
            codes[differ] = ask_member(self.judge, take_rows(X, differ), "labels", [classes])[0]
        return codes


@dataclass(frozen=True)
class Branch:
    """A subtree while the tree grows: the rows of its parts, its held-out codes of all rows."""

    node: Leaf | Node
    rows: Array
    codes: Codes


@dataclass(frozen=True)
class ArbiterTree:
    """The whole tree: F of an ensemble with a tree of arbiters.

    Attributes
    ----------
    root : Node or Leaf
    classes : ndarray of shape (n_classes,)
    dispute_rows : ndarray of int
        The training rows that any arbiter learned from.
    """

    root: Leaf | Node
    classes: Array
    dispute_rows: Array
    reads: Kind = "labels"

    def __call__(self, outputs: Codes, X: Any) -> Floats:
        """Return support of 1 for the class that the root settles on, of shape (n, n_classes)."""
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
    """Join neighbours level by level; an arbiter learns the disputed rows of both parts.

    ``outputs`` are held-out class codes of the members. The arbiters below a node answer with
    held-out codes too when the disputes of the node are found.
    """
    level = [Branch(Leaf(i), part, outputs[:, i]) for i, part in enumerate(parts)]
    disputed: list[Array] = [np.empty(0, dtype=np.intp)]
    while len(level) > 1:
        joined = []
        for left, right in zip(level[::2], level[1::2], strict=False):
            rows = np.union1d(left.rows, right.rows)
            differ = rows[left.codes[rows] != right.codes[rows]]
            own = replace(plan, rows=differ)
            judge = None if not differ.size else fit_judge(own, X, labels)
            codes = left.codes
            if judge is not None and len(level) > 2:  # nobody asks about the root
                settled = held_out_codes(judge, own, X, labels, classes)
                is_open = (left.codes != right.codes) & (settled != SILENT)
                codes = np.where(is_open, settled, left.codes)
            disputed.append(differ)
            joined.append(Branch(Node(left.node, right.node, judge), rows, codes))
        level = [*joined, *level[2 * len(joined) :]]  # an odd one waits for the next level
    return ArbiterTree(level[0].node, classes, np.unique(np.concatenate(disputed)))


def held_out_codes(
    member: Member, plan: MemberPlan, X: Any, labels: Array, classes: Array
) -> Codes:
    """Return the class codes of all rows by models that were fitted without the row.

    The member answers the rows that are not in its plan. Those of its plan are dealt, class by
    class, into folds, and clones fitted on the other folds answer them; a single row of a plan has
    nobody to answer it (-1).
    """
    codes: Codes = np.full(len(labels), SILENT)
    assert plan.rows is not None
    others = plan.unseen_rows(len(labels))
    if others.size:
        codes[others] = ask_member(member, take_rows(X, others), "labels", [classes])[0]
    by_class = plan.rows[np.argsort(labels[plan.rows], kind="stable")]
    n_folds = min(_N_FOLDS, len(by_class)) if len(by_class) > 1 else 0
    for fold in range(n_folds):
        test = by_class[fold::n_folds]
        rest = plan.on_rows(np.setdiff1d(plan.rows, test))
        clone = fit_judge(rest, X, labels)
        codes[test] = ask_member(clone, take_rows(X, test), "labels", [classes])[0]
    return codes


def fit_judge(plan: MemberPlan, X: Any, labels: Array) -> Member:
    """Fit an arbiter on the rows of its plan; on rows of one class it always names that class."""
    return fit_member(allow_one_class(plan, labels), X, labels)
