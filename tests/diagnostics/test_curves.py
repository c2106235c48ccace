from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import calibration_curve
from sklearn.ensemble import AdaBoostClassifier, AdaBoostRegressor, GradientBoostingRegressor

import nonet
from diagnostics.matrices import MEANS, NAMES, STEPS, VOTES, XR, YR, X
from nonet.diagnostics import error_curve, record_predictions, reliability_curve

TRAIN, TEST = slice(0, 200), slice(200, 300)
RANDOM = np.random.default_rng(0)
P = RANDOM.random(500)
HAPPENED = (RANDOM.random(500) < P).astype(int)


def test_error_of_growing_mean_against_naive():
    outputs, truth = RANDOM.normal(size=(40, 6)), RANDOM.normal(size=40)
    curve = error_curve(record_predictions(outputs, truth)).errors["test"]
    naive = [np.mean((outputs[:, :t].mean(axis=1) - truth) ** 2) for t in range(1, 7)]
    np.testing.assert_allclose(curve, naive)


def test_stages_of_adaboost_against_sklearn():
    binary = NAMES == "one"
    model = AdaBoostClassifier(n_estimators=15, random_state=0).fit(X[TRAIN], binary[TRAIN])
    curve = error_curve(model, X[TEST], binary[TEST]).errors["test"]
    staged = [1 - score for score in model.staged_score(X[TEST], binary[TEST])]
    np.testing.assert_allclose(curve, staged, atol=1e-9)


@pytest.mark.parametrize("name", STEPS)
def test_stages_of_gradient_boosting_are_read(name):
    model = clone(STEPS[name]).fit(X[TRAIN], NAMES[TRAIN])
    curve = error_curve(model, X[TEST], NAMES[TEST], train=(X[TRAIN], NAMES[TRAIN]))
    assert list(curve.errors) == ["train", "test"]
    assert curve.errors["test"][-1] == pytest.approx(1 - model.score(X[TEST], NAMES[TEST]))


@pytest.mark.parametrize(
    "model",
    [
        GradientBoostingRegressor(n_estimators=5),
        AdaBoostRegressor(n_estimators=5, random_state=0),  # a weighted median, not a mean
        nonet.AdaBoostRegressor(n_estimators=5, random_state=0),
    ],
    ids=lambda model: f"{type(model).__module__.split('.')[0]} {type(model).__name__}",
)
def test_stages_of_a_boosted_regression_are_read(model):
    model.fit(XR[TRAIN], YR[TRAIN])
    curve = error_curve(model, XR[TEST], YR[TEST])
    assert curve.loss == "squared"
    last = np.mean((model.predict(XR[TEST]) - YR[TEST]) ** 2)
    assert curve.errors["test"][-1] == pytest.approx(last)


@pytest.mark.parametrize("name", ["nonet bagging", "sklearn bagging", "sklearn forest"])
def test_training_error_is_below_out_of_bag(name):
    model = clone(VOTES[name]).set_params(n_estimators=30).fit(X[TRAIN], NAMES[TRAIN])
    train = X[TRAIN], NAMES[TRAIN]
    curve = error_curve(model, X[TEST], NAMES[TEST], train=train, out_of_bag=True)
    assert list(curve.errors) == ["train", "out of bag", "test"]
    assert curve.errors["train"][-1] < curve.errors["out of bag"][-1]
    assert "with 30 members" in str(curve) or "minimum" in str(curve)


def test_last_error_of_a_mean_is_that_of_the_ensemble():
    model = clone(MEANS["nonet bagging"]).fit(XR[TRAIN], YR[TRAIN])
    curve = error_curve(model, train=(XR[TRAIN], YR[TRAIN]))
    assert list(curve.errors) == ["train"]
    last = np.mean((model.predict(XR[TRAIN]) - YR[TRAIN]) ** 2)
    assert curve.errors["train"][-1] == pytest.approx(last)


def test_error_curve_rejects_out_of_bag_without_training_rows():
    with pytest.raises(ValueError, match="'train' must be given with out_of_bag=True"):
        error_curve(nonet.BaggingClassifier().fit(X, NAMES), X, NAMES, out_of_bag=True)


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
@pytest.mark.parametrize("n_bins", [1, 4, 10])
def test_reliability_against_sklearn(strategy, n_bins):
    curve = reliability_curve(HAPPENED, P, n_bins=n_bins, strategy=strategy)
    observed, predicted = calibration_curve(HAPPENED, P, n_bins=n_bins, strategy=strategy)
    np.testing.assert_allclose(curve.observed, observed)
    np.testing.assert_allclose(curve.predicted, predicted)
    assert curve.n_rows.sum() == 500


def test_honest_probabilities_are_calibrated():
    honest = reliability_curve(HAPPENED, P)
    boastful = reliability_curve(HAPPENED, np.round(P))
    assert honest.calibration_error < 0.1 < boastful.calibration_error
    assert honest.brier == pytest.approx(np.mean((P - HAPPENED) ** 2))


def test_reliability_takes_one_of_several_classes():
    curve = reliability_curve(["a", "b", "c"], [0.9, 0.1, 0.2], pos_label="a", n_bins=2)
    assert curve.observed.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("arguments", "settings", "sentence"),
    [
        (([0, 1], [0.5]), {}, "have shapes"),
        (([0, 1], [0.5, 1.5]), {}, "'probabilities' must be from 0 to 1"),
        (([0, 1, 2], [0.5, 0.5, 0.5]), {}, "'pos_label' must be named"),
        (([0, 1], [0.5, 0.5]), {"n_bins": 0}, "'n_bins' must be"),
        (([0, 1], [0.5, 0.5]), {"strategy": "sorted"}, "'strategy' must be one of 'uniform'"),
    ],
)
def test_reliability_rejects_bad_input(arguments, settings, sentence):
    with pytest.raises(ValueError, match=sentence):
        reliability_curve(*arguments, **settings)
