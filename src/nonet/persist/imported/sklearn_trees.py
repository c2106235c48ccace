"""Trees of scikit-learn as native trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.tree import Tree, tree_from_arrays
from nonet.persist.imported.single_precision import thresholds_without_rounding
from nonet.trees.tree_view import TreeView


@dataclass(frozen=True, eq=False)
class OfColumns:
    """Which columns a tree reads, if it was grown on a part of them.

    Attributes
    ----------
    n_columns : int
        The number of all columns.
    positions : ndarray of int or None
        The position of each of the tree's columns; None is all.
    """

    n_columns: int
    positions: Array | None = None

    def find(self, columns: Array) -> Array:
        """Return the positions of columns of inner nodes."""
        return columns if self.positions is None else np.asarray(self.positions)[columns]


def convert_tree(tree: Any, n_classes: Sequence[int], of: OfColumns) -> Tree:
    """Make a native tree of the ``tree_`` of a decision tree.

    Parameters
    ----------
    tree : sklearn.tree._tree.Tree
    n_classes : sequence of int
        Number of classes of each output; 1 for a number.
    of : OfColumns

    Returns
    -------
    tree : Tree
    """
    values = np.hstack([tree.value[:, j, :n] for j, n in enumerate(n_classes)])
    return _convert(tree, values, of)


def convert_path_lengths(tree: Any, lengths: Floats, of: OfColumns) -> Tree:
    """Make a native tree whose nodes hold path lengths, for an isolation forest."""
    return _convert(tree, lengths[:, np.newaxis], of)


def view_tree(tree: Any, n_classes: Sequence[int], n_columns: int) -> TreeView:
    """Return the ``tree_`` of an estimator of nonet."""
    return TreeView(convert_tree(tree, n_classes, OfColumns(n_columns)), n_classes)


def _convert(tree: Any, values: Floats, of: OfColumns) -> Tree:
    is_leaf = tree.children_left < 0
    columns = np.where(is_leaf, 0, tree.feature)
    thresholds = thresholds_without_rounding(np.where(is_leaf, 0.0, tree.threshold))
    return tree_from_arrays(
        of.n_columns,
        tree.children_left,
        tree.children_right,
        np.where(is_leaf, 0, of.find(columns)),
        thresholds,
        values,
        missing_left=tree.missing_go_to_left,
        impurity=tree.impurity,
        weight=tree.weighted_n_node_samples,
        n_rows=tree.n_node_samples,
    )


def convert_predictor(predictor: Any, n_columns: int, order: Array) -> Tree:
    """Make a native tree of a tree of histogram gradient boosting.

    Parameters
    ----------
    predictor : TreePredictor
    n_columns : int
    order : ndarray of int
        The position of each column that the predictor reads.

    Returns
    -------
    tree : Tree
    """
    nodes = predictor.nodes
    is_leaf = nodes["is_leaf"].astype(bool)
    is_category = nodes["is_categorical"].astype(bool) & ~is_leaf
    ends = np.full(len(nodes), -1)
    rows = nodes["count"].astype(np.int64)
    return tree_from_arrays(
        n_columns,
        np.where(is_leaf, ends, nodes["left"]),
        np.where(is_leaf, ends, nodes["right"]),
        np.where(is_leaf, 0, order[nodes["feature_idx"]]),
        np.where(is_leaf | is_category, 0.0, nodes["num_threshold"]),
        nodes["value"][:, np.newaxis],
        missing_left=nodes["missing_go_to_left"],
        category_set=np.where(is_category, np.cumsum(is_category) - 1, -1),
        category_sets=[
            _codes_left(predictor, nodes["bitset_idx"][node])
            for node in np.flatnonzero(is_category)
        ],
        impurity=_sums_of_gains(nodes, is_leaf) / np.maximum(rows, 1),
        weight=rows,
        n_rows=rows,
    )


def _codes_left(predictor: Any, position: int) -> list[bool]:
    words = np.asarray(predictor.raw_left_cat_bitsets[position], dtype="<u4")
    return np.unpackbits(words.view(np.uint8), bitorder="little").astype(bool).tolist()


def _sums_of_gains(nodes: Any, is_leaf: Array) -> Floats:
    """Return the sum of all gains below each node; children come after their parents."""
    sums = np.zeros(len(nodes))
    for node in range(len(nodes) - 1, -1, -1):
        if not is_leaf[node]:
            children = sums[nodes["left"][node]] + sums[nodes["right"][node]]
            sums[node] = max(float(nodes["gain"][node]), 0.0) + children
    return sums
