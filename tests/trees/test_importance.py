from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.tree import DecisionTreeClassifier

import nonet
from nonet._native.tree import tree_from_arrays
from nonet.trees import column_importances, shap_values
from trees.random_trees import random_arrays
from trees.sklearn_trees import from_sklearn


def test_gain_importances_against_sklearn():
    X, y = load_wine(return_X_y=True)
    theirs = DecisionTreeClassifier(random_state=0).fit(X, y, np.arange(len(y)) % 3 + 0.5)
    gains = from_sklearn(theirs).gain_importances()
    unscaled = theirs.tree_.compute_feature_importances(normalize=False)
    np.testing.assert_allclose(gains, unscaled, rtol=1e-12)


def test_split_counts_against_naive():
    arrays = random_arrays(0, n_columns=5, n_splits=30)
    counts = tree_from_arrays(**arrays).split_counts()
    np.testing.assert_array_equal(counts, [(arrays["column"] == c).sum() for c in range(5)])


def test_gain_importances_rejects_a_tree_without_statistics():
    with pytest.raises(ValueError, match="made without"):
        tree_from_arrays(1, [-1], [-1], [-2], [-2], [[0.0]]).gain_importances()


def test_column_importances_are_fractions():
    X, y = load_wine(return_X_y=True)
    model = nonet.DecisionTreeClassifier().fit(X, y)
    counts = np.bincount(model.tree_.feature[model.tree_.feature >= 0], minlength=X.shape[1])
    np.testing.assert_allclose(column_importances(model, "count"), counts / counts.sum())
    np.testing.assert_array_equal(column_importances(model), model.feature_importances_)
    leaf = nonet.DecisionTreeClassifier().fit([[0.0]], [0])
    np.testing.assert_array_equal(column_importances(leaf, "count"), [0.0])


def test_column_importances_rejects_other_kinds():
    model = nonet.DecisionTreeClassifier().fit([[0.0]], [0])
    with pytest.raises(ValueError, match="'kind' must be one of 'gain', 'count'"):
        column_importances(model, "split")


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_shap_values_of_a_classifier_sum_to_its_probabilities(criterion):
    X, y = load_wine(return_X_y=True)
    model = nonet.DecisionTreeClassifier(criterion=criterion).fit(X, y)
    result = shap_values(model, X)
    assert result.values.shape == (*X.shape, 3)
    np.testing.assert_allclose(result.base, np.bincount(y) / len(y))
    totals = result.base + result.values.sum(axis=1)
    np.testing.assert_allclose(totals, model.predict_proba(X), atol=1e-12)


def test_shap_values_of_a_regressor_have_no_last_axis():
    X, y = load_wine(return_X_y=True)
    model = nonet.DecisionTreeRegressor(max_depth=3).fit(X, y)
    result = shap_values(model, X)
    totals = result.base + result.values.sum(axis=1)
    np.testing.assert_allclose(totals, model.predict(X), atol=1e-12)
