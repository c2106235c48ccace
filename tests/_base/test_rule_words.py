"""What rules are called on diagrams and pages."""

from __future__ import annotations

import numpy as np
import pytest

from nonet import combine, decide
from nonet._base.rule_words import class_in_words, parameters_in_words, rule_in_words


def midrange(outputs):
    return (outputs.min(axis=1) + outputs.max(axis=1)) / 2


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (combine.COMBINATION_RULES["mean"], "mean"),
        (combine.COMBINATION_RULES["trimmed_mean"], "trimmed mean"),
        (combine.TrimmedMean(0.2), "trimmed mean (proportion=0.2)"),
        (combine.KOfN(2), "k of n (k=2)"),
        (combine.Borda(), "Borda count"),
        (decide.Argmax(), "class of the highest support"),
        (decide.Argmax(tie="random"), "class of the highest support (tie='random')"),
        (decide.Abstain(0.8, abstain_label="?"), "abstain (min_support=0.8, abstain_label='?')"),
        (decide.Threshold(1 / 3), "threshold (threshold=0.3333)"),
        (decide.MinimumCost([[0, 1], [5, 0]]), "minimum cost (costs=[[0, 1], [5, 0]])"),
        (decide.CallableRule(midrange), "callable rule (function=midrange)"),
        (decide.Identity(), "the value itself"),
    ],
)
def test_rule_is_called_by_its_name_and_its_parameters(rule, words):
    assert rule_in_words(rule) == words


def test_tuned_parameter_has_its_tuned_value():
    support = np.column_stack([np.linspace(1, 0, 50), np.linspace(0, 1, 50)])
    rule = decide.Threshold("tune")
    tuned = rule.tune(support, (support[:, 1] > 0.7).astype(int), [0, 1])
    assert rule_in_words(rule) == "threshold (threshold='tune')"
    assert rule_in_words(tuned) == f"threshold (threshold={tuned.threshold_:.4g})"
    assert tuned.threshold_ == pytest.approx(0.7, abs=0.02)


def test_words_of_a_user_come_before_the_name_of_the_class():
    class Midrange(combine.CombinationRule):
        in_words = "middle of the range"

    assert rule_in_words(Midrange()) == "middle of the range"


def test_array_as_a_parameter_is_shortened():
    words = parameters_in_words(decide.MinimumCost(np.ones((30, 30))))
    assert len(words) < 60
    assert words.startswith(" (costs=array(")


def test_names_of_classes_and_functions_become_words():
    class ABTest:
        pass

    assert [class_in_words(x) for x in (ABTest(), combine.WeightedKOfN(1.0), midrange)] == [
        "ab test",
        "weighted k of n",
        "midrange",
    ]
