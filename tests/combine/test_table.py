from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone

from nonet import combine
from nonet.combine import (
    COMBINATION_RULES,
    And,
    Borda,
    Combination,
    KOfN,
    Or,
    ScoreSum,
    TrimmedMean,
)
from nonet.combine.rule import CallableCombination, CombinationRule
from nonet.combine.table import bind_rule, resolve_combination_rule, rule_name

CLASSES = np.array(["cat", "dog", "emu"])
PROBABILITIES = np.random.default_rng(0).dirichlet([1, 1, 1], size=(6, 4))
CODES = PROBABILITIES.argmax(axis=2)
VALUES = PROBABILITIES[:, :, 0]

# What each short name stands for: the function of its values, and that of its classes' outputs.
MEANING = {
    "mean": (combine.mean, combine.mean),
    "median": (combine.median, combine.median_pool),
    "trimmed_mean": (combine.trimmed_mean, TrimmedMean(0.1).support),
    "min": (combine.minimum, combine.minimum_pool),
    "max": (combine.maximum, combine.maximum_pool),
    "geometric_mean": (combine.geometric_mean, combine.log_pool),
    "sum": (combine.total, None),
    "product": (None, combine.product),
    "log_pool": (None, combine.log_pool),
    "plurality": (None, combine.plurality),
    "majority": (None, combine.majority),
    "and": (None, lambda codes: combine.k_of_n(codes, 4)),
    "or": (None, lambda codes: combine.k_of_n(codes, 1)),
    "borda": (None, Borda().support),
    "score_sum": (None, ScoreSum().support),
}
WITHOUT_WEIGHTS = ["trimmed_mean", "min", "max", "and", "or"]


def outputs_of(kind):
    return CODES if kind == "labels" else PROBABILITIES


def test_every_short_name_has_a_stated_meaning():
    assert list(COMBINATION_RULES) == list(MEANING)


@pytest.mark.parametrize("name", [name for name in MEANING if MEANING[name][0]])
def test_short_name_combines_values_in_regression(name):
    rule = resolve_combination_rule(name, "regression")
    combination = bind_rule(rule, 4, None, None)
    assert combination.reads == "values"
    np.testing.assert_array_equal(combination(VALUES), MEANING[name][0](VALUES))


@pytest.mark.parametrize("name", [name for name in MEANING if MEANING[name][1]])
def test_short_name_combines_class_outputs_in_classification(name):
    rule = resolve_combination_rule(name, "classification")
    combination = bind_rule(rule, 4, None, CLASSES)
    outputs = outputs_of(combination.reads)
    support = combination(outputs)
    assert support.shape == (6, 3)
    np.testing.assert_allclose(support, MEANING[name][1](outputs), rtol=1e-15)


@pytest.mark.parametrize("name", sorted(set(MEANING) - set(WITHOUT_WEIGHTS)))
def test_short_name_hands_the_weights_on(name):
    weights = np.array([5.0, 1.0, 0.0, 0.5])
    task = "classification" if MEANING[name][1] else "regression"
    classes = CLASSES if task == "classification" else None
    combination = bind_rule(resolve_combination_rule(name, task), 4, weights, classes)
    outputs = VALUES if classes is None else outputs_of(combination.reads)
    plain = Combination(combination.rule, combination.reads, None, classes)
    assert not np.allclose(combination(outputs), plain(outputs))


@pytest.mark.parametrize("name", COMBINATION_RULES)
def test_rule_of_the_table_survives_clone_and_pickle(name):
    rule = COMBINATION_RULES[name]
    for copied in (clone(rule), pickle.loads(pickle.dumps(rule))):
        assert type(copied) is type(rule)
        assert copied.reads == rule.reads
        assert copied.takes_weights == rule.takes_weights
        assert copied.may_abstain == rule.may_abstain


def test_only_majority_may_be_silent():
    assert [name for name, rule in COMBINATION_RULES.items() if rule.may_abstain] == ["majority"]


def test_names_of_rules_are_short_or_those_of_their_class():
    assert rule_name(COMBINATION_RULES["min"]) == "min"
    assert rule_name(KOfN(2)) == "KOfN"


def test_rule_object_is_taken_as_it_is():
    rule = KOfN(2)
    assert resolve_combination_rule(rule, "classification") is rule


