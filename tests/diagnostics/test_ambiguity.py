from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from sklearn.base import clone

import nonet
from diagnostics.matrices import LABELS, MEANS, NAMES, VALUES, VOTES, XR, YR, X, weights_for
from nonet.diagnostics import record_predictions
from nonet.theory import jensen_gap

TRAIN, TEST = slice(0, 200), slice(200, 300)


@given(VALUES)
def test_error_is_member_error_less_ambiguity(values):
    outputs, truth = values, values[:, 0] * 0.5
    weights = weights_for(outputs.shape[1], 2)
    result = nonet.ambiguity(record_predictions(outputs, truth, weights=weights))
    assert result.error == pytest.approx(result.member_error - result.ambiguity, abs=1e-7)
    assert result.off_mean == pytest.approx(0, abs=1e-7)
    assert result.ambiguity >= 0
    gap = jensen_gap(outputs, truth, "squared", weights=weights).mean()
    assert result.gain_over_random == pytest.approx(gap, abs=1e-7)


@given(VALUES)
def test_covariance_form_is_the_error_of_the_mean(values):
    truth = values[:, 0] - 1
    weights = weights_for(values.shape[1], 3)
    result = nonet.ambiguity(record_predictions(values, truth, weights=weights))
    whole = result.bias + result.variance + result.covariance
    assert whole == pytest.approx(result.error, abs=1e-6)


def test_covariance_form_with_equal_weights_against_theory():
    values = np.random.default_rng(0).normal(size=(50, 4))
    result = nonet.ambiguity(record_predictions(values, np.zeros(50)))
    covariances = np.cov(values.T, ddof=0)
    mean_variance = np.trace(covariances) / 4
    mean_covariance = (covariances.sum() - np.trace(covariances)) / 12
    assert result.variance == pytest.approx(mean_variance / 4)
    assert result.covariance == pytest.approx((1 - 1 / 4) * mean_covariance)


@given(LABELS)
def test_error_of_a_vote_is_member_error_less_good_plus_bad(labels):
    weights = weights_for(labels.shape[1], 4)
    truth = np.random.default_rng(0).integers(0, 3, len(labels))
    predictions = record_predictions(labels, truth, classes=[0, 1, 2], weights=weights)
    result = nonet.ambiguity(predictions)
    assert result.error == pytest.approx(result.member_error - result.good + result.bad)
    assert result.error == pytest.approx(np.mean(predictions.prediction != truth))


@given(LABELS)
def test_two_classes_have_good_plus_bad_ambiguity(labels):
    binary = labels % 2
    result = nonet.ambiguity(record_predictions(binary, binary[:, 0], classes=[0, 1]))
    assert result.ambiguity == pytest.approx(result.good + result.bad)


@pytest.mark.parametrize("name", VOTES)
def test_identity_holds_for_every_vote(name):
    model = clone(VOTES[name]).fit(X[TRAIN], NAMES[TRAIN])
    result = nonet.ambiguity(model, X[TEST], NAMES[TEST])
    assert result.error == pytest.approx(1 - model.score(X[TEST], NAMES[TEST]))
    assert result.error == pytest.approx(result.member_error - result.good + result.bad)


@pytest.mark.parametrize("name", MEANS)
def test_identity_holds_for_every_mean(name):
    model = clone(MEANS[name]).fit(XR[TRAIN], YR[TRAIN])
    result = nonet.ambiguity(model, XR[TEST], YR[TEST])
    assert result.error == pytest.approx(np.mean((model.predict(XR[TEST]) - YR[TEST]) ** 2))
    assert result.error == pytest.approx(result.member_error - result.ambiguity)
    assert result.gain_over_best == pytest.approx(result.member_errors.min() - result.error)


def test_brier_loss_of_probabilities_is_taken_apart():
    model = clone(VOTES["sklearn forest"]).fit(X[TRAIN], NAMES[TRAIN])
    result = nonet.ambiguity(model, X[TEST], NAMES[TEST], loss="brier")
    truth = NAMES[TEST][:, np.newaxis] == model.classes_
    expected = ((model.predict_proba(X[TEST]) - truth) ** 2).sum(axis=1).mean()
    assert result.error == pytest.approx(expected)
    assert result.error == pytest.approx(result.member_error - result.ambiguity)


@pytest.mark.parametrize("loss", [None, "brier"])
def test_identity_holds_out_of_bag(loss):
    model = clone(VOTES["nonet bagging"]).fit(X, NAMES)
    result = nonet.ambiguity(model, X, NAMES, loss=loss, out_of_bag=True)
    gained = result.ambiguity if loss else result.good - result.bad
    assert result.error == pytest.approx(result.member_error - gained)


def test_out_of_bag_mean_leaves_the_covariances_out():
    model = clone(MEANS["sklearn bagging"]).fit(XR, YR)
    result = nonet.ambiguity(model, XR, YR, out_of_bag=True)
    assert result.bias is None
    assert result.error == pytest.approx(result.member_error - result.ambiguity)


def test_identical_members_have_no_ambiguity():
    result = nonet.ambiguity(record_predictions([[1.0, 1.0], [2.0, 2.0]], [0.0, 0.0]))
    assert result.ambiguity == result.gain_over_random == 0


def test_one_member_is_its_own_ensemble():
    result = nonet.ambiguity(record_predictions([[1], [0]], [1, 1]))
    assert (result.error, result.good, result.bad) == (0.5, 0, 0)


def test_ambiguity_rejects_a_loss_that_does_not_suit():
    values = record_predictions([[1.0, 2.0]], [1.0])
    with pytest.raises(
        ValueError, match="'loss' must be None or 'squared', as the members predict"
    ):
        nonet.ambiguity(values, loss="zero_one")
    with pytest.raises(ValueError, match="'loss' must be None or one of 'squared'"):
        nonet.ambiguity(values, loss="hinge")
