"""Rules F and C in a graph, against the rules themselves on outputs that are hard to combine."""

from __future__ import annotations

import numpy as np
import pytest

from nonet import combine, decide
from nonet.boosting.adaboost.adaboost_r2 import lower_median
from nonet.combine.rule import NamedRule
from nonet.combine.table import COMBINATION_RULES, bind_rule
from nonet.decide.rule import Decision
from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.rules.calibration import calibrate
from nonet.persist.onnx.rules.combination import combine as combine_in_graph
from nonet.persist.onnx.rules.decision import decide as decide_in_graph
from nonet.persist.onnx.rules.member_outputs import MemberOutputs
from nonet.persist.onnx.steps.normal_quantiles import normal_quantile
from persist.onnx_sessions import run_tensor

RNG = np.random.default_rng(1)
CLASSES = np.array(["a", "b", "c"])
WEIGHTS = np.array([0.2, 0.3, 0.0, 0.5])
N = 400


def run(build, values, dtype=np.float64):
    """Run what ``build(graph, input)`` adds."""
    graph = Graph("Rules", double=True)
    return run_tensor(graph, build(graph, "X"), values, dtype)


def probabilities():
    """Return (n, 4, 3) probabilities, with vetoes and equal ones."""
    found = RNG.dirichlet(np.ones(3), size=(N, 4))
    found[:40] = np.eye(3)[RNG.integers(0, 3, (40, 4))]
    found[40:60] = np.round(found[40:60], 1)
    return found / found.sum(axis=2, keepdims=True)


OUTPUTS = {
    "values": np.round(np.exp(RNG.normal(size=(N, 4))), 1),
    "probabilities": probabilities(),
    "scores": np.round(RNG.normal(size=(N, 4, 3)), 1),
    "labels": RNG.integers(-1, 3, size=(N, 4)),
}
RULES = {
    **COMBINATION_RULES,
    "KOfN": combine.KOfN(2, pos_label="b"),
    "AtLeastOne": combine.AtLeastOne("c"),
    "WeightedKOfN": combine.WeightedKOfN(0.5),
    "SafePool": combine.SafePool(0.01),
    "SignedSum": combine.SignedSum(),
    "Borda without ties": combine.Borda(ties="none"),
    "trimmed": combine.TrimmedMean(0.3),
    "lower median": NamedRule("lower_median", {"values": lower_median}),
}
CASES = [
    (name, task, weights)
    for name, rule in RULES.items()
    for task in rule.reads
    for weights in ((None, WEIGHTS) if rule.takes_weights else (None,))
]


@pytest.mark.parametrize(("name", "task", "weights"), CASES)
def test_combines_as_the_rule(name, task, weights):
    rule, classes = RULES[name], CLASSES if task == "classification" else None
    kind = rule.reads[task]
    if name == "WeightedKOfN" and weights is None:
        rule = combine.WeightedKOfN(2)
    outputs = OUTPUTS[kind]
    expected = bind_rule(rule, 4, weights, classes)(outputs.copy())

    def build(graph, tensor):
        members = MemberOutputs(graph, tensor, 4, outputs.ndim, classes, weights)
        return combine_in_graph(rule, members)

    found = run(build, outputs)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)


def test_a_rule_of_the_user_is_refused_by_its_name():
    rule = combine.CombinationRule()
    graph = Graph("VotingClassifier", double=False)
    with pytest.raises(ValueError, match="combined by 'CombinationRule'"):
        combine_in_graph(rule, MemberOutputs(graph, "x", 2, 2))


# ---- Rules C -------------------------------------------------------------------------------------


def supports(n_classes):
    """Return supports with ties up to rounding, empty rows and values on thresholds."""
    found = RNG.dirichlet(np.ones(n_classes), size=N)
    found[:100] = np.round(found[:100], 1)
    found[100:110] = 0
    found[110:120] = 1 / n_classes
    found[120:140, 0] = found[120:140, -1] * (1 + 1e-15)
    found[140:150, 0] = 0.1 + 0.2
    return found


DECISIONS = {
    "argmax": (decide.Argmax(), 3),
    "argmax that abstains": (decide.Argmax(tie="abstain", abstain_label="?"), 3),
    "abstain": (decide.Abstain(abstain_label="?"), 3),
    "abstain below": (decide.Abstain(0.3, abstain_label="?", tie="abstain"), 3),
    "abstain within": (decide.Abstain(min_margin=0.2, abstain_label="?"), 3),
    "abstain by both": (decide.Abstain(0.4, 0.1, abstain_label="?"), 3),
    "cost": (decide.MinimumCost(), 3),
    "costs": (decide.MinimumCost({("a", "b"): 5, ("c", "a"): 2}), 3),
    "cost of none": (decide.MinimumCost(abstain_cost=0.4, abstain_label="?"), 3),
    "threshold": (decide.Threshold(0.3), 2),
    "threshold of the first": (decide.Threshold(0.3, pos_label="a"), 2),
    "threshold that abstains": (decide.Threshold(0.3, "abstain", abstain_label="?"), 2),
    "sign": (decide.Sign(), 2),
    "sign of zero": (decide.Sign(zero="abstain", abstain_label="?"), 2),
}


@pytest.mark.parametrize("name", DECISIONS)
def test_decides_as_the_rule(name):
    rule, n_classes = DECISIONS[name]
    classes, support = CLASSES[:n_classes], supports(n_classes)
    decision = Decision(rule.bind(classes), classes, rule.abstain_label)
    found = run(lambda graph, x: decide_in_graph(graph, decision, x), support, np.int64)
    assert np.array_equal(found, decision.codes(support))


@pytest.mark.parametrize("rule", [decide.Sign(zero="negative"), decide.Threshold(0.25)])
def test_decides_a_signed_score_as_the_rule(rule):
    classes, score = CLASSES[:2], np.round(RNG.normal(size=N), 2)
    decision = Decision(rule.bind(classes), classes)
    found = run(lambda graph, x: decide_in_graph(graph, decision, x, 1), score, np.int64)
    assert np.array_equal(found, decision.codes(score))


@pytest.mark.parametrize("method", ["temperature", "sigmoid", "isotonic"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_calibrates_as_the_method(method, n_classes):
    support = supports(n_classes)
    calibration = decide.resolve_calibration(method)
    calibration.learn(support[150:], RNG.integers(0, n_classes, N - 150))
    found = run(lambda graph, x: calibrate(graph, calibration, x, n_classes), support)
    np.testing.assert_allclose(found, calibration(support), rtol=1e-11, atol=1e-13)


def test_normal_quantiles_against_scipy():
    from scipy.stats import norm

    p = np.concatenate([np.linspace(1e-6, 1 - 1e-6, 2001), 10.0 ** -np.arange(1, 12)])
    found = run(normal_quantile, p)
    np.testing.assert_allclose(found, norm.ppf(p), rtol=1e-14, atol=1e-15)
