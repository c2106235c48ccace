"""Partial dependence by recursion: against all training rows, scikit-learn, and a naive walk."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes
from sklearn.inspection import partial_dependence as sklearn_dependence
from sklearn.tree import DecisionTreeRegressor

import nonet
from nonet import limit_threads, tree_dependence
from nonet._native.explain import partial_dependence
from nonet._native.tree import tree_from_arrays
from trees.random_trees import goes_left, random_arrays, random_rows, random_tree
from trees.sklearn_trees import from_sklearn

X, Y = load_diabetes(return_X_y=True)
X = X.astype(np.float32).astype(np.float64)  # scikit-learn's trees know no finer numbers


def naive_dependence(arrays, given, node=0):
    left, right = arrays["left"][node], arrays["right"][node]
    if left < 0:
        return arrays["values"][node]
    column, weight = arrays["column"][node], arrays["weight"]
    if column in given:
        return naive_dependence(
            arrays, given, left if goes_left(arrays, node, given[column]) else right
        )
    both = [weight[child] * naive_dependence(arrays, given, child) for child in (left, right)]
    return sum(both) / weight[node]


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10_000),
    columns=st.sampled_from([(0,), (2,), (1, 0), (0, 1, 2)]),
    n_outputs=st.integers(1, 2),
    categories=st.booleans(),
)
def test_dependence_against_naive(seed, columns, n_outputs, categories):
    arrays = random_arrays(seed, n_outputs=n_outputs, categories=categories, n_splits=9)
    points = random_rows(seed, 6, len(columns))
    expected = [
        naive_dependence(arrays, dict(zip(columns, point, strict=True))) for point in points
    ]
    found = partial_dependence([tree_from_arrays(**arrays)], points, columns, "weight")
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_compute_partial_dependence_against_sklearn():
    theirs = DecisionTreeRegressor(max_depth=5, random_state=0).fit(X, Y)
    grid = np.linspace(-0.1, 0.1, 30, dtype=np.float32)[:, np.newaxis]
    expected = np.ones(30)
    theirs.tree_.compute_partial_dependence(grid, np.array([2], dtype=np.intp), expected)
    ours = nonet.DecisionTreeRegressor(max_depth=5, random_state=0).fit(X, Y)
    ours.tree_ = nonet.trees.TreeView(from_sklearn(theirs), (1,))
    found = np.ones(30)
    ours.tree_.compute_partial_dependence(grid, [2], found)
    np.testing.assert_allclose(found, expected)


def test_compute_partial_dependence_rejects_several_values_a_node():
    tree = nonet.DecisionTreeClassifier().fit([[0], [1]], [0, 1]).tree_
    with pytest.raises(ValueError, match="this one has 2; use tree_dependence"):
        tree.compute_partial_dependence([[0.0]], [0], np.zeros(1))


def test_dependence_on_a_column_of_its_own_is_the_mean_over_rows_against_brute_force():
    # A stump on each column: splits on other columns never follow, so both methods agree.
    model = nonet.HistGradientBoostingRegressor(max_iter=40, max_depth=1).fit(X, Y)
    ours = tree_dependence(model, X, 2, n_points=20)
    brute = sklearn_dependence(model, X, [2], method="brute", custom_values={2: ours.grid[0]})
    np.testing.assert_allclose(ours.values, brute["average"][0])


@pytest.mark.parametrize(
    "model",
    [
        nonet.DecisionTreeRegressor(max_depth=4, random_state=0),
        nonet.RandomForestRegressor(5, max_depth=4, random_state=0),
        nonet.HistGradientBoostingRegressor(max_iter=5),
    ],
    ids=lambda model: type(model).__name__,
)
def test_sklearn_partial_dependence_takes_our_models(model):
    model.fit(X, Y)
    ours = tree_dependence(model, X, 2, n_points=10)
    brute = sklearn_dependence(model, X, [2], custom_values={2: ours.grid[0]})
    assert np.corrcoef(ours.values, brute["average"][0])[0, 1] > 0.98


def test_dependence_against_sklearn_recursion():
    from sklearn.ensemble import HistGradientBoostingRegressor

    few = np.round(X * 60)
    settings_of_both = {"max_iter": 10, "max_leaf_nodes": 6}
    theirs = HistGradientBoostingRegressor(**settings_of_both).fit(few, Y)
    ours = nonet.HistGradientBoostingRegressor(**settings_of_both).fit(few, Y)
    expected = sklearn_dependence(theirs, few, [2, 8], method="recursion", percentiles=(0, 1))
    found = tree_dependence(ours, few, (2, 8))
    start = Y.mean()  # scikit-learn leaves it out
    np.testing.assert_allclose(found.values - start, expected["average"][0], rtol=1e-6, atol=1e-6)


def test_dependence_of_two_columns_has_an_axis_each_and_one_for_classes():
    y = np.digitize(Y, [100, 200])
    forest = nonet.RandomForestClassifier(4, random_state=0).fit(X, y)
    found = tree_dependence(forest, X, (2, 1), n_points=7)
    assert found.values.shape == (7, 2, 3)
    np.testing.assert_allclose(found.values.sum(axis=-1), 1)


def test_dependence_on_categories_has_their_names():
    color = np.array(["red", "blue", "red", "green"] * 20)
    table = pd.DataFrame({"color": pd.Categorical(color), "size": np.arange(80.0)})
    y = (color == "red") * 2.0
    model = nonet.HistGradientBoostingRegressor(max_iter=50).fit(table, y)
    found = tree_dependence(model, table, "color")
    assert found.grid[0].tolist() == ["blue", "green", "red"]
    np.testing.assert_allclose(found.values, [0, 0, 2], atol=0.2)
    assert found.values[2] > found.values[0] + 1.5


def test_any_number_of_threads_is_deterministic(monkeypatch):
    monkeypatch.setenv("NONET_NUM_THREADS", "8")
    trees = [random_tree(seed, n_splits=40) for seed in range(3)]
    points = random_rows(0, 3000, 2)
    with limit_threads(1):
        alone = partial_dependence(trees, points, [0, 2], "weight")
    with limit_threads(8):
        np.testing.assert_array_equal(partial_dependence(trees, points, [0, 2], "weight"), alone)


@pytest.mark.parametrize("columns", [-1, 10, "age", (0, 1, 2), ()])
def test_tree_dependence_rejects_columns_that_are_not_there(columns):
    model = nonet.DecisionTreeRegressor(max_depth=1).fit(X, Y)
    with pytest.raises(ValueError, match="'columns' must be one or two"):
        tree_dependence(model, X, columns)


def test_tree_dependence_rejects_a_column_without_numbers():
    empty = X.copy()
    empty[:, 0] = np.nan
    model = nonet.DecisionTreeRegressor(max_depth=1).fit(X, Y)
    with pytest.raises(ValueError, match="no number in column 0"):
        tree_dependence(model, empty, 0)


def test_tree_dependence_rejects_models_without_trees():
    with pytest.raises(TypeError, match="accepts models made of nonet's trees"):
        tree_dependence(nonet.VotingRegressor([]), X, 0)
