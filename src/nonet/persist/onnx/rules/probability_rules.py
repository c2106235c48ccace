"""Rules F on probabilities and on scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.rules import value_rules
from nonet.persist.onnx.rules.member_outputs import MemberOutputs

_SUM_ROUNDING = 1e-6  # as in ensembles' own predict_proba

Build = Callable[[Any, MemberOutputs], str]
"""(rule, outputs) -> support."""


def normalized(graph: Graph, support: str, n_classes: int) -> str:
    """Scale each row to sum to one; a row of zeros becomes uniform."""
    sums = graph.sum(support, keepdims=True)
    is_empty = graph.apply("Equal", sums, 0.0)
    scaled = graph.add("Div", support, graph.where(is_empty, graph.constant(1.0), sums))
    return graph.where(is_empty, graph.constant(1 / n_classes), scaled)


def as_probabilities(graph: Graph, support: str, n_classes: int) -> str:
    """Scale the rows that do not sum to one; the others stay as they are."""
    excess = graph.add("Abs", graph.apply("Sub", graph.sum(support, keepdims=True), 1.0))
    is_off = graph.apply("Greater", excess, _SUM_ROUNDING)
    return graph.where(is_off, normalized(graph, support, n_classes), support)


def pooled(build: Build) -> Build:
    """Return a rule on values as one on probabilities, whose rows sum to one."""

    def pool(rule: Any, outputs: MemberOutputs) -> str:
        return normalized(outputs.graph, build(rule, outputs), outputs.n_classes)

    return pool


def product(rule: Any, outputs: MemberOutputs) -> str:
    """Multiply the probabilities."""
    return _softmax_of_logs(outputs, 1.0)


def log_pool(rule: Any, outputs: MemberOutputs) -> str:
    """Take the geometric mean of the probabilities."""
    return _softmax_of_logs(outputs, float(outputs.factors.sum()))


def safe_pool(rule: Any, outputs: MemberOutputs) -> str:
    """Multiply the probabilities, raised to a floor."""
    raised = outputs.graph.apply("Max", outputs.tensor, float(rule.floor))
    return product(rule, outputs.of(raised))


def _softmax_of_logs(outputs: MemberOutputs, divisor: float) -> str:
    graph = outputs.graph
    sums = value_rules.log_sum(outputs)
    # Where every class has a veto, zeros count as the smallest positive number.
    raised = graph.apply("Max", outputs.tensor, np.finfo(np.float64).tiny)
    is_vetoed = graph.apply("Equal", graph.extreme("Max", sums, keepdims=True), -np.inf)
    logs = graph.where(is_vetoed, value_rules.log_sum(outputs.of(raised)), sums)
    return graph.add("Softmax", graph.apply("Div", logs, divisor), axis=1)


def score_sum(rule: Any, outputs: MemberOutputs) -> str:
    """Take the softmax of the sums of scores; those of two classes are -g and g."""
    graph, sums = outputs.graph, outputs.weighted_sum()
    sums = graph.apply("Mul", sums, 0.5) if outputs.n_classes == 2 else sums
    return graph.add("Softmax", sums, axis=1)


def borda(rule: Any, outputs: MemberOutputs) -> str:
    """Count the classes that each member ranks below a class."""
    graph = outputs.graph
    own, others = graph.expand(outputs.tensor, 3), graph.expand(outputs.tensor, 2)
    points = graph.cast(graph.add("Greater", own, others), "double")
    if rule.ties == "half":
        ties = graph.cast(graph.add("Equal", own, others), "double")
        half = 0.5 * (1 - np.eye(outputs.n_classes))
        points = graph.add("Add", points, graph.apply("Mul", ties, half))
    counted = outputs.of(graph.sum(points, axis=3)).weighted_sum()
    return normalized(graph, counted, outputs.n_classes)
