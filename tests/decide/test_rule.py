from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyClassifier

from nonet.decide import (
    DECISION_RULES,
    Abstain,
    Argmax,
    Decision,
    DecisionRule,
    MinimumCost,
    Threshold,
    decode,
)


def test_decode_rejects_silence_without_a_label():
    with pytest.raises(ValueError, match="2 of 3 rows have no decision and there is no label"):
        decode(np.array([0, -1, -1]), np.array(["a", "b"]))


def test_decode_without_silence_keeps_the_type_of_the_classes():
    labels = decode(np.array([1, 0]), np.array([False, True]))
    assert labels.tolist() == [True, False]
    assert labels.dtype == bool


def test_decision_calls_the_arbiter_for_open_rows_only():
    calls = []

    def arbiter(X, rows):
        calls.append(rows.tolist())
        return X[rows]

    decision = Decision(Argmax("arbiter", arbiter="x"), np.array(["a", "b"]), arbiter=arbiter)
    support = np.array([[0.5, 0.5], [0.9, 0.1], [0.0, 0.0]])
    assert decision(support, X=np.array([1, 1, 0])).tolist() == ["b", "a", "a"]
    assert calls == [[0, 2]]


def test_decision_without_open_rows_does_not_call_the_arbiter():
    def arbiter(X, rows):
        raise AssertionError("nobody called it")

    decision = Decision(Argmax("arbiter", arbiter="x"), np.array(["a", "b"]), arbiter=arbiter)
    assert decision(np.array([[0.9, 0.1]]), X=np.array([1])).tolist() == ["a"]


def test_decision_rejects_open_rows_when_the_arbiter_cannot_see_them():
    decision = Decision(Argmax("arbiter", arbiter="x"), np.array(["a", "b"]), arbiter=np.take)
    with pytest.raises(ValueError, match="pass X so that the arbiter can predict"):
        decision(np.array([[0.5, 0.5]]))


def test_bind_keeps_the_rule_and_a_fitted_arbiter_as_they_are():
    judge = DummyClassifier().fit([[0], [1]], ["a", "b"])
    rule = Argmax("arbiter", arbiter=judge)
    bound = rule.bind(["a", "b"])
    assert bound.arbiter is judge
    assert bound.classes_.tolist() == ["a", "b"]
    assert not hasattr(rule, "classes_")


@pytest.mark.parametrize(
    ("rule", "label"),
    [
        (Argmax(), None),
        (Argmax("arbiter", arbiter="x"), None),
        (Argmax("abstain"), 0),
        (Abstain(abstain_label=9), 9),
        (MinimumCost(), None),
        (MinimumCost(abstain_cost=1), 0),
    ],
    ids=str,
)
def test_label_of_silence_is_named_where_rows_may_stay_open(rule, label):
    assert rule.abstain_label_for([-1, 1]) == label


@pytest.mark.parametrize(
    "rule",
    [*DECISION_RULES.values(), Abstain(0.7, 0.1, "?", "random", 3), Threshold(pos_label="a")],
    ids=str,
)
def test_rules_can_be_cloned(rule):
    copy = clone(rule)
    assert copy is not rule
    assert repr(copy) == repr(rule)
    assert copy.get_params() == rule.get_params()


def test_a_rule_of_ones_own_needs_decide_only():
    class Last(DecisionRule):
        def decide(self, support):
            return np.full(len(support), support.shape[1] - 1)

    rule = Last().bind(["a", "b"])
    support = np.array([[0.9, 0.1]])
    assert Decision(rule, rule.classes_)(support).tolist() == ["b"]
    assert not rule.can_abstain
    assert rule.tune(support, np.array([0]), ["a", "b"]) is rule
    assert rule.decide_without_abstaining(support).tolist() == [0]
    assert rule.confidence(support).tolist() == [0.9]


def test_parent_rule_does_not_decide():
    with pytest.raises(NotImplementedError):
        DecisionRule().decide(np.ones((1, 2)))
