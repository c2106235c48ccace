"""Variances of means against covariance matrices and simulation; Jensen's gap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nonet.theory import (
    effective_members,
    jensen_gap,
    variance_of_mean,
    variance_of_weighted_mean,
)

CONVEX = {
    "squared": "squared",
    "absolute": "absolute",
    "pinball": lambda prediction, y: np.maximum(0.9 * (y - prediction), 0.1 * (prediction - y)),
    "logistic": lambda prediction, y: np.logaddexp(0, -prediction * y),
    "exponential": lambda prediction, y: np.exp(-0.1 * prediction * y),
}
numbers = st.floats(-10, 10)


@given(n=st.integers(1, 20), rho=st.floats(0, 1), variance=st.floats(0, 100))
def test_variance_of_mean_against_covariance_matrix(n, rho, variance):
    covariance = variance * (np.full((n, n), rho) + (1 - rho) * np.eye(n))
    naive = covariance.mean()
    assert variance_of_mean(variance, n, correlation=rho) == pytest.approx(naive, abs=1e-9)
    assert variance_of_weighted_mean(covariance) == pytest.approx(naive, abs=1e-9)


def test_variance_of_mean_against_simulation():
    rng = np.random.default_rng(0)
    common, own = rng.normal(size=(20_000, 1)), rng.normal(size=(20_000, 8))
    members = np.sqrt(0.3) * common + np.sqrt(0.7) * own
    # The standard error of a variance of 20,000 normal draws is 1 %.
    assert members.mean(axis=1).var() == pytest.approx(
        variance_of_mean(1.0, 8, correlation=0.3), rel=0.05
    )


def test_opposite_members_cancel():
    assert variance_of_mean(4.0, 2, correlation=-1.0) == 0
    assert variance_of_mean(1.0, 3, correlation=-0.5) == 0


@given(n=st.integers(2, 1000), rho=st.floats(0, 1))
def test_correlation_is_a_floor_of_the_variance(n, rho):
    fewer, more = variance_of_mean(1.0, [n - 1, n], correlation=rho)
    assert rho - 1e-12 <= more <= fewer + 1e-12


@given(n=st.integers(1, 1000), rho=st.floats(0.001, 1))
def test_effective_members_have_the_same_variance(n, rho):
    effective = effective_members(n, rho)
    assert effective <= min(n, 1 / rho) + 1e-9
    assert 1 / effective == pytest.approx(variance_of_mean(1.0, n, correlation=rho))


def test_weights_are_scaled_to_one():
    covariance = [[2.0, 0.0], [0.0, 1.0]]
    assert variance_of_weighted_mean(covariance, [1, 3]) == pytest.approx(2 / 16 + 9 / 16)
    assert variance_of_weighted_mean([[3.0]]) == 3.0


@pytest.mark.parametrize("loss", CONVEX)
@given(
    predictions=arrays(float, (4, 3), elements=numbers),
    y=arrays(float, 4, elements=numbers),
    weights=arrays(float, 3, elements=st.floats(0.1, 5)),
)
def test_averaging_never_loses_under_convex_loss(loss, predictions, y, weights):
    gap = jensen_gap(predictions, y, CONVEX[loss], weights=weights)
    assert gap.shape == (4,)
    assert np.all(gap >= -1e-9)


@given(predictions=arrays(float, 5, elements=numbers), y=numbers)
def test_gap_of_squared_loss_is_the_variance_of_the_members(predictions, y):
    assert jensen_gap(predictions, y) == pytest.approx(predictions.var(), abs=1e-8)


def test_gap_against_drawing_members():
    predictions, y, fractions = np.array([1.0, 2.0, 4.0]), 3.0, [0.2, 0.3, 0.5]
    drawn = np.random.default_rng(0).choice(predictions, size=50_000, p=fractions)
    simulated = np.abs(drawn - y).mean() - abs(predictions @ fractions - y)
    assert simulated == pytest.approx(
        jensen_gap(predictions, y, "absolute", weights=fractions), abs=0.02
    )


def test_averaging_can_lose_under_zero_one_loss():
    def zero_one(prediction, y):
        return ((prediction > 0) != (y > 0)).astype(float)

    # Two members barely right and one far off: the mean is wrong.
    assert jensen_gap([1, 1, -9], 1, zero_one) == pytest.approx(1 / 3 - 1)
    assert jensen_gap([1, 1, -1], 1, zero_one) == pytest.approx(1 / 3)
