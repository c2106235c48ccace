"""Trees that split categories: predictions of many rows against a walk of each row.

Many rows are predicted by masks of leaves (small trees) or through packed trees (large ones), where
codes are looked up as bits of words; a single row walks from node to node.
"""

from __future__ import annotations

import numpy as np
import pytest

from nonet._native.tree import TreeSum, find_leaves, predict_values, tree_from_arrays
from nonet.trees import DecisionTreeRegressor

ODD_CODES = [np.nan, -1.0, -0.5, 2.5, 1e9, np.inf, -np.inf]


def table_of(n_categories, n_rows=700, dtype=np.float64):
    rng = np.random.default_rng(n_categories)
    codes = rng.integers(n_categories, size=(n_rows, 2)).astype(dtype)
    return np.column_stack([codes, rng.normal(size=(n_rows, 2)).astype(dtype)]).astype(dtype)


def grown_trees(X, n_trees, max_leaves):
    rng = np.random.default_rng(0)
    model = DecisionTreeRegressor(
        max_leaf_nodes=max_leaves, max_features=2, categorical_features=[0, 1]
    )
    effects = rng.normal(size=(2, int(X[:, :2].max()) + 1))
    y = effects[0][X[:, 0].astype(int)] * X[:, 2] + effects[1][X[:, 1].astype(int)]
    trees = []
    for seed in range(n_trees):
        noisy = y + rng.normal(size=len(y))
        trees.append(model.set_params(random_state=seed).fit(X, noisy).tree_._native)
    return trees


def with_odd_codes(X):
    odd = X.copy()
    for position, code in enumerate(ODD_CODES):
        odd[position :: 4 * len(ODD_CODES), position % 2] = code
    return odd


def one_by_one(predict, X):
    return np.concatenate([predict(X[i : i + 1]) for i in range(len(X))])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_categories", [2, 31, 32, 63, 64, 65, 200, 1024, 1500])
@pytest.mark.parametrize("max_leaves", [2, 31, 33, 64, 300])
def test_many_rows_against_single_rows(n_categories, max_leaves, dtype):
    X = table_of(n_categories, dtype=dtype)
    trees = grown_trees(X, 4, max_leaves)
    rows = with_odd_codes(X)
    expected = one_by_one(lambda row: predict_values(trees, row), rows)
    np.testing.assert_array_equal(predict_values(trees, rows), expected)
    np.testing.assert_array_equal(predict_values(trees, np.asfortranarray(rows)), expected)
    np.testing.assert_array_equal(
        find_leaves(trees, rows), one_by_one(lambda row: find_leaves(trees, row), rows)
    )
    packed = TreeSum(trees)
    assert packed.packed() is not None
    np.testing.assert_array_equal(packed.values(rows), expected)


def test_a_set_that_knows_fewer_codes_than_another_of_its_column():
    """A code that only one of the sets knows is missing to the other."""
    nodes = {"left": [1, -1, -1], "right": [2, -1, -1], "column": [0, -2, -2]}
    trees = [
        tree_from_arrays(
            1, **nodes, threshold=[0, 0, 0], values=[[0], [10], [20]],
            missing_left=[missing_left, 0, 0], category_set=[0, -1, -1], category_sets=[codes],
        )
        for missing_left in (0, 1)
        for codes in ([True, False], [False] * 70 + [True] * 5)
    ]  # fmt: skip
    X = np.resize([0.0, 1.0, 2.0, 69.0, 70.0, 74.0, 75.0, 80.0, np.nan], 300)[:, np.newaxis]
    expected = one_by_one(lambda row: predict_values(trees, row), X)
    np.testing.assert_array_equal(predict_values(trees, X), expected)
    packed = TreeSum(trees)
    assert packed.packed() is not None
    np.testing.assert_array_equal(packed.values(X), expected)
