from __future__ import annotations

import numpy as np
import pytest
import sklearn.tree

from nonet import DecisionTreeClassifier
from nonet._native.tree import tree_from_arrays
from nonet.trees import TreeView
from trees.datasets import CLASSES

ARRAYS = [
    "children_left",
    "children_right",
    "feature",
    "threshold",
    "value",
    "impurity",
    "n_node_samples",
    "weighted_n_node_samples",
    "missing_go_to_left",
]


@pytest.fixture(scope="module")
def views():
    X, y = CLASSES["made"]
    settings = {"max_depth": 3, "min_samples_leaf": 5}
    theirs = sklearn.tree.DecisionTreeClassifier(random_state=0, **settings).fit(X, y)
    return DecisionTreeClassifier(**settings).fit(X, y).tree_, theirs.tree_


def test_public_names_against_sklearn_are_there(views):
    ours, theirs = views
    missing = {name for name in dir(theirs) if not name.startswith("_")} - set(dir(ours))
    assert missing <= {"capacity", "compute_partial_dependence"}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_are_read_only_and_shaped_as_in_sklearn(views, name):
    ours, theirs = (getattr(view, name) for view in views)
    assert ours.shape == theirs.shape
    assert ours.dtype == theirs.dtype
    with pytest.raises(ValueError, match="read-only"):
        ours[0] = 0


@pytest.mark.parametrize(
    "name", ["node_count", "n_leaves", "max_depth", "n_features", "n_outputs", "max_n_classes"]
)
def test_sizes_against_sklearn(views, name):
    ours, theirs = views
    assert getattr(ours, name) == getattr(theirs, name)


def test_methods_against_sklearn(views):
    ours, theirs = views
    np.testing.assert_array_equal(ours.compute_node_depths(), theirs.compute_node_depths())
    X = CLASSES["made"][0].astype(np.float32)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X))
    np.testing.assert_array_equal(ours.apply(X), theirs.apply(X))
    np.testing.assert_array_equal(
        ours.decision_path(X).toarray(), theirs.decision_path(X).toarray()
    )
    for normalize in (True, False):
        np.testing.assert_allclose(
            ours.compute_feature_importances(normalize),
            theirs.compute_feature_importances(normalize),
        )


def test_outputs_of_different_numbers_of_classes_are_padded():
    native = tree_from_arrays(1, [-1], [-1], [-2], [-2], [[0.2, 0.8, 1.0, 0.5, 0.25, 0.25]])
    view = TreeView(native, (2, 1, 3))
    expected = [[[0.2, 0.8, 0], [1, 0, 0], [0.5, 0.25, 0.25]]]
    np.testing.assert_array_equal(view.value, expected)
    np.testing.assert_array_equal(view.predict([[0.0]]), expected)
    np.testing.assert_array_equal(view.n_classes, [2, 1, 3])


def test_capacity_is_the_number_of_nodes():
    """Net B of issue 18: scikit-learn's trees have the attribute."""
    tree = DecisionTreeClassifier().fit([[0], [1], [2]], [0, 1, 0]).tree_
    assert tree.capacity == tree.node_count == 5
