"""The table of the rules F that a graph can express."""

from __future__ import annotations

from typing import Any

from nonet._base.aliases import Task
from nonet.boosting.adaboost import adaboost_r2
from nonet.boosting.adaboost.methods.confidence_rated import SumOfMembers
from nonet.combine import labels, probabilities, values
from nonet.combine.labels import And, AtLeastOne, KOfN, Or, WeightedKOfN
from nonet.combine.log_loss import SafePool
from nonet.combine.ranks import Borda
from nonet.combine.rule import NamedRule
from nonet.combine.scores import ScoreSum
from nonet.combine.signed_sum import SignedSum
from nonet.combine.table import rule_name
from nonet.combine.values import TrimmedMean
from nonet.persist.onnx.rules import boosting_sums, label_rules, probability_rules, value_rules
from nonet.persist.onnx.rules.member_outputs import MemberOutputs
from nonet.persist.onnx.rules.probability_rules import Build, pooled

# By the functions, since a rule of the user's may have the name of one of ours.
_FUNCTIONS: dict[Any, Build] = {
    values.mean: value_rules.mean,
    values.median: value_rules.median,
    values.minimum: value_rules.minimum,
    values.maximum: value_rules.maximum,
    values.geometric_mean: value_rules.geometric_mean,
    values.total: value_rules.total,
    adaboost_r2.lower_median: value_rules.lower_median,
    probabilities.median_pool: pooled(value_rules.median),
    probabilities.minimum_pool: pooled(value_rules.minimum),
    probabilities.maximum_pool: pooled(value_rules.maximum),
    probabilities.product: probability_rules.product,
    probabilities.log_pool: probability_rules.log_pool,
    labels.plurality: label_rules.plurality,
    labels.majority: label_rules.majority,
}
_RULES: dict[type, Build] = {
    And: label_rules.k_of_n,
    AtLeastOne: label_rules.k_of_n,
    Borda: probability_rules.borda,
    KOfN: label_rules.k_of_n,
    Or: label_rules.k_of_n,
    SafePool: probability_rules.safe_pool,
    ScoreSum: probability_rules.score_sum,
    SignedSum: value_rules.signed_sum,
    SumOfMembers: boosting_sums.sum_of_members,
    WeightedKOfN: label_rules.weighted_k_of_n,
}


def combine(rule: Any, outputs: MemberOutputs) -> str:
    """Add F: the support of the classes, or combined values.

    Parameters
    ----------
    rule : CombinationRule
    outputs : MemberOutputs

    Returns
    -------
    support : str
        Doubles of shape (n, c), (n,) or (n, n_targets).
    """
    build = _builder(rule, outputs)
    if build is None:
        raise outputs.graph.refusal(
            f"is combined by {rule_name(rule)!r}, a rule F without a form in ONNX",
            "choose one by its short name, such as combine='mean'",
        )
    return build(rule, outputs)


def _builder(rule: Any, outputs: MemberOutputs) -> Build | None:
    if type(rule) is TrimmedMean:
        trimmed = value_rules.trimmed_mean
        return trimmed if outputs.classes is None else pooled(trimmed)
    if type(rule) is not NamedRule:
        return _RULES.get(type(rule))
    task: Task = "regression" if outputs.classes is None else "classification"
    return _FUNCTIONS.get(rule.functions[rule.reads[task]])
