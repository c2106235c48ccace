"""Facts of the notes on gradient boosting."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from nonet import HistGradientBoostingClassifier, HistGradientBoostingRegressor
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
