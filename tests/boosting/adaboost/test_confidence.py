from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression, RidgeClassifier

from nonet import AdaBoostClassifier, DecisionStump
from nonet.boosting import Confidence, log_odds
from nonet.boosting.adaboost.methods.confidence_rated import _min_z

X, Y = make_classification(200, 5, n_informative=4, n_redundant=0, flip_y=0.1, random_state=5)


@given(st.integers(0, 10_000), st.integers(2, 30))
def test_exact_alpha_against_theory_leaves_no_correlation_with_the_member(seed, n):
    rng = np.random.default_rng(seed)
    u, weights = rng.uniform(-1, 1, n), rng.dirichlet(np.ones(n))
    u[:2] = 0.5, -0.5
    alpha = _min_z(u, weights, 100.0 * np.sign(weights @ u))
    after = weights * np.exp(-alpha * u)
    assert (after * u).sum() / after.sum() == pytest.approx(0, abs=1e-9)
    for other in (alpha - 0.01, alpha + 0.01):
        assert after.sum() <= (weights * np.exp(-other * u)).sum()


@pytest.mark.parametrize("alpha", ["exact", "closed"])
def test_members_of_plus_and_minus_one_against_theory_are_discrete_adaboost(alpha):
    confident = AdaBoostClassifier(DecisionStump(), method=Confidence(alpha), n_estimators=10)
    discrete = AdaBoostClassifier(DecisionStump(), method="discrete", n_estimators=10)
    logs = [model.fit(X, Y).round_log_ for model in (confident, discrete)]
    np.testing.assert_allclose(logs[0].alpha, logs[1].alpha, rtol=1e-6)
    np.testing.assert_allclose(logs[0].z, logs[1].z, rtol=1e-9)


def test_exact_alpha_against_theory_makes_z_smaller_than_the_closed_form():
    logs = [
        AdaBoostClassifier(method=Confidence(alpha), n_estimators=1).fit(X, Y).round_log_
        for alpha in ("exact", "closed")
    ]
    assert logs[0].z[0] < logs[1].z[0] < 1


def test_decision_functions_of_any_size_are_boosted_exactly_and_rejected_in_closed_form():
    base = RidgeClassifier()
    model = AdaBoostClassifier(base, method="confidence", n_estimators=5).fit(100 * X, Y)
    assert model.score(100 * X, Y) > 0.7
    steep = LogisticRegression(C=1e6)
    with pytest.raises(ValueError, match=r"needs members with outputs within \[-1, 1\]"):
        AdaBoostClassifier(steep, method=Confidence("closed")).fit(X, Y)


class Contrary(DecisionStump):
    """A stump that predicts the opposite of what it found."""

    def decision_function(self, X):
        return -super().decision_function(X)


def test_member_that_is_mostly_wrong_gets_a_negative_weight():
    plain = AdaBoostClassifier(DecisionStump(), method="confidence", n_estimators=5).fit(X, Y)
    contrary = AdaBoostClassifier(Contrary(), method="confidence", n_estimators=5).fit(X, Y)
    np.testing.assert_allclose(contrary.estimator_weights_, -plain.estimator_weights_)
    np.testing.assert_array_equal(contrary.predict(X), plain.predict(X))


def test_member_without_error_gets_a_finite_weight():
    model = AdaBoostClassifier(method="confidence").fit([[0], [1], [2]], [0, 0, 1])
    assert model.estimator_weights_[0] == pytest.approx(log_odds(1 / 8) / 2)
    assert model.round_log_.stopped == "a member makes no weighted error"
