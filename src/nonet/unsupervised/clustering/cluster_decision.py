"""C of a consensus clustering: memberships to labels, with -1 for an abstention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import ABSTAINED, Codes, Floats
from nonet._base.errors import ParameterError, show
from nonet._base.params import check_params
from nonet._base.rule_words import rule_in_words
from nonet.decide.rule import DecisionRule
from nonet.decide.table import as_decision_rule


@dataclass(frozen=True)
class ClusterDecision:
    """A decision rule for clusters.

    Attributes
    ----------
    rule : DecisionRule
    """

    rule: DecisionRule

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return rule_in_words(self.rule).replace("class", "cluster")

    def __call__(self, support: Floats, X: Any = None) -> Codes:
        """Return the cluster of each row; -1 where the rule abstains or no member has a label."""
        codes = np.asarray(self.rule.decide_rows(support, X))
        return np.where(support.any(axis=1), codes, ABSTAINED)


def resolve_cluster_rule(owner: Any, n_clusters: int) -> ClusterDecision:
    """Return C for the parameter ``decide`` of an owner.

    Rules that learn from labels, and arbiters, have no meaning without labels.
    """
    rule = as_decision_rule(owner.decide)
    check_params(rule, rule._rules)
    if rule.needs_held_out or rule.arbiter is not None:
        raise ParameterError(
            f"{type(owner).__name__}: parameter 'decide' must be a rule that needs no labels, such "
            f"as 'argmax' or Abstain(0.8), but got {show(owner.decide)}."
        )
    return ClusterDecision(rule.with_classes(np.arange(n_clusters)))
