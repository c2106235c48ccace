"""AdaBoost against scikit-learn's, on data with no more distinct values than bins."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn import ensemble
from sklearn.datasets import load_breast_cancer, load_wine, make_classification, make_regression
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from nonet import AdaBoostClassifier, AdaBoostRegressor, trees
from nonet.boosting.adaboost.learners import learners


def classes(n_classes, n_samples=230):
    X, y = make_classification(
        n_samples, 8, n_informative=5, n_classes=n_classes, flip_y=0.1, random_state=3
    )
    return X.astype(np.float32), y


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("max_depth", [1, 3])
def test_samme_against_sklearn_is_equal(n_classes, max_depth):
    X, y = classes(n_classes)
    ours = AdaBoostClassifier(trees.DecisionTreeClassifier(max_depth=max_depth), n_estimators=25)
    theirs = ensemble.AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=max_depth), n_estimators=25, random_state=0
    )
    # Unequal weights: deeper trees on equal ones meet ties, which scikit-learn breaks at random.
    weights = np.random.default_rng(1).uniform(0.5, 1, len(y))
    ours.fit(X, y, weights)
    theirs.fit(X, y, weights)
    np.testing.assert_allclose(ours.estimator_weights_, theirs.estimator_weights_, rtol=1e-9)
    np.testing.assert_allclose(ours.estimator_errors_, theirs.estimator_errors_, rtol=1e-9)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-9)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    if max_depth == 1:  # deeper down, several columns part the few rows alike
        np.testing.assert_allclose(
            ours.feature_importances_, theirs.feature_importances_, atol=1e-9
        )


@pytest.mark.parametrize("n_classes", [2, 3])
def test_stages_against_sklearn_are_equal(n_classes):
    X, y = classes(n_classes)
    ours = AdaBoostClassifier(n_estimators=10).fit(X, y)
    theirs = ensemble.AdaBoostClassifier(n_estimators=10, random_state=0).fit(X, y)
    for stage in ("staged_decision_function", "staged_predict_proba", "staged_predict"):
        np.testing.assert_allclose(
            list(getattr(ours, stage)(X)), list(getattr(theirs, stage)(X)), atol=1e-9
        )
    assert list(ours.staged_score(X, y)) == pytest.approx(list(theirs.staged_score(X, y)))


@pytest.mark.parametrize("learning_rate", [0.3, 1.7])
def test_weights_and_learning_rate_against_sklearn_are_equal(learning_rate):
    X, y = load_breast_cancer(return_X_y=True)
    X, y = X[:250].astype(np.float32), y[:250]
    weights = np.maximum(np.random.default_rng(0).uniform(-0.2, 1, len(y)), 0)
    settings = {"n_estimators": 15, "learning_rate": learning_rate}
    ours = AdaBoostClassifier(**settings).fit(X, y, sample_weight=weights)
    with np.errstate(divide="ignore"):  # scikit-learn takes the logarithm of weights of 0
        theirs = ensemble.AdaBoostClassifier(**settings, random_state=0).fit(X, y, weights)
    np.testing.assert_allclose(ours.estimator_weights_, theirs.estimator_weights_, rtol=1e-6)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_any_learner_against_sklearn_gives_equal_predictions():
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    base = LogisticRegression(C=100)
    ours = AdaBoostClassifier(base, n_estimators=5).fit(X, y)
    theirs = ensemble.AdaBoostClassifier(base, n_estimators=5, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.estimator_weights_, theirs.estimator_weights_, rtol=1e-6)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_member_without_error_against_sklearn_weighs_one_and_ends_boosting():
    X, y = [[0.0], [1.0], [2.0]], [0, 0, 1]
    ours = AdaBoostClassifier().fit(X, y)
    theirs = ensemble.AdaBoostClassifier().fit(X, y)
    np.testing.assert_array_equal(ours.estimator_weights_, theirs.estimator_weights_)
    np.testing.assert_array_equal(ours.estimator_errors_, theirs.estimator_errors_)
    assert len(ours.estimators_) == len(theirs.estimators_) == 1


def test_sparse_table_against_sklearn_is_boosted():
    X, y = classes(2)
    X = X * (np.abs(X) > 1)
    ours = AdaBoostClassifier(n_estimators=10).fit(csr_matrix(X), y)
    theirs = ensemble.AdaBoostClassifier(n_estimators=10, random_state=0).fit(csr_matrix(X), y)
    assert (ours.predict(csr_matrix(X)) == theirs.predict(csr_matrix(X))).mean() > 0.97


def draw_as_sklearn(monkeypatch, seed):
    """Let our rounds draw the rows that scikit-learn draws from this seed."""
    random_state = np.random.RandomState(seed)

    def sample_by_weight(_seed, _position, weights):
        random_state.randint(np.iinfo(np.int32).max)  # the member's own seed comes first
        rows = random_state.choice(np.arange(len(weights)), size=len(weights), p=weights)
        return np.bincount(rows, minlength=len(weights))

    monkeypatch.setattr(learners, "sample_by_weight", sample_by_weight)


@pytest.mark.parametrize("loss", ["linear", "square", "exponential"])
@pytest.mark.parametrize("base", [DecisionTreeRegressor, trees.DecisionTreeRegressor])
def test_r2_against_sklearn_is_equal_given_the_same_draws(monkeypatch, loss, base):
    # One column: several would part the rows of a small bag alike, and those out of it not.
    X, y = make_regression(200, 1, noise=5, random_state=0)
    X = X.astype(np.float32)
    draw_as_sklearn(monkeypatch, 7)
    ours = AdaBoostRegressor(base(max_depth=3), n_estimators=15, loss=loss).fit(X, y)
    theirs = ensemble.AdaBoostRegressor(
        DecisionTreeRegressor(max_depth=3), n_estimators=15, loss=loss, random_state=7
    ).fit(X, y)
    np.testing.assert_allclose(ours.estimator_weights_, theirs.estimator_weights_, rtol=1e-6)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-6)
    np.testing.assert_allclose(
        list(ours.staged_predict(X)), list(theirs.staged_predict(X)), rtol=1e-6
    )


def test_r2_against_sklearn_is_as_good_under_its_own_draws():
    X, y = make_regression(300, 4, noise=30, random_state=1)
    half = slice(0, 150), slice(150, None)
    scores = [
        [
            kind(n_estimators=20, random_state=seed)
            .fit(X[half[0]], y[half[0]])
            .score(X[half[1]], y[half[1]])
            for seed in range(10)
        ]
        for kind in (AdaBoostRegressor, ensemble.AdaBoostRegressor)
    ]
    spread = np.hypot(*(np.std(of_kind) / np.sqrt(10) for of_kind in scores))
    assert abs(np.mean(scores[0]) - np.mean(scores[1])) < 4 * spread
