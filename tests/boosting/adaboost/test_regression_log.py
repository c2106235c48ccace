"""The round log of AdaBoost.R2: rounds, rows and the errors of the ensemble."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_friedman1

from nonet import AdaBoostRegressor
from nonet.trees import DecisionTreeRegressor

X, Y = make_friedman1(300, noise=1.0, random_state=0)
LOSSES = ["linear", "square", "exponential"]


def boost(**settings):
    return AdaBoostRegressor(n_estimators=12, resample=False, **settings)


@pytest.mark.parametrize("loss", LOSSES)
def test_rounds_against_naive(loss):
    model = boost(loss=loss, learning_rate=0.7).fit(X, Y)
    log, weights = model.round_log_, np.full(len(Y), 1 / len(Y))
    for position, member in enumerate(model.estimators_):
        errors = np.abs(member.predict(X) - Y)
        u = errors / errors.max()
        losses = {"linear": u, "square": u**2, "exponential": 1 - np.exp(-u)}[loss]
        average = weights @ losses
        alpha = 0.7 * np.log((1 - average) / average)
        after = weights * np.exp(-alpha * (1 - losses))
        told = [log.error, log.alpha, log.z, log.max_error, log.member_error]
        known = [average, alpha, after.sum(), errors.max(), errors.mean()]
        np.testing.assert_allclose([column[position] for column in told], known)
        np.testing.assert_allclose(log.effective_rows[position], 1 / (weights @ weights))
        last, weights = weights, after / after.sum()
    np.testing.assert_allclose(log.last_weights, last)
    assert len(log) == len(model)


def test_z_against_theory_is_at_most_twice_the_loss():
    log = boost().fit(X, Y).round_log_
    assert (log.z <= 2 * log.error).all()


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("weighted", [False, True])
def test_error_bound_against_theory_holds_for_every_size(loss, weighted):
    weights = np.random.default_rng(1).exponential(size=len(Y)) if weighted else np.ones(len(Y))
    deep = DecisionTreeRegressor(max_depth=6)
    model = AdaBoostRegressor(deep, n_estimators=60, resample=False, loss=loss)
    log = model.fit(X, Y, weights).round_log_
    errors = np.abs(model.predict(X) - Y)
    sizes = np.linspace(0, log.max_error.max(), 50)
    fractions = [weights[errors >= size].sum() / weights.sum() for size in sizes]
    bounds = np.array([log.error_bound(size) for size in sizes])
    assert (fractions <= bounds + 1e-12).all()
    assert bounds[0] == 1
    assert (np.diff(bounds) <= 0).all()
    assert log.error_bound(2 * log.max_error.max()) == 0


def test_error_bound_says_something_where_losses_are_small():
    deep = DecisionTreeRegressor(max_depth=6)
    model = AdaBoostRegressor(deep, n_estimators=60, resample=False, loss="square").fit(X, Y)
    assert model.round_log_.error_bound(model.round_log_.max_error.max()) < 0.01


def test_suspects_are_rows_with_wrong_numbers():
    wrong = Y.copy()
    wrong[[7, 70, 170]] += 40
    log = AdaBoostRegressor(random_state=0).fit(X, wrong).round_log_
    assert {7, 70, 170} <= set(log.suspects(6))


def test_log_says_why_it_ended():
    stairs = np.array([[1.0], [2.0], [3.0], [4.0]])
    model = AdaBoostRegressor(resample=False).fit(stairs, [1, 2, 3, 4])
    assert model.round_log_.stopped == "a member makes no error"
    assert "RegressionLog" in str(model.round_log_)


@pytest.mark.parametrize("size", [-1, np.nan, "far"])
def test_error_bound_rejects_what_is_no_size(size):
    with pytest.raises(ValueError, match="size"):
        boost().fit(X, Y).round_log_.error_bound(size)
