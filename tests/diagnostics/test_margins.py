from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from sklearn.base import clone
from sklearn.ensemble import AdaBoostClassifier

import nonet
from diagnostics.matrices import LABELS, MEANS, NAMES, STEPS, VOTES, XR, YR, X, weights_for
from nonet.diagnostics import margin_growth, record_predictions
from nonet.theory import margins_by_round, signed_margins

BINARY = np.where(NAMES == "one", 1, -1)


@given(LABELS)
def test_margins_of_two_classes_against_theory(labels):
    signs = 2 * (labels % 2) - 1
    weights = weights_for(signs.shape[1], 0)
    predictions = record_predictions(signs, signs[:, 0], classes=[-1, 1], weights=weights)
    expected = signed_margins(signs[:, 0], signs, weights)
    np.testing.assert_allclose(nonet.margins(predictions).values, expected, atol=1e-9)
    growth = margin_growth(predictions)
    by_round = margins_by_round(signs[:, 0], signs, weights)
    np.testing.assert_allclose(growth.minimum, by_round.min(axis=0), atol=1e-9)
    np.testing.assert_allclose(growth.quantiles[:, 2], np.median(by_round, axis=0), atol=1e-9)


def test_margins_of_adaboost_are_those_of_its_decision_function():
    model = AdaBoostClassifier(n_estimators=20, random_state=0).fit(X, BINARY)
    expected = BINARY * model.decision_function(X) / 2  # scikit-learn codes classes as -+1 each
    np.testing.assert_allclose(nonet.margins(model, X, BINARY).values, expected, atol=1e-9)


@pytest.mark.parametrize("name", VOTES)
def test_error_of_the_margins_is_that_of_the_ensemble(name):
    model = clone(VOTES[name]).fit(X, NAMES)
    result = nonet.margins(model, X, NAMES)
    assert result.support == "votes"
    assert np.abs(result.values).max() <= 1
    assert result.error == pytest.approx(1 - model.score(X, NAMES), abs=1e-12)


@pytest.mark.parametrize("name", [*STEPS, "sklearn forest"])
def test_margins_of_probabilities(name):
    model = clone((STEPS | VOTES)[name]).fit(X, NAMES)
    result = nonet.margins(model, X, NAMES, support="probabilities")
    assert result.error == pytest.approx(1 - model.score(X, NAMES), abs=1e-12)


@pytest.mark.parametrize("name", STEPS)
def test_margins_of_gradient_boosting_grow(name):
    model = clone(STEPS[name]).fit(X, NAMES)
    growth = margin_growth(model, X, NAMES)
    assert len(growth.rounds) == 6
    assert np.all(np.diff(growth.quantiles[:, 2]) > 0)


def test_margins_out_of_bag_are_lower_than_in_the_bag():
    model = clone(VOTES["sklearn bagging"]).fit(X, NAMES)
    inside = nonet.margins(model, X, NAMES)
    outside = nonet.margins(model, X, NAMES, out_of_bag=True)
    assert outside.mean < inside.mean
    assert outside.median <= inside.median
    by_probability = nonet.margins(model, X, NAMES, support="probabilities", out_of_bag=True)
    assert by_probability.support == "probabilities"


def test_growth_says_when_errors_end():
    predictions = record_predictions([[0, 1, 1], [1, 1, 1]], [1, 1])
    assert "first without error  3" in str(margin_growth(predictions))


def test_margins_reject_regression_and_bad_support():
    model = clone(MEANS["sklearn forest"]).fit(XR, YR)
    with pytest.raises(TypeError, match="margins need classes"):
        nonet.margins(model, XR, YR)
    with pytest.raises(TypeError, match="margins grow with votes"):
        margin_growth(model, XR, YR)
    with pytest.raises(ValueError, match="'support' must be None or one of 'votes'"):
        nonet.margins(model, XR, YR, support="scores")
    steps = clone(STEPS["gradient boosting"]).fit(X, NAMES)
    with pytest.raises(ValueError, match="'support' must be None or 'probabilities' here"):
        nonet.margins(steps, X, NAMES, support="votes")
