"""Exact sums, against Python's own, and the logarithm, against the C library's."""

import math
import pickle

import numpy as np
import pytest

from nonet._native.runtime import limit_threads
from nonet._native.sums import exact_mean, exact_sum, log_of, sums_by_group


def numbers_of_all_sizes(n, rng):
    return rng.normal(size=n) * 10.0 ** rng.integers(-300, 300, n)


@pytest.mark.parametrize("n", [0, 1, 2, 5_000, 200_001])
def test_exact_sum_against_fsum(n):
    rng = np.random.default_rng(n)
    for terms in (numbers_of_all_sizes(n, rng), rng.normal(size=n), rng.normal(size=n) * 5e-324):
        assert exact_sum(terms).value == math.fsum(terms)


def test_exact_sum_of_cancelling_terms_against_fsum():
    terms = numbers_of_all_sizes(3_000, np.random.default_rng(0))
    both = np.concatenate([terms, [1e-300], -terms])
    assert exact_sum(both).value == 1e-300


@pytest.mark.parametrize("size", [1.0, 2.0**-1074, 2.0**-1022, 2.0**900])
def test_ties_are_rounded_to_even(size):
    for odd in (2.0**53 + 2, 2.0**53 + 4):
        if odd * size < math.inf:
            assert exact_sum(np.array([odd, 1.0]) * size).value == math.fsum([odd * size, size])


def test_whole_weights_are_repetition():
    rng = np.random.default_rng(1)
    terms, counts = rng.normal(size=4_000), rng.integers(0, 9, 4_000)
    weighted = exact_sum(terms, counts.astype(np.float64)).value
    assert weighted == math.fsum(np.repeat(terms, counts))


def test_parts_are_joined_exactly_after_pickling():
    terms = numbers_of_all_sizes(1_000, np.random.default_rng(2))
    total = exact_sum(terms[:0])
    for part in np.array_split(terms, 7):
        total.add(pickle.loads(pickle.dumps(exact_sum(part))))
    assert total.value == math.fsum(terms)


def test_sums_beyond_numbers():
    assert exact_sum(np.array([1e308, 1e308])).value == math.inf
    assert exact_sum(np.array([1.0, -math.inf])).value == -math.inf
    assert math.isnan(exact_sum(np.array([math.inf, -math.inf])).value)
    assert math.isnan(pickle.loads(pickle.dumps(exact_sum(np.array([math.nan])))).value)


def test_number_of_threads_changes_nothing():
    terms = np.random.default_rng(3).normal(size=300_000)
    values = set()
    for n_threads in (1, 2, 5):
        with limit_threads(n_threads):
            values.add(exact_sum(terms).value)
    assert values == {math.fsum(terms)}


def test_exact_mean_against_fsum():
    rng = np.random.default_rng(4)
    terms, weights = rng.normal(size=1_000), rng.random(1_000)
    products = [weight * term for weight, term in zip(weights, terms, strict=True)]
    expected = math.fsum(products) / math.fsum(weights)
    assert exact_mean(terms, weights) == pytest.approx(expected, rel=1e-15)


def test_sums_by_group_have_no_order():
    rng = np.random.default_rng(5)
    terms = rng.normal(size=5_000) * 10.0 ** rng.integers(-12, 12, 5_000)
    groups = rng.integers(0, 7, 5_000)
    found = sums_by_group(terms, groups, 8)
    order = rng.permutation(5_000)
    np.testing.assert_array_equal(sums_by_group(terms[order], groups[order], 8), found)
    exact = [math.fsum(terms[groups == k]) for k in range(8)]
    np.testing.assert_allclose(found, exact, rtol=1e-14)


def test_sums_by_group_keep_infinite_terms_in_their_group():
    found = sums_by_group(np.array([math.inf, 1.0, 2.0]), np.array([0, 1, 1]), 2)
    np.testing.assert_array_equal(found, [math.inf, 3.0])


def test_logarithm_against_the_c_library():
    rng = np.random.default_rng(6)
    for x in np.concatenate([np.exp(rng.uniform(-700, 700, 3_000)), rng.uniform(0.4, 3, 3_000)]):
        assert abs(log_of(x) - math.log(x)) <= 2 * np.spacing(abs(math.log(x)))
    assert log_of(1.0) == 0.0
    assert log_of(2.0) == math.log(2)
