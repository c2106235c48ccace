"""Find the leaves of all training rows in a tree that was grown on some of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonet._native.data import BinnedDataset
from nonet._native.tree import Tree, find_bin_leaves, find_leaves
from nonet.trees.binned_table import BinnedTable, needs_values
from nonet.trees.columns import predict_in_blocks


def find_row_leaves(tree: Tree, dataset: BinnedDataset, X: Any, leaves: NDArray[np.int32]) -> None:
    """Find the leaves of rows whose leaf is not known, from their bins where these are sufficient.

    Parameters
    ----------
    tree : Tree
        A tree on the columns of the dataset.
    dataset : BinnedDataset
        The rows.
    X : array or sparse matrix of shape (n_rows, n_columns)
        The raw values of the same rows: a threshold between bins that were empty in a node may lie
        inside a bin of other rows.
    leaves : int32 array of shape (n_rows,)
        Indices of nodes, in preorder: those that are known, and negative numbers for the others,
        which are found.
    """
    if find_bin_leaves(tree, dataset, leaves):
        return
    if isinstance(X, BinnedTable):
        raise needs_values("A threshold inside a bin")
    untold = np.flatnonzero(leaves < 0)
    walks = predict_in_blocks(lambda rows: find_leaves([tree], rows)[:, 0], X[untold])
    leaves[untold] = np.concatenate(walks)
