"""Weights of the rows in all rounds, and the raw sum."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from nonet import AdaBoostClassifier, DecisionStump
from nonet.boosting import AdaBoostStar

X, Y = load_breast_cancer(return_X_y=True)
X3, Y3 = load_iris(return_X_y=True)


@pytest.mark.parametrize("method", ["discrete", "samme", "samme_r", "gentle", "logit", "mada"])
def test_weights_of_every_round_are_those_of_a_shorter_run(method):
    settings = {"method": method, "random_state": 0}
    log = AdaBoostClassifier(n_estimators=6, **settings).fit(X, Y).round_log_
    assert log.weights.shape == (7, len(X))
    np.testing.assert_allclose(log.weights.sum(axis=1), 1)
    for n_rounds in (1, 4):
        short = AdaBoostClassifier(n_estimators=n_rounds, **settings).fit(X, Y).round_log_
        np.testing.assert_array_equal(short.weights[:-1], log.weights[:n_rounds])
        np.testing.assert_array_equal(short.weights[-1], log.weights[n_rounds])
        np.testing.assert_array_equal(short.last_weights, log.weights[n_rounds - 1])
    np.testing.assert_allclose(log.mean_weights, log.weights[:-1].mean(axis=0))


def test_unrolled_weights_against_theory():
    """D_{t+1}(i) = exp(-y_i sum alpha h) / (m prod Z)."""
    model = AdaBoostClassifier(DecisionStump(), n_estimators=10, method="discrete").fit(X, Y)
    log = model.round_log_
    signs = 2 * Y - 1
    unrolled = np.exp(-signs * log.raw_sum) / (len(X) * log.z.prod())
    np.testing.assert_allclose(log.weights[-1], unrolled, rtol=1e-9)


@pytest.mark.parametrize("method", ["samme", "m2", "mh"])
def test_sums_of_three_classes_decide(method):
    model = AdaBoostClassifier(n_estimators=8, method=method, random_state=0).fit(X3, Y3)
    assert model.round_log_.raw_sum.shape == (150, 3)
    np.testing.assert_array_equal(
        model.classes_[model.round_log_.raw_sum.argmax(axis=1)], model.predict(X3)
    )
    assert model.round_log_.weights.shape == (9, 150)


def test_weights_after_a_stop_rule_are_those_of_the_next_round():
    stopped = AdaBoostClassifier(
        DecisionStump(), n_estimators=40, method="discrete", stop_when="fitted"
    ).fit(X3[:100], Y3[:100])
    n_rounds = len(stopped.round_log_)
    assert stopped.round_log_.weights.shape == (n_rounds + 1, 100)


@pytest.mark.parametrize("method", ["star", "arc_gv", "lp", AdaBoostStar(nu=0.1)])
def test_methods_of_margins_keep_weights_too(method):
    log = AdaBoostClassifier(DecisionStump(), n_estimators=5, method=method).fit(X, Y).round_log_
    assert log.weights.shape == (len(log) + 1, len(X))
    assert np.isfinite(log.weights).all()


def test_many_weights_are_kept_on_request_only():
    settings = {"estimator": DecisionStump(), "n_estimators": 3}
    assert AdaBoostClassifier(**settings, keep_weights=False).fit(X, Y).round_log_.weights is None
    many = AdaBoostClassifier(DecisionStump(), n_estimators=2000)
    assert many._keeps_weights(499)
    assert not many._keeps_weights(501)
    assert many.set_params(keep_weights=True)._keeps_weights(501)


def test_held_out_rows_have_no_weights():
    model = AdaBoostClassifier(DecisionStump(), n_estimators=4, hold_out=0.5, random_state=0)
    log = model.fit(X, Y).round_log_
    assert log.weights.shape == (5, len(log.rows))
