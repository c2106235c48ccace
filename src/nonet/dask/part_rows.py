"""What a worker holds of a fit: rows of its partitions in bins, their scores, and growing trees.

The state follows from the partitions and the trees so far, so that another worker can take it over:
it adds the trees to the scores, and repeats the steps of the round that is under way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.grow import GrowParams
from nonet._native.loss import add_leaf_values
from nonet._native.partitions import (
    ColumnEdges,
    Leaves,
    Measured,
    MomentSizes,
    MomentTotals,
    PartGrower,
    PartTree,
    Words,
)
from nonet._native.sums import ExactSum, exact_sum
from nonet._native.tree import Tree, find_bin_leaves
from nonet.boosting.gradient.booster import add_round
from nonet.boosting.gradient.rows import Rows, as_loss_takes
from nonet.dask.collections import Part
from nonet.dask.reading import read_part
from nonet.losses import Loss

Step = tuple[Any, ...]
"""The name of a method of `PartRows`, and its arguments."""


@dataclass(frozen=True)
class FitPlan:
    """What all workers of a fit know.

    Parameters
    ----------
    reader : estimator
        Knows the columns and the classes.
    edges : ColumnEdges
        The bins of the columns.
    loss : Loss
        The loss to minimize.
    start : array of shape (n_scores,)
        Scores before the first round.
    """

    reader: Any
    edges: ColumnEdges
    loss: Loss
    start: Floats


@dataclass(frozen=True)
class Reply:
    """The result of a step, or the error that the rows have raised."""

    value: Any = None
    error: Exception | None = None


class PartRows:
    """The rows of some partitions, as an actor on a worker.

    Parameters
    ----------
    parts : list of tuples
        Rows, targets and weights of the partitions.
    positions : list of int
        Which partitions these are.
    held_out : list of arrays or None
        Rows of each partition that only stop the fit; None if there are none.
    plan : FitPlan
        What all workers know.
    """

    def __init__(
        self,
        parts: list[Part],
        positions: list[int],
        held_out: list[Array] | None,
        plan: FitPlan,
    ) -> None:
        self.plan, self.loss = plan, plan.loss
        kept: list[Rows] = []
        stopping: list[Rows] = []
        for i, (part, position) in enumerate(zip(parts, positions, strict=True)):
            rows = read_part(part, position, plan.reader)
            inside = np.ones(len(rows.target), dtype=bool)
            if held_out is not None:
                inside[held_out[i]] = False
                stopping.append(rows.take(np.flatnonzero(~inside)))
            kept.append(rows if inside.all() else rows.take(np.flatnonzero(inside)))
        training = _join(kept)
        self.sets = {"training": training}
        if held_out is not None:
            self.sets["validation"] = _join(stopping)
        for rows in self.sets.values():
            rows.scores = np.repeat(plan.start[:, np.newaxis], len(rows.target), axis=1)
        self._start_training(training)

    def _start_training(self, rows: Rows) -> None:
        self._grower = None
        self._trees: list[PartTree] = []
        if not len(rows.target):
            return
        self._grower = PartGrower(self.plan.edges.bin(rows.X))
        rows.X = None  # the bins are all that is read from now on
        self._gradients = np.empty_like(rows.scores)
        self._hessians = np.ones_like(rows.scores)
        self._leaves = np.empty(rows.scores.shape, dtype=np.int32)

    def call(self, steps: Sequence[Step]) -> Reply:
        """Take steps of the fit; return the result of the last one, or the error of one."""
        value = None
        try:
            for step, *arguments in steps:
                value = getattr(self, step)(*arguments)
        except Exception as error:
            return Reply(error=error)
        return Reply(value)

    # ---- One round -----------------------------------------------------------------------------

    def measure(self, params: Sequence[GrowParams]) -> list[MomentSizes] | None:
        """Compute gradients and hessians, begin the trees of a round, and return their sizes."""
        if self._grower is None:
            return None
        rows = self.sets["training"]
        scores, gradients, hessians = (
            as_loss_takes(self.loss, numbers)
            for numbers in (rows.scores, self._gradients, self._hessians)
        )
        wanted = None if self.loss.has_constant_hessian else hessians
        self.loss.fill(rows.target, scores, gradients, wanted)
        self._trees = [
            self._grower.tree(self._gradients[k], self._hessians[k], rows.weights, one)
            for k, one in enumerate(params)
        ]
        return [tree.sizes for tree in self._trees]

    def total(self, everywhere: Sequence[MomentSizes]) -> list[MomentTotals] | None:
        """Return what these rows add to the totals of each tree."""
        if not self._trees:
            return None
        return [t.totals(sizes) for t, sizes in zip(self._trees, everywhere, strict=True)]

    def count_light(
        self, kinds: Sequence[str], everywhere: Sequence[Measured]
    ) -> list[Words] | None:
        """Count the derivatives that would be rounded too coarsely, for each tree."""
        if not self._trees:
            return None
        each = zip(self._trees, kinds, everywhere, strict=True)
        return [tree.count_light(kind, measured) for tree, kind, measured in each]

    def start(self, kinds: Sequence[str], everywhere: Sequence[Measured]) -> list[Words] | None:
        """Write the rows, and return the histogram of the root of each tree."""
        if not self._trees:
            return None
        each = zip(self._trees, kinds, everywhere, strict=True)
        return [tree.start(kind, measured) for tree, kind, measured in each]

    def split(self, orders: Sequence[tuple[int, Words, int]]) -> list[Words] | None:
        """Split nodes, and return the histograms of children, for trees by their numbers."""
        if not self._trees:
            return None
        return [self._trees[k].split(words, n_counted) for k, words, n_counted in orders]

    def sum_leaves(self, trees: Sequence[tuple[Words, Leaves, int]]) -> list[Floats] | None:
        """Make the last splits, find the leaf of every row, and return the sums of the leaves."""
        if not self._trees:
            return None
        sums = []
        for k, (last, leaf_of_node, n_leaves) in enumerate(trees):
            tree = self._trees[k]
            tree.split(last, 0)
            sums.append(tree.sum_leaves(leaf_of_node, n_leaves))
            tree.find_leaves(leaf_of_node, self._leaves[k])
        self._trees = []
        return sums

    def rises(self, k: int, is_long: Array, moves: Floats) -> tuple[Floats, Array] | None:
        """Return by how much long steps raise the losses of rows, and the leaves of these rows."""
        if self._grower is None:
            return None
        leaves, rows = self._leaves[k], self.sets["training"]
        chosen = np.flatnonzero((leaves >= 0) & is_long[leaves])
        rises = rows.rises([k], chosen, moves[leaves[chosen]][np.newaxis], self.loss)
        return rises, leaves[chosen]

    def add(self, values: Sequence[tuple[int, Floats]]) -> None:
        """Add the values of leaves to the scores of rows, tree by tree."""
        if self._grower is None:
            return
        for k, of_leaves in values:
            add_leaf_values(self._leaves[k], of_leaves, self.sets["training"].scores[k])

    # ---- Rows that stop the fit ----------------------------------------------------------------

    def follow(self, trees: Sequence[Tree]) -> None:
        """Add the trees of a round to the scores of the rows that were held out."""
        rows = self.sets["validation"]
        if len(rows.target):
            add_round(rows.scores, trees, rows.X)

    def sum_losses(self, name: str) -> tuple[ExactSum, ExactSum]:
        """Return the exact sum of the losses of a set of rows, and that of their weights."""
        rows = self.sets[name]
        if not len(rows.target):
            return ExactSum(), ExactSum()
        weights = np.ones(len(rows.target)) if rows.weights is None else rows.weights
        scores = as_loss_takes(self.loss, rows.scores)
        return self.loss.sum_losses(rows.target, scores, rows.weights), exact_sum(weights)

    # ---- Lost workers --------------------------------------------------------------------------

    def restore(self, rounds: Sequence[Sequence[Tree]]) -> None:
        """Add the rounds so far, in the order in which they were grown."""
        for trees in rounds:
            if "validation" in self.sets:
                self.follow(trees)
            for k, tree in enumerate(trees):
                self._add_tree(k, tree)

    def _add_tree(self, k: int, tree: Tree) -> None:
        if self._grower is None:
            return
        rows, leaves = self.sets["training"], self._leaves[k]
        leaves[:] = -1
        found = find_bin_leaves(tree, self._grower.dataset, leaves)
        assert found, "thresholds are edges of bins"
        if rows.weights is not None:
            leaves[rows.weights <= 0] = -1
        add_leaf_values(
            leaves, np.ascontiguousarray(tree.arrays()["values"]).ravel(), rows.scores[k]
        )


def _join(parts: Sequence[Rows]) -> Rows:
    weights = [rows.weights for rows in parts if rows.weights is not None]
    return Rows(
        np.concatenate([rows.X for rows in parts]),
        np.concatenate([rows.target for rows in parts]),
        np.concatenate(weights) if weights else None,
    )
