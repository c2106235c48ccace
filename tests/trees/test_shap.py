"""Shapley values: against all subsets of columns, and the four axioms' bookkeeping."""

from __future__ import annotations

from itertools import combinations
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes
from sklearn.tree import DecisionTreeRegressor

from nonet import limit_threads
from nonet._native_tree import predict_values, shap_values, tree_from_arrays
from trees.random_trees import goes_left, random_arrays, random_rows
from trees.sklearn_trees import from_sklearn


def worth(arrays, row, present, node=0):
    """Prediction of a coalition: absent columns send the row to both sides by weight."""
    left, right = arrays["left"][node], arrays["right"][node]
    if left < 0:
        return arrays["values"][node]
    column, weight = arrays["column"][node], arrays["weight"]
    if column in present:
        side = left if goes_left(arrays, node, row[column]) else right
        return worth(arrays, row, present, side)
    both = [weight[child] * worth(arrays, row, present, child) for child in (left, right)]
    return sum(both) / weight[node]


def naive_shap(arrays, row):
    n = arrays["n_columns"]
    out = np.zeros((n, arrays["values"].shape[1]))
    for column in range(n):
        others = [c for c in range(n) if c != column]
        for size in range(n):
            share = factorial(size) * factorial(n - size - 1) / factorial(n)
            for present in combinations(others, size):
                gain = worth(arrays, row, {*present, column}) - worth(arrays, row, {*present})
                out[column] += share * gain
    return out


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10_000),
    n_columns=st.integers(1, 5),
    n_splits=st.integers(0, 12),
    n_outputs=st.integers(1, 2),
    categories=st.booleans(),
)
def test_shap_values_against_all_subsets(seed, n_columns, n_splits, n_outputs, categories):
    arrays = random_arrays(
        seed, n_columns=n_columns, n_splits=n_splits, n_outputs=n_outputs, categories=categories
    )
    X = random_rows(seed, 4, n_columns)
    expected = [naive_shap(arrays, row) for row in X]
    np.testing.assert_allclose(shap_values(tree_from_arrays(**arrays), X), expected, atol=1e-12)


def test_shap_values_sum_to_the_prediction_of_a_deep_tree():
    X, y = load_diabetes(return_X_y=True)
    X = X.astype(np.float32)
    tree = from_sklearn(DecisionTreeRegressor(random_state=0).fit(X, y))
    totals = tree.mean_leaf_values() + shap_values(tree, X).sum(axis=1)
    np.testing.assert_allclose(totals, predict_values([tree], X), rtol=1e-9)
    assert tree.mean_leaf_values() == pytest.approx(y.mean())


def test_shap_values_skip_a_branch_that_no_weight_reached():
    arrays = random_arrays(0, n_columns=2, n_splits=1)
    arrays["weight"] = np.array([4.0, 0.0, 4.0])
    X = random_rows(0, 6, 2)
    expected = [naive_shap(arrays, row) for row in X]
    np.testing.assert_allclose(shap_values(tree_from_arrays(**arrays), X), expected, atol=1e-12)


def test_any_number_of_threads_is_deterministic(monkeypatch):
    monkeypatch.setenv("NONET_NUM_THREADS", "8")
    tree = tree_from_arrays(**random_arrays(0, n_splits=40))
    X = random_rows(0, 1000)
    with limit_threads(1):
        alone = shap_values(tree, X)
    for n_threads in (2, 3, 8):
        with limit_threads(n_threads):
            np.testing.assert_array_equal(shap_values(tree, X), alone)


def test_shap_values_rejects_a_tree_without_statistics():
    bare = tree_from_arrays(1, [-1], [-1], [-2], [-2], [[0.0]])
    with pytest.raises(ValueError, match="made without"):
        shap_values(bare, [[0.0]])
