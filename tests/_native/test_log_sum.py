"""Weighted sums of logarithms."""

import numpy as np
import pytest

from nonet._native import vote as vote_kernels


def logs(values):
    """Give the kernel's logarithm of each value: one member of weight 1."""
    return vote_kernels.weighted_log_sum(np.asarray(values)[:, np.newaxis])


def test_logarithm_against_numpy_to_two_units_of_the_last_place(rng):
    values = np.concatenate(
        [
            rng.random(100_000),
            1 + rng.normal(scale=1e-3, size=100_000),
            np.exp(rng.uniform(-745, 709, 100_000)),
            np.nextafter([0.0, 1.0, 1.0, np.sqrt(0.5), np.sqrt(2.0)], [1, 0, 2, 0, 2]),
            [np.finfo(float).tiny, np.finfo(float).max, np.sqrt(0.5), np.sqrt(2.0), 1.0],
        ]
    )
    expected = np.log(values)
    error = np.abs(logs(values) - expected)
    assert (error <= 2 * np.spacing(np.abs(expected))).all()


def test_logarithm_of_float32_is_taken_in_double(rng):
    values = rng.random(10_000, dtype=np.float32)
    np.testing.assert_array_equal(logs(values), logs(values.astype(np.float64)))


def test_logarithm_of_zero_one_and_infinity():
    np.testing.assert_array_equal(logs([0.0, -0.0, 1.0, np.inf]), [-np.inf, -np.inf, 0.0, np.inf])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(1, 1), (70, 3), (33, 100, 10), (2100, 2)])
def test_weighted_log_sum_against_naive(arrange, rng, shape, dtype):
    probabilities = rng.random(shape).astype(dtype)
    weights = rng.random(shape[1])
    sums = vote_kernels.weighted_log_sum(arrange(probabilities), weights)
    expected = sum(weights[m] * np.log(probabilities[:, m].astype(float)) for m in range(shape[1]))
    np.testing.assert_allclose(sums, expected, rtol=1e-13)


def test_weight_zero_silences_a_veto(arrange):
    probabilities = np.array([[0.5, 0.0], [0.25, 0.0]])
    sums = vote_kernels.weighted_log_sum(arrange(probabilities), [1, 0])
    np.testing.assert_array_equal(sums, np.log([0.5, 0.25]))
    vetoed = vote_kernels.weighted_log_sum(arrange(probabilities))
    np.testing.assert_array_equal(vetoed, [-np.inf, -np.inf])


def test_weighted_log_sum_rejects_negative_probabilities():
    with pytest.raises(ValueError, match=r"not be negative, got -0\.5 at row 1, member 0"):
        vote_kernels.weighted_log_sum([[[0.2, 0.8]], [[1.5, -0.5]]])


def test_weighted_log_sum_rejects_nan():
    with pytest.raises(ValueError, match="probabilities hold NaN at row 0, member 1;"):
        vote_kernels.weighted_log_sum([[0.2, np.nan]])
