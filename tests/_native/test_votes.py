"""Votes for classes."""

import numpy as np
import pytest

from nonet._native import vote as vote_kernels

DTYPES = [np.int8, np.uint8, np.int16, np.int32, np.int64]
SHAPES = [(1, 1), (5, 3), (300, 70), (33, 300), (513, 65), (0, 4)]


def naive_votes(codes, weights, n_classes):
    support = np.zeros((codes.shape[0], n_classes))
    for member, weight in enumerate(weights):
        support += weight * (codes[:, [member]] == np.arange(n_classes))
    return support


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n_classes", [1, 2, 5, 11, 48, 49, 120])
@pytest.mark.parametrize("shape", SHAPES)
def test_votes_against_naive(arrange, rng, shape, n_classes, dtype):
    codes = rng.integers(0, n_classes, shape).astype(dtype)
    if np.issubdtype(dtype, np.signedinteger):
        codes[rng.random(shape) < 0.1] = rng.integers(-128, 0)  # silent members
    counts = vote_kernels.votes(arrange(codes), None, n_classes)
    np.testing.assert_array_equal(counts, naive_votes(codes, np.ones(shape[1]), n_classes))
    weights = rng.random(shape[1])
    support = vote_kernels.votes(arrange(codes), weights, n_classes)
    np.testing.assert_array_equal(support, naive_votes(codes, weights, n_classes))


@pytest.mark.parametrize("dtype", [np.uint16, np.uint32, np.uint64, ">i4", ">i8"])
def test_votes_takes_other_integers(dtype):
    codes = np.array([[0, 2, 2]], dtype=dtype)
    np.testing.assert_array_equal(vote_kernels.votes(codes, None, 3), [[1, 0, 2]])


def test_votes_counts_more_members_than_a_byte_holds(arrange):
    codes = arrange(np.ones((40, 1000), dtype=np.int8))
    np.testing.assert_array_equal(vote_kernels.votes(codes, None, 2), np.tile([0, 1000], (40, 1)))


def test_votes_of_more_classes_than_the_dtype_has_values(rng):
    codes = rng.integers(0, 128, (20, 6)).astype(np.int8)
    support = vote_kernels.votes(codes, None, 1000)
    np.testing.assert_array_equal(support, naive_votes(codes, np.ones(6), 1000))


@pytest.mark.parametrize("weights", [None, np.ones(70)])
@pytest.mark.parametrize("code", [3, 255, 2**40])
def test_votes_rejects_a_code_beyond_the_classes(arrange, weights, code):
    codes = np.zeros((300, 70), dtype=np.int64)
    codes[299, 69] = code
    with pytest.raises(ValueError, match=f"n_classes=3, got {code} at row 299, member 69;"):
        vote_kernels.votes(arrange(codes), weights, 3)


def test_votes_rejects_codes_that_are_not_integers():
    with pytest.raises(TypeError, match="must be integers, got dtype float64"):
        vote_kernels.votes([[0.0, 1.0]], None, 2)


def test_votes_rejects_no_classes():
    with pytest.raises(ValueError, match="n_classes must be at least 1, got 0"):
        vote_kernels.votes([[-1]], None, 0)
