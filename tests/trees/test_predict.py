from __future__ import annotations

import gc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from nonet import limit_threads
from nonet._native.tree import (
    TreeSum,
    decision_paths,
    find_leaves,
    predict_values,
    tree_from_arrays,
)
from trees.random_trees import naive_path, random_arrays, random_rows, random_tree
from trees.sklearn_trees import from_sklearn


@given(
    seed=st.integers(0, 10_000),
    n_splits=st.integers(0, 40),
    n_outputs=st.integers(1, 3),
    n_rows=st.integers(0, 40),
    categories=st.booleans(),
)
def test_values_and_leaves_against_naive(seed, n_splits, n_outputs, n_rows, categories):
    arrays = random_arrays(seed, n_outputs=n_outputs, n_splits=n_splits, categories=categories)
    tree = tree_from_arrays(**arrays)
    X = random_rows(seed + 1, n_rows)
    ends = [naive_path(arrays, row)[-1] for row in X]
    np.testing.assert_array_equal(predict_values([tree], X), arrays["values"][ends])
    leaves = find_leaves([tree], X)[:, 0]
    np.testing.assert_array_equal(
        tree.arrays()["values"].reshape(-1, n_outputs)[leaves], arrays["values"][ends]
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F", "rows apart", "columns apart", "backwards"])
def test_every_memory_layout_is_read_in_place(dtype, order):
    tree = random_tree(1, n_splits=30)
    X = random_rows(2, 5000).astype(dtype)
    layouts = {
        "C": np.ascontiguousarray(X),
        "F": np.asfortranarray(X),
        "rows apart": np.repeat(X, 2, axis=0)[::2],
        "columns apart": np.repeat(X, 3, axis=1)[:, ::3],
        "backwards": X[::-1, ::-1].copy()[::-1, ::-1],
    }
    expected = predict_values([tree], X.astype(np.float64))
    np.testing.assert_array_equal(predict_values([tree], layouts[order]), expected)


def test_integers_and_foreign_byte_orders_are_converted():
    tree = random_tree(1, n_splits=30)
    X = np.random.default_rng(0).integers(-3, 4, size=(100, 3))
    expected = predict_values([tree], X.astype(float))
    np.testing.assert_array_equal(predict_values([tree], X), expected)
    np.testing.assert_array_equal(predict_values([tree], X.astype(">f4")), expected)


def test_sum_over_trees_adds_in_their_order():
    trees = [random_tree(seed, n_splits=20) for seed in range(30)]
    X = random_rows(0, 3000)
    expected = np.zeros((len(X), 1))
    for tree in trees:
        expected += predict_values([tree], X)
    np.testing.assert_array_equal(predict_values(trees, X), expected)


@pytest.mark.parametrize("n_trees", [1, 16, 37])
@pytest.mark.parametrize("categories", [False, True])
@pytest.mark.parametrize("order", ["C", "F"])
def test_few_rows_get_the_predictions_of_many(n_trees, categories, order):
    trees = [
        tree_from_arrays(**random_arrays(seed, n_outputs=2, n_splits=25, categories=categories))
        for seed in range(n_trees)
    ]
    X = np.asarray(random_rows(3, 60), order=order)
    together = predict_values(trees, X)
    for first in range(0, 60, 3):
        few = predict_values(trees, X[first : first + 3])
        np.testing.assert_array_equal(few, together[first : first + 3])


@pytest.mark.parametrize("n_outputs", [1, 4])
def test_any_number_of_threads_is_deterministic(n_outputs, monkeypatch):
    monkeypatch.setenv("NONET_NUM_THREADS", "8")
    trees = [random_tree(seed, n_splits=50, n_outputs=n_outputs) for seed in range(20)]
    X = random_rows(0, 10_000)
    with limit_threads(1):
        alone = predict_values(trees, X), find_leaves(trees, X)
    for n_threads in (2, 3, 8):
        with limit_threads(n_threads):
            np.testing.assert_array_equal(predict_values(trees, X), alone[0])
            np.testing.assert_array_equal(find_leaves(trees, X), alone[1])


def test_classifier_against_sklearn():
    X, y = load_breast_cancer(return_X_y=True)
    X = X.astype(np.float32)
    X[::7, 20] = np.nan
    theirs = DecisionTreeClassifier(random_state=0).fit(X, y)
    ours = from_sklearn(theirs)
    np.testing.assert_array_equal(predict_values([ours], X), theirs.predict_proba(X))
    np.testing.assert_array_equal(find_leaves([ours], X)[:, 0], theirs.apply(X))


def test_decision_paths_against_sklearn():
    X, y = load_diabetes(return_X_y=True)
    X = X.astype(np.float32)
    theirs = DecisionTreeRegressor(random_state=0).fit(X, y)
    starts, nodes = decision_paths(from_sklearn(theirs), X)
    np.testing.assert_array_equal(starts, theirs.decision_path(X).indptr)
    np.testing.assert_array_equal(nodes, theirs.decision_path(X).indices)


@given(seed=st.integers(0, 10_000), n_splits=st.integers(0, 20))
def test_decision_paths_against_naive(seed, n_splits):
    arrays = random_arrays(seed, n_splits=n_splits)
    tree = tree_from_arrays(**arrays)
    X = random_rows(seed, 10)
    starts, nodes = decision_paths(tree, X)
    ordered = tree.arrays()["values"][nodes]
    expected = [arrays["values"][naive_path(arrays, row), 0] for row in X]
    np.testing.assert_array_equal(starts, np.cumsum([0, *map(len, expected)]))
    np.testing.assert_array_equal(ordered, np.concatenate(expected))


def test_predict_rejects_other_numbers_of_columns():
    with pytest.raises(ValueError, match="3 columns cannot read rows of 2"):
        predict_values([random_tree(0)], np.zeros((4, 2)))
    with pytest.raises(ValueError, match="2 dimensions"):
        predict_values([random_tree(0)], np.zeros(3))


def test_predict_rejects_trees_of_different_outputs():
    with pytest.raises(ValueError, match="equal numbers of outputs"):
        predict_values([random_tree(0), random_tree(0, n_outputs=2)], np.zeros((4, 3)))


@pytest.mark.parametrize(("categories", "n_outputs"), [(False, 1), (True, 1), (True, 3)])
def test_prepared_trees_predict_row_by_row_what_plain_walks_predict(categories, n_outputs):
    trees = [
        random_tree(seed, n_splits=9, n_outputs=n_outputs, categories=categories)
        for seed in range(40)
    ]
    rows = np.random.default_rng(1).integers(-1, 6, size=(60, 3)).astype(np.float64)
    rows[::7, 1] = np.nan
    sums = TreeSum(trees)
    one_by_one = np.concatenate([sums.values(row[np.newaxis]) for row in rows])
    np.testing.assert_array_equal(one_by_one, predict_values(trees, rows))
    np.testing.assert_array_equal(sums.values(np.asfortranarray(rows[:5])), one_by_one[:5])


def test_prepared_trees_outlive_their_list():
    sums = TreeSum([random_tree(seed) for seed in range(300)])
    expected = sums.values(np.zeros((1, 3)))
    walks = sums._walks()
    del sums
    gc.collect()
    found = np.zeros((1, 1))
    walks.add_predictions(np.zeros((1, 3)), found)
    assert np.array_equal(found, expected)


def test_prepared_trees_reject_other_numbers_of_columns():
    with pytest.raises(ValueError, match="A tree of 3 columns cannot read rows of 2"):
        TreeSum([random_tree(0)]).values(np.zeros((1, 2)))
