"""Tools of scikit-learn that take our trees, and those that refuse them."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.tree
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import AdaBoostClassifier, BaggingRegressor
from sklearn.inspection import DecisionBoundaryDisplay, partial_dependence, permutation_importance
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from nonet import DecisionTreeClassifier, DecisionTreeRegressor
from trees.datasets import CLASSES, NUMBERS

LIMITS = {"max_depth": 3, "min_samples_leaf": 5}


@pytest.fixture(scope="module")
def regressors():
    X, y = NUMBERS["friedman"]
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, **LIMITS).fit(X, y)
    return DecisionTreeRegressor(**LIMITS).fit(X, y), theirs, X, y


def test_partial_dependence_against_sklearn(regressors):
    ours, theirs, X, _ = regressors
    mine, expected = (
        partial_dependence(tree, X, [(3, 4)], method="brute", grid_resolution=5)["average"]
        for tree in (ours, theirs)
    )
    np.testing.assert_allclose(mine, expected)
    with pytest.raises(ValueError, match="recursion"):
        partial_dependence(ours, X, [3], method="recursion")


def test_permutation_importance_against_sklearn(regressors):
    ours, theirs, X, y = regressors
    mine, expected = (
        permutation_importance(tree, X, y, n_repeats=3, random_state=0).importances
        for tree in (ours, theirs)
    )
    np.testing.assert_allclose(mine, expected)


def test_export_graphviz_against_sklearn_is_the_same_text(regressors):
    ours, theirs, *_ = regressors
    assert sklearn.tree.export_graphviz(ours) == sklearn.tree.export_graphviz(theirs)


@pytest.mark.parametrize("tool", [sklearn.tree.export_text, sklearn.tree.plot_tree])
def test_text_and_picture_of_sklearn_refuse_our_trees(regressors, tool):
    with pytest.raises(ValueError, match="must be an instance of 'sklearn"):
        tool(regressors[0])


def test_decision_boundary_of_a_tree_is_drawn():
    X, y = CLASSES["made"]
    tree = DecisionTreeClassifier(max_depth=3).fit(X[:, :2], y)
    shown = DecisionBoundaryDisplay.from_estimator(tree, X[:, :2], response_method="predict")
    assert set(np.unique(shown.response)) <= set(y)


@pytest.mark.parametrize(
    "model",
    [
        AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=5),
        CalibratedClassifierCV(DecisionTreeClassifier(max_depth=3), cv=3),
        GridSearchCV(DecisionTreeClassifier(), {"max_depth": [2, 4]}, cv=3),
        make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=4)),
    ],
    ids=lambda model: type(model).__name__,
)
def test_meta_estimators_of_sklearn_take_our_trees(model):
    X, y = CLASSES["wine"]
    assert model.fit(X, y).score(X, y) > 0.9


def test_bagging_of_sklearn_takes_our_trees():
    X, y = NUMBERS["friedman"]
    model = BaggingRegressor(DecisionTreeRegressor(), n_estimators=10, random_state=0)
    assert model.fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.5
