"""Votes against enumeration of all outcomes, integrals and scipy's distributions."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from nonet.theory import (
    k_of_n_probability,
    majority_accuracy,
    majority_error,
    majority_error_limit,
    unequal_majority_error,
    vote_count_distribution,
)

TIES = {"wrong": 1.0, "coin": 0.5, "right": 0.0}
probabilities = st.floats(0, 1)
below_half = st.floats(0.01, 0.49)


def enumerate_error(errors, tie):
    """Sum the probability of every way the voters can be wrong."""
    total = 0.0
    for wrong in product([0, 1], repeat=len(errors)):
        probability = np.prod([e if w else 1 - e for w, e in zip(wrong, errors, strict=True)])
        lead = 2 * sum(wrong) - len(errors)
        total += probability * (TIES[tie] if lead == 0 else lead > 0)
    return total


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("n", [1, 2, 3, 6, 7])
def test_majority_error_against_enumeration(n, tie):
    for error in (0.0, 0.1, 0.5, 0.83, 1.0):
        expected = enumerate_error([error] * n, tie)
        assert majority_error(error, n, tie=tie) == pytest.approx(expected, abs=1e-14)
        assert majority_accuracy(1 - error, n, tie=tie) == pytest.approx(1 - expected, abs=1e-14)


@pytest.mark.parametrize("tie", TIES)
@given(errors=st.lists(probabilities, min_size=1, max_size=7))
def test_unequal_majority_error_against_enumeration(tie, errors):
    expected = enumerate_error(errors, tie)
    assert unequal_majority_error(errors, tie=tie) == pytest.approx(expected, abs=1e-12)


def test_unequal_voters_keep_leading_axes():
    errors = np.random.default_rng(0).uniform(size=(2, 3, 4))
    together = unequal_majority_error(errors)
    assert together.shape == (2, 3)
    assert together[1, 2] == pytest.approx(unequal_majority_error(errors[1, 2]), rel=1e-12)


@given(st.lists(probabilities, min_size=1, max_size=40))
def test_vote_counts_have_the_moments_of_independent_voters(p):
    p = np.array(p)
    counts = vote_count_distribution(p)
    votes = np.arange(len(p) + 1)
    assert counts.sum() == pytest.approx(1)
    assert counts @ votes == pytest.approx(p.sum(), abs=1e-10)
    assert counts @ votes**2 - p.sum() ** 2 == pytest.approx((p * (1 - p)).sum(), abs=1e-9)


def test_vote_counts_of_equal_voters_are_binomial():
    expected = stats.binom.pmf(np.arange(41), 40, 0.3)
    np.testing.assert_allclose(vote_count_distribution([0.3] * 40), expected, rtol=1e-10)


@given(p=probabilities, n=st.integers(1, 60), data=st.data())
def test_k_of_n_against_scipy(p, n, data):
    k = data.draw(st.integers(0, n))
    assert k_of_n_probability(p, n, k) == pytest.approx(stats.binom.sf(k - 1, n, p), abs=1e-12)


def test_k_of_n_or_and_everything():
    assert k_of_n_probability(0.2, 5, [0, 1, 5]) == pytest.approx([1, 1 - 0.8**5, 0.2**5])


def test_small_tails_keep_their_digits():
    assert k_of_n_probability(1e-3, 100, 100) == pytest.approx(1e-300, rel=1e-12)


@pytest.mark.parametrize("rho", [1e-9, 0.01, 0.3, 0.9])
def test_correlated_tail_against_integral_over_the_common_probability(rho):
    p, n, k = 0.3, 9, 5
    a, b = p * (1 - rho) / rho, (1 - p) * (1 - rho) / rho
    if rho < 1e-6:
        expected = k_of_n_probability(p, n, k)  # as good as independent
        assert k_of_n_probability(p, n, k, correlation=rho) == pytest.approx(expected, rel=1e-6)
        return
    expected, _ = integrate.quad(
        lambda q: stats.binom.sf(k - 1, n, q) * stats.beta.pdf(q, a, b), 0, 1, limit=200
    )
    assert k_of_n_probability(p, n, k, correlation=rho) == pytest.approx(expected, abs=1e-7)


@given(p=st.floats(0.01, 0.99), rho=st.floats(1e-3, 0.99), n=st.integers(1, 80), data=st.data())
def test_correlated_tail_against_scipy(p, rho, n, data):
    k = data.draw(st.integers(0, n))
    a, b = p * (1 - rho) / rho, (1 - p) * (1 - rho) / rho
    expected = stats.betabinom.pmf(np.arange(k, n + 1), n, a, b).sum()
    assert k_of_n_probability(p, n, k, correlation=rho) == pytest.approx(expected, abs=1e-8)


@given(p=probabilities, rho=probabilities)
def test_two_voters_have_the_requested_correlation(p, rho):
    both = k_of_n_probability(p, 2, 2, correlation=rho)
    assert both - p**2 == pytest.approx(rho * p * (1 - p), abs=1e-12)


@given(p=probabilities, n=st.integers(1, 30), k=st.integers(1, 30))
def test_voters_that_are_all_the_same_vote_as_one(p, n, k):
    assert k_of_n_probability(p, n, min(k, n), correlation=1.0) == pytest.approx(p, abs=1e-12)


def test_correlation_of_zero_among_others_is_independence():
    mixed = majority_error(0.3, 7, correlation=[0.0, 0.2])
    assert mixed[0] == majority_error(0.3, 7)
    assert mixed[1] > mixed[0]


@given(error=below_half, m=st.integers(0, 40))
def test_two_more_voters_help_below_one_half_and_harm_above(error, m):
    n = 2 * m + 1
    assert majority_error(error, n + 2) < majority_error(error, n)
    assert majority_error(1 - error, n + 2) > majority_error(1 - error, n) - 1e-15
    assert majority_error(0.5, n) == pytest.approx(0.5, abs=1e-12)


@given(error=below_half, rho=st.floats(0, 1), more=st.floats(0, 1))
def test_correlation_raises_the_error_of_good_voters(error, rho, more):
    low, high = sorted([rho, more])
    errors = majority_error(error, 11, correlation=[low, high])
    assert errors[0] <= errors[1] + 1e-10


@given(error=probabilities, m=st.integers(1, 50))
def test_even_vote_with_a_coin_is_the_odd_vote_before_it(error, m):
    odd = majority_error(error, 2 * m - 1)
    assert majority_error(error, 2 * m) == pytest.approx(odd, abs=1e-12)
    assert majority_error(error, 2 * m, tie="wrong") >= odd - 1e-12
    assert majority_error(error, 2 * m, tie="right") <= odd + 1e-12


def test_limits_are_those_of_many_voters():
    assert majority_error_limit([0.0, 0.4, 0.5, 0.6, 1.0]).tolist() == [0, 0, 0.5, 1, 1]
    many = majority_error([0.4, 0.5, 0.6], 100_001)
    np.testing.assert_allclose(many, [0, 0.5, 1], atol=1e-12)


@pytest.mark.parametrize("rho", [0.05, 0.3, 0.8])
def test_limit_of_correlated_voters_is_that_of_many(rho):
    many = majority_error(0.3, 20_001, correlation=rho)
    assert many == pytest.approx(majority_error_limit(0.3, correlation=rho), abs=1e-4)


def test_limit_of_voters_that_are_all_the_same_is_their_error():
    assert majority_error_limit(0.3, correlation=1.0) == 0.3
    assert majority_error_limit([0.0, 1.0], correlation=0.5).tolist() == [0, 1]
