"""Trees on many rows, whose gradients and hessians are packed into one word each."""

from __future__ import annotations

import numpy as np
import pytest

from grow.naive_tree import rows_of_nodes
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, grow_tree
from nonet._native.tree import find_leaves

N_ROWS = 40_000  # more than the 32,768 from which on rows are packed
L2 = 0.5


def make_rows(rng, hessian="varied", tail=0.0):
    """Columns of 32 values, and gradients with hessians as a logistic loss has them."""
    X = rng.integers(0, 32, size=(N_ROWS, 6)).astype(float)
    p = 1 / (1 + np.exp(-rng.normal(size=N_ROWS)))
    y = X[:, 0] + 4 * (X[:, 1] > 20) + 8 * rng.normal(size=N_ROWS) > 18
    hessians = p * (1 - p) if hessian == "varied" else np.full(N_ROWS, 0.3)
    gradients = (p - y) * np.exp(tail * rng.normal(size=N_ROWS))
    return X, gradients, hessians


def gains(column, gradients, hessians):
    """Gains of all splits of a column of 32 values, in double precision."""
    g = np.bincount(column.astype(int), gradients, 32).cumsum()
    h = np.bincount(column.astype(int), hessians, 32).cumsum()
    score = g**2 / (h + L2) + (g[-1] - g) ** 2 / (h[-1] - h + L2)
    return (score - g[-1] ** 2 / (h[-1] + L2))[:-1] / 2


@pytest.mark.parametrize("tail", [0.0, 1.0, 4.0])
@pytest.mark.parametrize("hessian", ["varied", "one"])
def test_splits_are_the_best_in_double_precision_against_naive(hessian, tail):
    # A tail of 4 puts the largest gradients far above the average: these rows are not packed.
    X, gradients, hessians = make_rows(np.random.default_rng(3), hessian, tail)
    params = GrowParams(max_leaf_nodes=12, l2=L2)
    tree = grow_tree(BinnedDataset(X), gradients, params, criterion="newton", hessians=hessians)
    arrays = tree.arrays()
    assert tree.n_leaves == 12
    for node, rows in enumerate(rows_of_nodes(arrays, X)):
        if arrays["left"][node] < 0:
            continue
        column = arrays["column"][node]
        all_gains = [gains(X[rows, j], gradients[rows], hessians[rows]) for j in range(X.shape[1])]
        chosen = all_gains[column][int(np.floor(arrays["threshold"][node]))]
        assert chosen >= np.max(all_gains) * (1 - 1e-3)


def test_leaf_values_are_newton_steps_in_double_precision():
    X, gradients, hessians = make_rows(np.random.default_rng(4))
    leaves = np.empty(N_ROWS, dtype=np.int32)
    tree = grow_tree(
        BinnedDataset(X),
        gradients,
        GrowParams(max_leaf_nodes=31, l2=L2),
        criterion="newton",
        hessians=hessians,
        leaves=leaves,
    )
    np.testing.assert_array_equal(leaves, find_leaves([tree], X)[:, 0])
    values = tree.arrays()["values"].ravel()
    for leaf in np.unique(leaves):
        step = -gradients[leaves == leaf].sum() / (hessians[leaves == leaf].sum() + L2)
        np.testing.assert_allclose(values[leaf], step, rtol=1e-12)


def test_squared_error_splits_like_doubles_against_naive():
    rng = np.random.default_rng(5)
    X, signal, _ = make_rows(rng)
    y = 1e6 + 1e-3 * signal  # a large mean and a small spread
    tree = grow_tree(BinnedDataset(X), y, GrowParams(max_depth=1), criterion="squared_error")
    arrays = tree.arrays()
    column, threshold = arrays["column"][0], arrays["threshold"][0]
    left = X[:, column] <= threshold
    spread = y[left].var() * left.mean() + y[~left].var() * (~left).mean()
    best = min(
        y[part].var() * part.mean() + y[~part].var() * (~part).mean()
        for j in range(X.shape[1])
        for part in (X[:, j] <= threshold for threshold in range(31))
    )
    assert spread <= best * (1 + 1e-9)


@pytest.mark.parametrize("min_rows_leaf", [1, 1000])
def test_leaves_keep_exact_counts(min_rows_leaf):
    X, gradients, hessians = make_rows(np.random.default_rng(6))
    leaves = np.empty(N_ROWS, dtype=np.int32)
    tree = grow_tree(
        BinnedDataset(X),
        gradients,
        GrowParams(max_leaf_nodes=25, min_rows_leaf=min_rows_leaf),
        criterion="newton",
        hessians=hessians,
        leaves=leaves,
    )
    counts = np.bincount(leaves, minlength=tree.n_nodes)
    arrays = tree.arrays()
    is_leaf = arrays["left"] < 0
    np.testing.assert_array_equal(arrays["n_rows"][is_leaf], counts[is_leaf])
    assert counts[is_leaf].min() >= min_rows_leaf


@pytest.mark.parametrize("criterion", ["squared_error", "newton", "newton, one hessian", "gini"])
@pytest.mark.parametrize("limit", [{"max_leaf_nodes": 31}, {"max_depth": 9}])
def test_trees_on_many_rows_are_equal_on_any_number_of_threads(monkeypatch, criterion, limit):
    hessian = "one" if "one" in criterion else "varied"
    X, gradients, hessians = make_rows(np.random.default_rng(7), hessian)
    dataset = BinnedDataset(X)
    target = (gradients > 0).astype(np.int32) if criterion == "gini" else gradients

    def bytes_and_leaves(n_threads):
        monkeypatch.setenv("NONET_NUM_THREADS", str(n_threads))
        leaves = np.empty(N_ROWS, dtype=np.int32)
        tree = grow_tree(
            dataset,
            target,
            GrowParams(**limit),
            criterion=criterion.split(",")[0],
            hessians=hessians if "newton" in criterion else None,
            leaves=leaves,
        )
        return tree.to_bytes(), leaves.tobytes()

    assert len({bytes_and_leaves(n_threads) for n_threads in (1, 2, 3, 8)}) == 1


def test_a_bag_without_repetitions_is_as_good_as_its_rows():
    X, gradients, hessians = make_rows(np.random.default_rng(8))
    counts = np.random.default_rng(9).integers(0, 2, size=N_ROWS).astype(np.uint32)
    params = GrowParams(max_leaf_nodes=8, threshold_policy="edge")
    chosen = counts > 0
    bagged = grow_tree(
        BinnedDataset(X), gradients, params, criterion="newton", hessians=hessians, counts=counts
    )
    alone = grow_tree(
        BinnedDataset(X[chosen]),
        gradients[chosen],
        params,
        criterion="newton",
        hessians=hessians[chosen],
    )
    np.testing.assert_array_equal(bagged.arrays()["column"], alone.arrays()["column"])
    np.testing.assert_allclose(bagged.arrays()["values"], alone.arrays()["values"], rtol=1e-12)
