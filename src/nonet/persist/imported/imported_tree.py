"""A tree of another library as arrays, and the native tree that is made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.errors import ModelFileError
from nonet._native.tree import Tree, tree_from_arrays

_LEAF = -1


@dataclass(frozen=True, eq=False)
class ImportedTree:
    """One tree; node 0 is the root, and all arrays have an entry per node.

    Attributes
    ----------
    left, right : ndarray of int
        Children; -1 in leaves.
    column : ndarray of int
        The column that an inner node splits.
    threshold : ndarray of float
        ``x <= threshold`` goes left.
    missing_left : ndarray of bool
        Whether a missing value, and a category that no split names, goes left.
    value : ndarray of float
        The values of leaves, one per node or a row of them.
    gain : ndarray of float
        What the split of an inner node gained.
    weight : ndarray of float
        Weights of the rows of each node, or the sums of their hessians.
    n_rows : ndarray of int
        Rows of each node.
    left_categories : dict of int to ndarray of int
        For nodes that split categories, the codes that go left.
    """

    left: Array
    right: Array
    column: Array
    threshold: Floats
    missing_left: Array
    value: Floats
    gain: Floats
    weight: Floats
    n_rows: Array
    left_categories: Mapping[int, Array]

    def scaled(self, factor: float) -> ImportedTree:
        """Return the tree with its values multiplied by a factor."""
        return replace(self, value=self.value * factor)


def make_tree(tree: ImportedTree, n_columns: int, levels: Mapping[int, Array]) -> Tree:
    """Make a native tree.

    Parameters
    ----------
    tree : ImportedTree
    n_columns : int
    levels : mapping of int to ndarray
        For each column of categories, the codes of the other library in the order of ours.

    Returns
    -------
    tree : Tree

    Raises
    ------
    ModelFileError
        If the arrays make no tree.
    """
    _check_children(tree)
    sets = sorted(tree.left_categories)
    which = np.full(len(tree.left), -1)
    which[sets] = np.arange(len(sets))
    order = _parents_first(tree)
    weights = _sums(tree, order, np.where(tree.weight > 0, tree.weight, 1.0))
    goes_left = [
        np.isin(_levels_of(levels, int(tree.column[node])), tree.left_categories[node]).tolist()
        for node in sets
    ]
    try:
        return tree_from_arrays(
            n_columns,
            tree.left,
            tree.right,
            np.where(tree.left == _LEAF, 0, tree.column),
            np.where(tree.left == _LEAF, 0.0, tree.threshold),
            _node_values(tree, order).reshape(len(tree.left), -1),
            missing_left=tree.missing_left,
            category_set=which,
            category_sets=goes_left,
            impurity=_sums(tree, order, np.zeros(len(order)), tree.gain) / weights,
            weight=weights,
            n_rows=tree.n_rows,
        )
    except (ValueError, OverflowError) as why:
        raise ModelFileError(f"a tree of the model is damaged: {why}") from why


def _levels_of(levels: Mapping[int, Array], column: int) -> Array:
    return levels.get(column, np.empty(0, dtype=np.int64))


def _check_children(tree: ImportedTree) -> None:
    """Raise unless all nodes but the root are the child of exactly one other."""
    n_nodes = len(tree.left)
    inner = tree.left != _LEAF
    children = np.concatenate([tree.left[inner], tree.right[inner]])
    are_nodes = bool(((children >= 0) & (children < n_nodes)).all())
    expected = np.append(0, np.ones(n_nodes - 1))  # how often each node is a child
    if not are_nodes or (np.bincount(children, minlength=n_nodes) != expected).any():
        raise ModelFileError("a tree of the model is damaged: its nodes make no tree.")


def _parents_first(tree: ImportedTree) -> Sequence[int]:
    """Return the nodes in an order in which parents come before their children."""
    order, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        order.append(node)
        if tree.left[node] != _LEAF:
            waiting += [int(tree.left[node]), int(tree.right[node])]
    if len(order) != len(tree.left):
        raise ModelFileError("a tree of the model is damaged: its nodes make a circle.")
    return order


def _node_values(tree: ImportedTree, order: Sequence[int]) -> Floats:
    """Return the values of leaves, and their means by rows in inner nodes."""
    values = tree.value.astype(np.float64)
    for node in reversed(order):
        if tree.left[node] != _LEAF:
            children = [tree.left[node], tree.right[node]]
            rows = tree.n_rows[children].astype(np.float64)
            fraction = rows / rows.sum() if rows.sum() > 0 else np.full(2, 0.5)
            values[node] = fraction @ values[children]
    return values


def _sums(
    tree: ImportedTree, order: Sequence[int], of_leaves: Floats, more: Floats | None = None
) -> Floats:
    """Return numbers of leaves, and in inner nodes the sums of both children and what is more.

    Impurities times weights are the sums of all gains below a node, so that their decrease in a
    split is its gain. Weights of inner nodes are summed because LightGBM writes few digits of them.
    """
    sums = of_leaves.astype(np.float64)
    for node in reversed(order):
        if tree.left[node] != _LEAF:
            sums[node] = sums[tree.left[node]] + sums[tree.right[node]]
            sums[node] += 0.0 if more is None else more[node]
    return sums
