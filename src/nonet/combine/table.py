"""Short names of the combination rules, and the lookup of a ``combine=`` parameter."""

from __future__ import annotations

from typing import Any

from nonet._base.aliases import Array, Floats, Kind, Task
from nonet._base.names import look_up
from nonet._base.params import bad_parameter
from nonet.combine import labels, probabilities, values
from nonet.combine.labels import And, Or
from nonet.combine.ranks import Borda
from nonet.combine.rule import CallableCombination, Combination, CombinationRule, NamedRule
from nonet.combine.scores import ScoreSum
from nonet.combine.values import TrimmedMean

COMBINATION_RULES: dict[str, CombinationRule] = {
    "mean": NamedRule("mean", {"values": values.mean, "probabilities": values.mean}),
    "median": NamedRule(
        "median", {"values": values.median, "probabilities": probabilities.median_pool}
    ),
    "trimmed_mean": TrimmedMean(),
    "min": NamedRule(
        "min",
        {"values": values.minimum, "probabilities": probabilities.minimum_pool},
        takes_weights=False,
    ),
    "max": NamedRule(
        "max",
        {"values": values.maximum, "probabilities": probabilities.maximum_pool},
        takes_weights=False,
    ),
    "geometric_mean": NamedRule(
        "geometric_mean",
        {"values": values.geometric_mean, "probabilities": probabilities.log_pool},
    ),
    "sum": NamedRule("sum", {"values": values.total}),
    "product": NamedRule("product", {"probabilities": probabilities.product}),
    "log_pool": NamedRule("log_pool", {"probabilities": probabilities.log_pool}),
    "plurality": NamedRule("plurality", {"labels": labels.plurality}),
    "majority": NamedRule("majority", {"labels": labels.majority}, may_abstain=True),
    "and": And(),
    "or": Or(),
    "borda": Borda(),
    "score_sum": ScoreSum(),
}


def resolve_combination_rule(combine: Any, task: Task) -> CombinationRule:
    """Return the rule for a short name, a rule object or a custom function."""
    rule = _as_rule(combine)
    if task not in rule.reads:
        fitting = [name for name, known in COMBINATION_RULES.items() if task in known.reads]
        raise bad_parameter(task, "combine", f"a rule for {task} such as {fitting}", combine)
    return rule


def _as_rule(combine: Any) -> CombinationRule:
    if isinstance(combine, CombinationRule):
        return combine
    if isinstance(combine, str):
        return look_up(COMBINATION_RULES, combine, "combination rule")
    if callable(combine) and not isinstance(combine, type):
        return CallableCombination(combine)
    allowed = "a short name, a rule object of nonet.combine or a function of the outputs"
    raise bad_parameter("ensemble", "combine", allowed, combine)


def bind_rule(
    rule: CombinationRule, n_members: int, weights: Floats | None, classes: Array | None
) -> Combination:
    """Check a rule against the members and classes of an ensemble, and bind it to them."""
    rule.check(n_members, classes, weights)
    if weights is not None and not rule.takes_weights:
        raise ValueError(
            f"combination rule {rule_name(rule)!r} takes no weights: "
            "leave weights=None, or choose a rule that uses weights such as 'mean'."
        )
    kind: Kind = rule.reads["regression" if classes is None else "classification"]
    return Combination(rule, kind, weights, classes)


def rule_name(rule: CombinationRule) -> str:
    """Return the short name of a rule, or its class name."""
    return str(getattr(rule, "name", type(rule).__name__))
