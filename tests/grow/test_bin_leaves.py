"""Leaves of the rows of a dataset, found from their bins: those that the numbers lead to."""

from __future__ import annotations

import numpy as np
import pytest

from nonet import limit_threads
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, grow_tree
from nonet._native.tree import find_bin_leaves, find_leaves, tree_from_arrays
from nonet.boosting.gradient.row_leaves import find_row_leaves

N_ROWS = 3001  # the last block is not full


def make_rows(kind):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(N_ROWS, 6))
    signal = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=N_ROWS)
    if kind == "missing":
        X[rng.random(X.shape) < 0.2] = np.nan
    if kind == "categories":
        X[:, 3] = rng.integers(0, 90, N_ROWS)
        signal += np.sin(X[:, 3])
        X[rng.random(N_ROWS) < 0.1, 3] = np.nan
    return X, signal


def grow_on_some(X, signal, kind, *, max_bins=255, threshold_policy="edge", **limits):
    dataset = BinnedDataset(X, max_bins=max_bins, categories=[3] if kind == "categories" else [])
    counts = (np.arange(N_ROWS) % 3 == 0).astype(np.uint32)
    params = GrowParams(threshold_policy=threshold_policy, **limits)
    return dataset, grow_tree(
        dataset, signal, params, criterion="newton", hessians=np.ones(N_ROWS), counts=counts
    )


@pytest.mark.parametrize("n_leaves", [1, 2, 8, 9, 31, 256, 257, 700])
@pytest.mark.parametrize("max_bins", [200, 2000])
@pytest.mark.parametrize("kind", ["plain", "missing", "categories"])
def test_bin_leaves_against_those_of_the_numbers(kind, max_bins, n_leaves):
    X, signal = make_rows(kind)
    dataset, tree = grow_on_some(X, signal, kind, max_bins=max_bins, max_leaf_nodes=n_leaves)
    assert tree.n_leaves == n_leaves
    leaves = np.full(N_ROWS, -7, dtype=np.int32)
    assert find_bin_leaves(tree, dataset, leaves)
    np.testing.assert_array_equal(leaves, find_leaves([tree], X)[:, 0])


@pytest.mark.parametrize("n_leaves", [31, 700])
@pytest.mark.parametrize("fraction_known", [0.3, 0.8])
def test_bin_leaves_of_some_rows_leave_the_others(fraction_known, n_leaves):
    """Rows that a tree was grown on know their leaves: only the others are looked for."""
    X, signal = make_rows("missing")
    dataset, tree = grow_on_some(X, signal, "missing", max_leaf_nodes=n_leaves)
    expected = find_leaves([tree], X)[:, 0]
    is_known = np.random.default_rng(0).random(N_ROWS) < fraction_known
    leaves = np.where(is_known, expected, -1).astype(np.int32)
    assert find_bin_leaves(tree, dataset, leaves)
    np.testing.assert_array_equal(leaves, expected)


@pytest.mark.parametrize("n_leaves", [2, 31])
@pytest.mark.parametrize("kind", ["plain", "missing"])
def test_random_thresholds_lie_on_edges_of_bins(kind, n_leaves):
    """Otherwise every round of boosting would have to read raw values of rows outside its bag."""
    X, signal = make_rows(kind)
    for tree_number in range(20):
        dataset, tree = grow_on_some(
            X,
            signal,
            kind,
            max_bins=30,
            max_leaf_nodes=n_leaves,
            threshold_draw="uniform",
            tree=tree_number,
        )
        leaves = np.full(N_ROWS, -1, dtype=np.int32)
        assert find_bin_leaves(tree, dataset, leaves)
        np.testing.assert_array_equal(leaves, find_leaves([tree], X)[:, 0])


@pytest.mark.parametrize("n_leaves", [31, 700])
@pytest.mark.parametrize("max_bins", [20, 255, 2000])
@pytest.mark.parametrize("kind", ["plain", "missing", "categories"])
def test_thresholds_inside_bins_are_left_to_the_numbers(kind, max_bins, n_leaves):
    X, signal = make_rows(kind)
    dataset, tree = grow_on_some(
        X,
        signal,
        kind,
        max_bins=max(max_bins, 90 if kind == "categories" else 0),
        max_leaf_nodes=n_leaves,
        threshold_policy="midway",
    )
    expected = find_leaves([tree], X)[:, 0]
    leaves = np.full(N_ROWS, -1, dtype=np.int32)
    assert find_bin_leaves(tree, dataset, leaves) == (leaves >= 0).all()
    told = leaves >= 0
    np.testing.assert_array_equal(leaves[told], expected[told])
    find_row_leaves(tree, dataset, X, leaves)
    np.testing.assert_array_equal(leaves, expected)


@pytest.mark.parametrize(
    ("threshold", "told"),
    [
        (1.5, [1, 1, 2, 2]),
        (1.2, [1, -1, 2, 2]),
        (-5.0, [-1, 2, 2, 2]),
        (9.0, [1, 1, 1, -1]),
        (np.inf, [1, 1, 1, 1]),
    ],
)
def test_bins_tell_what_edges_tell(threshold, told):
    """Edges are 0.5, 1.5 and 2.5: a threshold beyond them splits the first or the last bin."""
    X = np.arange(4.0)[:, np.newaxis]
    tree = tree_from_arrays(
        1, [1, -1, -1], [2, -1, -1], [0, -2, -2], [threshold, 0, 0], [[0], [0], [0]]
    )
    leaves = np.full(4, -1, dtype=np.int32)
    assert find_bin_leaves(tree, BinnedDataset(X), leaves) == (-1 not in told)
    np.testing.assert_array_equal(leaves, told)


@pytest.mark.parametrize("n_leaves", [31, 700])
def test_bin_leaves_are_deterministic_on_any_number_of_threads(n_leaves):
    X, signal = make_rows("missing")
    X, signal = np.tile(X, (12, 1)), np.tile(signal, 12)
    dataset = BinnedDataset(X)
    params = GrowParams(max_leaf_nodes=n_leaves, threshold_policy="edge")
    tree = grow_tree(dataset, signal, params, criterion="squared_error")
    found = []
    for n_threads in (1, 2):
        with limit_threads(n_threads):
            leaves = np.full(len(X), -1, dtype=np.int32)
            find_bin_leaves(tree, dataset, leaves)
            found.append(leaves)
    np.testing.assert_array_equal(*found)


def test_bin_leaves_reject_other_shapes():
    X, signal = make_rows("plain")
    dataset, tree = grow_on_some(X, signal, "plain", max_leaf_nodes=4)
    with pytest.raises(ValueError, match="one entry for each of its rows"):
        find_bin_leaves(tree, dataset, np.empty(N_ROWS - 1, dtype=np.int32))
    with pytest.raises(ValueError, match="a dataset of the tree's columns"):
        find_bin_leaves(tree, BinnedDataset(X[:, :5]), np.empty(N_ROWS, dtype=np.int32))
