"""Explanations of boosters: contributions sum to scores, gains to one, and peers agree."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_wine, make_regression
from sklearn.dummy import DummyRegressor
from sklearn.inspection import permutation_importance

from nonet import (
    BoostedTreesClassifier,
    BoostedTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    column_importances,
    shap_interactions,
    shap_values,
)

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(400, 5))
SCORE = X[:, 0] * X[:, 1] + X[:, 2]


def test_shap_values_sum_to_the_prediction_of_a_regressor():
    model = HistGradientBoostingRegressor(max_iter=20).fit(X, SCORE)
    result = shap_values(model, X)
    np.testing.assert_allclose(result.base + result.values.sum(axis=1), model.predict(X))
    assert result.base == pytest.approx(model.predict(X).mean())  # every row counts the same


def test_shap_values_explain_the_log_of_a_mean_with_a_logarithmic_link():
    model = HistGradientBoostingRegressor(loss="poisson", max_iter=10).fit(X, np.exp(SCORE / 4))
    result = shap_values(model, X)
    np.testing.assert_allclose(
        result.base + result.values.sum(axis=1), np.log(model.predict(X)), atol=1e-10
    )


def test_shap_values_explain_log_odds_of_two_classes():
    model = HistGradientBoostingClassifier(max_iter=20).fit(X, SCORE > 0)
    result = shap_values(model, X)
    assert result.values.shape == X.shape
    np.testing.assert_allclose(result.base + result.values.sum(axis=1), model.decision_function(X))


def test_explanations_have_an_axis_for_several_classes():
    table, y = load_wine(return_X_y=True, as_frame=True)
    model = HistGradientBoostingClassifier(max_iter=10).fit(table, y)
    contributions, pairs = shap_values(model, table), shap_interactions(model, table)
    assert contributions.values.shape == (*table.shape, 3)
    assert contributions.names == tuple(table.columns)
    assert contributions.importances.shape == (table.shape[1],)
    totals = contributions.base + contributions.values.sum(axis=1)
    np.testing.assert_allclose(totals, model.decision_function(table))
    np.testing.assert_allclose(pairs.values.sum(axis=2), contributions.values, atol=1e-10)


def test_interactions_find_the_pair_that_acts_together():
    model = HistGradientBoostingRegressor(max_iter=50).fit(X, SCORE)
    strength = np.abs(shap_interactions(model, X).values).mean(axis=0)
    pairs = strength[np.triu_indices(5, 1)]
    assert np.argmax(pairs) == 0  # columns 0 and 1
    assert pairs[0] > 3 * np.sort(pairs)[-2]


def test_shap_values_against_lightgbm():
    lightgbm = pytest.importorskip("lightgbm", reason="the peer whose contributions are compared")
    few = RANDOM.integers(0, 4, size=(300, 3)).astype(float)
    y = few[:, 0] + few[:, 1] * few[:, 2]
    options = {"n_estimators": 5, "num_leaves": 6, "min_child_samples": 20, "verbose": -1}
    peer = lightgbm.LGBMRegressor(**options).fit(few, y)
    model = HistGradientBoostingRegressor(max_iter=5, max_leaf_nodes=6).fit(few, y)
    theirs = peer.predict(few, pred_contrib=True)
    ours = shap_values(model, few)
    np.testing.assert_allclose(ours.values, theirs[:, :-1], atol=1e-5)
    np.testing.assert_allclose(ours.base, theirs[0, -1], atol=1e-5)


def test_importances_are_fractions_of_all_gains():
    model = HistGradientBoostingRegressor(max_iter=10).fit(X, SCORE)
    trees = [tree for trees in model._booster.rounds for tree in trees]
    gains = sum(tree.gain_importances() for tree in trees)
    np.testing.assert_allclose(model.feature_importances_, gains / gains.sum())
    np.testing.assert_array_equal(column_importances(model), model.feature_importances_)
    counts = column_importances(model, "count")
    assert counts.sum() == pytest.approx(1)
    assert set(np.argsort(counts)[-3:]) == {0, 1, 2}


def test_importances_of_a_constant_target_are_zero():
    model = HistGradientBoostingRegressor(max_iter=3).fit(X, np.ones(400))
    np.testing.assert_array_equal(column_importances(model), 0)
    np.testing.assert_array_equal(column_importances(model, "count"), 0)


def test_sklearn_permutation_importance_takes_our_boosters():
    table, y = make_regression(300, 4, n_informative=1, random_state=0)
    model = HistGradientBoostingRegressor(max_iter=20).fit(table, y)
    found = permutation_importance(model, table, y, n_repeats=2, random_state=0)
    assert np.argmax(found.importances_mean) == np.argmax(column_importances(model))


def test_shap_values_rejects_a_model_that_is_not_fitted():
    with pytest.raises(ValueError, match="not fitted"):
        shap_values(HistGradientBoostingRegressor(), X)


def test_classic_boosters_are_explained_too():
    model = GradientBoostingClassifier(n_estimators=8, max_depth=3).fit(
        X, np.digitize(SCORE, [-1, 1])
    )
    contributions = shap_values(model, X)
    np.testing.assert_allclose(
        contributions.base + contributions.values.sum(axis=1), model.decision_function(X)
    )
    np.testing.assert_array_equal(column_importances(model), model.feature_importances_)


def test_shap_values_rejects_a_classic_booster_that_starts_from_a_model():
    model = GradientBoostingRegressor(n_estimators=3, init=DummyRegressor()).fit(X, SCORE)
    with pytest.raises(ValueError, match="also come from the model init"):
        shap_values(model, X)


def test_boosted_trees_are_explained_up_to_their_best_round():
    model = BoostedTreesRegressor(
        learning_rate=0.5, n_estimators=60, early_stopping_rounds=5, random_state=0
    ).fit(X, SCORE)
    assert model.best_iteration_ < model.n_iter_
    contributions = shap_values(model, X)
    np.testing.assert_allclose(
        contributions.base + contributions.values.sum(axis=1), model.predict(X)
    )


def test_leaves_with_a_value_for_each_class_are_explained():
    y = np.digitize(SCORE, [-1, 1])
    model = BoostedTreesClassifier(n_estimators=5, multi_strategy="multi_output_tree").fit(X, y)
    contributions, pairs = shap_values(model, X), shap_interactions(model, X)
    np.testing.assert_allclose(
        contributions.base + contributions.values.sum(axis=1), model.decision_function(X)
    )
    np.testing.assert_allclose(pairs.values.sum(axis=2), contributions.values, atol=1e-12)
