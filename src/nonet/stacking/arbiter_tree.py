"""A tree of arbiters: each pair of neighbours has one for the rows on which they disagree.

Reference: P. Chan & S. Stolfo (1995), Learning arbiter and combiner trees from partitioned data
for scaling machine learning, KDD, 39-44.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Codes
from nonet._base.frames import take_rows
from nonet.members.fit import fit_member
from nonet.members.member import Member
from nonet.members.outputs import ask_member
from nonet.members.plan import MemberPlan
from nonet.stacking.single_target import allow_one_class


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
class ArbiterTree:
    """The whole tree.

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

    def decide(self, outputs: Codes, X: Any) -> Codes:
        """Return the class codes that the root settles on."""
        return self.root.decide(outputs, X, self.classes)


def grow_arbiter_tree(
    plan: MemberPlan,
    X: Any,
    labels: Array,
    outputs: Codes,
    parts: Sequence[Array],
    classes: Array,
) -> ArbiterTree:
    """Join neighbours level by level; an arbiter learns the disputed rows of both parts."""
    level: list[tuple[Leaf | Node, Array]] = [(Leaf(i), part) for i, part in enumerate(parts)]
    disputed: list[Array] = [np.empty(0, dtype=np.intp)]
    while len(level) > 1:
        joined: list[tuple[Leaf | Node, Array]] = []
        for (left, own), (right, other) in zip(level[::2], level[1::2], strict=False):
            rows = np.union1d(own, other)
            differ = _differing(left, right, outputs, X, rows, classes)
            judge = None if not differ.size else fit_judge(replace(plan, rows=differ), X, labels)
            disputed.append(differ)
            joined.append((Node(left, right, judge), rows))
        level = [*joined, *level[2 * len(joined) :]]  # an odd one waits for the next level
    return ArbiterTree(level[0][0], classes, np.unique(np.concatenate(disputed)))


def _differing(
    left: Leaf | Node, right: Leaf | Node, outputs: Codes, X: Any, rows: Array, classes: Array
) -> Array:
    view, said = take_rows(X, rows), outputs[rows]
    differ = left.decide(said, view, classes) != right.decide(said, view, classes)
    return np.asarray(rows[differ])


def fit_judge(plan: MemberPlan, X: Any, labels: Array) -> Member:
    """Fit an arbiter on the rows of its plan; on rows of one class it always names that class."""
    return fit_member(allow_one_class(plan, labels), X, labels)
