"""Weighted quantiles and medians."""

import numpy as np
import pytest

from nonet._native import vote as vote_kernels


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_members", [1, 2, 7, 33, 100, 1025, 4096, 4097])
def test_weighted_median_against_repeated_predictions(arrange, rng, n_members, dtype):
    outputs = rng.normal(size=(20, n_members, 2)).round(1).astype(dtype)
    weights = rng.integers(0, 4, n_members)
    weights[0] = 1
    medians = vote_kernels.weighted_quantile(arrange(outputs), weights, 0.5, midpoint=True)
    assert medians.dtype == dtype
    np.testing.assert_array_equal(medians, np.median(np.repeat(outputs, weights, axis=1), axis=1))


@pytest.mark.parametrize("q", [0.0, 0.1, 0.25, 0.5, 0.9, 1.0])
def test_weighted_quantile_against_numpy(arrange, rng, q):
    outputs = rng.normal(size=(50, 20))
    weights = rng.random(20)
    expected = np.quantile(outputs, q, axis=1, weights=weights, method="inverted_cdf")
    np.testing.assert_array_equal(
        vote_kernels.weighted_quantile(arrange(outputs), weights, q), expected
    )


def test_weighted_quantile_takes_rounded_sums_for_equal():
    predictions = np.arange(10.0)[np.newaxis]
    weights = np.full(10, 0.1)  # their sum is 0.9999999999999999
    lower = vote_kernels.weighted_quantile(predictions, weights, 0.5)
    middle = vote_kernels.weighted_quantile(predictions, weights, 0.5, midpoint=True)
    np.testing.assert_array_equal([lower, middle], [[4.0], [4.5]])


def test_weighted_quantile_does_not_look_at_members_of_weight_zero():
    predictions = np.array([[1.0, np.nan, 3.0]])
    np.testing.assert_array_equal(
        vote_kernels.weighted_quantile(predictions, [1, 0, 1], 0.0), [1.0]
    )


def test_weighted_median_of_equal_infinities_is_infinite():
    predictions = np.full((1, 2), np.inf)
    medians = vote_kernels.weighted_quantile(predictions, None, 0.5, midpoint=True)
    np.testing.assert_array_equal(medians, [np.inf])


def test_weighted_quantile_rejects_nan(arrange):
    outputs = np.ones((40, 3, 2))
    outputs[39, 2, 1] = np.nan
    with pytest.raises(ValueError, match="outputs hold NaN at row 39, member 2;"):
        vote_kernels.weighted_quantile(arrange(outputs), None, 0.5)


@pytest.mark.parametrize("weights", [[0, 0], [1, -1]])
def test_weighted_quantile_rejects_weights_without_a_total(weights):
    with pytest.raises(ValueError, match="must not be negative and not all 0"):
        vote_kernels.weighted_quantile(np.ones((1, 2)), weights, 0.5)


@pytest.mark.parametrize("q", [-0.1, 1.1, np.nan])
def test_weighted_quantile_rejects_fractions_out_of_range(q):
    with pytest.raises(ValueError, match=r"q must be in \[0, 1\]"):
        vote_kernels.weighted_quantile(np.ones((1, 2)), None, q)
