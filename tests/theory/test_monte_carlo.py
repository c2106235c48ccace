"""Amplification against linear search, products and means."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nonet.theory import (
    biased_accuracy,
    biased_runs_needed,
    expected_accuracy,
    limit_accuracy,
    majority_accuracy,
    rounds_needed,
    voters_needed,
)

rows = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(p=rows, n=st.integers(1, 60))
def test_expected_accuracy_is_the_mean_over_rows(p, n):
    naive = np.mean([majority_accuracy(q, n) for q in p])
    assert expected_accuracy(p, n) == pytest.approx(naive, abs=1e-12)


def test_expected_accuracy_of_several_sizes_at_once():
    p = [0.9, 0.4, 0.6]
    many = expected_accuracy(p, [[1, 3], [5, 7]], tie="wrong")
    assert many.shape == (2, 2)
    assert many[1, 0] == expected_accuracy(p, 5, tie="wrong")


@given(p=st.lists(st.floats(0.5, 1), min_size=1, max_size=12), m=st.integers(0, 30))
def test_more_voters_help_where_every_row_is_better_than_chance(p, m):
    fewer, more = expected_accuracy(p, [2 * m + 1, 2 * m + 3])
    assert more >= fewer - 1e-12


@given(st.lists(st.sampled_from([0.1, 0.3, 0.5, 0.62, 0.9]), min_size=1, max_size=12))
def test_limit_is_the_accuracy_of_many_voters(p):
    assert expected_accuracy(p, 10_001) == pytest.approx(limit_accuracy(p), abs=1e-6)


def test_one_voter_can_be_better_than_three_and_than_many():
    p = [0.98, 0.4, 0.4]
    one, three, many = expected_accuracy(p, [1, 3, 1001])
    assert one > three > many > limit_accuracy(p)


@given(p=st.floats(0.55, 0.999), target=st.floats(0.5, 0.999))
def test_voters_needed_against_linear_search(p, target):
    n = 1
    while majority_accuracy(p, n) < target * (1 - 1e-12):
        n += 2
    assert voters_needed(p, target) == n


@given(p=st.floats(0.51, 0.99), target=st.floats(0.6, 0.9999))
def test_voters_needed_never_exceed_hoeffding(p, target):
    assert voters_needed(p, target) <= max(1, rounds_needed(min(p - 0.5, 0.5), 1 - target)) + 1


def test_one_voter_is_enough_for_a_target_below_its_own_accuracy():
    assert voters_needed([0.3, 0.5, 0.9, 1.0], [0.2, 0.5, 0.9, 0.999]).tolist() == [1] * 4


def test_many_voters_are_found_by_bisection():
    n = voters_needed(0.5001, 0.99)
    assert majority_accuracy(0.5001, n) >= 0.99 > majority_accuracy(0.5001, n - 2)


def test_even_numbers_never_get_there_sooner_against_theory():
    for tie in ("coin", "wrong"):
        reached = [majority_accuracy(0.6, n, tie=tie) >= 0.9 for n in range(1, 60)]
        assert reached.index(True) + 1 == voters_needed(0.6, 0.9)


@given(p=st.floats(0.001, 1), target=st.floats(0.01, 0.999999))
def test_biased_runs_are_the_fewest(p, target):
    k = biased_runs_needed(p, target)
    assert biased_accuracy(p, k) >= target - 1e-9
    assert k == 1 or biased_accuracy(p, k - 1) < target


@given(p=st.floats(0, 1), k=st.integers(1, 30))
def test_biased_accuracy_is_one_less_all_misses(p, k):
    assert biased_accuracy(p, k) == pytest.approx(1 - (1 - p) ** k, abs=1e-12)


def test_rounding_causes_no_further_run():
    assert biased_runs_needed([0.7, 0.5, 0.9], [0.91, 0.75, 0.999]).tolist() == [2, 2, 3]
