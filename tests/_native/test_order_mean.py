"""Means of order statistics."""

import numpy as np
import pytest

from nonet._native import vote as vote_kernels

MEMBERS = [1, 2, 3, 4, 5, 16, 17, 31, 100, 768, 2047, 2048, 2049]  # networks up to 2048


def median(outputs):
    n_members = outputs.shape[1]
    return vote_kernels.order_mean(outputs, (n_members - 1) // 2, n_members // 2 + 1)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_members", MEMBERS)
def test_median_against_numpy(arrange, rng, n_members, dtype):
    outputs = rng.normal(size=(37, n_members, 3)).astype(dtype)
    medians = median(arrange(outputs))
    assert medians.dtype == dtype
    np.testing.assert_array_equal(medians, np.median(outputs, axis=1))


@pytest.mark.parametrize("n_members", MEMBERS)
def test_extremes_against_numpy(arrange, rng, n_members):
    outputs = rng.normal(size=(70, n_members))
    minimum = vote_kernels.order_mean(arrange(outputs), 0, 1)
    np.testing.assert_array_equal(minimum, outputs.min(axis=1))
    greatest = vote_kernels.order_mean(arrange(outputs), n_members - 1, n_members)
    np.testing.assert_array_equal(greatest, outputs.max(axis=1))


@pytest.mark.parametrize("n_members", [5, 64, 100, 2500])
def test_trimmed_mean_against_naive(arrange, rng, n_members):
    outputs = rng.normal(size=(40, n_members, 2))
    threshold = n_members // 5
    expected = np.sort(outputs, axis=1)[:, threshold : n_members - threshold].mean(axis=1)
    trimmed = vote_kernels.order_mean(arrange(outputs), threshold, n_members - threshold)
    np.testing.assert_allclose(trimmed, expected, rtol=1e-13, atol=1e-15)


def test_median_of_equal_and_of_infinite_predictions():
    predictions = np.array([[2.0, 2.0, 2.0], [-np.inf, 0.0, np.inf], [np.inf, np.inf, 1.0]])
    np.testing.assert_array_equal(median(predictions), [2.0, 0.0, np.inf])


@pytest.mark.parametrize("n_members", [5, 2500])
@pytest.mark.parametrize("member", [0, 2, 4])
def test_order_mean_rejects_nan_wherever_it_is(arrange, n_members, member):
    outputs = np.ones((300, n_members))
    outputs[257, member] = np.nan
    with pytest.raises(ValueError, match=f"outputs hold NaN at row 257, member {member};"):
        median(arrange(outputs))


def test_order_mean_rejects_infinities_that_cancel():
    with pytest.raises(ValueError, match="an infinity at row 1, member 0"):
        median(np.array([[0.0, 1.0], [-np.inf, np.inf]]))


@pytest.mark.parametrize(("first", "last"), [(-1, 1), (1, 1), (2, 1), (0, 4)])
def test_order_mean_rejects_positions_out_of_range(first, last):
    with pytest.raises(ValueError, match=r"0 <= first < last <= 3 .* got first="):
        vote_kernels.order_mean(np.ones((2, 3)), first, last)
