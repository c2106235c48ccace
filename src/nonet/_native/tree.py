"""Bindings of the finished trees of the compiled core.

Nodes are numbered in preorder here (a node, its left branch, its right branch), as scikit-learn
numbers them; the core has an order of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse

from nonet import _core
from nonet._native.data import BinnedDataset, as_table
from nonet._native.runtime import get_num_threads, native_array

Tree = _core.Tree

# Below this many walks down a tree another thread costs more than it saves.
_WALKS_PER_THREAD = 1 << 13
_ROWS_IN_A_COPY = 4096  # enough to be worth a call, few enough for wide tables


def threads_for(n_tasks: int, tasks_per_thread: int) -> int:
    if n_tasks < 2 * tasks_per_thread:  # the usual case of one row, which is over in microseconds
        return 1
    return max(1, min(get_num_threads(), n_tasks // tasks_per_thread))


def tree_from_arrays(
    n_columns: int,
    left: ArrayLike,
    right: ArrayLike,
    column: ArrayLike,
    threshold: ArrayLike,
    values: ArrayLike,
    *,
    missing_left: ArrayLike | None = None,
    category_set: ArrayLike | None = None,
    category_sets: Sequence[Sequence[bool]] = (),
    impurity: ArrayLike | None = None,
    weight: ArrayLike | None = None,
    n_rows: ArrayLike | None = None,
) -> Tree:
    """Make a tree from arrays with one entry per node.

    Parameters
    ----------
    n_columns : int
        Columns of the data.
    left, right : array of shape (n_nodes,)
        Children of each node, -1 in leaves; the root is node 0.
    column, threshold : array of shape (n_nodes,)
        ``x[column] <= threshold`` goes left.
    values : array of shape (n_nodes, n_outputs)
        Values of the nodes; those of leaves are the predictions.
    missing_left : array of shape (n_nodes,), optional
        Whether NaN goes left; it goes right if not given.
    category_set : array of shape (n_nodes,), optional
        Which of the category sets a node splits by, -1 for a threshold.
    category_sets : sequence of sequences of bool
        For each set and category code, whether it goes left.
    impurity, weight, n_rows : arrays of shape (n_nodes,), optional
        Statistics of the nodes: all of them or none.

    Returns
    -------
    Tree

    Examples
    --------
    >>> tree = tree_from_arrays(
    ...     1, [1, -1, -1], [2, -1, -1], [0, -2, -2], [0.5, 0, 0], [[0], [10], [20]]
    ... )
    >>> predict_values([tree], [[0.0], [1.0]])
    array([[10.],
           [20.]])
    """
    numbers = native_array(values, np.float64)
    if numbers.ndim != 2:
        raise ValueError(f"values must have shape (n_nodes, n_outputs), got {numbers.shape}.")
    n_nodes = len(numbers)
    none = np.empty(0)
    arrays = {
        "left": native_array(left, np.int32),
        "right": native_array(right, np.int32),
        "column": native_array(column, np.int32),
        "threshold": native_array(threshold, np.float64),
        "missing_left": _given(missing_left, np.zeros(n_nodes), np.uint8),
        "category_set": _given(category_set, np.full(n_nodes, -1), np.int32),
        "values": numbers.ravel(),
        "impurity": _given(impurity, none, np.float64),
        "weight": _given(weight, none, np.float64),
        "n_rows": _given(n_rows, none, np.uint32),
    }
    sets = [[bool(left) for left in codes] for codes in category_sets]
    return Tree.from_arrays(n_columns, numbers.shape[1], arrays, sets)


def _given(facts: ArrayLike | None, otherwise: NDArray[Any], dtype: Any) -> NDArray[Any]:
    return native_array(otherwise if facts is None else facts, dtype)


def scale_impurity(tree: Tree, factor: float) -> Tree:
    """Return a copy of a tree whose impurities are multiplied by a factor.

    Parameters
    ----------
    tree : Tree
        A tree with statistics.
    factor : float
        The factor.

    Returns
    -------
    Tree
    """
    arrays = tree.arrays()
    arrays["impurity"] *= factor
    sets = [tree.category_set(i) for i in range(arrays["category_set"].max() + 1)]
    return Tree.from_arrays(tree.n_columns, tree.n_outputs, arrays, sets)


def predict_values(trees: Sequence[Tree], X: ArrayLike) -> NDArray[np.float64]:
    """Sum the values of the leaves that rows reach.

    Parameters
    ----------
    trees : sequence of Tree
        At least one; all with the same columns and outputs.
    X : array of shape (n_rows, n_columns)
        Numbers, float32 or float64 in any memory order; NaN follows the stored side.

    Returns
    -------
    float64 array of shape (n_rows, n_outputs)
        Sums in the order of trees.
    """
    table = as_table(X)
    out = np.zeros((len(table), trees[0].n_outputs))
    threads = threads_for(len(table) * len(trees), _WALKS_PER_THREAD)
    _core.add_predictions(list(trees), table, threads, out)
    return out


def trees_to_bytes(trees: Sequence[Tree]) -> bytes:
    """Write trees, in a small part of their memory and without loss.

    Parameters
    ----------
    trees : sequence of Tree
        At least one; all with the same columns and outputs.

    Returns
    -------
    bytes
    """
    return _core.trees_to_bytes(list(trees))


def trees_from_bytes(content: bytes) -> list[Tree]:
    """Read trees, and check that no walk can leave them.

    Parameters
    ----------
    content : bytes
        What `trees_to_bytes` returned, or anything else.

    Returns
    -------
    list of Tree

    Raises
    ------
    ValueError
        If the bytes are not those of trees.
    """
    return _core.trees_from_bytes(content)


def check_agreement(trees: Sequence[Tree]) -> None:
    """Check that trees can belong to one model.

    Parameters
    ----------
    trees : sequence of Tree
        At least one.

    Raises
    ------
    ValueError
        If trees have different columns or outputs, or split a column in different ways.
    """
    _core.check_agreement(list(trees))


def _native_leaves(trees: Sequence[Tree], X: ArrayLike) -> NDArray[np.int32]:
    table = as_table(X)
    out = np.empty((len(table), len(trees)), dtype=np.int32)
    threads = threads_for(out.size, _WALKS_PER_THREAD)
    _core.find_leaves(list(trees), table, threads, out)
    return out


def find_leaves(trees: Sequence[Tree], X: ArrayLike) -> NDArray[np.int32]:
    """Find the leaf that each row reaches in each tree.

    Parameters
    ----------
    trees : sequence of Tree
        All with the same columns and outputs.
    X : array of shape (n_rows, n_columns)
        Rows.

    Returns
    -------
    int32 array of shape (n_rows, n_trees)
        Numbers of nodes, in preorder.
    """
    leaves = _native_leaves(trees, X)
    for position, tree in enumerate(trees):
        leaves[:, position] = tree.preorder()[leaves[:, position]]
    return leaves


def find_bin_leaves(tree: Tree, dataset: BinnedDataset, leaves: NDArray[np.int32]) -> bool:
    """Find the leaves of rows of a dataset from their bins.

    Parameters
    ----------
    tree : Tree
        A tree on the columns of the dataset.
    dataset : BinnedDataset
        The rows.
    leaves : int32 array of shape (n_rows,)
        Leaves of the rows that are known, as numbers of nodes in preorder, and negative numbers
        for the others, which are found; -1 where the bins do not determine it, as a threshold lies
        inside one of them.

    Returns
    -------
    bool
        Whether the bins determine the leaves of all rows.

    Examples
    --------
    >>> tree = tree_from_arrays(
    ...     1, [1, -1, -1], [2, -1, -1], [0, -2, -2], [2.0, 0, 0], [[0], [10], [20]]
    ... )
    >>> leaves = np.full(2, -1, dtype=np.int32)
    >>> find_bin_leaves(tree, BinnedDataset(np.array([[3.0], [1.0]])), leaves), leaves
    (True, array([2, 1], dtype=int32))
    """
    threads = threads_for(dataset.n_rows, _WALKS_PER_THREAD)
    return _core.find_bin_leaves(tree, dataset._native, threads, leaves)


def decision_paths(tree: Tree, X: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """List the nodes that each row passes, from the root to its leaf.

    Parameters
    ----------
    tree : Tree
        A tree.
    X : array of shape (n_rows, n_columns)
        Rows.

    Returns
    -------
    starts : int64 array of shape (n_rows + 1,)
        Where the path of each row begins, and the end of the last one.
    nodes : int32 array of shape (n_passed,)
        Numbers of nodes, in preorder, one path after another.
    """
    leaves = _native_leaves([tree], X)[:, 0]
    starts, nodes = tree.paths_to(np.ascontiguousarray(leaves))
    return starts, tree.preorder()[nodes]


class TreeSum:
    """Trees that predict together, by the sum of their values.

    After predictions of many rows they are packed into a form that is faster to walk; that is kept,
    but not pickled. A pickle takes a small part of their memory, without loss.

    Parameters
    ----------
    trees : sequence of Tree
        At least one; all with the same columns and outputs.
    """

    # A packed walk needs so many rows to be the faster one, and to be worth packing for.
    _ROWS_WORTH_RANKING = 8
    _ROWS_WORTH_PACKING = 256
    # Packing a node costs about as much as two walks of a row through a tree save. Rows are counted
    # over all calls, so that the total cost is never much more than that of the best plan.
    _ROWS_A_NODE = 2
    # Trees of so few leaves predict by masks of their leaves, in a third of the time of packed
    # ones.
    _FEW_LEAVES = 32

    def __init__(self, trees: Sequence[Tree]) -> None:
        self.trees = list(trees)
        self._n_rows_predicted = 0
        self._packed: _core.PackedTrees | None = None
        self._is_packable = True
        self._row_walks: _core.RowWalks | None = None

    def __getstate__(self) -> bytes:
        return trees_to_bytes(self.trees)

    def __setstate__(self, state: bytes) -> None:
        self.__init__(trees_from_bytes(state))  # type: ignore[misc]

    def values(self, X: ArrayLike, n_threads: int | None = None) -> NDArray[np.float64]:
        """Sum the values of the leaves that rows reach.

        Parameters
        ----------
        X : array of shape (n_rows, n_columns)
            Rows.
        n_threads : int, optional
            Maximum number of threads; as many as `get_num_threads` returns if not given.

        Returns
        -------
        float64 array of shape (n_rows, n_outputs)
            Sums in the order of trees, the same whether packed or not.
        """
        table = as_table(X)
        out = np.zeros((len(table), self.trees[0].n_outputs))
        if len(table) < self._ROWS_WORTH_RANKING:
            self._n_rows_predicted += len(table)
            self._walks().add_predictions(table, out)
            return out
        threads = threads_for(len(table) * len(self.trees), _WALKS_PER_THREAD)
        threads = threads if n_threads is None else min(threads, n_threads)
        packed = self.packed() if self._is_worth_packing(len(table)) else self._packed
        if packed is None:
            _core.add_predictions(self.trees, table, threads, out)
        else:
            packed.add_predictions(table, threads, out)
        return out

    def _walks(self) -> _core.RowWalks:
        """Prepare the trees for a few rows, once: a list of them takes long to read."""
        if self._row_walks is None:
            self._row_walks = _core.RowWalks(tuple(self.trees))
        return self._row_walks

    def _is_worth_packing(self, n_rows: int) -> bool:
        self._n_rows_predicted += n_rows
        if n_rows < self._ROWS_WORTH_PACKING:
            return False
        if all(tree.n_leaves <= self._FEW_LEAVES for tree in self.trees):
            return False
        n_nodes = sum(tree.n_nodes for tree in self.trees) / len(self.trees)
        return self._n_rows_predicted >= self._ROWS_A_NODE * n_nodes

    def packed(self) -> _core.PackedTrees | None:
        """Pack the trees, once; None if they are not fit for it."""
        if self._packed is None and self._is_packable:
            self._packed = _core.PackedTrees.pack(self.trees, get_num_threads())
            self._is_packable = self._packed is not None
        return self._packed


class UnseenSum:
    """Running sums, for each row, of the values of the trees that have not seen it.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_rows, n_columns)
        The rows that the trees were grown on.
    n_outputs : int
        Outputs of the trees.

    Attributes
    ----------
    sums : float64 array of shape (n_rows, n_outputs)
        Sums of values.
    coverage : int32 array of shape (n_rows,)
        The number of trees in each sum.
    """

    def __init__(self, X: Any, n_outputs: int) -> None:
        self._table: Any = X.tocsr() if issparse(X) else as_table(X)
        self.sums = np.zeros((X.shape[0], n_outputs))
        self.coverage = np.zeros(X.shape[0], dtype=np.int32)

    def add(self, trees: TreeSum, seen: NDArray[np.uint64], stops: Sequence[int]) -> Iterator[int]:
        """Add trees in their order; yield each of the stops when so many of them are added.

        Parameters
        ----------
        trees : TreeSum
            The trees.
        seen : uint64 array of shape (n_trees, ceil(n_rows / 64))
            A bit for each row that a tree has seen.
        stops : sequence of int
            Numbers of trees, rising; the last is the number of all.
        """
        packed = None if issparse(self._table) else trees.packed()
        add = self._add_plainly(trees) if packed is None else self._add_packed(packed)
        first = 0
        for last in stops:
            add(first, seen[first:last])
            first = last
            yield last

    def _add_packed(self, packed: _core.PackedTrees) -> Callable[[int, NDArray[np.uint64]], None]:
        rows = packed.rank(self._table, get_num_threads())
        return lambda first, seen: packed.add_unseen(
            rows, seen, first, get_num_threads(), self.sums, self.coverage
        )

    def _add_plainly(self, trees: TreeSum) -> Callable[[int, NDArray[np.uint64]], None]:
        def add(first: int, seen: NDArray[np.uint64]) -> None:
            for tree, words in zip(trees.trees[first : first + len(seen)], seen, strict=True):
                bits = np.unpackbits(words.view(np.uint8), bitorder="little")
                rows = np.flatnonzero(bits[: len(self.sums)] == 0)
                self.coverage[rows] += 1
                for some in np.array_split(rows, rows.size // _ROWS_IN_A_COPY + 1):
                    taken = self._table[some]
                    dense = taken.toarray() if issparse(taken) else taken
                    self.sums[some] += predict_values([tree], dense)

        return add
