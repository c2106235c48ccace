"""Side by side with scikit-learn's forests: the same trees where nothing is drawn, else as good."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sklearn.ensemble
from scipy import stats
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_wine,
    make_classification,
    make_friedman1,
    make_friedman3,
)
from sklearn.metrics import balanced_accuracy_score

import nonet

EXACT = {"bootstrap": False, "max_features": None, "n_estimators": 2, "random_state": 0}
CLASS_DATA = {
    "wine": load_wine(return_X_y=True),
    "cancer": load_breast_cancer(return_X_y=True),
    "digits": tuple(part[:800] for part in load_digits(return_X_y=True)),
    "noisy": make_classification(800, 20, n_informative=6, flip_y=0.15, random_state=0),
}
NUMBER_DATA = {
    "diabetes": load_diabetes(return_X_y=True),
    "friedman1": make_friedman1(500, noise=1.0, random_state=0),
    "friedman3": make_friedman3(500, noise=0.1, random_state=0),
}


def pair(name, **settings):
    ours, theirs = getattr(nonet, name), getattr(sklearn.ensemble, name)
    return ours(**settings), theirs(**settings)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"min_samples_leaf": 7},
        {"max_leaf_nodes": 9},
        {"min_weight_fraction_leaf": 0.05},
        {"min_impurity_decrease": 0.01},
        {"ccp_alpha": 0.01},
        {"class_weight": "balanced"},
        {"class_weight": {0: 1.0, 1: 3.0}},
        {"criterion": "entropy"},
    ],
    ids=str,
)
def test_classifier_without_draws_against_sklearn_is_equal(settings):
    X, y = make_classification(400, 5, n_informative=4, n_redundant=0, random_state=2)
    X = X.astype(np.float32).astype(float)
    # Deeper down, columns tie: which of them splits is a matter of order, and of the draws there.
    ours, theirs = pair("RandomForestClassifier", **EXACT | {"max_depth": 3} | settings)
    ours.set_params(max_bins=65_535)
    np.testing.assert_allclose(
        ours.fit(X, y).predict_proba(X), theirs.fit(X, y).predict_proba(X), atol=1e-12
    )
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)


@pytest.mark.parametrize(
    "settings",
    [{}, {"max_depth": 4}, {"min_samples_split": 20}, {"criterion": "poisson", "max_depth": 4}],
    ids=str,
)
def test_regressor_without_draws_against_sklearn_is_equal(settings):
    X, y = make_friedman1(200, random_state=1)
    X = X.astype(np.float32).astype(float)
    ours, theirs = pair("RandomForestRegressor", **EXACT | settings)
    np.testing.assert_allclose(ours.fit(X, y).predict(X), theirs.fit(X, y).predict(X), rtol=1e-9)


@pytest.mark.parametrize("name", ["RandomForestClassifier", "ExtraTreesClassifier"])
def test_errors_of_classifiers_against_sklearn_are_level(name):
    """Over data and seeds, the mean difference of test accuracies is within its noise."""
    differences = []
    for X, y in CLASS_DATA.values():
        for seed in range(4):
            test = np.random.default_rng(seed).uniform(size=len(y)) < 0.4
            ours, theirs = pair(name, n_estimators=60, random_state=seed)
            scores = [f.fit(X[~test], y[~test]).score(X[test], y[test]) for f in (ours, theirs)]
            differences.append(scores[0] - scores[1])
    assert stats.ttest_1samp(differences, 0).pvalue > 0.01 or np.mean(differences) > 0
    assert np.mean(differences) > -0.01


@pytest.mark.parametrize("name", ["RandomForestRegressor", "ExtraTreesRegressor"])
def test_errors_of_regressors_against_sklearn_are_level(name):
    differences = []
    for X, y in NUMBER_DATA.values():
        for seed in range(3):
            test = np.random.default_rng(seed).uniform(size=len(y)) < 0.4
            ours, theirs = pair(name, n_estimators=60, random_state=seed)
            scores = [f.fit(X[~test], y[~test]).score(X[test], y[test]) for f in (ours, theirs)]
            differences.append(scores[0] - scores[1])
    assert stats.ttest_1samp(differences, 0).pvalue > 0.01 or np.mean(differences) > 0
    assert np.mean(differences) > -0.015


@pytest.mark.parametrize("name", ["RandomForestClassifier", "ExtraTreesClassifier"])
def test_sizes_of_trees_against_sklearn_are_level(name):
    X, y = CLASS_DATA["noisy"]
    sizes = [
        np.mean([tree.tree_.node_count for tree in forest.fit(X, y).estimators_])
        for forest in pair(name, n_estimators=40, random_state=0)
    ]
    assert sizes[0] == pytest.approx(sizes[1], rel=0.05)


@pytest.mark.parametrize("name", ["RandomForestClassifier", "RandomForestRegressor"])
def test_pickle_against_sklearn_is_a_fifth_at_most(name):
    X, y = CLASS_DATA["noisy"]
    ours, theirs = (f.fit(X, y) for f in pair(name, n_estimators=30, random_state=0))
    assert len(pickle.dumps(ours)) < len(pickle.dumps(theirs)) / 5


def test_out_of_bag_scores_against_sklearn_are_level():
    X, y = CLASS_DATA["noisy"]
    scores = [f.fit(X, y).oob_score_ for f in pair("RandomForestClassifier", oob_score=True)]
    assert scores[0] == pytest.approx(scores[1], abs=0.03)


@pytest.mark.parametrize("class_weight", ["balanced", "balanced_subsample"])
def test_balanced_weights_against_sklearn_are_level(class_weight):
    X, y = make_classification(
        1200, 10, n_informative=4, weights=[0.9], class_sep=0.7, random_state=0
    )
    settings = {"n_estimators": 60, "max_depth": 4, "class_weight": class_weight, "random_state": 0}
    scores = [
        balanced_accuracy_score(y[600:], forest.fit(X[:600], y[:600]).predict(X[600:]))
        for forest in pair("RandomForestClassifier", **settings)
    ]
    assert scores[0] == pytest.approx(scores[1], abs=0.06)


def test_importances_against_sklearn_are_level():
    X, y = NUMBER_DATA["friedman1"]
    ours, theirs = (f.fit(X, y) for f in pair("RandomForestRegressor", random_state=0))
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=0.03)
