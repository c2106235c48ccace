from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from nonet._native.tree import Tree, tree_from_arrays
from trees.random_trees import random_arrays, random_tree
from trees.sklearn_trees import from_sklearn

STUMP = {
    "n_columns": 2,
    "left": [1, -1, -1],
    "right": [2, -1, -1],
    "column": [1, -2, -2],
    "threshold": [0.5, -2, -2],
    "values": [[0.0], [1.0], [2.0]],
}


def test_arrays_are_given_back_in_preorder():
    X, y = load_iris(return_X_y=True)
    theirs = DecisionTreeClassifier(random_state=0).fit(X, y).tree_
    ours = from_sklearn(DecisionTreeClassifier(random_state=0).fit(X, y)).arrays()
    np.testing.assert_array_equal(ours["left"], theirs.children_left)
    np.testing.assert_array_equal(ours["right"], theirs.children_right)
    np.testing.assert_array_equal(ours["column"], theirs.feature)
    np.testing.assert_array_equal(ours["threshold"], theirs.threshold)
    np.testing.assert_array_equal(ours["values"].reshape(theirs.value.shape), theirs.value)
    np.testing.assert_array_equal(ours["weight"], theirs.weighted_n_node_samples)


def test_arrays_of_a_tree_without_details_have_no_statistics():
    tree = tree_from_arrays(**STUMP)
    assert not tree.has_details
    assert tree.arrays()["weight"].size == 0
    np.testing.assert_array_equal(tree.arrays()["values"], [0, 1, 2])


def test_sizes_are_counted():
    tree = random_tree(0, n_columns=4, n_outputs=2, n_splits=6)
    sizes = tree.n_columns, tree.n_outputs, tree.n_nodes, tree.n_leaves
    assert sizes == (4, 2, 13, 7)
    assert tree_from_arrays(**STUMP).max_depth == 1


def test_category_sets_are_given_back():
    arrays = random_arrays(3, categories=True)
    tree = tree_from_arrays(**arrays)
    given = sorted(arrays["category_sets"][i] for i in arrays["category_set"] if i >= 0)
    used = [i for i in tree.arrays()["category_set"] if i >= 0]
    assert used
    assert sorted(tree.category_set(i) for i in used) == given


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))])
def test_copies_are_equal(duplicate):
    tree = random_tree(5, n_outputs=3, categories=True)
    assert duplicate(tree).to_bytes() == tree.to_bytes()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"left": [1, -1]}, "one entry per node"),
        ({"left": [0, -1, -1]}, "nodes of their own, and not the root"),
        ({"left": [7, -1, -1]}, "nodes of their own, and not the root"),
        ({"left": [-1, -1, -1]}, "no parent"),
        ({"column": [2, -2, -2]}, "column that does not exist"),
        ({"column": [-2, -2, -2]}, "must split a column"),
        ({"threshold": [np.nan, 0, 0]}, "threshold that is a number"),
        ({"values": [[0], [np.nan], [0]]}, "must not be NaN"),
        ({"values": np.empty((0, 1))}, "one entry per node"),
        ({"category_set": [0, -1, -1]}, "category set that is not given"),
        ({"n_columns": 0}, "at least 1"),
        ({"weight": [1, 1, 1]}, "for all nodes or for none"),
    ],
)
def test_tree_from_arrays_rejects_what_is_no_tree(change, sentence):
    with pytest.raises(ValueError, match=sentence):
        tree_from_arrays(**{**STUMP, **change})


def test_tree_from_arrays_rejects_a_circle():
    circle = {**STUMP, "left": [1, 1, -1], "right": [2, 2, -1], "column": [0, 0, -2]}
    with pytest.raises(ValueError, match="nodes of their own"):
        tree_from_arrays(**circle)


def test_category_set_rejects_an_index_out_of_range():
    with pytest.raises(ValueError, match="no such category set"):
        tree_from_arrays(**STUMP).category_set(0)


def test_tree_is_not_made_without_arrays():
    with pytest.raises(TypeError):
        Tree()
