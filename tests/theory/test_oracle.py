"""Moments and limits of the matrix of rows and hypotheses, against all draws there are."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nonet.theory import (
    bagging_moments,
    expected_accuracy,
    limit_accuracy,
    majority_limits,
    monte_carlo_moments,
    score_majority,
    unequal_majority_error,
)

oracles = arrays(
    np.int64, st.tuples(st.integers(1, 4), st.integers(1, 3)), elements=st.integers(0, 1)
)
TIES = ["coin", "wrong", "right"]


def enumerate_bagging(matrix, n_members, tie):
    """Draw the columns in every possible way; on each row the drawn entries vote."""
    matrix = np.asarray(matrix, dtype=float)
    n_rows, n_hypotheses = matrix.shape
    draws = product(range(n_hypotheses), repeat=n_members)
    flipped = {"coin": "coin", "wrong": "right", "right": "wrong"}[tie]
    right = np.array([unequal_majority_error(matrix[:, draw], tie=flipped) for draw in draws])
    # With entries (or ties) drawn at random the rows vary also given the columns.
    mean = right.mean()
    within = (right * (1 - right)).sum(axis=1).mean() / n_rows**2
    return mean, within + right.mean(axis=1).var()


def enumerate_monte_carlo(matrix, n_members, tie):
    """Treat every row as a bagging problem of its own."""
    moments = [enumerate_bagging(row[np.newaxis], n_members, tie) for row in np.asarray(matrix)]
    means, variances = np.transpose(moments)
    return means.mean(), variances.sum() / len(means) ** 2


@pytest.mark.parametrize("tie", TIES)
@settings(max_examples=25)
@given(matrix=oracles, n_members=st.integers(1, 4))
def test_moments_against_enumeration(tie, matrix, n_members):
    np.testing.assert_allclose(
        bagging_moments(matrix, n_members, tie=tie),
        enumerate_bagging(matrix, n_members, tie),
        atol=1e-12,
    )
    np.testing.assert_allclose(
        monte_carlo_moments(matrix, n_members, tie=tie),
        enumerate_monte_carlo(matrix, n_members, tie),
        atol=1e-12,
    )


@settings(max_examples=25)
@given(
    matrix=arrays(float, (3, 3), elements=st.floats(0, 1)),
    n_members=st.integers(1, 4),
)
def test_moments_of_uncertain_predictions_against_enumeration(matrix, n_members):
    np.testing.assert_allclose(
        bagging_moments(matrix, n_members), enumerate_bagging(matrix, n_members, "coin"), atol=1e-12
    )


def test_moments_against_simulation():
    rng = np.random.default_rng(0)
    matrix = rng.integers(0, 2, size=(6, 9))
    columns = rng.integers(0, 9, size=(20_000, 5))
    bagged = (matrix[:, columns].sum(axis=2) > 2.5).mean(axis=0)
    mean, variance = bagging_moments(matrix, 5)
    # Five standard errors of a mean, and of a variance, of 20,000 draws.
    assert bagged.mean() == pytest.approx(mean, abs=5 * np.sqrt(variance / 20_000))
    assert bagged.var() == pytest.approx(variance, rel=0.08)


@given(matrix=oracles, m=st.integers(0, 5))
def test_both_ensembles_have_the_same_mean_against_theory(matrix, m):
    n = 2 * m + 1
    mean = expected_accuracy(matrix.mean(axis=1), n)
    assert bagging_moments(matrix, n)[0] == pytest.approx(mean, abs=1e-12)
    assert monte_carlo_moments(matrix, n)[0] == pytest.approx(mean, abs=1e-12)


def test_either_ensemble_can_have_the_larger_variance():
    balanced = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]])
    one_good_column = np.array([[1, 0, 0], [1, 0, 0], [1, 0, 0]])
    assert bagging_moments(balanced, 3)[1] < monte_carlo_moments(balanced, 3)[1]
    assert bagging_moments(one_good_column, 3)[1] > monte_carlo_moments(one_good_column, 3)[1]


def test_many_members_make_both_ensembles_the_same():
    matrix = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 1], [0, 1, 1]])
    for moments in (bagging_moments, monte_carlo_moments):
        mean, variance = moments(matrix, 201)
        assert mean == pytest.approx(limit_accuracy(matrix.mean(axis=1)), abs=1e-5)
        assert variance == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("tie", TIES)
@given(matrix=oracles)
def test_score_majority_against_naive_count(tie, matrix):
    credit = {"coin": 0.5, "wrong": 0.0, "right": 1.0}[tie]
    leads = [2 * sum(row) - len(row) for row in matrix.tolist()]
    naive = np.mean([credit if lead == 0 else float(lead > 0) for lead in leads])
    assert score_majority(matrix, tie=tie) == pytest.approx(naive)


@pytest.mark.parametrize(("n_rows", "n_members"), [(1, 1), (2, 2), (3, 3), (2, 4), (4, 3), (3, 5)])
def test_majority_limits_against_enumeration(n_rows, n_members):
    needed = n_members // 2 + 1
    found: dict[int, list[float]] = {}
    for votes in product(range(n_members + 1), repeat=n_rows):
        found.setdefault(sum(votes), []).append(np.mean([vote >= needed for vote in votes]))
    for total, accuracies in found.items():
        r = total / (n_rows * n_members)
        limits = majority_limits(r, n_members=n_members, n_rows=n_rows)
        assert limits == pytest.approx((min(accuracies), max(accuracies)), abs=1e-12), total


@given(r=st.floats(0, 1), n_members=st.integers(1, 30), n_rows=st.integers(1, 30))
def test_fewer_rows_narrow_the_limits(r, n_members, n_rows):
    low, high = majority_limits(r, n_members=n_members)
    narrow_low, narrow_high = majority_limits(r, n_members=n_members, n_rows=n_rows)
    assert low <= narrow_low + 1e-9
    assert narrow_high <= high + 1e-9


@given(matrix=arrays(np.int64, (7, 5), elements=st.integers(0, 1)))
def test_every_vote_is_within_the_limits(matrix):
    low, high = majority_limits(matrix.mean(), n_members=5, n_rows=7)
    assert low - 1e-12 <= score_majority(matrix) <= high + 1e-12


def test_limits_of_many_members_are_twice_the_accuracy():
    for r in (0.1, 0.5, 0.7):
        many = majority_limits(r, n_members=100_001)
        assert many == pytest.approx(majority_limits(r), abs=1e-4)
