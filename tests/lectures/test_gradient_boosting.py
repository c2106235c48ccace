"""Facts of the notes on gradient boosting."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin

from nonet import (
    DecisionTreeRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from nonet.losses import LogisticLoss


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_logistic_loss_sign_against_lecture():
    # The minus covers both terms: log(1 + e^F) - y F.
    value = LogisticLoss().value(np.array([1.0]), np.array([0.3]))
    assert value[0] == pytest.approx(0.5543552445, abs=1e-10)
    p = 1 / (1 + np.exp(-0.3))
    assert value[0] == pytest.approx(-np.log(p))


def test_logistic_gradient_against_lecture():
    gradient, _ = LogisticLoss().gradient_hessian(np.array([0.0]), np.array([0.3]))
    assert gradient[0] == pytest.approx(0.5744425168, abs=1e-8)  # p - y


def test_leaf_newton_step_against_lecture():
    # sum(y - p) / sum(p (1 - p)) is one Newton step, near the best value of the leaf but not it.
    y = np.array([1.0, 1.0, 0.0, 1.0])
    scores = np.array([0.2, -0.4, 0.1, 0.6])
    loss = LogisticLoss()
    gradient, hessian = loss.gradient_hessian(y, scores)
    assert -gradient.sum() / hessian.sum() == pytest.approx(0.909187, abs=2e-5)
    best = minimize_scalar(lambda step: loss.mean_loss(y, scores + step)).x
    assert best == pytest.approx(1.00483, abs=2e-5)


def test_leaf_of_a_fitted_tree_is_that_step():
    # One leaf: boosting starts at the log-odds, where the step is 0, so scores come from weights.
    X = np.array([[0.0]] * 4 + [[1.0]] * 4)
    y = np.array([1, 1, 0, 1, 0, 0, 1, 0])
    model = HistGradientBoostingClassifier(
        max_iter=1, learning_rate=1.0, min_samples_leaf=1, max_leaf_nodes=2
    ).fit(X, y)
    # F_0 = log(4/4) = 0, p = 1/2: left step (0.5 * 3 - 0.5) / (4 / 4), right the opposite.
    np.testing.assert_allclose(model.decision_function([[0.0], [1.0]]), [1.0, -1.0])


def test_leaf_counts_against_lecture(rng):
    # Depth 3 to 6 means at most 8 to 64 leaves.
    X = rng.uniform(size=(4000, 1))
    for depth, most in [(3, 8), (6, 64)]:
        model = HistGradientBoostingRegressor(
            max_iter=1, max_depth=depth, max_leaf_nodes=None, min_samples_leaf=1
        ).fit(X, X[:, 0])
        assert model._booster.rounds[0][0].n_leaves == most


class GivenScores(ClassifierMixin, BaseEstimator):
    """A model whose log-odds are the second column."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.column_stack([expit(-X[:, 1]), expit(X[:, 1])])


def test_newton_step_of_a_classic_leaf_against_lecture():
    # No leaf may have fewer than all four rows: the tree is one leaf.
    scores = np.array([0.2, -0.4, 0.1, 0.6])
    X = np.column_stack([np.zeros(4), scores])
    model = GradientBoostingClassifier(
        n_estimators=1, learning_rate=1.0, init=GivenScores(), min_samples_leaf=4
    ).fit(X, [1, 1, 0, 1])
    np.testing.assert_allclose(model.estimators_[0, 0].tree_.value.ravel(), [0.9091872704])
    np.testing.assert_allclose(model.decision_function(X), scores + 0.9091872704)


def test_start_is_the_log_odds_against_lecture():
    # Three of four rows: log 3. A rate of 0 leaves the start as it is.
    X, y = np.arange(4.0)[:, np.newaxis], [1, 1, 1, 0]
    model = GradientBoostingClassifier(n_estimators=1, learning_rate=0.0).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), 1.098612289)


def test_residuals_of_the_logistic_loss_against_lecture():
    # The first tree is grown on y - p, p being the fraction of ones.
    X, y = np.arange(4.0)[:, np.newaxis], np.array([1, 1, 1, 0])
    model = GradientBoostingClassifier(n_estimators=1, max_depth=1).fit(X, y)
    root = model.estimators_[0, 0].tree_
    assert root.impurity[0] == pytest.approx(np.var(y - 0.75))
    assert root.value[0, 0, 0] == pytest.approx(0.0)


def test_leaf_counts_of_classic_trees_against_lecture(rng):
    X = rng.uniform(size=(4000, 1))
    for depth, most in [(3, 8), (6, 64)]:
        model = GradientBoostingRegressor(n_estimators=1, max_depth=depth).fit(X, X[:, 0])
        assert model.estimators_[0, 0].get_n_leaves() == most


def test_squared_loss_fits_residuals_against_lecture(rng):
    # With squared loss a round is a tree on "the difference between label and predicted value".
    X = rng.integers(0, 50, (200, 2)).astype(float)
    y = X[:, 0] + rng.normal(size=200)
    model = GradientBoostingRegressor(n_estimators=2, max_depth=2).fit(X, y)
    first = next(model.staged_predict(X))
    by_hand = DecisionTreeRegressor(max_depth=2).fit(X, y - first)
    second = model.estimators_[1, 0]
    np.testing.assert_allclose(second.predict(X), by_hand.predict(X))
    np.testing.assert_allclose(model.predict(X), first + 0.1 * by_hand.predict(X))
