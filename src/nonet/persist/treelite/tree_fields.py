"""One tree as the arrays of treelite's format, version 4."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.errors import ModelFileError
from nonet._native.tree import Tree
from nonet.persist.treelite.category_columns import CategoryColumn

_LEAF, _NUMBERS, _CATEGORIES = 0, 1, 2  # kinds of nodes
_AT_MOST = 3  # the comparison x <= threshold


def tree_fields(
    tree: Tree, values: Floats, columns: Mapping[int, CategoryColumn], dtype: Any
) -> dict[str, Array]:
    """Return the fields of a tree of treelite, by name.

    Parameters
    ----------
    tree : Tree
    values : ndarray of shape (n_nodes, n_numbers)
        What the leaves hold.
    columns : mapping of int to CategoryColumn
    dtype : dtype
        Of thresholds and leaves. Thresholds are rounded down, which sends each row of that
        precision where it went before.

    Returns
    -------
    fields : dict of str to ndarray
    """
    arrays = tree.arrays()
    is_leaf, is_category = arrays["left"] < 0, arrays["category_set"] >= 0
    kinds = np.where(is_leaf, _LEAF, np.where(is_category, _CATEGORIES, _NUMBERS))
    is_number = kinds == _NUMBERS
    return {
        "num_nodes": np.array([tree.n_nodes], np.int32),
        "has_categorical_split": np.array([is_category.any()], np.uint8),
        "node_type": kinds.astype(np.int8),
        "cleft": np.where(is_leaf, -1, arrays["left"]).astype(np.int32),
        "cright": np.where(is_leaf, -1, arrays["right"]).astype(np.int32),
        "split_index": np.where(is_leaf, -1, arrays["column"]).astype(np.int32),
        "default_left": np.where(is_leaf, 0, arrays["missing_left"]).astype(np.uint8),
        "threshold": round_down(np.where(is_number, arrays["threshold"], 0.0), dtype),
        "cmp": np.where(is_number, _AT_MOST, 0).astype(np.int8),
        **_leaf_fields(is_leaf, _converted(values, dtype)),
        **_category_fields(tree, arrays, columns),
        **(_statistics(arrays, is_leaf) if tree.has_details else {}),
    }


def round_down(numbers: Floats, dtype: Any) -> Array:
    """Return the largest numbers of a precision that are not above the given ones.

    Examples
    --------
    >>> float(round_down(np.array([0.1]), np.float32)[0]) < 0.1 < float(np.float32(0.1))
    True
    """
    with np.errstate(over="ignore"):  # to infinity, and down again
        rounded = numbers.astype(dtype)
    is_above = rounded > numbers
    found: Array = np.where(is_above, np.nextafter(rounded, dtype(-np.inf)), rounded)
    return found


def _converted(values: Floats, dtype: Any) -> Array:
    with np.errstate(over="ignore"):
        converted: Array = values.astype(dtype)
    if not np.isfinite(converted).all():
        raise ModelFileError(
            "a leaf of the model holds a number that float32 cannot represent; write it with "
            "dtype='float64'."
        )
    return converted


def _leaf_fields(is_leaf: Array, values: Array) -> dict[str, Array]:
    n_nodes, n_numbers = values.shape
    if n_numbers == 1:
        nowhere = np.zeros(n_nodes, np.uint64)
        return {
            "leaf_value": np.where(is_leaf, values[:, 0], 0).astype(values.dtype),
            "leaf_vector": np.empty(0, values.dtype),
            "leaf_vector_begin": nowhere,
            "leaf_vector_end": nowhere,
        }
    ends = np.cumsum(is_leaf).astype(np.uint64) * np.uint64(n_numbers)
    return {
        "leaf_value": np.zeros(n_nodes, values.dtype),
        "leaf_vector": values[is_leaf].ravel(),
        "leaf_vector_begin": np.append(np.uint64(0), ends[:-1]),
        "leaf_vector_end": ends,
    }


def _category_fields(
    tree: Tree, arrays: Mapping[str, Array], columns: Mapping[int, CategoryColumn]
) -> dict[str, Array]:
    """Return lists of categories: in each node those that do not go where missing ones go.

    In this form categories that are not listed, unknown ones among them, go with missing ones.
    """
    lists = [np.empty(0, np.uint32)] * tree.n_nodes
    for node in np.flatnonzero(arrays["category_set"] >= 0).tolist():
        goes_left = np.array(tree.category_set(int(arrays["category_set"][node])), dtype=bool)
        codes = np.flatnonzero(goes_left != bool(arrays["missing_left"][node]))
        lists[node] = columns[int(arrays["column"][node])].numbers_of(codes)
    ends = np.cumsum([len(one) for one in lists]).astype(np.uint64)
    is_category = arrays["category_set"] >= 0
    return {
        "category_list": np.concatenate(lists),
        "category_list_begin": np.append(np.uint64(0), ends[:-1]),
        "category_list_end": ends,
        "category_list_right_child": (is_category & (arrays["missing_left"] > 0)).astype(np.uint8),
    }


def _statistics(arrays: Mapping[str, Array], is_leaf: Array) -> dict[str, Array]:
    """Return the rows, weights and gains of nodes, which explanations read."""
    left, right = (np.where(is_leaf, 0, arrays[name]) for name in ("left", "right"))
    sums = arrays["impurity"] * arrays["weight"]
    gains = np.where(is_leaf, 0.0, sums - sums[left] - sums[right])
    everywhere = np.ones(len(is_leaf), np.uint8)
    return {
        "data_count": arrays["n_rows"].astype(np.uint64),
        "data_count_present": everywhere,
        "sum_hess": arrays["weight"].astype(np.float64),
        "sum_hess_present": everywhere,
        "gain": np.maximum(gains, 0.0),
        "gain_present": (~is_leaf).astype(np.uint8),
    }
