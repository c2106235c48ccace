from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nonet.decide import MinimumCost, choose_maximum, choose_minimum_cost, tabulate_costs

counts = st.tuples(st.integers(1, 20), st.integers(2, 5)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(0, 9))
)


def naive_code(row, costs, abstain_cost):
    total = sum(row)
    fractions = [value / total for value in row] if total else [1 / len(row)] * len(row)
    expected = [
        sum(fraction * costs[true][predicted] for true, fraction in enumerate(fractions))
        for predicted in range(len(row))
    ]
    cheapest = min(expected)
    if abstain_cost is not None and (not total or abstain_cost < cheapest - 1e-9):
        return -1
    return next(code for code, cost in enumerate(expected) if cost <= cheapest + 1e-9)


@given(counts, st.data(), st.none() | st.integers(0, 5))
def test_choose_least_cost_against_naive(votes, data, abstain_cost):
    n_classes = votes.shape[1]
    costs = data.draw(arrays(np.int64, (n_classes, n_classes), elements=st.integers(-2, 9)))
    expected = [naive_code(row, costs, abstain_cost) for row in votes]
    np.testing.assert_array_equal(choose_minimum_cost(votes, costs, abstain_cost), expected)


@given(counts)
def test_choose_least_cost_with_equal_errors_is_argmax_ties_included(votes):
    zero_one = 1 - np.eye(votes.shape[1])
    np.testing.assert_array_equal(choose_minimum_cost(votes, zero_one), choose_maximum(votes))
    np.testing.assert_array_equal(choose_minimum_cost(votes), choose_maximum(votes))


@given(counts, st.integers(0, 99))
def test_choose_least_cost_with_silence_is_chows_rule_against_theory(votes, percent):
    assume(votes.any(axis=1).all())
    maximum = (votes / votes.sum(axis=1, keepdims=True)).max(axis=1)
    bar = 1 - percent / 100
    assume(np.all(np.abs(maximum - bar) > 1e-9))
    expected = np.where(maximum < bar, -1, votes.argmax(axis=1))
    codes = choose_minimum_cost(votes, abstain_cost=percent / 100)
    np.testing.assert_array_equal(codes, expected)


@given(counts, st.permutations(range(5)), st.data())
def test_choose_least_cost_follows_a_permutation_of_the_classes(votes, order, data):
    order = [code for code in order if code < votes.shape[1]]
    costs = data.draw(arrays(np.float64, (len(order), len(order)), elements=st.floats(0, 9)))
    expected = votes @ costs
    gaps = np.sort(expected, axis=1)
    assume(np.all(gaps[:, 1] - gaps[:, 0] > 1e-6))
    moved = choose_minimum_cost(votes[:, order], costs[np.ix_(order, order)])
    np.testing.assert_array_equal(np.array(order)[moved], choose_minimum_cost(votes, costs))


def test_choose_least_cost_is_silent_only_if_strictly_cheaper():
    assert choose_minimum_cost([[0.7, 0.3]], abstain_cost=0.3).tolist() == [0]
    assert choose_minimum_cost([[0.7, 0.3]], abstain_cost=0.29).tolist() == [-1]


def test_choose_least_cost_of_row_of_zeros_is_silent_or_takes_classes_as_equally_likely():
    nothing, costs = np.zeros((1, 2)), [[0, 5], [1, 0]]
    assert choose_minimum_cost(nothing, costs, abstain_cost=9).tolist() == [-1]
    assert choose_minimum_cost(nothing, costs).tolist() == [0]


def test_choose_least_cost_rejects_scores():
    with pytest.raises(ValueError, match="need probabilities, but row 1 of the support is"):
        choose_minimum_cost([[0.5, 0.5], [1.0, -1.0]])


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        (
            np.ones((2, 3)),
            r"table of 2 x 2 numbers, costs\[true, predicted\], but has shape \(2, 3\)",
        ),
        ([["a", "b"], ["c", "d"]], "table of 2 x 2 numbers"),
        ([[0, np.nan], [1, 0]], "costs must be finite"),
        ({("a", "c"): 1.0}, r"costs: label 'c' is not one of the classes \['a', 'b'\]"),
        ({"ab": 1.0}, r"keys \(true label, predicted label\), but got 'ab'"),
        ({("a", "b"): np.inf}, "costs must be finite"),
    ],
)
def test_least_cost_rejects_bad_costs(costs, message):
    with pytest.raises(ValueError, match=message):
        MinimumCost(costs).check(["a", "b"])


def test_least_cost_rejects_bad_price_of_silence():
    with pytest.raises(ValueError, match="parameter 'abstain_cost' must be None or a finite"):
        MinimumCost(abstain_cost=np.nan).check([1, 2])


def test_least_cost_reads_costs_by_label():
    by_label = MinimumCost({("ill", "well"): 10}).bind(["ill", "well"])
    by_position = MinimumCost([[0, 10], [1, 0]])
    support = np.column_stack([np.linspace(0, 0.3, 31), 1 - np.linspace(0, 0.3, 31)])
    codes = by_label.decide(support)
    np.testing.assert_array_equal(codes, by_position.decide(support))
    assert set(codes) == {0, 1}


def test_least_cost_by_label_rejects_deciding_before_it_knows_the_classes():
    with pytest.raises(ValueError, match="cannot decide before it has classes"):
        MinimumCost({("ill", "well"): 10}).decide([[0.5, 0.5]])


def test_least_cost_is_silent_only_at_a_price():
    assert MinimumCost(abstain_cost=0.1).can_abstain
    assert not MinimumCost().can_abstain


def test_tabulate_costs_fills_in_plain_errors():
    matrix = tabulate_costs({(1, 3): 7.0, (2, 2): -1.0}, [1, 2, 3])
    assert matrix.tolist() == [[0, 1, 7], [1, -1, 1], [1, 1, 0]]
