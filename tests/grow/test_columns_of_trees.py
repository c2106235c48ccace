"""Which columns a tree may use, and that it does not matter how they are counted."""

from __future__ import annotations

import numpy as np
import pytest

from grow.targets import grow, make_target
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, grow_tree
from nonet._native.runtime import limit_threads


@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_columns_of_a_tree_and_of_a_split(criterion):
    rng = np.random.default_rng(8)
    X = rng.normal(size=(2000, 6))
    target = make_target(criterion, 2000, rng, X)
    dataset = BinnedDataset(X)
    arrays = grow(dataset, target, GrowParams(columns=[1, 4]), criterion=criterion).arrays()
    assert set(arrays["column"][arrays["left"] >= 0]) == {1, 4}
    roots = [
        grow(
            dataset,
            target,
            GrowParams(columns_per_split=1, max_depth=1, seed=1, tree=tree),
            criterion=criterion,
        ).arrays()["column"][0]
        for tree in range(600)
    ]
    # Each column is the root's with probability 1/6: 100 of 600, give or take 5 standard errors.
    assert np.abs(np.bincount(roots, minlength=6) - 100).max() < 5 * np.sqrt(600 / 6 * 5 / 6)


def test_missing_rows_go_the_same_way_with_a_histogram_and_without():
    """In the right child low bins of the second column are empty, and missing rows stand out."""
    rng = np.random.default_rng(4)
    first = rng.integers(0, 20, 200).astype(float)
    second = np.where(rng.random(200) < 0.3, np.nan, first)
    target = 10.0 * (first > 9) + 3.0 * np.isnan(second)
    X = np.column_stack([first, second])
    few = grow(BinnedDataset(X), target, criterion="squared_error").arrays()
    # Twice the rows are enough for histograms, and mean the same tree.
    many = grow(
        BinnedDataset(np.repeat(X, 2, axis=0)), np.repeat(target, 2), criterion="squared_error"
    ).arrays()
    for name in ("column", "threshold", "left", "missing_left"):
        np.testing.assert_array_equal(few[name], many[name], err_msg=name)


@pytest.mark.parametrize("criterion", ["gini", "squared_error", "newton"])
@pytest.mark.parametrize("n_rows", [100, 3001, 40_000])  # columns one by one, wide and packed rows
@pytest.mark.parametrize("n_columns", [4, 9, 24])
def test_tree_on_some_columns_is_that_of_a_narrower_dataset(criterion, n_rows, n_columns):
    rng = np.random.default_rng(9)
    X = rng.normal(size=(n_rows, 25))
    X[rng.random(X.shape) < 0.05] = np.nan
    columns = sorted(rng.permutation(25)[:n_columns].tolist())
    target = make_target(criterion, n_rows, rng, np.nan_to_num(X))
    counts = (rng.random(n_rows) < 0.9).astype(np.uint32)
    limits = {"max_leaf_nodes": 20, "threshold_policy": "edge"}
    trees = []
    for dataset, chosen, n_threads in [
        (BinnedDataset(X), columns, 1),
        (BinnedDataset(X), columns, 2),
        (BinnedDataset(X[:, columns]), [], 1),
    ]:
        with limit_threads(n_threads):
            params = GrowParams(columns=chosen, **limits)
            trees.append(grow(dataset, target, params, criterion=criterion, counts=counts).arrays())
    some, some_by_threads, narrow = trees
    is_inner = narrow["left"] >= 0
    narrow["column"][is_inner] = np.array(columns)[narrow["column"][is_inner]]
    for name, numbers in narrow.items():
        np.testing.assert_array_equal(some[name], numbers)
        np.testing.assert_array_equal(some_by_threads[name], numbers)


def test_drawn_columns_that_are_constant_are_made_up_for():
    X = np.zeros((50, 20))
    X[:, 13] = np.arange(50)
    y = (np.arange(50) > 20).astype(int)
    for tree in range(20):
        arrays = grow_tree(
            BinnedDataset(X), y, GrowParams(columns_per_split=1, tree=tree), criterion="gini"
        ).arrays()
        assert len(arrays["left"]) == 3
