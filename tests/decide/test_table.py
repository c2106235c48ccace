from __future__ import annotations

import numpy as np
import pytest

from nonet.decide import DECISION_RULES, Abstain, Argmax, CallableRule, resolve_decision_rule


@pytest.mark.parametrize("name", DECISION_RULES)
def test_short_names_stand_for_rules_bound_to_the_classes(name):
    rule = resolve_decision_rule(name, [-1, 1])
    assert repr(rule) == repr(DECISION_RULES[name])
    assert rule.classes_.tolist() == [-1, 1]
    assert not hasattr(DECISION_RULES[name], "classes_")


def test_no_rule_is_the_first_of_the_largest():
    rule = resolve_decision_rule(None, ["a", "b"])
    assert isinstance(rule, Argmax)
    assert rule.tie == "first"


def test_rule_objects_are_checked():
    with pytest.raises(ValueError, match="Argmax: parameter 'tie' must be one of"):
        resolve_decision_rule(Argmax(tie="last"), ["a", "b"])
    with pytest.raises(ValueError, match="the classes are text: choose one with abstain_label"):
        resolve_decision_rule(Abstain(), ["a", "b"])


def test_functions_become_rules():
    rule = resolve_decision_rule(lambda support: support.argmin(axis=1), ["a", "b"])
    assert isinstance(rule, CallableRule)
    assert rule.decide(np.array([[0.9, 0.1]])).tolist() == [1]


def test_resolve_decision_rule_rejects_unknown_name_with_a_hint():
    with pytest.raises(
        ValueError, match="decision rule 'argmx' is not known .did you mean 'argmax'"
    ):
        resolve_decision_rule("argmx", ["a", "b"])


@pytest.mark.parametrize("decide", [3, Argmax, ["argmax"]], ids=str)
def test_resolve_decision_rule_rejects_what_is_no_rule(decide):
    with pytest.raises(TypeError, match="parameter 'decide' must be None, one of .*, a rule"):
        resolve_decision_rule(decide, ["a", "b"])
