"""Explanations of forests: contributions sum to the prediction of the forest."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_wine

from nonet import (
    ExtraTreesRegressor,
    RandomForestClassifier,
    column_importances,
    shap_interactions,
    shap_values,
)

X, Y = load_wine(return_X_y=True)


def test_shap_values_sum_to_the_probabilities_of_a_forest():
    forest = RandomForestClassifier(10, random_state=0).fit(X, Y)
    contributions = shap_values(forest, X)
    assert contributions.values.shape == (*X.shape, 3)
    totals = contributions.base + contributions.values.sum(axis=1)
    np.testing.assert_allclose(totals, forest.predict_proba(X), atol=1e-12)


def test_interactions_sum_to_shap_values_of_a_forest_of_numbers():
    forest = ExtraTreesRegressor(10, random_state=0).fit(X, Y)
    contributions, pairs = shap_values(forest, X[:20]), shap_interactions(forest, X[:20])
    totals = contributions.base + contributions.values.sum(axis=1)
    np.testing.assert_allclose(totals, forest.predict(X[:20]), atol=1e-12)
    np.testing.assert_allclose(pairs.values.sum(axis=2), contributions.values, atol=1e-12)


def test_column_importances_count_the_splits_of_all_trees():
    forest = RandomForestClassifier(5, random_state=0).fit(X, Y)
    columns = np.concatenate([tree.tree_.feature for tree in forest.estimators_])
    counts = np.bincount(columns[columns >= 0], minlength=X.shape[1])
    np.testing.assert_allclose(column_importances(forest, "count"), counts / counts.sum())
    np.testing.assert_array_equal(column_importances(forest), forest.feature_importances_)


def test_shap_values_rejects_a_forest_with_another_rule():
    forest = RandomForestClassifier(5, combine="median", random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match="also come from another rule than the mean"):
        shap_values(forest, X)


def test_shap_values_rejects_several_targets():
    forest = ExtraTreesRegressor(3).fit(X, np.column_stack([Y, Y]))
    with pytest.raises(ValueError, match="models of one target, but this one has 2"):
        shap_values(forest, X)
