from __future__ import annotations

import numpy as np
import pytest

from nonet.decide import Abstain, Argmax, MinimumCost, Sign, Threshold
from nonet.decide.support import check_support, gap_at_top

RULES = [Argmax(), Abstain(), MinimumCost(), Sign(), Threshold()]


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_rules_reject_support_that_is_not_finite(rule, bad):
    with pytest.raises(ValueError, match=r"support must be finite, but row 1 is"):
        rule.decide(np.array([[0.5, 0.5], [0.2, bad]]))


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_rules_reject_support_that_is_not_numbers(rule):
    with pytest.raises(TypeError, match="support must be real numbers, but has dtype"):
        rule.decide(np.array([["a", "b"]]))


@pytest.mark.parametrize("rule", [Argmax(), Abstain(), MinimumCost()], ids=str)
@pytest.mark.parametrize("shape", [(3,), (2, 0), (2, 2, 2)])
def test_rules_of_many_classes_reject_other_shapes(rule, shape):
    with pytest.raises(ValueError, match=r"support must have shape \(rows, classes\) but has"):
        rule.decide(np.ones(shape))


@pytest.mark.parametrize("rule", [Sign(), Threshold()], ids=str)
@pytest.mark.parametrize("shape", [(2, 3), (2, 1), (2, 2, 2)])
def test_rules_of_two_classes_reject_other_shapes(rule, shape):
    with pytest.raises(ValueError, match=r"support must have shape \(rows, 2\) or \(rows,\)"):
        rule.decide(np.ones(shape))


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint64, np.float16, np.float32])
def test_rules_read_every_type_of_number(rule, dtype):
    votes = np.array([[0, 1], [1, 0]], dtype=dtype)
    assert rule.decide(votes).tolist() == [1, 0]


def test_check_support_keeps_single_precision_without_a_copy():
    support = np.ones((2, 2), dtype=np.float32)
    assert check_support(support) is support


def test_gap_at_top_counts_equal_largest_as_no_gap():
    gaps = gap_at_top(np.array([[0.25, 0.5, 0.25], [0.5, 0.0, 0.5], [3.0, 2.0, 0.0]]))
    assert gaps.tolist() == [0.25, 0.0, 1.0]


def test_gap_at_top_of_one_class_is_infinite():
    assert gap_at_top(np.ones((2, 1))).tolist() == [np.inf, np.inf]