def test_function_of_a_user_reads_values_or_probabilities():
    rule = resolve_combination_rule(lambda outputs: outputs[:, 0], "regression")
    assert isinstance(rule, CallableCombination)
    np.testing.assert_array_equal(bind_rule(rule, 4, None, None)(VALUES), VALUES[:, 0])
    bound = bind_rule(rule, 4, None, CLASSES)
    assert bound.reads == "probabilities"
    np.testing.assert_array_equal(bound(PROBABILITIES), PROBABILITIES[:, 0])


def test_function_of_a_user_says_what_else_it_reads():
    def first_vote(codes, weights=None):
        return np.eye(3)[codes[:, 0]]

    first_vote.reads = "labels"
    bound = bind_rule(resolve_combination_rule(first_vote, "classification"), 4, None, CLASSES)
    assert bound.reads == "labels"
    np.testing.assert_array_equal(bound(CODES).argmax(axis=1), CODES[:, 0])


def test_function_of_a_user_gets_weights_only_where_there_are_some():
    def weighted(outputs, weights=(1, 0, 0, 0)):
        return outputs @ np.asarray(weights, dtype=float)

    rule = resolve_combination_rule(weighted, "regression")
    np.testing.assert_array_equal(bind_rule(rule, 4, None, None)(VALUES), VALUES[:, 0])
    weights = np.array([0.0, 0.0, 0.0, 1.0])
    np.testing.assert_array_equal(bind_rule(rule, 4, weights, None)(VALUES), VALUES[:, 3])


def test_combination_is_frozen():
    combination = bind_rule(COMBINATION_RULES["mean"], 4, None, None)
    with pytest.raises(AttributeError, match="weights"):
        combination.weights = np.ones(4)


def test_parent_rule_leaves_the_work_to_its_children():
    with pytest.raises(NotImplementedError):
        CombinationRule().support(VALUES)


@pytest.mark.parametrize(
    ("name", "near"), [("medain", "median"), ("plurallity", "plurality"), ("Mean", "mean")]
)
def test_unknown_short_name_is_answered_with_the_nearest(name, near):
    with pytest.raises(ValueError, match=rf"'{name}' is not known \(did you mean '{near}'\?\)"):
        resolve_combination_rule(name, "classification")


def test_unknown_short_name_is_answered_with_the_whole_list():
    with pytest.raises(ValueError, match="the known names are") as caught:
        resolve_combination_rule("xyzzy", "regression")
    assert "did you mean" not in str(caught.value)
    assert all(repr(name) in str(caught.value) for name in COMBINATION_RULES)


@pytest.mark.parametrize("combine", [3, None, ["mean"], KOfN, And], ids=repr)
def test_resolving_rejects_what_is_no_rule(combine):
    with pytest.raises(TypeError, match="'combine' must be a short name, a rule object"):
        resolve_combination_rule(combine, "classification")


NOT_FOR_VALUES = ["plurality", "majority", "and", "or", "borda", "product", "score_sum"]


@pytest.mark.parametrize("name", NOT_FOR_VALUES)
def test_rule_of_classes_is_refused_in_regression(name):
    with pytest.raises(ValueError, match=f"a rule for regression such as .*'mean'.*got '{name}'"):
        resolve_combination_rule(name, "regression")


def test_rule_of_values_is_refused_in_classification():
    with pytest.raises(ValueError, match=r"a rule for classification such as .*but got 'sum'"):
        resolve_combination_rule("sum", "classification")


@pytest.mark.parametrize("name", WITHOUT_WEIGHTS)
def test_binding_rejects_weights_for_a_rule_that_takes_none(name):
    rule = COMBINATION_RULES[name]
    with pytest.raises(ValueError, match="takes no weights: leave weights=None"):
        bind_rule(rule, 4, np.ones(4), CLASSES)


def test_binding_checks_parameters_against_members_weights_and_classes():
    with pytest.raises(ValueError, match="from 1 to 4, the number of members, but got 5"):
        bind_rule(KOfN(5), 4, None, CLASSES)
    with pytest.raises(ValueError, match="'pos_label' must be one of the classes"):
        bind_rule(Or("zebra"), 4, None, CLASSES)
    with pytest.raises(ValueError, match="at most 2, the sum of the weights"):
        bind_rule(combine.WeightedKOfN(3), 4, np.full(4, 0.5), CLASSES)
