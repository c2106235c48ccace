"""Trees are the same bit for bit on any number of threads (issue 27, section 1).

Sizes are those at which nodes change the way in which threads share them: columns, blocks of rows
with a histogram per thread, pieces of large leaves.
"""

import numpy as np
import pytest

from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, grow_tree
from nonet._native.runtime import limit_threads

SMALL_TREE = GrowParams(max_leaf_nodes=31, min_rows_leaf=20, threshold_policy="edge")
COUNTS = (1, 2, 3, 5, 16)


def numbers(n_rows, n_columns):
    return np.random.default_rng(n_rows).normal(size=(n_rows, n_columns)).astype(np.float32)


def indicators(n_rows):
    """Return two columns of 40 levels as indicators, and three of numbers."""
    random = np.random.default_rng(n_rows)
    X = np.zeros((n_rows, 83), np.float32)
    X[:, :3] = random.normal(size=(n_rows, 3))
    for first in (3, 43):
        X[np.arange(n_rows), first + random.integers(0, 40, n_rows)] = 1
    return X


def gradients_of(X):
    random = np.random.default_rng(1)
    signal = X[:, 0] * X[:, 1] + X[:, -1] + 0.1 * random.normal(size=len(X))
    return signal.astype(float), random.uniform(0.1, 0.3, len(X))


def fingerprint(tree, leaves):
    arrays = tree.arrays()
    return b"".join(np.ascontiguousarray(arrays[name]).tobytes() for name in sorted(arrays)), bytes(
        leaves
    )


def grown_on(n_threads, dataset, target, params, **options):
    leaves = np.empty(dataset.n_rows, np.int32)
    with limit_threads(n_threads):
        tree = grow_tree(dataset, target, params, leaves=leaves, **options)
    return fingerprint(tree, leaves)


@pytest.mark.parametrize(
    "X",
    [
        pytest.param(numbers(7_000, 28), id="few rows"),
        pytest.param(numbers(40_000, 6), id="few columns"),
        pytest.param(numbers(70_000, 28), id="packed rows"),
        pytest.param(numbers(30_000, 90), id="many columns"),
        pytest.param(indicators(50_000), id="lists beside numbers"),
        pytest.param(indicators(50_000)[:, 3:], id="lists alone"),
    ],
)
def test_newton_tree_is_the_same_on_any_number_of_threads(X):
    dataset = BinnedDataset(X)
    gradients, hessians = gradients_of(X)
    options = {"criterion": "newton", "hessians": hessians}
    found = {grown_on(n, dataset, gradients, SMALL_TREE, **options) for n in COUNTS}
    assert len(found) == 1


@pytest.mark.parametrize("criterion", ["squared_error", "poisson"])
@pytest.mark.parametrize("weighted", [False, True])
def test_large_leaves_are_the_same_on_any_number_of_threads(criterion, weighted):
    X = numbers(90_000, 4)
    target = np.exp(gradients_of(X)[0] / 4)
    weights = np.random.default_rng(2).exponential(size=len(X)) if weighted else None
    params = GrowParams(max_leaf_nodes=4)
    found = {
        grown_on(n, BinnedDataset(X), target, params, criterion=criterion, weights=weights)
        for n in COUNTS
    }
    assert len(found) == 1


def test_classes_are_the_same_on_any_number_of_threads():
    X = numbers(60_000, 8)
    codes = np.digitize(gradients_of(X)[0], [-1, 0, 1]).astype(np.int32)
    params = GrowParams(max_leaf_nodes=31)
    found = {
        grown_on(n, BinnedDataset(X), codes, params, criterion="gini", n_classes=4) for n in COUNTS
    }
    assert len(found) == 1


def test_value_of_a_large_leaf_against_theory():
    X = numbers(100_000, 1)
    gradients, hessians = gradients_of(np.hstack([X, X]))
    params = GrowParams(max_leaf_nodes=2, min_rows_leaf=30_000)
    leaves = np.empty(len(X), np.int32)
    tree = grow_tree(
        BinnedDataset(X), gradients, params, criterion="newton", hessians=hessians, leaves=leaves
    )
    values = tree.arrays()["values"].ravel()
    for leaf in np.unique(leaves):
        inside = leaves == leaf
        step = -gradients[inside].sum() / hessians[inside].sum()
        np.testing.assert_allclose(values[leaf], step, rtol=1e-12)
