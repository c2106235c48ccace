from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import _sigmoid_calibration
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import log_loss

from nonet.decide import (
    CALIBRATIONS,
    IsotonicCalibration,
    SigmoidCalibration,
    TemperatureCalibration,
    resolve_calibration,
)


def overconfident(n_rows=600, n_classes=3, sharpness=4.0, seed=0):
    """True classes drawn from probabilities, and these made overconfident by a power."""
    rng = np.random.default_rng(seed)
    true = rng.dirichlet(np.ones(n_classes), size=n_rows)
    target = np.array([rng.choice(n_classes, p=row) for row in true])
    sure = true**sharpness
    return sure / sure.sum(axis=1, keepdims=True), target


@pytest.mark.parametrize("name", CALIBRATIONS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_calibration_lowers_the_log_loss_of_overconfident_support(name, n_classes):
    sure, target = overconfident(2000, n_classes)
    calibrate = resolve_calibration(name).learn(sure[::2], target[::2])
    made = calibrate(sure[1::2])
    np.testing.assert_allclose(made.sum(axis=1), 1)
    assert log_loss(target[1::2], made) < 0.8 * log_loss(target[1::2], sure[1::2])


def test_temperature_against_theory_undoes_a_power():
    sure, target = overconfident(20_000)
    assert TemperatureCalibration().learn(sure, target).temperature_ == pytest.approx(4, rel=0.05)


@given(temperature=st.floats(0.1, 10), seed=st.integers(0, 50))
def test_temperature_keeps_the_order_of_the_classes(temperature, seed):
    calibrate = TemperatureCalibration()
    calibrate.temperature_ = temperature
    probabilities = np.random.default_rng(seed).dirichlet(np.ones(4), size=5)
    np.testing.assert_array_equal(
        calibrate(probabilities).argsort(axis=1), probabilities.argsort(axis=1)
    )


def test_sigmoid_against_sklearn_finds_the_same_curve():
    sure, target = overconfident(n_classes=2)
    odds = np.log(sure[:, 1] / sure[:, 0])
    slope, intercept = _sigmoid_calibration(odds, target)
    found = SigmoidCalibration().learn(sure, target)
    np.testing.assert_allclose(
        [found.slopes_[0], found.intercepts_[0]], [-slope, -intercept], rtol=1e-2, atol=1e-3
    )


def test_sigmoid_stays_finite_when_the_classes_part_cleanly():
    sure, target = [[0.9, 0.1], [0.1, 0.9]] * 10, [0, 1] * 10
    made = SigmoidCalibration().learn(sure, target)([[0.9, 0.1]])
    assert 0.8 < made[0, 0] < 1


def test_isotonic_against_sklearn_is_the_rising_step_function():
    sure, target = overconfident(n_classes=2)
    curve = IsotonicRegression(out_of_bounds="clip").fit(sure[:, 1], target)
    made = IsotonicCalibration().learn(sure, target)(sure)
    np.testing.assert_allclose(made[:, 1], curve.predict(sure[:, 1]))


@pytest.mark.parametrize("name", CALIBRATIONS)
def test_row_weights_are_repetitions(name):
    sure, target = overconfident(200)
    counts = np.random.default_rng(1).integers(0, 3, 200)
    repeated = resolve_calibration(name).learn(np.repeat(sure, counts, 0), target.repeat(counts))
    weighted = resolve_calibration(name).learn(sure, target, sample_weight=counts)
    np.testing.assert_allclose(weighted(sure), repeated(sure), atol=1e-4)


def test_class_that_nobody_supports_gets_equal_fractions():
    calibrate = IsotonicCalibration().learn([[0.6, 0.3, 0.1]] * 3, [2, 2, 2])
    np.testing.assert_allclose(calibrate([[0.6, 0.3, 0.1]]), [[0, 0, 1]])


@pytest.mark.parametrize(
    ("support", "target", "message"),
    [
        ([[0.5, 0.5]], [2], "all from 0 to 1"),
        ([[0.5, 0.5]], [0.5], "dtype float64"),
        ([[0.5, 0.5]], [0, 1], "shape"),
        ([[-0.5, 0.5]], [0], "must be at least 0"),
        ([[np.nan, 0.5]], [0], "must be finite"),
        (np.empty((0, 2)), np.empty(0, dtype=int), "at least one class code"),
    ],
)
def test_learn_rejects(support, target, message):
    with pytest.raises(ValueError, match=message):
        TemperatureCalibration().learn(support, target)
