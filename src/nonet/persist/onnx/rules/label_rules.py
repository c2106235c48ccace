"""Rules F on class labels: votes."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet.persist.onnx.rules.member_outputs import MemberOutputs

# As in the rules themselves: sums of weights that differ by less are equal.
_ROUNDING = 1e-12


def votes(outputs: MemberOutputs) -> str:
    """Count the votes for each class; an abstention is none."""
    named = outputs.graph.one_hot(outputs.tensor, outputs.n_classes)
    weighted = outputs.graph.apply("Mul", named, outputs.factors[:, np.newaxis])
    return outputs.graph.sum(weighted)


def plurality(rule: Any, outputs: MemberOutputs) -> str:
    """Return each class's fraction of the vote."""
    return outputs.graph.apply("Div", votes(outputs), outputs.factors.sum())


def majority(rule: Any, outputs: MemberOutputs) -> str:
    """Return the fraction of the class with more than half of the vote, 0 for all others."""
    graph, fractions = outputs.graph, plurality(rule, outputs)
    has_most = graph.apply("Greater", fractions, 0.5 * (1 + _ROUNDING))
    return graph.where(has_most, fractions, graph.constant(0.0))


def k_of_n(rule: Any, outputs: MemberOutputs) -> str:
    """Choose the positive class where enough members vote for it."""
    return _elect(rule, outputs, float(rule._needed(outputs.n_members)))


def weighted_k_of_n(rule: Any, outputs: MemberOutputs) -> str:
    """Choose the positive class where its votes have enough weight."""
    return _elect(rule, outputs, float(rule.threshold))


def _elect(rule: Any, outputs: MemberOutputs, needed: float) -> str:
    graph, counted = outputs.graph, votes(outputs)
    is_positive = np.arange(outputs.n_classes) == rule._positive(outputs.classes)
    of_positive = graph.columns(counted, np.flatnonzero(is_positive))
    wins = graph.apply("GreaterOrEqual", of_positive, needed * (1 - _ROUNDING))
    if outputs.n_classes == 2:
        others = graph.constant((~is_positive).astype(np.float64))
    else:
        kept = graph.apply("Mul", counted, (~is_positive).astype(np.float64))
        others = _fractions(outputs, kept)
    return graph.where(wins, graph.constant(is_positive.astype(np.float64)), others)


def _fractions(outputs: MemberOutputs, counted: str) -> str:
    """Divide the votes of each row by their sum; a row of zeros stays one."""
    graph, sums = outputs.graph, outputs.graph.sum(counted, keepdims=True)
    is_empty = graph.apply("Equal", sums, 0.0)
    return graph.add("Div", counted, graph.where(is_empty, graph.constant(1.0), sums))
