"""Targets beyond one class or number per row: rates, predictions with an order, several targets."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.tree

from nonet import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)
from trees.datasets import CLASSES, LIMITS, NUMBERS
from trees.ties import assert_equal_arrays, same_up_to_ties

KINDS = [DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor]


@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_poisson_against_sklearn_is_its_tree_up_to_ties(limits):
    X, y = NUMBERS["friedman"]
    counts = np.random.default_rng(0).poisson(np.abs(y) / 5)
    limits = {"criterion": "poisson", **limits}
    ours = DecisionTreeRegressor(**limits).fit(X, counts)
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, **limits).fit(X, counts)
    assert same_up_to_ties(ours.tree_, theirs.tree_)


def test_poisson_rejects_targets_that_are_no_rates():
    model = DecisionTreeRegressor(criterion="poisson")
    with pytest.raises(ValueError, match=r"not all 0, but y is between -1\.0 and 2\.0"):
        model.fit([[0.0], [1.0]], [-1.0, 2.0])
    with pytest.raises(ValueError, match=r"not all 0, but y is between 0\.0 and 0\.0"):
        model.fit([[0.0], [1.0]], [0.0, 0.0])
    with pytest.raises(ValueError, match=r"not all 0, but y is between -1\.0 and 2\.0"):
        model.fit([[0.0], [1.0]], [[0.0, 2.0], [-1.0, 0.0]])


def test_friedman_mse_is_squared_error_under_an_old_name():
    X, y = NUMBERS["friedman"]
    with pytest.warns(FutureWarning, match="use 'squared_error'"):
        old = DecisionTreeRegressor(criterion="friedman_mse", max_depth=3).fit(X, y)
    assert_equal_arrays(old.tree_, DecisionTreeRegressor(max_depth=3).fit(X, y).tree_)


def moves_along(model, prediction, column, X):
    """How the prediction changes when one column of every row rises step by step."""
    steps = np.linspace(X[:, column].min() - 1, X[:, column].max() + 1, 40)
    rows = np.repeat(X[:50], len(steps), axis=0)
    rows[:, column] = np.tile(steps, 50)
    return np.diff(prediction(model, rows).reshape(50, len(steps)), axis=1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("limits", [{}, {"max_leaf_nodes": 30}])
def test_predictions_are_monotone_where_they_should_be(kind, limits):
    X, y = NUMBERS["friedman"]
    y = y > np.median(y) if issubclass(kind, DecisionTreeClassifier) else y
    signs = [1, -1, 0, 0, 1, 0, 0, 0, 0, 0]
    model = kind(monotonic_cst=signs, random_state=0, **limits).fit(X, y)

    def prediction(model, rows):
        return model.predict_proba(rows)[:, 1] if y.dtype == bool else model.predict(rows)

    assert model.get_n_leaves() > 5
    assert (moves_along(model, prediction, 0, X) >= 0).all()
    assert (moves_along(model, prediction, 1, X) <= 0).all()
    assert (moves_along(model, prediction, 4, X) >= 0).all()
    free = kind(random_state=0, **limits).fit(X, y)
    assert (moves_along(free, prediction, 1, X) > 0).any()


def test_monotone_rejects_predictions_without_an_order():
    with pytest.raises(ValueError, match="but y has 3 classes"):
        DecisionTreeClassifier(monotonic_cst=[1]).fit([[0], [1], [2]], [0, 1, 2])
    with pytest.raises(ValueError, match="but y has 2 targets"):
        DecisionTreeRegressor(monotonic_cst=[1]).fit([[0], [1]], [[0, 1], [1, 0]])


def two_targets(X, y):
    other = np.arange(len(y)) % 3
    return np.column_stack([y, np.where(X[:, 0] > np.median(X[:, 0]), other, 0)])


@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_poisson_of_two_targets_against_sklearn_is_its_tree_up_to_ties(limits):
    X, y = NUMBERS["friedman"]
    rng = np.random.default_rng(0)
    counts = np.column_stack([rng.poisson(np.abs(y) / 5), rng.poisson(1 + 3 * X[:, 2])])
    limits = {"criterion": "poisson", **limits}
    ours = DecisionTreeRegressor(**limits).fit(X, counts)
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, **limits).fit(X, counts)
    assert same_up_to_ties(ours.tree_, theirs.tree_)
    assert ours.tree_.impurity[0] == pytest.approx(theirs.tree_.impurity[0])


def test_poisson_of_a_target_without_counts_does_not_split():
    model = DecisionTreeRegressor(criterion="poisson").fit([[0], [1]], [[0, 1], [0, 2]])
    np.testing.assert_array_equal(model.predict([[0]]), [[0.0, 1.5]])
    assert model.get_n_leaves() == 1


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_classifier_of_two_targets_against_sklearn(limits, criterion):
    X, y = CLASSES["wine"]
    both = two_targets(X, y)
    limits = {"criterion": criterion, **limits}
    ours = DecisionTreeClassifier(**limits).fit(X, both)
    theirs = sklearn.tree.DecisionTreeClassifier(random_state=0, **limits).fit(X, both)
    assert same_up_to_ties(ours.tree_, theirs.tree_)
    assert ours.tree_.impurity[0] == pytest.approx(theirs.tree_.impurity[0])
    assert ours.predict(X).shape == both.shape
    assert [one.shape for one in ours.predict_proba(X)] == [(len(X), 3), (len(X), 3)]
    assert [len(classes) for classes in ours.classes_] == list(ours.n_classes_) == [3, 3]


def test_entropy_of_targets_with_different_classes_against_sklearn_has_equal_arrays():
    X, y = CLASSES["made"]
    both = np.column_stack([y, X[:, 0] > 0])
    settings = {"criterion": "entropy", "max_depth": 3, "min_samples_leaf": 5}
    ours = DecisionTreeClassifier(**settings).fit(X, both)
    theirs = sklearn.tree.DecisionTreeClassifier(random_state=0, **settings).fit(X, both)
    assert_equal_arrays(ours.tree_, theirs.tree_)


def test_regressor_of_two_targets_against_sklearn():
    X, y = NUMBERS["friedman"]
    both = np.column_stack([y, X[:, 0] * X[:, 3]])
    settings = {"max_depth": 4, "min_samples_leaf": 5}
    ours = DecisionTreeRegressor(**settings).fit(X, both)
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, **settings).fit(X, both)
    assert_equal_arrays(ours.tree_, theirs.tree_)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X))


def test_class_weights_of_two_targets_against_sklearn():
    X, y = CLASSES["wine"]
    weights = [{0: 1, 1: 2, 2: 1}, {0: 1, 1: 1, 2: 3}]
    settings = {"max_depth": 2, "class_weight": weights}
    ours = DecisionTreeClassifier(**settings).fit(X, two_targets(X, y))
    theirs = sklearn.tree.DecisionTreeClassifier(**settings).fit(X, two_targets(X, y))
    for logs, fractions in zip(ours.predict_log_proba(X), theirs.predict_proba(X), strict=True):
        np.testing.assert_allclose(np.exp(logs), fractions, atol=1e-9)
