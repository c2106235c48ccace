"""Rules F on values, which serve probabilities as well: means and order statistics."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.rules.member_outputs import MemberOutputs


def total(rule: Any, outputs: MemberOutputs) -> str:
    """Add the members up."""
    return outputs.weighted_sum()


def mean(rule: Any, outputs: MemberOutputs) -> str:
    """Average the members."""
    return outputs.graph.apply("Div", outputs.weighted_sum(), outputs.factors.sum())


def signed_sum(rule: Any, outputs: MemberOutputs) -> str:
    """Add the members up by weights of either sign; without weights, average them."""
    return mean(rule, outputs) if outputs.weights is None else outputs.weighted_sum()


def log_sum(outputs: MemberOutputs) -> str:
    """Sum the logarithms times their weights; a member of weight 0 adds nothing."""
    outputs = outputs.present()
    return outputs.of(outputs.graph.add("Log", outputs.tensor)).weighted_sum()


def geometric_mean(rule: Any, outputs: MemberOutputs) -> str:
    """Take the geometric mean."""
    graph = outputs.graph
    return graph.add("Exp", graph.apply("Div", log_sum(outputs), outputs.factors.sum()))


def minimum(rule: Any, outputs: MemberOutputs) -> str:
    """Take the minimum."""
    return outputs.graph.extreme("Min", outputs.tensor)


def maximum(rule: Any, outputs: MemberOutputs) -> str:
    """Take the maximum."""
    return outputs.graph.extreme("Max", outputs.tensor)


def median(rule: Any, outputs: MemberOutputs) -> str:
    """Take the median; of two middle values the midpoint."""
    if outputs.weights is not None:
        return _weighted_median(outputs, midpoint=True)
    n = outputs.n_members
    return _order_mean(outputs, (n - 1) // 2, n // 2 + 1)


def lower_median(rule: Any, outputs: MemberOutputs) -> str:
    """Take the lowest output at which half of the weight is reached."""
    return _weighted_median(outputs, midpoint=False)


def trimmed_mean(rule: Any, outputs: MemberOutputs) -> str:
    """Average the outputs between the lowest and the highest."""
    n = outputs.n_members
    # As in combine.trimmed_mean: the product is rounded first.
    n_trimmed = min(int(np.floor(round(rule.proportion * n, 9))), (n - 1) // 2)
    return _order_mean(outputs, n_trimmed, n - n_trimmed)


def _in_order(outputs: MemberOutputs) -> tuple[str, str]:
    """Return the outputs of each row in rising order, and whose they are."""
    graph, k = outputs.graph, outputs.graph.constant(np.array([outputs.n_members]))
    ordered, members = graph.add_many("TopK", outputs.tensor, k, n_outputs=2, axis=1, largest=0)
    return ordered, members


def _order_mean(outputs: MemberOutputs, first: int, last: int) -> str:
    """Average the order statistics first, ..., last - 1."""
    graph = outputs.graph
    middle = graph.columns(_in_order(outputs)[0], np.arange(first, last))
    return graph.apply("Div", graph.sum(middle), float(last - first))


def _weighted_median(outputs: MemberOutputs, *, midpoint: bool) -> str:
    """Return the lowest output at which half of the weight is reached.

    With ``midpoint`` the mean of it and the next one where the sum is exactly half.
    """
    outputs = outputs.present()
    graph, weights = outputs.graph, outputs.factors
    ordered, members = _in_order(outputs)
    of_members = graph.add("Gather", graph.constant(weights), members, axis=0)
    sums = graph.add("CumSum", of_members, graph.constant(np.int64(1)))
    half = weights.sum() / 2
    rounding = weights.sum() * outputs.n_members * np.finfo(np.float64).eps
    last = outputs.n_members - 1
    low = _first_after(graph, ordered, graph.apply("Less", sums, half - rounding), last)
    if not midpoint:
        return low
    is_up_to_half = graph.apply("LessOrEqual", sums, half + rounding)
    high = _first_after(graph, ordered, is_up_to_half, last)
    return graph.apply("Mul", graph.add("Add", low, high), 0.5)


def _first_after(graph: Graph, ordered: str, comes_before: str, last: int) -> str:
    """Return the first output of each row that does not come before, or the last one."""
    counts = graph.sum(graph.cast(comes_before, "int64"), keepdims=True)
    position = graph.add("Min", counts, graph.constant(np.int64(last)))
    found = graph.add("GatherElements", ordered, position, axis=1)
    return graph.add("Squeeze", found, graph.constant(np.array([1])))
