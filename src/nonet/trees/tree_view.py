"""``tree_``: the nodes of a fitted tree as arrays, under the names scikit-learn's users know."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix

from nonet._base.aliases import Array, Floats
from nonet._native_tree import Tree, decision_paths, find_leaves, predict_values


class TreeView:
    """Read-only arrays of one entry a node.

    Nodes are numbered in preorder: a node, its left branch, its right branch. Node 0 is the root.

    Parameters
    ----------
    native : Tree
        The finished tree.
    n_classes : sequence of int
        Number of classes of each output; 1 for a number.

    Examples
    --------
    >>> from nonet import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[0], [1], [2], [3]], [0, 0, 1, 1]).tree_
    >>> tree.children_left, tree.threshold
    (array([ 1, -1, -1], dtype=int32), array([ 1.5, -2. , -2. ]))
    """

    def __init__(self, native: Tree, n_classes: Sequence[int]) -> None:
        self._native = native
        self._n_classes = tuple(n_classes)

    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return int(self._native.n_nodes)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(self._native.n_leaves)

    @property
    def max_depth(self) -> int:
        """Largest number of splits above a leaf."""
        return int(self._native.max_depth)

    @property
    def n_features(self) -> int:
        """Number of columns of the data."""
        return int(self._native.n_columns)

    @property
    def n_outputs(self) -> int:
        """Number of targets."""
        return len(self._n_classes)

    @property
    def n_classes(self) -> Array:
        """Number of classes of each output; 1 for a number."""
        return np.array(self._n_classes)

    @property
    def max_n_classes(self) -> int:
        """Largest number of classes of an output."""
        return max(self._n_classes)

    @cached_property
    def _arrays(self) -> dict[str, Array]:
        arrays: dict[str, Array] = self._native.arrays()
        for facts in arrays.values():
            facts.setflags(write=False)
        return arrays

    def __getstate__(self) -> dict[str, Any]:
        return {"_native": self._native, "_n_classes": self._n_classes}

    @property
    def children_left(self) -> Array:
        """Left child of each node, -1 in leaves."""
        return self._arrays["left"]

    @property
    def children_right(self) -> Array:
        """Right child of each node, -1 in leaves."""
        return self._arrays["right"]

    @property
    def feature(self) -> Array:
        """Column that each node splits on, -2 in leaves."""
        return self._arrays["column"]

    @property
    def threshold(self) -> Floats:
        """``x <= threshold`` goes left; -2 in leaves."""
        return self._arrays["threshold"]

    @property
    def missing_go_to_left(self) -> Array:
        """Whether a missing value goes left, 1 or 0."""
        return self._arrays["missing_left"]

    @property
    def impurity(self) -> Floats:
        """Impurity of each node."""
        return self._arrays["impurity"]

    @property
    def weighted_n_node_samples(self) -> Floats:
        """Sum of the weights of each node's rows."""
        return self._arrays["weight"]

    @cached_property
    def n_node_samples(self) -> Array:
        """Number of each node's rows, whatever their weight."""
        counts = self._arrays["n_rows"].astype(np.int64)
        counts.setflags(write=False)
        return counts

    @cached_property
    def value(self) -> Floats:
        """Shares of classes, or means: shape (node_count, n_outputs, max_n_classes)."""
        shares = self._by_output(self._arrays["values"].reshape(self.node_count, -1))
        shares.setflags(write=False)
        return shares

    def _by_output(self, flat: Floats) -> Floats:
        """Cut rows of all outputs' classes into (n, n_outputs, max_n_classes), padded with 0."""
        if len(set(self._n_classes)) == 1:
            return flat.reshape(len(flat), self.n_outputs, self.max_n_classes)
        shares = np.zeros((len(flat), self.n_outputs, self.max_n_classes))
        ends = np.cumsum(self._n_classes)
        for output, (n, end) in enumerate(zip(self._n_classes, ends, strict=True)):
            shares[:, output, :n] = flat[:, end - n : end]
        return shares

    def predict(self, X: ArrayLike) -> Floats:
        """Return the values of the leaves that rows reach.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        values : ndarray of shape (n_samples, n_outputs, max_n_classes)
            Without the middle axis if there is one output.
        """
        values = self._by_output(predict_values([self._native], X))
        return values[:, 0] if self.n_outputs == 1 else values

    def apply(self, X: ArrayLike) -> NDArray[np.int64]:
        """Return the number of the leaf that each row reaches.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        leaves : ndarray of shape (n_samples,)
            Numbers of nodes.
        """
        return find_leaves([self._native], X)[:, 0].astype(np.int64)

    def decision_path(self, X: ArrayLike) -> csr_matrix:
        """Return which nodes each row passes.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        passed : sparse matrix of shape (n_samples, node_count)
            1 where a row passes a node.
        """
        starts, nodes = decision_paths(self._native, X)
        ones = np.ones(len(nodes), dtype=np.int64)
        return csr_matrix((ones, nodes, starts), shape=(len(starts) - 1, self.node_count))

    def compute_feature_importances(self, normalize: bool = True) -> Floats:
        """Sum the decreases of impurity over the splits on each column.

        Parameters
        ----------
        normalize : bool, default=True
            Whether importances are divided by their sum.

        Returns
        -------
        importances : ndarray of shape (n_features,)
            One number a column.
        """
        gains: Floats = self._native.gain_importances()
        total = gains.sum()
        return gains / total if normalize and total > 0 else gains
