"""Bindings of explanations of trees: mean values, Shapley values and partial dependence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nonet import _core
from nonet._native.data import as_table
from nonet._native.runtime import native_array
from nonet._native.tree import Tree, threads_for

CoverName = Literal["weight", "n_rows"]

# Below this many explanations of a row by a tree, another thread costs more than it saves.
_EXPLANATIONS_PER_THREAD = 256


def mean_values(trees: Sequence[Tree], cover: CoverName) -> NDArray[np.float64]:
    """Sum the mean leaf values of trees: their prediction if no column is known.

    Parameters
    ----------
    trees : sequence of Tree
        Trees with statistics, all with the same outputs.
    cover : {'weight', 'n_rows'}
        How the rows of a leaf are counted.

    Returns
    -------
    float64 array of shape (n_outputs,)
    """
    means = [tree.mean_leaf_values(_core.Cover[cover]) for tree in trees]
    total: NDArray[np.float64] = np.sum(means, axis=0)
    return total


def shap_values(trees: Sequence[Tree], X: ArrayLike, cover: CoverName) -> NDArray[np.float64]:
    """Return the exact Shapley values of the columns in the sum of trees.

    Absent columns send a row to both sides of their splits, in proportion to the cover of the two
    in training (the path-dependent game). With `mean_values` the values of a row sum to its
    prediction.

    Parameters
    ----------
    trees : sequence of Tree
        At least one, with statistics; all with the same columns and outputs.
    X : array of shape (n_rows, n_columns)
        Rows.
    cover : {'weight', 'n_rows'}
        How the rows that went to a node are counted.

    Returns
    -------
    float64 array of shape (n_rows, n_columns, n_outputs)
        Shapley values.
    """
    table = as_table(X)
    out = np.zeros((*table.shape, trees[0].n_outputs))
    threads = threads_for(len(table) * len(trees), _EXPLANATIONS_PER_THREAD)
    _core.add_shap_values(list(trees), table, _core.Cover[cover], threads, out)
    return out


def shap_interactions(trees: Sequence[Tree], X: ArrayLike, cover: CoverName) -> NDArray[np.float64]:
    """Return the Shapley interactions of pairs of columns in the sum of trees.

    Parameters
    ----------
    trees, X, cover
        As in `shap_values`.

    Returns
    -------
    float64 array of shape (n_rows, n_columns, n_columns, n_outputs)
        Half of a pair's Shapley interaction index in each of its two entries; the diagonal has what
        is left, so that rows of the matrix sum to Shapley values.
    """
    table = as_table(X)
    n_rows, n_columns = table.shape
    out = np.zeros((n_rows, n_columns, n_columns, trees[0].n_outputs))
    threads = threads_for(n_rows * len(trees), _EXPLANATIONS_PER_THREAD)
    _core.add_shap_interactions(list(trees), table, _core.Cover[cover], threads, out)
    return out


def partial_dependence(
    trees: Sequence[Tree], points: ArrayLike, columns: ArrayLike, cover: CoverName
) -> NDArray[np.float64]:
    """Average the sum of trees over all columns but some, at points of these.

    Parameters
    ----------
    trees : sequence of Tree
        At least one, with statistics; all with the same columns and outputs.
    points : array of shape (n_points, n_given)
        Numbers of the given columns.
    columns : array of shape (n_given,)
        Which columns these are.
    cover : {'weight', 'n_rows'}
        How the rows that went to a node are counted.

    Returns
    -------
    float64 array of shape (n_points, n_outputs)
    """
    table = as_table(points)
    out = np.zeros((len(table), trees[0].n_outputs))
    threads = threads_for(len(table) * len(trees), _EXPLANATIONS_PER_THREAD)
    given = native_array(columns, np.int32)
    _core.add_dependence(list(trees), table, given, _core.Cover[cover], threads, out)
    return out
