"""The passes over the rows of AdaBoost, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from nonet._native import loss as native
from nonet._native.runtime import limit_threads

SIZES = [1, 15, 16, 17, 8191, 8193, 20_000]
MANY = 600_000  # enough for several threads


def rows(n, seed=0):
    rng = np.random.default_rng(seed)
    return rng.exponential(size=n), rng.uniform(size=n) < 0.4, rng.uniform(size=n) < 0.5


@pytest.mark.parametrize("n", SIZES)
def test_sum_marked_against_numpy(n):
    weights, marked, _ = rows(n)
    np.testing.assert_allclose(native.sum_marked(weights, marked), weights[marked].sum())


@pytest.mark.parametrize("n", SIZES)
def test_scale_unmarked_against_numpy(n):
    weights, marked, _ = rows(n)
    scaled = native.scale_unmarked(weights, marked, 0.3)
    np.testing.assert_array_equal(scaled, np.where(marked, weights, 0.3 * weights))


@pytest.mark.parametrize("n", SIZES)
def test_normalise_weights_against_numpy(n):
    weights, _, _ = rows(n)
    expected = np.maximum(weights / weights.sum(), 1e-5)
    native.normalise_weights(weights, 1e-5)
    np.testing.assert_allclose(weights, expected)


@pytest.mark.parametrize("n", SIZES)
def test_add_weights_against_numpy(n):
    weights, _, _ = rows(n)
    sums = np.arange(n, dtype=np.float64)
    np.testing.assert_allclose(native.add_weights(weights, sums), np.square(weights).sum())
    np.testing.assert_array_equal(sums, np.arange(n) + weights)


@pytest.mark.parametrize("n", SIZES)
def test_add_votes_against_numpy(n):
    weights, wrong, is_second = rows(n)
    scores = np.round(np.random.default_rng(1).normal(size=n))
    expected = scores + np.where(wrong, -1.0, 1.0)  # whole numbers, of which many are 0
    minimum, wrong_weight = native.add_votes(wrong, 1.0, weights, is_second, scores)
    np.testing.assert_array_equal(scores, expected)
    loses = (expected < 0) | ((expected == 0) & is_second)
    assert minimum == expected.min()
    np.testing.assert_allclose(wrong_weight, weights[loses].sum())


def test_sums_are_deterministic_for_any_thread_count():
    weights, wrong, is_second = rows(MANY)
    found = []
    for n_threads in (1, 3):
        with limit_threads(n_threads):
            own, sums, scores = weights.copy(), np.zeros(MANY), np.zeros(MANY)
            native.normalise_weights(own, 0.0)
            found.append(
                (
                    native.sum_marked(own, wrong),
                    native.add_weights(own, sums),
                    native.add_votes(wrong, 0.3, own, is_second, scores),
                    own.tobytes(),
                    native.scale_unmarked(own, wrong, 0.1).tobytes(),
                )
            )
    assert found[0] == found[1]


def test_marks_rejects_another_length():
    with pytest.raises(ValueError, match="mark for each weight"):
        native.sum_marked(np.ones(3), np.ones(2, dtype=bool))
