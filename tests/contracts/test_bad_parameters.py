"""Every bad parameter gets the one sentence: whose, which, what is allowed, what came."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification

from contracts.instances import RULES, SETTINGS, make
from nonet._base.params import Anything
from nonet.combine.rule import CombinationRule
from nonet.decide.rule import DecisionRule

X, Y = make_classification(n_samples=40, random_state=0)


class Unwanted:
    """Nothing any parameter allows."""

    def __repr__(self) -> str:
        return "<unwanted>"


def checked_parameters(owner):
    return [name for name, rule in owner._rules.items() if not isinstance(rule, Anything)]


def sentence(owner, parameter):
    allowed = owner._rules[parameter].describe()
    kind = type(owner).__name__
    return f"{kind}: parameter {parameter!r} must be {allowed}, but got <unwanted>."


def check_rule(rule):
    classes = np.array([0, 1])
    if isinstance(rule, CombinationRule):
        rule.check(3, classes)
    elif isinstance(rule, DecisionRule):
        rule.check(classes)
    else:
        rule.check()


# Checked where the data are known: labels against the classes, cv by scikit-learn.
FREE = {"abstain_label", "arbiter", "certain_label", "costs", "cv", "pos_label", "scoring"}

ESTIMATOR_CASES = [
    pytest.param(kind, name, id=f"{kind.__name__}-{name}")
    for kind in SETTINGS
    for name in sorted(set(make(kind).get_params(deep=False)) - FREE)
]
RULE_CASES = [
    pytest.param(rule, name, id=f"{type(rule).__name__}-{name}")
    for rule in RULES
    for name in checked_parameters(rule)
]


@pytest.mark.parametrize(("kind", "parameter"), ESTIMATOR_CASES)
def test_fit_rejects_bad_parameter_with_the_one_sentence(kind, parameter):
    estimator = make(kind).set_params(**{parameter: Unwanted()})
    with pytest.raises(ValueError, match=rf"^\w+: parameter '{parameter}' must be .+") as caught:
        estimator.fit(X, Y)
    assert str(caught.value).endswith(", but got <unwanted>.")


@pytest.mark.parametrize(("rule", "parameter"), RULE_CASES)
def test_rule_rejects_bad_parameter_with_the_one_sentence(rule, parameter):
    spoilt = clone(rule).set_params(**{parameter: Unwanted()})
    with pytest.raises(ValueError, match="must be") as caught:
        check_rule(spoilt)
    assert str(caught.value) == sentence(spoilt, parameter)


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_every_parameter_of_a_rule_is_checked(rule):
    assert set(rule.get_params(deep=False)) - FREE - set(rule._rules) == set()
