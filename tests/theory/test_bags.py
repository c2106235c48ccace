"""Bags against all samples there are."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nonet.theory import (
    count_bootstrap_samples,
    distinct_fraction,
    forest_columns,
    left_out_probability,
    never_left_out_probability,
    original_sample_probability,
)

SIZES = [(1, 1), (2, 3), (3, 3), (4, 2), (4, 4), (5, 5)]


def samples(n_rows, n_draws):
    return list(product(range(n_rows), repeat=n_draws))


@pytest.mark.parametrize(("n_rows", "n_draws"), SIZES)
def test_fractions_of_a_bag_against_enumeration(n_rows, n_draws):
    bags = samples(n_rows, n_draws)
    left_out = np.mean([0 not in bag for bag in bags])
    distinct = np.mean([len(set(bag)) / n_rows for bag in bags])
    assert left_out_probability(n_rows, n_draws) == pytest.approx(left_out, abs=1e-14)
    assert distinct_fraction(n_rows, n_draws) == pytest.approx(distinct, abs=1e-14)
    assert never_left_out_probability(n_rows, 3, n_draws) == pytest.approx((1 - left_out) ** 3)


@pytest.mark.parametrize(("n_rows", "n_draws"), SIZES)
def test_counts_of_samples_against_enumeration(n_rows, n_draws):
    bags = samples(n_rows, n_draws)
    assert count_bootstrap_samples(n_rows, n_draws) == len(bags)
    different = len({tuple(sorted(bag)) for bag in bags})
    assert count_bootstrap_samples(n_rows, n_draws, ordered=False) == different


@pytest.mark.parametrize("n_rows", [1, 2, 3, 4, 5, 6])
def test_original_sample_probability_against_enumeration(n_rows):
    hits = [len(set(bag)) == n_rows for bag in samples(n_rows, n_rows)]
    assert original_sample_probability(n_rows) == pytest.approx(np.mean(hits), rel=1e-14)


def test_original_sample_probability_is_the_nearest_float():
    exact = Fraction(math.factorial(300), 300**300)
    assert original_sample_probability(300) == float(exact)
    assert original_sample_probability([700, 2000]).tolist() == [
        float(Fraction(math.factorial(700), 700**700)),
        0.0,
    ]


@given(n=st.integers(1, 10**6))
def test_left_out_probability_grows_towards_its_limit(n):
    assert left_out_probability(n) < left_out_probability(n + 1) < math.exp(-1)


def test_counts_are_exact_whole_numbers():
    assert count_bootstrap_samples(100) == 100**100
    assert count_bootstrap_samples(100, 50, ordered=False) == math.comb(149, 50)


@given(st.integers(1, 10**6))
def test_forest_columns_are_a_root_or_a_third(p):
    assert forest_columns(p) == math.isqrt(p)
    assert forest_columns(p, "regression") == max(1, p // 3)
