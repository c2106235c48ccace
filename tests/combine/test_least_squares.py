"""Least-squares weights against other solvers, closed forms and their optimality conditions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize, nnls

from nonet.combine.held_out import check_held_out
from nonet.combine.least_squares import error_gram, simplex_weights, small_design
from nonet.combine.weights import NonNegative, Simplex


def draw(seed, n=50, k=5, offset=0.0):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n) + offset
    return y[:, np.newaxis] + rng.normal(size=(n, k)) * rng.uniform(0.3, 1.5, size=k), y


def squared_error(outputs, y, weights):
    return np.sum((outputs @ weights - y) ** 2)


@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_non_negative_against_scipy_on_all_rows(offset):
    for seed in range(10):
        outputs, y = draw(seed, offset=offset)
        np.testing.assert_allclose(NonNegative().find(outputs, y), nnls(outputs, y)[0], atol=1e-7)


def test_non_negative_is_not_scaled_to_one():
    outputs, y = draw(0)
    np.testing.assert_allclose(
        NonNegative().find(outputs, 7 * y), 7 * NonNegative().find(outputs, y), rtol=1e-9
    )


def test_simplex_against_slsqp():
    for seed in range(10):
        outputs, y = draw(seed, offset=3.0)
        other = minimize(
            lambda w, outputs=outputs, y=y: squared_error(outputs, y, w),
            np.full(5, 0.2),
            method="SLSQP",
            bounds=[(0, 1)] * 5,
            constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
            options={"ftol": 1e-14, "maxiter": 1000},
        )
        np.testing.assert_allclose(Simplex().find(outputs, y), other.x, atol=1e-5)


def test_simplex_of_two_against_closed_form():
    outputs, y = draw(4, k=2)
    errors = outputs - y[:, np.newaxis]
    gap = errors[:, 0] - errors[:, 1]
    fraction = np.clip(-(gap @ errors[:, 1]) / (gap @ gap), 0, 1)
    np.testing.assert_allclose(Simplex().find(outputs, y), [fraction, 1 - fraction], atol=1e-10)


@given(st.integers(0, 10_000), st.integers(1, 7), st.integers(1, 9))
def test_simplex_against_theory_optimality(seed, k, n):
    """At the best mean no member's error points further down: E'Ew >= |Ew|^2, = where w > 0."""
    rng = np.random.default_rng(seed)
    errors = rng.integers(-3, 4, size=(n, k)).astype(float)  # small integers: many collinear
    weights = simplex_weights(errors, np.zeros(n))
    slope = errors.T @ (errors @ weights)
    level = weights @ slope
    assert (slope >= level - 1e-7).all()
    np.testing.assert_allclose(slope[weights > 1e-9], level, atol=1e-7)


def test_simplex_finds_perfect_member():
    outputs, y = draw(1)
    outputs[:, 3] = y
    np.testing.assert_allclose(Simplex().find(outputs, y), np.arange(5) == 3, atol=1e-7)


def test_simplex_copes_with_copies_of_a_member():
    outputs, y = draw(2, k=3)
    copied = np.column_stack([outputs, outputs, outputs])
    found = Simplex().find(copied, y)
    np.testing.assert_allclose(
        found.reshape(3, 3).sum(axis=0), Simplex().find(outputs, y), atol=1e-6
    )


def test_simplex_ignores_hopeless_member():
    outputs, y = draw(3, k=3)
    with_noise = np.column_stack([outputs, 1e9 * np.ones(len(y))])
    np.testing.assert_allclose(
        Simplex().find(with_noise, y), [*Simplex().find(outputs, y), 0], atol=1e-7
    )


def test_classification_against_naive_rows_times_classes():
    rng = np.random.default_rng(0)
    outputs, y = rng.dirichlet(np.ones(3), size=(40, 4)), rng.integers(3, size=40)
    outputs[np.arange(40), :, y] += 0.3
    stacked, wanted = outputs.transpose(0, 2, 1).reshape(-1, 4), np.eye(3)[y].ravel()
    classes = ["a", "b", "c"]
    np.testing.assert_allclose(
        NonNegative().find(outputs, y, classes), nnls(stacked, wanted)[0], atol=1e-9
    )
    np.testing.assert_allclose(
        Simplex().find(outputs, y, classes), simplex_weights(stacked, wanted), atol=1e-9
    )


def test_small_design_keeps_every_squared_error():
    outputs, y = draw(5, n=300)
    times = np.random.default_rng(5).uniform(size=300)
    design, wanted = small_design(error_gram(check_held_out(outputs, y, sample_weight=times)))
    assert design.shape == (6, 5)
    for weights in np.random.default_rng(6).normal(size=(20, 5)):
        naive = np.sum(times * (outputs @ weights - y) ** 2)
        assert squared_error(design, wanted, weights) == pytest.approx(naive, rel=1e-10)


def test_error_gram_does_not_depend_on_blocks(monkeypatch):
    outputs, y = draw(6, n=101)
    whole = error_gram(check_held_out(outputs, y))
    monkeypatch.setattr("nonet.combine.held_out._BLOCK_NUMBERS", 35)
    np.testing.assert_allclose(error_gram(check_held_out(outputs, y)), whole, rtol=1e-12)
