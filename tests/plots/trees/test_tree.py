from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris

from nonet import DecisionTreeClassifier, DecisionTreeRegressor
from nonet.plots import plot_tree


@pytest.fixture(scope="module")
def tree():
    return DecisionTreeClassifier(max_depth=3).fit(*load_iris(return_X_y=True))


def docs(ax):
    return [text.get_text() for text in ax.texts]


def test_every_node_has_a_box_and_every_child_a_link(tree):
    ax = plot_tree(tree)
    assert len(ax.texts) == tree.tree_.node_count
    assert len(ax.lines) == tree.tree_.node_count - 1


def test_boxes_show_splits_predictions_and_rows(tree):
    shown = docs(plot_tree(tree, class_names=["setosa", "versicolor", "virginica"]))
    assert shown[0] == "feature_2 <= 2.45\n150 rows"
    assert shown[1] == "setosa\n50 rows"


def test_leaves_stand_in_a_row_and_parents_above_their_children(tree):
    positions = [text.get_position() for text in plot_tree(tree).texts]
    view = tree.tree_
    leaves = [positions[node][0] for node in range(view.node_count) if view.children_left[node] < 0]
    assert leaves == list(range(view.n_leaves))
    for node in np.flatnonzero(view.children_left >= 0):
        left, right = positions[view.children_left[node]], positions[view.children_right[node]]
        assert left[0] < positions[node][0] < right[0]
        assert left[1] == right[1] == positions[node][1] - 1


def test_max_depth_leaves_branches_out(tree):
    ax = plot_tree(tree, max_depth=1)
    assert len(ax.texts) == 3
    assert sum(text.startswith("...") for text in docs(ax)) == 1


def test_boxes_of_a_regressor_darken_with_the_value():
    model = DecisionTreeRegressor(max_depth=2).fit(*load_diabetes(return_X_y=True))
    ax = plot_tree(model, decimals=0)
    brightness = [sum(text.get_bbox_patch().get_facecolor()[:3]) for text in ax.texts]
    values = model.tree_.value[:, 0, 0]
    assert np.argmin(brightness) == np.argmax(values)
    assert np.argmax(brightness) == np.argmin(values)


def test_a_single_leaf_is_drawn():
    ax = plot_tree(DecisionTreeRegressor().fit([[0.0], [1.0]], [3.0, 3.0]))
    assert docs(ax) == ["3.00\n2 rows"]


def test_given_axes_are_used(tree):
    ax = plot_tree(tree)
    assert plot_tree(tree, ax) is ax


def test_plot_tree_rejects_bad_depth_and_names(tree):
    with pytest.raises(ValueError, match="'max_depth' must be None or a whole number"):
        plot_tree(tree, max_depth=-1)
    with pytest.raises(ValueError, match="each of the 4 columns"):
        plot_tree(tree, feature_names=["one"])
