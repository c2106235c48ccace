from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from combine.naive import LAYOUTS, normalised, plain_borda
from nonet.combine import Borda, borda

SHAPES = [(8, 5, 3), (1, 4, 2), (6, 1, 4), (3, 40, 7), (2, 3, 40), (4, 3, 1)]
TIES = [("half", 0.5), ("none", 0.0)]


def make_scores(shape, dtype=np.float64, seed=0):
    """Small whole numbers, so that many classes of a member have equal scores."""
    return np.random.default_rng(seed).integers(-3, 4, size=shape).astype(dtype)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize(("ties", "tie"), TIES)
def test_borda_against_naive(shape, dtype, ties, tie):
    scores = make_scores(shape, dtype)
    np.testing.assert_array_equal(borda(scores, ties=ties), plain_borda(scores, tie=tie))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize(("ties", "tie"), TIES)
def test_weighted_borda_against_naive(shape, ties, tie):
    scores = make_scores(shape)
    weights = np.random.default_rng(1).random(shape[1]).tolist()
    expected = plain_borda(scores, weights, tie)
    np.testing.assert_allclose(borda(scores, weights, ties=ties), expected, rtol=1e-12)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_borda_gives_equal_bits_in_every_memory_layout(layout):
    scores = make_scores((9, 6, 4))
    weights = np.random.default_rng(1).random(6)
    np.testing.assert_array_equal(borda(layout(scores), weights), borda(scores, weights))


def test_borda_of_no_rows_gives_no_rows():
    assert borda(np.empty((0, 3, 4))).shape == (0, 4)


def test_borda_takes_infinite_scores():
    np.testing.assert_array_equal(borda([[[-np.inf, 0.0, np.inf]]]), [[0, 1, 2]])
    np.testing.assert_array_equal(borda([[[np.inf, np.inf, 0.0]]]), [[1.5, 1.5, 0]])


def test_member_that_knows_nothing_moves_nothing_with_half_points():
    scores = make_scores((20, 3, 4))
    with_one_more = np.concatenate([scores, np.full((20, 1, 4), 7.0)], axis=1)
    np.testing.assert_array_equal(borda(with_one_more) - borda(scores), 1.5)


@pytest.mark.parametrize("weights", [None, [0.2, 0.1, 0.05], [30, 0, 2]], ids=str)
@pytest.mark.parametrize("ties", ["half", "none"])
@pytest.mark.parametrize("n_classes", [2, 5])
def test_borda_rule_gives_fractions_of_the_points(weights, ties, n_classes):
    scores = np.random.default_rng(2).normal(size=(10, 3, n_classes))
    fractions = clone(Borda(ties)).support(scores, weights)
    np.testing.assert_allclose(fractions, normalised(borda(scores, weights, ties=ties)))
    np.testing.assert_allclose(fractions.sum(axis=1), 1)


@pytest.mark.parametrize("ties", ["half", "none"])
def test_borda_rule_gives_equal_fractions_where_nobody_prefers_anything(ties):
    np.testing.assert_allclose(Borda(ties).support(np.ones((1, 3, 4))), np.full((1, 4), 0.25))


def test_borda_rule_gives_all_to_a_lone_class():
    np.testing.assert_array_equal(Borda().support(np.ones((2, 3, 1))), [[1], [1]])


def test_borda_rejects_nan_and_names_row_and_member():
    scores = make_scores((3, 4, 2))
    scores[2, 1, 1] = np.nan
    with pytest.raises(ValueError, match="NaN at row 2, member 1"):
        borda(scores)


@pytest.mark.parametrize("ties", ["both", None, 0.5])
def test_borda_rejects_unknown_ties(ties):
    with pytest.raises(ValueError, match="'ties' must be one of 'half', 'none'"):
        borda(make_scores((2, 2, 2)), ties=ties)
    with pytest.raises(TypeError, match="Borda: parameter 'ties' must be one of"):
        Borda(ties).check(2, np.array([0, 1]))


@pytest.mark.parametrize("shape", [(3,), (3, 2), (1, 1, 1, 1)], ids=str)
def test_borda_rejects_wrong_number_of_axes(shape):
    with pytest.raises(ValueError, match=r"shape \(rows, members, classes\)"):
        borda(np.ones(shape))


@pytest.mark.parametrize("shape", [(2, 0, 3), (2, 3, 0)], ids=str)
def test_borda_rejects_no_members_or_classes(shape):
    with pytest.raises(ValueError, match="at least one member and one class"):
        borda(np.ones(shape))


def test_borda_rejects_text():
    with pytest.raises(TypeError, match="real numbers"):
        borda([[["a", "b"]]])


@pytest.mark.parametrize(
    ("weights", "error", "words"),
    [
        ([1, -1], ValueError, "member 1 has -1.0"),
        ([np.nan, 1], ValueError, "member 0 has nan"),
        ([0, 0], ValueError, "must not all be 0"),
        ([1, 1, 1], ValueError, "each of the 2 members"),
        (["a", "b"], TypeError, "weights must be numbers"),
    ],
    ids=str,
)
@pytest.mark.parametrize("call", [borda, Borda().support], ids=["borda", "Borda"])
def test_borda_rejects_bad_weights(call, weights, error, words):
    with pytest.raises(error, match=words):
        call(make_scores((3, 2, 2)), weights)
