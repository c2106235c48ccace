"""Bindings for trees on partitions of the rows: sums of each part, and the search on all sums."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nonet import _core
from nonet._native.bin_edges import count_sampled_rows
from nonet._native.data import BinnedDataset, as_table
from nonet._native.grow import GrowParams
from nonet._native.runtime import get_num_threads, native_array

Words = NDArray[np.int64]
Sums = NDArray[Any]  # of float64
Leaves = NDArray[np.int32]
MomentSizes = _core.MomentSizes
MomentTotals = _core.MomentTotals


# ---- Bins --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ColumnEdges:
    """The bins of all columns of a table, found once and used for other rows of it.

    Parameters
    ----------
    columns : tuple of ColumnBins
        One per column.
    """

    columns: tuple[_core.ColumnBins, ...]

    @classmethod
    def of(cls, dataset: BinnedDataset) -> ColumnEdges:
        """Return the bins of a dataset."""
        native = dataset._native
        return cls(tuple(native.column_bins(j) for j in range(native.n_columns)))

    def bin(self, X: ArrayLike) -> BinnedDataset:
        """Bin rows of shape (n_rows, n_columns)."""
        dataset = object.__new__(BinnedDataset)
        native = _core.BinnedDataset(as_table(X), list(self.columns), get_num_threads())
        dataset._native = native
        return dataset

    def without_rows(self) -> BinnedDataset:
        """Return a dataset of these bins, whose only row is missing everywhere."""
        return self.bin(np.full((1, len(self.columns)), np.nan))


def sample_positions(n_rows: int, weights: Sums | None, max_bins: int, seed: int) -> Words:
    """Return the positions of the rows from which `BinnedDataset` takes the edges of its bins.

    Parameters
    ----------
    n_rows : int
        Number of rows.
    weights : array of shape (n_rows,) or None
        Rows without weight are not among them.
    max_bins : int
        Maximum number of bins per column.
    seed : int
        The seed of the dataset.

    Returns
    -------
    int64 array
        In order; all rows of positive weight if they are few.

    Examples
    --------
    >>> sample_positions(3, None, 255, 0)
    array([0, 1, 2])
    """
    n_sampled = count_sampled_rows(max_bins)
    given = np.empty(0) if weights is None else native_array(weights, np.float64)
    positions = _core.sample_positions(n_rows, given, n_sampled, seed)
    return np.array(positions, dtype=np.int64)


@dataclass(frozen=True)
class Measured:
    """What the rows of all parts together are like.

    Parameters
    ----------
    sizes : MomentSizes
        Extremes and numbers of rows.
    totals : MomentTotals
        Sums; zeros where they are not needed.
    """

    sizes: MomentSizes
    totals: MomentTotals


# ---- One part ----------------------------------------------------------------------------------


class PartGrower:
    """Memory for the trees on one part of the rows.

    Parameters
    ----------
    dataset : BinnedDataset
        The rows of the part, in the bins of all parts.
    """

    def __init__(self, dataset: BinnedDataset) -> None:
        self.dataset = dataset
        self._native = _core.PartGrower(dataset._native)

    def tree(
        self, gradients: Sums, hessians: Sums, weights: Sums | None, params: GrowParams
    ) -> PartTree:
        """Begin a tree, and measure the derivatives of its rows."""
        numbers = native_array(gradients, np.float64), native_array(hessians, np.float64)
        given = np.empty(0) if weights is None else native_array(weights, np.float64)
        native = params._native()
        tree = _core.PartTree(self._native, *numbers, given, native, get_num_threads())
        return PartTree(tree, _core.count_cells(self.dataset._native, native))


class PartTree:
    """The nodes of a tree in one part of its rows; `PartGrower.tree` makes it."""

    def __init__(self, native: _core.PartTree, n_cells: int) -> None:
        self._native, self._n_cells = native, n_cells

    @property
    def sizes(self) -> MomentSizes:
        """Sizes of the derivatives of these rows."""
        return self._native.sizes

    def totals(self, everywhere: MomentSizes) -> MomentTotals:
        """Return what these rows add to the totals of all parts."""
        return self._native.totals(everywhere)

    def count_light(self, kind: str, everywhere: Measured) -> Words:
        """Count the gradients and hessians that would be rounded too coarsely."""
        way = _core.MomentKind[kind]
        light = self._native.count_light(way, everywhere.sizes, everywhere.totals)
        return np.array(light, dtype=np.int64)

    def start(self, kind: str, everywhere: Measured) -> Words:
        """Write the rows in the units of all parts; return the histogram of the root."""
        self._native.start(_core.MomentKind[kind], everywhere.sizes, everywhere.totals)
        cells = np.empty(2 * self._n_cells, dtype=np.int64)
        self._native.count_root(cells)
        return cells

    def split(self, orders: Words, n_counted: int) -> Words:
        """Move the rows of nodes that are split; return the histograms of some of the children."""
        cells = np.empty(2 * self._n_cells * n_counted, dtype=np.int64)
        self._native.split(orders, cells)
        return cells

    def sum_leaves(self, leaf_of_node: Leaves, n_leaves: int) -> Sums:
        """Return the sums of all leaves, which add up to those of all parts without rounding."""
        sums = np.zeros(_core.leaf_sums * n_leaves)
        self._native.sum_leaves(leaf_of_node, sums)
        return sums

    def find_leaves(self, leaf_of_node: Leaves, leaves: Leaves) -> None:
        """Write the leaf of every row; -1 for rows of weight 0."""
        self._native.find_leaves(leaf_of_node, leaves)


# ---- All parts ---------------------------------------------------------------------------------


def join_parts(parts: Iterable[Any]) -> Any:
    """Return the sizes, or the totals, of the rows of all parts together."""
    given = list(parts)
    whole = type(given[0])()
    for part in given:
        whole.join(part)
    return whole


def moment_kinds(sizes: MomentSizes, dataset: BinnedDataset, params: GrowParams) -> list[str]:
    """Return the ways to write rows of these sizes that are worth a try, the best one first."""
    kinds = _core.moment_kinds(sizes, dataset._native, params._native())
    return [kind.name for kind in kinds]


def needs_totals(kind: str) -> bool:
    """Return whether a way to write rows depends on their totals."""
    return _core.needs_totals(_core.MomentKind[kind])


def fits(kind: str, everywhere: Measured, light: Words) -> bool:
    """Return whether nearly all rows keep enough units if they are written in this way."""
    n_gradients, n_hessians = light.tolist()
    way = _core.MomentKind[kind]
    return _core.fits(way, everywhere.sizes, everywhere.totals, n_gradients, n_hessians)


@dataclass(frozen=True)
class SplitOrders:
    """Nodes that all parts are to split.

    Parameters
    ----------
    words : int64 array
        Node, children and split of each of them, for `PartTree.split`.
    n_orders, n_counted : int
        How many there are, and how many of them want the histogram of a child.
    """

    words: Words
    n_orders: int
    n_counted: int


class TreeFromSums:
    """A tree that is grown from the histograms that all parts together have counted.

    Parameters
    ----------
    dataset : BinnedDataset
        The bins of the columns; its rows are not read.
    params : GrowParams
        Growth parameters.
    kind : str
        How the parts write their rows.
    everywhere : Measured
        What the rows of all parts are like.
    """

    def __init__(
        self, dataset: BinnedDataset, params: GrowParams, kind: str, everywhere: Measured
    ) -> None:
        self._dataset = dataset
        self._native = _core.TreeFromSums(
            dataset._native,
            params._native(),
            _core.MomentKind[kind],
            everywhere.sizes,
            everywhere.totals,
            get_num_threads(),
        )

    def take_root(self, cells: Words) -> None:
        """Read the histogram of all rows, and search their split."""
        self._native.take_root(cells)

    def next(self, max_rows: int) -> SplitOrders:
        """Return the nodes to split now, among them some that may not be needed.

        Parameters
        ----------
        max_rows : int
            No more rows than these are counted for nodes that may not be needed.
        """
        words, n_orders, n_counted = self._native.next(max_rows)
        return SplitOrders(np.array(words, dtype=np.int64), n_orders, n_counted)

    def take(self, cells: Words) -> None:
        """Read the histograms of children, and search the splits of both children."""
        self._native.take(cells)

    def last(self) -> Words:
        """Return orders to split nodes of which nothing is to be counted."""
        return np.array(self._native.last(), dtype=np.int64)

    def leaf_of_node(self) -> Leaves:
        """Return the leaf of each node that was not split, otherwise -1."""
        return np.array(self._native.leaf_of_node(), dtype=np.int32)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return self._native.n_leaves

    def finish(self, sums: Sums) -> tuple[_core.Tree, Leaves]:
        """Return the tree, and the index in it of each leaf, from the sums of the leaves."""
        preorder = np.empty(self.n_leaves, dtype=np.int32)
        return self._native.finish(np.ascontiguousarray(sums), preorder), preorder


def sum_words(parts: Sequence[Any]) -> Words:
    """Add up arrays of whole numbers, in memory that the core can read."""
    if len(parts) == 1 and isinstance(parts[0], np.ndarray):
        return parts[0]
    whole = np.array(parts[0], dtype=np.int64)
    for part in parts[1:]:
        whole += part
    return whole
