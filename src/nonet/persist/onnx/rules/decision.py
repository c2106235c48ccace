"""Rules C as nodes: the support of the classes in, class codes out, -1 for no decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nonet._base.aliases import ABSTAINED
from nonet.boosting.gradient.decisions import PlainDecision
from nonet.decide.abstain import _DEFAULT_MIN_SUPPORT, Abstain
from nonet.decide.argmax import Argmax
from nonet.decide.minimum_cost import MinimumCost
from nonet.decide.rule import Decision
from nonet.decide.sign import Sign
from nonet.decide.support import _ROUNDING_STEPS
from nonet.decide.threshold import Threshold
from nonet.persist.onnx.graph import Graph

# Support is of doubles in a graph, whatever its inputs are.
_ROUNDING = _ROUNDING_STEPS * float(np.finfo(np.float64).eps)


def decide(graph: Graph, decision: Decision, support: str, n_axes: int = 2) -> str:
    """Add C: int64 class codes of shape (n,), -1 where the rule leaves a row undecided.

    Parameters
    ----------
    graph : Graph
    decision : Decision
    support : str
        Doubles of shape (n, c), or (n,) for a signed score.
    n_axes : int
        The number of axes of the support.
    """
    if isinstance(decision, PlainDecision):
        return _decide_plainly(graph, decision, support, n_axes)
    build = _RULES.get(type(decision.rule))
    if build is None:
        raise graph.refusal(
            f"is decided by {type(decision.rule).__name__}, a rule C without a form in ONNX",
            "choose one of nonet.decide, such as decide='argmax'",
        )
    n_classes = len(decision.classes)
    return build(graph, decision.rule, support, n_classes if n_axes == 2 else 0)


def argmax(graph: Graph, support: str) -> str:
    """Return the first class of the highest support."""
    return graph.add("ArgMax", support, axis=1, keepdims=0)


def _decide_plainly(graph: Graph, decision: PlainDecision, support: str, n_axes: int) -> str:
    if n_axes == 2:
        return argmax(graph, support)
    operator = "GreaterOrEqual" if decision.rule.zero == "positive" else "Greater"
    return graph.cast(graph.apply(operator, support, 0.0), "int64")


# ---- Rules: (graph, rule, support, number of classes or 0 for a signed score) -> codes ----------


def _argmax(graph: Graph, rule: Argmax, support: str, n_classes: int) -> str:
    codes = argmax(graph, support)
    if rule.tie == "first":
        return codes
    _refuse_random(graph, rule)
    return _abstain_from_ties(graph, codes, support)


def _refuse_random(graph: Graph, rule: Any) -> None:
    if rule.tie == "random":
        raise graph.refusal(
            "is decided at random where classes tie, by a hash of the row that ONNX has not",
            "use tie='first' or tie='abstain'",
        )


def _abstain_from_ties(graph: Graph, codes: str, support: str) -> str:
    top = graph.extreme("Max", support, keepdims=True)
    slack = graph.apply("Mul", graph.add("Abs", top), _ROUNDING)
    tied = graph.add("GreaterOrEqual", support, graph.add("Sub", top, slack))
    n_tied = graph.sum(graph.cast(tied, "int64"))
    return _unless(graph, graph.add("Greater", n_tied, graph.constant(np.int64(1))), codes)


def _unless(graph: Graph, abstains: str, codes: str) -> str:
    return graph.where(abstains, graph.constant(np.int64(ABSTAINED)), codes)


def _is_empty(graph: Graph, support: str) -> str:
    """Return which rows of support are all zero."""
    size = graph.extreme("Max", graph.add("Abs", support))
    return graph.apply("Equal", size, 0.0)


def _abstain(graph: Graph, rule: Abstain, support: str, n_classes: int) -> str:
    _refuse_random(graph, rule)
    codes = argmax(graph, support)
    if rule.tie == "abstain":
        codes = _abstain_from_ties(graph, codes, support)
    min_support, min_margin = rule.min_support, rule.min_margin
    if min_support is None and min_margin is None:
        min_support = _DEFAULT_MIN_SUPPORT
    codes = _unless(graph, _is_empty(graph, support), codes)
    if min_support is not None:
        top = graph.extreme("Max", support)
        codes = _unless(graph, _falls_short(graph, top, min_support), codes)
    if min_margin is not None and n_classes > 1:
        codes = _unless(graph, _falls_short(graph, _margin(graph, support), min_margin), codes)
    return codes


def _falls_short(graph: Graph, values: str, threshold: float) -> str:
    return graph.apply("Less", values, threshold - _ROUNDING * abs(threshold))


def _margin(graph: Graph, support: str) -> str:
    """Return the highest support minus the second-highest."""
    two = graph.constant(np.array([2]))
    top, _ = graph.add_many("TopK", support, two, n_outputs=2, axis=1)
    return graph.add("Sub", graph.column(top, 0), graph.column(top, 1))


def _threshold(graph: Graph, rule: Threshold, support: str, n_classes: int) -> str:
    positive = rule._positive()
    if n_classes:
        score = graph.column(support, positive)
    else:
        score = support if positive == 1 else graph.add("Neg", support)
    distance = _signed_distance(graph, score, graph.constant(float(rule._border())))
    if n_classes:
        distance = graph.where(_is_empty(graph, support), graph.constant(0.0), distance)
    return _side(graph, distance, rule.at_equality, positive)


def _sign(graph: Graph, rule: Sign, support: str, n_classes: int) -> str:
    if n_classes:
        support = _signed_distance(graph, graph.column(support, 1), graph.column(support, 0))
    return _side(graph, support, rule.zero, 1)


def _signed_distance(graph: Graph, score: str, border: str) -> str:
    """Return the score minus the threshold; zero where they differ only by rounding."""
    distance = graph.add("Sub", score, border)
    size = graph.add("Max", graph.add("Abs", score), graph.add("Abs", border))
    slack = graph.apply("Mul", size, _ROUNDING)
    is_equal = graph.add("LessOrEqual", graph.add("Abs", distance), slack)
    return graph.where(is_equal, graph.constant(0.0), distance)


def _side(graph: Graph, distance: str, policy: str, positive: int) -> str:
    codes = {"positive": positive, "negative": 1 - positive, "abstain": ABSTAINED}
    above, below, equal = (
        graph.constant(np.int64(code)) for code in (positive, 1 - positive, codes[policy])
    )
    lower = graph.where(graph.apply("Less", distance, 0.0), below, equal)
    return graph.where(graph.apply("Greater", distance, 0.0), above, lower)


def _minimum_cost(graph: Graph, rule: MinimumCost, support: str, n_classes: int) -> str:
    costs = rule._matrix(rule.classes_)
    sums = graph.sum(support, keepdims=True)
    is_positive = graph.apply("Greater", sums, 0.0)
    scaled = graph.add("Div", support, graph.where(is_positive, sums, graph.constant(1.0)))
    fractions = graph.where(is_positive, scaled, graph.constant(1 / n_classes))
    expected = graph.add("MatMul", fractions, graph.constant(costs))
    size = graph.extreme("Max", graph.add("Abs", expected), keepdims=True)
    slack = graph.apply("Mul", size, _ROUNDING)
    cheapest = graph.extreme("Min", expected, keepdims=True)
    is_cheap = graph.add("LessOrEqual", expected, graph.add("Add", cheapest, slack))
    codes = argmax(graph, graph.cast(is_cheap, "int64"))
    if rule.abstain_cost is None:
        return codes
    limit = graph.column(graph.add("Sub", cheapest, slack), 0)
    is_dear = graph.apply("Greater", limit, float(rule.abstain_cost))
    return _unless(graph, graph.add("Or", is_dear, _is_empty(graph, support)), codes)


_RULES: dict[type, Callable[[Graph, Any, str, int], str]] = {
    Abstain: _abstain,
    Argmax: _argmax,
    MinimumCost: _minimum_cost,
    Sign: _sign,
    Threshold: _threshold,
}
