"""F of boosting methods that sum confidences, log ratios or values of their members."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nonet.boosting.adaboost.methods.confidence_rated import Confidence, SammeR, SumOfMembers
from nonet.boosting.adaboost.methods.method import MIN_WEIGHT
from nonet.boosting.adaboost.methods.multiclass_methods import M2, Mh
from nonet.boosting.adaboost.methods.regression_methods import RegressionMethod
from nonet.persist.onnx.rules.member_outputs import MemberOutputs


def sum_of_members(rule: SumOfMembers, outputs: MemberOutputs) -> str:
    """Sum the weighted contributions of the members, or average them."""
    graph = outputs.graph
    build = _CONTRIBUTIONS.get(type(rule.method).contribution)
    if build is None:
        raise graph.refusal(
            f"is boosted by {type(rule.method).__name__}, a method without a form in ONNX",
            "choose a method by its short name",
        )
    support = build(outputs)
    if not rule.method.is_averaged:
        return support
    return graph.apply("Div", support, np.abs(outputs.factors).sum())


def _as_they_are(outputs: MemberOutputs) -> str:
    return outputs.weighted_sum()


def _confidences(outputs: MemberOutputs) -> str:
    """Sum one number per member, by the scores or probabilities of both classes."""
    graph = outputs.graph
    if outputs.n_classes == 1:
        return graph.for_each_row(graph.sum(outputs.tensor), np.ones(1))
    first, second = (
        graph.add("Gather", outputs.tensor, graph.constant(np.int64(c)), axis=2) for c in (0, 1)
    )
    rest = graph.apply("Mul", graph.apply("Sub", graph.add("Add", first, second), 2.0), -1.0)
    confidence = graph.add("Div", graph.add("Sub", second, first), rest)
    return _both_sides(_of_two_axes(outputs, confidence))


def _values(outputs: MemberOutputs) -> str:
    if outputs.n_classes == 1:
        return outputs.graph.for_each_row(outputs.tensor, np.ones(1))
    return _both_sides(outputs)


def _both_sides(outputs: MemberOutputs) -> str:
    total = outputs.weighted_sum()
    return outputs.graph.stack([outputs.graph.add("Neg", total), total])


def _of_two_axes(outputs: MemberOutputs, tensor: str) -> MemberOutputs:
    flat = MemberOutputs(
        outputs.graph, tensor, outputs.n_members, 2, outputs.classes, outputs.weights
    )
    return flat


def _log_ratios(outputs: MemberOutputs) -> str:
    graph, n_classes = outputs.graph, outputs.n_classes
    logs = graph.add("Log", graph.apply("Max", outputs.tensor, MIN_WEIGHT))
    mean = graph.apply("Div", graph.sum(logs, axis=2, keepdims=True), float(n_classes))
    ratios = graph.apply("Mul", graph.add("Sub", logs, mean), float(n_classes - 1))
    return outputs.of(ratios).weighted_sum()


# By the methods that compute them: a child may inherit one, or have one of its own.
_CONTRIBUTIONS: dict[Any, Callable[[MemberOutputs], str]] = {
    Confidence.contribution: _confidences,
    M2.contribution: _as_they_are,
    Mh.contribution: _as_they_are,
    RegressionMethod.contribution: _values,
    SammeR.contribution: _log_ratios,
}
