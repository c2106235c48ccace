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
from nonet._native.explain import mean_values, shap_interactions, shap_values
from nonet._native.tree import predict_values, tree_from_arrays
from trees.random_trees import goes_left, random_arrays, random_rows, random_tree
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
            fraction = factorial(size) * factorial(n - size - 1) / factorial(n)
            for present in combinations(others, size):
                gain = worth(arrays, row, {*present, column}) - worth(arrays, row, {*present})
                out[column] += fraction * gain
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
    np.testing.assert_allclose(
        shap_values([tree_from_arrays(**arrays)], X, "weight"), expected, atol=1e-12
    )


def naive_interactions(arrays, row):
    """Half the Shapley interaction index of each pair; the diagonal from the Shapley values."""
    n = arrays["n_columns"]
    out = np.zeros((n, n, arrays["values"].shape[1]))
    for a, b in combinations(range(n), 2):
        others = [c for c in range(n) if c not in (a, b)]
        for size in range(n - 1):
            fraction = factorial(size) * factorial(n - size - 2) / factorial(n - 1) / 2
            for present in combinations(others, size):
                gain = sum(
                    sign * worth(arrays, row, {*present, *more})
                    for sign, more in ((1, (a, b)), (-1, (a,)), (-1, (b,)), (1, ()))
                )
                out[a, b] += fraction * gain
        out[b, a] = out[a, b]
    diagonal = np.arange(n)
    out[diagonal, diagonal] = naive_shap(arrays, row) - out.sum(axis=1)
    return out


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10_000),
    n_columns=st.integers(1, 4),
    n_splits=st.integers(0, 10),
    n_outputs=st.integers(1, 2),
    categories=st.booleans(),
)
def test_interactions_against_all_subsets(seed, n_columns, n_splits, n_outputs, categories):
    arrays = random_arrays(
        seed, n_columns=n_columns, n_splits=n_splits, n_outputs=n_outputs, categories=categories
    )
    X = random_rows(seed, 3, n_columns)
    expected = [naive_interactions(arrays, row) for row in X]
    found = shap_interactions([tree_from_arrays(**arrays)], X, "weight")
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("n_columns", [12, 40])  # more players than two quads of points can take
def test_interactions_sum_to_shap_values_on_long_paths(n_columns):
    trees = [random_tree(seed, n_columns=n_columns, n_splits=80) for seed in range(3)]
    X = random_rows(1, 5, n_columns)
    values = shap_values(trees, X, "n_rows")
    np.testing.assert_allclose(
        shap_interactions(trees, X, "n_rows").sum(axis=2), values, rtol=1e-9, atol=1e-9
    )
    totals = mean_values(trees, "n_rows") + values.sum(axis=1)
    np.testing.assert_allclose(totals, predict_values(trees, X), atol=1e-9)


def test_explanations_of_many_trees_are_sums_over_trees():
    trees = [random_tree(seed, n_splits=3 * seed) for seed in range(4)]
    X = random_rows(2, 9)
    for explain in (shap_values, shap_interactions):
        alone = sum(explain([tree], X, "weight") for tree in trees)
        np.testing.assert_allclose(explain(trees, X, "weight"), alone, atol=1e-12)


def test_cover_by_rows_reads_the_number_of_rows():
    arrays = random_arrays(5, n_splits=5)
    tree = tree_from_arrays(**arrays)
    by_rows = tree_from_arrays(**{**arrays, "weight": arrays["n_rows"].astype(float)})
    odd = tree_from_arrays(**{**arrays, "weight": 1.0 + np.arange(11)[::-1]})
    X = random_rows(5, 20)
    expected = shap_values([by_rows], X, "weight")
    np.testing.assert_array_equal(shap_values([tree], X, "n_rows"), expected)
    assert not np.allclose(shap_values([odd], X, "weight"), expected)


def test_shap_values_sum_to_the_prediction_of_a_deep_tree():
    X, y = load_diabetes(return_X_y=True)
    X = X.astype(np.float32)
    tree = from_sklearn(DecisionTreeRegressor(random_state=0).fit(X, y))
    totals = mean_values([tree], "weight") + shap_values([tree], X, "weight").sum(axis=1)
    np.testing.assert_allclose(totals, predict_values([tree], X), rtol=1e-9)
    assert mean_values([tree], "weight") == pytest.approx(y.mean())


def test_shap_values_skip_a_branch_that_no_weight_reached():
    arrays = random_arrays(0, n_columns=2, n_splits=1)
    arrays["weight"] = np.array([4.0, 0.0, 4.0])
    X = random_rows(0, 6, 2)
    expected = [naive_shap(arrays, row) for row in X]
    np.testing.assert_allclose(
        shap_values([tree_from_arrays(**arrays)], X, "weight"), expected, atol=1e-12
    )


@pytest.mark.parametrize("explain", [shap_values, shap_interactions])
def test_any_number_of_threads_is_deterministic(monkeypatch, explain):
    monkeypatch.setenv("NONET_NUM_THREADS", "8")
    trees = [random_tree(seed, n_splits=40) for seed in range(2)]
    X = random_rows(0, 1000)
    with limit_threads(1):
        alone = explain(trees, X, "weight")
    for n_threads in (2, 3, 8):
        with limit_threads(n_threads):
            np.testing.assert_array_equal(explain(trees, X, "weight"), alone)


def test_shap_values_rejects_a_tree_without_statistics():
    bare = tree_from_arrays(1, [-1], [-1], [-2], [-2], [[0.0]])
    with pytest.raises(ValueError, match="made without"):
        shap_values([bare], [[0.0]], "weight")
