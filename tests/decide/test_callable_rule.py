from __future__ import annotations

import numpy as np
import pytest

from nonet.decide import CallableRule

SUPPORT = np.array([[0.9, 0.1], [0.2, 0.8]])


def test_own_rule_returns_what_the_function_chose():
    assert CallableRule(lambda support: [1, 0]).decide(SUPPORT).tolist() == [1, 0]


def test_own_rule_may_be_silent_with_a_label_only():
    def shy(support):
        return np.array([-1, 0])

    assert CallableRule(shy, abstain_label="?").decide(SUPPORT).tolist() == [-1, 0]
    with pytest.raises(ValueError, match="must return codes from 0 to 1, but returned -1 to 0"):
        CallableRule(shy).decide(SUPPORT)


@pytest.mark.parametrize(
    ("prediction", "message"),
    [
        ([0], r"2 whole-number class codes, one for each row, but returned shape \(1,\)"),
        ([0.0, 1.0], "whole-number class codes.*dtype float64"),
        ([0, 2], "must return codes from 0 to 1, but returned 0 to 2"),
    ],
)
def test_own_rule_rejects_what_is_no_code(prediction, message):
    with pytest.raises(ValueError, match=message):
        CallableRule(lambda support: prediction).decide(SUPPORT)


def test_own_rule_rejects_what_is_no_function():
    with pytest.raises(ValueError, match="'function' must be a function of the support"):
        CallableRule("argmax").check(["a", "b"])
