"""``tree_``: the nodes of a fitted tree as arrays, under scikit-learn's names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack

from nonet._base.aliases import Array, Floats
from nonet._native.explain import partial_dependence
from nonet._native.tree import (
    Tree,
    decision_paths,
    find_leaves,
    predict_values,
)
from nonet.trees.columns import predict_in_blocks


class TreeView:
    """Read-only arrays with one entry per node.

    Nodes are numbered in preorder: a node, its left branch, its right branch. Node 0 is the root.

    Parameters
    ----------
    native : Tree
        The finished tree.
    n_classes : sequence of int
        Number of classes of each output; 1 for a number.
    categories : mapping of int to ndarray, default={}
        For each column of categories, what its codes 0, 1, ... stand for.

    Examples
    --------
    >>> from nonet import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[0], [1], [2], [3]], [0, 0, 1, 1]).tree_
    >>> tree.children_left, tree.threshold
    (array([ 1, -1, -1]), array([ 1.5, -2. , -2. ]))
    """

    def __init__(
        self,
        native: Tree,
        n_classes: Sequence[int],
        categories: Mapping[int, Array] = MappingProxyType({}),
    ) -> None:
        self._native = native
        self._n_classes = tuple(n_classes)
        self._categories = dict(categories)

    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return int(self._native.n_nodes)

    @property
    def capacity(self) -> int:
        """Capacity of the arrays: the number of nodes."""
        return self.node_count

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(self._native.n_leaves)

    @property
    def max_depth(self) -> int:
        """Maximum number of splits above a leaf."""
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
        """Maximum number of classes of an output."""
        return max(self._n_classes)

    @cached_property
    def _arrays(self) -> dict[str, Array]:
        arrays: dict[str, Array] = self._native.arrays()
        for name in ("left", "right", "column", "n_rows"):  # scikit-learn's type for indices
            arrays[name] = arrays[name].astype(np.intp)
        for facts in arrays.values():
            facts.setflags(write=False)
        return arrays

    def __getstate__(self) -> dict[str, Any]:
        kept = ("_native", "_n_classes", "_categories")  # arrays are made again
        return {name: getattr(self, name) for name in kept}

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

    @cached_property
    def threshold(self) -> Floats:
        """``x <= threshold`` goes left; -2 in leaves, NaN where categories are split."""
        thresholds = np.where(self.is_category_split, np.nan, self._arrays["threshold"])
        thresholds.setflags(write=False)
        return thresholds

    @cached_property
    def is_category_split(self) -> Array:
        """Whether each node splits categories; ``categories_left`` returns those that go left."""
        splits: Array = self._arrays["category_set"] >= 0
        splits.setflags(write=False)
        return splits

    def categories_left(self, node: int) -> Array:
        """Return the categories that go left at a node.

        All others of the column go right; missing values and categories that fit did not see follow
        ``missing_go_to_left``.

        Parameters
        ----------
        node : int
            Number of a node that splits categories.

        Returns
        -------
        categories : ndarray
            Values of the column.
        """
        if not self.is_category_split[node]:
            raise ValueError(f"Node {node} does not split categories; it has a threshold.")
        goes_left = self._native.category_set(int(self._arrays["category_set"][node]))
        known = self._categories.get(int(self.feature[node]), np.arange(len(goes_left)))
        categories: Array = known[: len(goes_left)][goes_left]
        return categories

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

    @property
    def n_node_samples(self) -> Array:
        """Number of each node's rows, whatever their weight."""
        return self._arrays["n_rows"]

    @cached_property
    def value(self) -> Floats:
        """Fractions of classes, or means: shape (node_count, n_outputs, max_n_classes)."""
        probabilities = self._by_output(self._arrays["values"].reshape(self.node_count, -1))
        probabilities.setflags(write=False)
        return probabilities

    def _by_output(self, flat: Floats) -> Floats:
        """Reshape rows of all outputs' classes to (n, n_outputs, max_n_classes), padded with 0."""
        if len(set(self._n_classes)) == 1:
            return flat.reshape(len(flat), self.n_outputs, self.max_n_classes)
        probabilities = np.zeros((len(flat), self.n_outputs, self.max_n_classes))
        ends = np.cumsum(self._n_classes)
        for output, (n, end) in enumerate(zip(self._n_classes, ends, strict=True)):
            probabilities[:, output, :n] = flat[:, end - n : end]
        return probabilities

    def predict(self, X: Any) -> Floats:
        """Return the values of the leaves that rows reach.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Rows of numbers; categories as their codes.

        Returns
        -------
        values : ndarray of shape (n_samples, n_outputs, max_n_classes)
            Without the middle axis if there is one output.
        """
        flat = predict_in_blocks(lambda rows: predict_values([self._native], rows), X)
        values = self._by_output(np.concatenate(flat))
        return values[:, 0] if self.n_outputs == 1 else values

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the number of the leaf that each row reaches.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Rows of numbers; categories as their codes.

        Returns
        -------
        leaves : ndarray of shape (n_samples,)
            Numbers of nodes.
        """
        leaves = predict_in_blocks(lambda rows: find_leaves([self._native], rows), X)
        return np.concatenate(leaves)[:, 0].astype(np.int64)

    def decision_path(self, X: Any) -> csr_matrix:
        """Return which nodes each row passes.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Rows of numbers; categories as their codes.

        Returns
        -------
        passed : sparse matrix of shape (n_samples, node_count)
            1 where a row passes a node.
        """
        return vstack(predict_in_blocks(self._paths, X), format="csr")

    def _paths(self, X: Floats) -> csr_matrix:
        starts, nodes = decision_paths(self._native, X)
        ones = np.ones(len(nodes), dtype=np.int64)
        return csr_matrix((ones, nodes, starts), shape=(len(starts) - 1, self.node_count))

    def compute_node_depths(self) -> NDArray[np.int64]:
        """Count the nodes from the root to each node, both included.

        Returns
        -------
        depths : ndarray of shape (node_count,)
            1 for the root, as in scikit-learn.
        """
        depths = np.ones(self.node_count, dtype=np.int64)
        for node in np.flatnonzero(self.children_left >= 0):  # parents come before their children
            for child in (self.children_left[node], self.children_right[node]):
                depths[child] = depths[node] + 1
        return depths

    def compute_feature_importances(self, normalize: bool = True) -> Floats:
        """Sum the decreases of impurity over the splits on each column.

        Parameters
        ----------
        normalize : bool, default=True
            Whether importances are divided by their sum.

        Returns
        -------
        importances : ndarray of shape (n_features,)
            One number per column.
        """
        gains: Floats = self._native.gain_importances()
        total = gains.sum()
        return gains / total if normalize and total > 0 else gains

    def compute_partial_dependence(self, X: Any, target_features: Any, out: Floats) -> None:
        """Add the mean values at points of some columns, over all other columns.

        Splits on other columns send a row to both sides, in proportion to their weights.

        Parameters
        ----------
        X : array of shape (n_points, n_target_features)
            Numbers of these columns.
        target_features : array of shape (n_target_features,)
            Positions of the columns.
        out : ndarray of shape (n_points,)
            Gets the means added; the tree must have one number per node.
        """
        if self._native.n_outputs > 1:
            raise ValueError(
                "compute_partial_dependence needs trees with one number per node, but this one "
                f"has {self._native.n_outputs}; use tree_dependence."
            )
        out += partial_dependence([self._native], X, target_features, "weight")[:, 0]
