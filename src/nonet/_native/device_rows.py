"""Bindings of what a GPU holds of a boosting fit."""

from __future__ import annotations

import numpy as np

from nonet import _core
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams
from nonet._native.partitions import Leaves, Measured, MomentSizes, MomentTotals, Sums, Words
from nonet._native.runtime import native_array


class DeviceRows:
    """The rows of a boosting fit on a GPU: bins, gradients, the order of rows and scores.

    Parameters
    ----------
    dataset : BinnedDataset
        Their columns, dense and of at most 255 bins.
    target : array of shape (n_rows,)
        Targets, or codes of classes as int32.
    weights : array of shape (n_rows,) or None
        Weights of rows.
    scores : array of shape (n_scores, n_rows)
        Scores before the first round.
    """

    def __init__(
        self, dataset: BinnedDataset, target: Sums | Leaves, weights: Sums | None, scores: Sums
    ) -> None:
        is_class = target.dtype == np.int32
        numbers = np.empty(0) if is_class else native_array(target, np.float64)
        codes = native_array(target, np.int32) if is_class else np.empty(0, dtype=np.int32)
        of_rows = np.empty(0) if weights is None else native_array(weights, np.float64)
        self._native = _core.DeviceRows(
            dataset._native, numbers, codes, of_rows, native_array(scores, np.float64)
        )
        self._n_cells = _core.count_cells(dataset._native, GrowParams()._native())
        self._cells = np.empty(0, dtype=np.int64)
        self.n_rows = dataset.n_rows

    def find_gradients(self, name: str, shape: float) -> None:
        """Compute gradients and hessians of a loss of the core; classes have their own."""
        self._native.find_gradients(name, shape)

    def sizes(self, tree: int) -> MomentSizes:
        """Return the sizes of the derivatives of a score."""
        return self._native.sizes(tree)

    def totals(self, tree: int, sizes: MomentSizes) -> MomentTotals:
        """Return the sums of these sizes."""
        return self._native.totals(tree, sizes)

    def count_light(self, tree: int, kind: str, everywhere: Measured) -> Words:
        """Count the gradients and hessians that would be rounded too coarsely."""
        way = _core.MomentKind[kind]
        light = self._native.count_light(tree, way, everywhere.sizes, everywhere.totals)
        return np.array(light, dtype=np.int64)

    def start(self, tree: int, kind: str, everywhere: Measured) -> Words:
        """Write the rows in fixed point; return the histogram of the root, until the next call."""
        cells = self._cells_of(1)
        way = _core.MomentKind[kind]
        self._native.start(tree, way, everywhere.sizes, everywhere.totals, cells)
        return cells

    def split(self, tree: int, orders: Words, n_counted: int) -> Words:
        """Move rows of nodes that are split; return histograms of children, until the next call."""
        cells = self._cells_of(n_counted)
        self._native.split(tree, orders, cells)
        return cells

    def _cells_of(self, n_nodes: int) -> Words:
        """Return memory for histograms, which the next call uses again: fresh pages take longer."""
        n_words = 2 * self._n_cells * n_nodes
        if n_words > len(self._cells):
            self._cells = np.empty(2 * n_words, dtype=np.int64)
        return self._cells[:n_words]

    def sum_leaves(
        self, tree: int, leaf_of_node: Leaves, n_leaves: int, sizes: MomentSizes
    ) -> Sums:
        """Return the sums of all leaves."""
        sums = np.zeros(_core.leaf_sums * n_leaves)
        self._native.sum_leaves(tree, leaf_of_node, sizes, sums)
        return sums

    def add(self, tree: int, values: Sums) -> None:
        """Add the values of leaves to the scores of rows."""
        self._native.add(tree, np.ascontiguousarray(values))

    def leaves(self, tree: int) -> Leaves:
        """Return the leaf of every row; -1 for rows of weight 0."""
        leaves = np.empty(self.n_rows, dtype=np.int32)
        self._native.copy_leaves(tree, leaves)
        return leaves

    def copy_scores(self, scores: Sums) -> None:
        """Write the scores of all rows into an array of the shape of those given."""
        self._native.copy_scores(scores)
