"""Margin maximisers: AdaBoost_rho, Marginal AdaBoost and LPBoost."""

from __future__ import annotations

import numpy as np
import pytest

from nonet import AdaBoostClassifier, DecisionStump
from nonet.boosting import AdaBoostRho, AdaBoostStar, LpBoost, search_margin
from nonet.theory import maximize_margin

RNG = np.random.default_rng(7)
X = RNG.integers(0, 6, size=(40, 5))
Y = np.where(X[:, 0] + X[:, 1] - X[:, 2] > 2, 1, -1)
THRESHOLDS = [
    (j, threshold, sign) for j in range(5) for threshold in np.arange(-0.5, 6) for sign in (1, -1)
]
VOTES = np.column_stack([s * np.where(X[:, j] >= c, 1, -1) * Y for j, c, s in THRESHOLDS])
MAXIMUM = maximize_margin(VOTES)[0]


def boost(method, n_estimators=1500, **fit):
    model = AdaBoostClassifier(DecisionStump(), method=method, n_estimators=n_estimators)
    return model.fit(X, Y, **fit)


def test_rho_of_zero_against_theory_is_adaboost():
    np.testing.assert_allclose(
        boost(AdaBoostRho(0.0), 20).estimator_weights_, boost("discrete", 20).estimator_weights_
    )


def test_rho_against_theory_reaches_a_margin_that_can_be_reached():
    assert boost(AdaBoostRho(0.8 * MAXIMUM)).round_log_.smallest_margin[-1] > 0.75 * MAXIMUM


def test_rho_that_cannot_be_reached_ends_boosting():
    model = boost(AdaBoostRho(min(1.5 * MAXIMUM, 0.95)))
    assert model.round_log_.stopped.startswith("no member has an edge above")


def test_star_against_theory_comes_within_nu():
    margin = boost(AdaBoostStar(0.05), 3000).round_log_.smallest_margin[-1]
    assert MAXIMUM - 0.05 <= margin <= MAXIMUM


def test_search_against_theory_brackets_the_largest_margin():
    found = search_margin(AdaBoostClassifier(DecisionStump(), n_estimators=1000), X, Y)
    assert found.margin <= MAXIMUM + 1e-9 <= found.upper + 1e-6
    assert found.margin > 0.9 * MAXIMUM
    assert found.margin >= boost("discrete", 1000).round_log_.smallest_margin[-1]
    assert found.model.round_log_.smallest_margin[-1] == found.margin
    assert len(found.target_margins) == 6
    assert "margin" in str(found)


def test_search_rejects_no_runs():
    with pytest.raises(ValueError, match="search_margin: parameter 'n_runs' must be"):
        search_margin(AdaBoostClassifier(), X, Y, n_runs=0)


def test_lp_against_theory_reaches_the_largest_margin():
    model = boost("lp")
    assert model.round_log_.smallest_margin[-1] == pytest.approx(MAXIMUM, abs=1e-5)
    assert model.round_log_.stopped == "no member makes the margin larger"
    assert model.estimator_weights_.sum() == pytest.approx(1)
    np.testing.assert_allclose(
        model.round_log_.margins, Y * model.decision_function(X) / 2, atol=1e-9
    )


def test_soft_lp_caps_the_weight_of_every_row():
    labels = Y.copy()
    labels[:4] *= -1
    model = AdaBoostClassifier(DecisionStump(), method=LpBoost(nu=0.3), n_estimators=100)
    log = model.fit(X, labels).round_log_
    assert log.last_weights.max() <= 1 / (0.3 * 40) + 1e-9
    assert model.score(X, Y) >= 0.85


def test_lp_rejects_rows_held_out():
    with pytest.raises(ValueError, match="parameter 'hold_out' must be None for LpBoost"):
        AdaBoostClassifier(method="lp", hold_out=0.2).fit(X, Y)
