"""Base class of the ensembles of one target: the check of y, a decision rule without tuning."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.utils import check_consistent_length

from nonet._base.aliases import Array
from nonet._base.frames import take_rows
from nonet._base.params import bad_parameter
from nonet.decide.rule import DecisionRule
from nonet.decide.table import resolve_decision_rule
from nonet.ensemble import Ensemble
from nonet.members.plan import MemberPlan


class SingleTarget(Ensemble):
    """Parent of the ensembles with a single target."""

    def _check_single_target(self, X: Any, y: Any) -> Array:
        """Return y, which must have one column, as many rows as X, and at least one row."""
        target: Array = self._check_target(y)
        check_consistent_length(X, target)
        if target.ndim > 1:
            raise ValueError(
                f"{type(self).__name__} takes one target, but y has {target.shape[1]} columns; "
                "fit one ensemble for each."
            )
        if not len(target):
            raise ValueError(f"{type(self).__name__} got 0 rows to fit on.")
        return target

    def _resolve_untuned(self) -> list[DecisionRule]:
        """Return C; a rule to be tuned is rejected, as there are no held-out predictions."""
        rule = resolve_decision_rule(self.decide, self.classes_, self)
        if rule.needs_held_out:
            allowed = "a rule that is not tuned, such as Threshold(0.3)"
            raise bad_parameter(self, "decide", allowed, self.decide)
        return [rule]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags


def allow_one_class(plan: MemberPlan, labels: Array) -> MemberPlan:
    """Return the plan, or that of a constant model if its rows are all of one class."""
    if len(np.unique(take_rows(labels, plan.rows))) > 1:
        return plan
    constant = DummyClassifier(strategy="most_frequent")
    return replace(plan, estimator=constant, fit_params={})
