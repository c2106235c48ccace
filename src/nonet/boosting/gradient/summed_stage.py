"""One boosting round on partitions: workers count and add up, this process searches.

What `NewtonStage` does with a `TreeGrower` in one process takes a few steps here, each one call of
all workers: measure gradients, count the roots, split nodes, sum up leaves, add their values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams
from nonet._native.partitions import (
    Leaves,
    Measured,
    MomentSizes,
    MomentTotals,
    TreeFromSums,
    fits,
    join_parts,
    moment_kinds,
    needs_totals,
    sum_words,
)
from nonet._native.sums import sums_by_group
from nonet._native.tree import Tree
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.safe_steps import are_long, shorten_if_unsafe


class Workers(Protocol):
    """Whoever holds the rows: each has some of them, and takes the steps of a round."""

    def __len__(self) -> int:
        """Return the number of workers."""

    def begin_round(self, rounds: Sequence[list[Tree]]) -> None:
        """Note that the scores of all rows are those after these rounds."""

    def call(self, step: str, *arguments: Any) -> list[Any]:
        """Let all workers take a step; return the results of those that have rows for it."""

    def tell(self, step: str, *arguments: Any) -> None:
        """Let all workers take a step that has no result."""


class SummedStage:
    """Grows boosting rounds from the sums of all workers.

    Parameters
    ----------
    workers : Workers
        They hold the rows.
    booster : Booster
        The rounds so far.
    dataset : BinnedDataset
        The bins of the columns.
    params : GrowParams
        Parameters of the trees.
    rate : float
        The learning rate.
    cells_per_call : int
        Rows times columns that a worker counts in the time of a call: so many may be counted for
        nodes that the tree may not need.
    """

    def __init__(
        self,
        workers: Workers,
        booster: Booster,
        dataset: BinnedDataset,
        params: GrowParams,
        rate: float,
        cells_per_call: int,
    ) -> None:
        self.loss = booster.loss
        self._workers, self._booster, self._dataset = workers, booster, dataset
        self._params, self._rate = params, rate
        self._rows_ahead = cells_per_call * len(workers) // dataset.n_columns
        self._not_added: list[tuple[int, Floats]] = []

    def add_round(self, number: int) -> list[Tree]:
        """Grow the trees of a round and let the workers add them to the scores.

        Parameters
        ----------
        number : int
            The number of the round.

        Returns
        -------
        list of Tree
        """
        self._workers.begin_round(self._booster.rounds)
        n_trees = self.loss.n_scores
        params = [self._params.of_tree(number * n_trees + k) for k in range(n_trees)]
        growing = self._start(params)
        self._split(growing)
        trees = self._finish(growing)
        self._add()
        return trees

    # ---- Steps ---------------------------------------------------------------------------------

    def _start(self, params: Sequence[GrowParams]) -> list[TreeFromSums]:
        sizes = self._joined("measure", params)
        kinds, everywhere = self._choose_kinds(params, sizes)
        roots = self._workers.call("start", kinds, everywhere)
        growing = []
        for k, cells in enumerate(zip(*roots, strict=True)):
            growing.append(TreeFromSums(self._dataset, params[k], kinds[k], everywhere[k]))
            growing[k].take_root(sum_words(cells))
        return growing

    def _choose_kinds(
        self, params: Sequence[GrowParams], sizes: Sequence[MomentSizes]
    ) -> tuple[list[str], list[Measured]]:
        """Return how the rows of each tree are written, as one process would write them."""
        candidates = [
            moment_kinds(one, self._dataset, of_tree)
            for one, of_tree in zip(sizes, params, strict=True)
        ]
        everywhere = [Measured(one, MomentTotals()) for one in sizes]
        is_total = False
        while True:
            kinds = [names[0] for names in candidates]
            if not is_total and any(map(needs_totals, kinds)):
                totals = self._joined("total", sizes)
                everywhere = [Measured(*both) for both in zip(sizes, totals, strict=True)]
                is_total = True
            light = self._workers.call("count_light", kinds, everywhere)
            unfit = [
                k
                for k, parts in enumerate(zip(*light, strict=True))
                if not fits(kinds[k], everywhere[k], sum_words(parts))
            ]
            if not unfit:
                return kinds, everywhere
            for k in unfit:
                candidates[k] = candidates[k][1:]
                if not candidates[k]:
                    raise ValueError(
                        "The gradients, hessians or weights of the rows are too many orders of "
                        "magnitude apart for the sums of a fit on partitions or on a GPU; rescale "
                        "the weights or the target, or fit in one process without a GPU."
                    )

    def _joined(self, step: str, *arguments: Any) -> list[Any]:
        """Return what a step finds for each tree, joined over the workers."""
        return [
            join_parts(parts) for parts in zip(*self._workers.call(step, *arguments), strict=True)
        ]

    def _split(self, growing: Sequence[TreeFromSums]) -> None:
        """Split nodes of all trees at a time until there is nothing left to split."""
        while True:
            orders = [(k, tree.next(self._rows_ahead)) for k, tree in enumerate(growing)]
            orders = [(k, order) for k, order in orders if order.n_orders]
            if not orders:
                return
            wanted = [(k, order.words, order.n_counted) for k, order in orders]
            cells = self._workers.call("split", wanted)
            for (k, _), parts in zip(orders, zip(*cells, strict=True), strict=True):
                growing[k].take(sum_words(parts))

    def _finish(self, growing: Sequence[TreeFromSums]) -> list[Tree]:
        ends = [(tree.last(), tree.leaf_of_node(), tree.n_leaves) for tree in growing]
        sums = self._workers.call("sum_leaves", ends)
        trees = []
        for k, (tree, parts) in enumerate(zip(growing, zip(*sums, strict=True), strict=True)):
            finished, preorder = tree.finish(np.sum(parts, axis=0))
            trees.append(self._set_values(k, finished, preorder))
        return trees

    # ---- Leaf values ---------------------------------------------------------------------------

    def _set_values(self, k: int, tree: Tree, preorder: Leaves) -> Tree:
        values = tree.arrays()["values"]
        steps = values.reshape(1, -1)
        if self.loss.is_self_concordant:
            self._shorten(k, steps, preorder)
        steps *= self._rate
        self._not_added.append((k, steps[0, preorder]))
        return tree.with_values(values.ravel())

    def _shorten(self, k: int, steps: Floats, preorder: Leaves) -> None:
        is_long: Array = are_long(steps, self._rate)
        if not is_long[preorder].any():
            return
        self._add()  # the rise depends on the trees before this one
        moves = self._rate * steps[0, preorder]
        parts = self._workers.call("rises", k, is_long[preorder], moves)
        terms, leaves = (np.concatenate(each) for each in zip(*parts, strict=True))
        rises = np.zeros(steps.shape[1])
        rises[preorder] = sums_by_group(terms, leaves, len(preorder))
        shorten_if_unsafe(steps, self._rate, is_long, rises)

    def _add(self) -> None:
        """Let the workers add leaf values to the scores of their rows."""
        if self._not_added:
            self._workers.tell("add", self._not_added)
            self._not_added = []
