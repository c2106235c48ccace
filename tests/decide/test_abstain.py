from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nonet.decide import Abstain, choose_maximum, choose_or_abstain

eighths = st.integers(0, 8).map(lambda count: count / 8)
supports = st.tuples(st.integers(1, 30), st.integers(2, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=eighths)
)
bars = st.none() | eighths


def naive_code(row, min_support, min_margin):
    second, top = sorted(row)[-2:]
    if not any(row) or (min_support is not None and top < min_support):
        return -1
    if min_margin is not None and top - second < min_margin:
        return -1
    return list(row).index(top)


@given(supports, bars, bars)
def test_choose_or_abstain_against_naive(support, min_support, min_margin):
    codes = choose_or_abstain(support, min_support, min_margin)
    bar = 0.5 if min_support is None and min_margin is None else min_support
    np.testing.assert_array_equal(codes, [naive_code(row, bar, min_margin) for row in support])


@given(supports, eighths, eighths)
def test_choose_or_abstain_is_monotone_in_min_support(support, one, other):
    low, high = sorted((one, other))
    lenient, strict = choose_or_abstain(support, low), choose_or_abstain(support, high)
    spoken = strict != -1
    np.testing.assert_array_equal(strict[spoken], lenient[spoken])


@given(supports, eighths, eighths)
def test_choose_or_abstain_is_monotone_in_min_margin(support, one, other):
    low, high = sorted((one, other))
    lenient = choose_or_abstain(support, min_margin=low)
    strict = choose_or_abstain(support, min_margin=high)
    spoken = strict != -1
    np.testing.assert_array_equal(strict[spoken], lenient[spoken])


@given(supports, st.permutations(range(5)), bars, bars)
def test_choose_or_abstain_follows_a_permutation_of_the_classes(support, order, minimum, margin):
    order = [code for code in order if code < support.shape[1]]
    codes = choose_or_abstain(support, minimum, margin, tie="abstain")
    moved = choose_or_abstain(support[:, order], minimum, margin, tie="abstain")
    np.testing.assert_array_equal(np.append(order, -1)[moved], codes)


@given(supports, st.sampled_from(["first", "random", "abstain"]), st.integers(0, 50))
def test_choose_or_abstain_without_bars_to_clear_is_argmax(support, tie, seed):
    codes = choose_or_abstain(support, 0.0, tie=tie, random_state=seed)
    expected = choose_maximum(support, tie=tie, random_state=seed)
    expected[~support.any(axis=1)] = -1
    np.testing.assert_array_equal(codes, expected)


def test_choose_or_abstain_decides_at_equality_up_to_rounding():
    votes = np.array([[1 - 0.8, 0.1 + 0.7]])
    assert votes[0, 1] < 0.8
    assert choose_or_abstain(votes, min_support=0.8).tolist() == [1]
    leads = np.array([[0.6, 0.5], [0.6, 0.51]])
    assert leads[0, 0] - leads[0, 1] < 0.1
    assert choose_or_abstain(leads, min_margin=0.1).tolist() == [0, -1]


def test_choose_or_abstain_uses_support_as_it_is():
    votes = np.array([[3, 2], [2, 2]])
    assert choose_or_abstain(votes, min_support=3).tolist() == [0, -1]


def test_choose_or_abstain_needs_no_rival_for_a_margin():
    assert choose_or_abstain([[0.2]], min_margin=1.0).tolist() == [0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"min_support": np.nan}, "parameter 'min_support' must be None or a finite number"),
        (
            {"min_margin": -0.1},
            "parameter 'min_margin' must be None or a finite number of at least",
        ),
        ({"tie": "arbiter"}, "parameter 'tie' must be one of"),
    ],
)
def test_abstain_rejects_bad_parameters(arguments, message):
    with pytest.raises(ValueError, match=message):
        Abstain(**arguments).check([1, 2])
    with pytest.raises(ValueError, match=message):
        choose_or_abstain([[0.5, 0.5]], **arguments)


@given(supports, bars, bars, st.sampled_from(["first", "random", "abstain"]))
def test_abstain_decides_as_the_function(support, min_support, min_margin, tie):
    rule = Abstain(min_support, min_margin, tie=tie, random_state=3)
    expected = choose_or_abstain(support, min_support, min_margin, tie=tie, random_state=3)
    np.testing.assert_array_equal(rule.decide(support), expected)


@given(supports, bars, bars)
def test_abstain_decides_where_its_confidence_is_at_least_zero(support, min_support, min_margin):
    rule = Abstain(min_support, min_margin)
    np.testing.assert_array_equal(rule.decide(support) != -1, rule.confidence(support) >= 0)


def test_abstain_requires_a_label_when_zero_is_a_class():
    with pytest.raises(ValueError, match="0 is already a class"):
        Abstain().check([0, 1])
    Abstain(abstain_label=-1).check([0, 1])
