"""Borda counts."""

import numpy as np
import pytest

from nonet._native import vote as vote_kernels


def naive_borda(scores, weights, tie_points):
    ours, theirs = scores[..., :, np.newaxis], scores[..., np.newaxis, :]
    points = (ours > theirs).sum(axis=-1) + tie_points * ((ours == theirs).sum(axis=-1) - 1)
    return sum(weight * points[:, member] for member, weight in enumerate(weights))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("half_ties", [False, True])
@pytest.mark.parametrize("shape", [(1, 1, 1), (33, 3, 2), (50, 7, 10), (5, 4, 64), (40, 3, 65)])
def test_borda_against_naive(arrange, rng, shape, half_ties, dtype):
    scores = rng.random(shape).round(1).astype(dtype)
    weights = rng.random(shape[1])
    support = vote_kernels.borda(arrange(scores), weights, half_ties)
    expected = naive_borda(scores, weights, 0.5 if half_ties else 0.0)
    np.testing.assert_array_equal(support, expected)


def test_borda_depends_on_the_order_of_scores_only(rng):
    scores = rng.normal(size=(60, 4, 5))
    np.testing.assert_array_equal(
        vote_kernels.borda(scores), vote_kernels.borda(np.exp(3 * scores))
    )


@pytest.mark.parametrize("n_classes", [3, 70])
def test_borda_rejects_nan(arrange, n_classes):
    scores = np.zeros((40, 2, n_classes))
    scores[35, 1, 2] = np.nan
    with pytest.raises(ValueError, match="scores hold NaN at row 35, member 1;"):
        vote_kernels.borda(arrange(scores))


def test_borda_rejects_scores_without_classes():
    with pytest.raises(ValueError, match=r"scores must have 3 dimensions .* got shape \(2, 3\)"):
        vote_kernels.borda(np.zeros((2, 3)))
