"""Weighted sums and means over members."""

import numpy as np
import pytest

from nonet._native import vote as vote_kernels

SHAPES = [(1, 1), (3, 2), (5, 1, 4), (65, 7), (2050, 9), (130, 100, 10), (7, 70, 33), (0, 3, 2)]


@pytest.mark.parametrize("shape", SHAPES)
def test_weighted_mean_against_numpy_bit_for_bit(arrange, rng, shape):
    outputs = rng.normal(size=shape)
    weights = rng.random(shape[1])
    stack = np.ascontiguousarray(outputs.swapaxes(0, 1))
    means = vote_kernels.weighted_mean(arrange(outputs), weights)
    np.testing.assert_array_equal(means, np.average(stack, axis=0, weights=weights))
    means = vote_kernels.weighted_mean(arrange(outputs))
    np.testing.assert_array_equal(means, stack.mean(axis=0))


@pytest.mark.parametrize("shape", SHAPES)
def test_weighted_sum_of_float32_is_rounded_once(arrange, rng, shape):
    outputs = rng.normal(size=shape).astype(np.float32)
    weights = rng.random(shape[1])
    in_double = vote_kernels.weighted_sum(outputs.astype(np.float64), weights)
    sums = vote_kernels.weighted_sum(arrange(outputs), weights)
    assert sums.dtype == np.float32
    np.testing.assert_array_equal(sums, in_double.astype(np.float32))


def test_weighted_sum_keeps_negative_zeros(arrange):
    sums = vote_kernels.weighted_sum(arrange(np.full((3, 2), -0.0)))
    assert np.signbit(sums).all()


def test_weighted_sum_accepts_negative_weights():
    np.testing.assert_array_equal(vote_kernels.weighted_sum([[1.0, 2.0]], [3, -1]), [1.0])


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.float16, bool, ">f8", ">f4"])
def test_weighted_sum_takes_other_dtypes_as_float64(dtype):
    sums = vote_kernels.weighted_sum(np.ones((2, 3), dtype=dtype))
    assert sums.dtype == np.float64
    np.testing.assert_array_equal(sums, [3.0, 3.0])


def test_weighted_sum_accepts_infinities():
    np.testing.assert_array_equal(vote_kernels.weighted_sum([[1.0, np.inf]]), [np.inf])


def test_weighted_mean_rejects_weights_that_sum_to_zero():
    with pytest.raises(ValueError, match="must not sum to 0"):
        vote_kernels.weighted_mean([[1.0, 2.0]], [1, -1])
