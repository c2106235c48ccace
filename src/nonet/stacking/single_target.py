"""What the ensembles of given models and one target share: who is asked and how is settled by x."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.utils import check_consistent_length

from nonet._base.aliases import Array, Kind
from nonet._base.frames import take_rows
from nonet._base.params import Rule, bad_parameter
from nonet.decide.rule import DecisionRule
from nonet.decide.table import resolve_decision_rule
from nonet.ensemble import Ensemble
from nonet.members.ledger import Ledger, cross_fit
from nonet.members.plan import MemberPlan
from nonet.stacking.given_models import GivenModels, OwnParams


class SingleTarget(Ensemble):
    """Parent of the ensembles that answer one question a row."""

    prefit = False
    weights = None
    flatten_transform = True

    def _check_single_target(self, X: Any, y: Any) -> Array:
        """Return y, which must have one column, as many rows as X, and at least one."""
        target: Array = self._check_target(y)
        check_consistent_length(X, target)
        if target.ndim > 1:
            raise ValueError(
                f"{type(self).__name__} takes one target, but y has {target.shape[1]} columns; "
                "fit one ensemble for each."
            )
        if not len(target):
            raise ValueError(f"{type(self).__name__} got 0 rows to learn from.")
        return target

    def _resolve_untuned(self) -> list[DecisionRule]:
        """Return C; a rule to be tuned has no answers to be tuned on."""
        rule = resolve_decision_rule(self.decide, self.classes_)
        if rule.needs_held_out:
            allowed = "a rule that is not tuned, such as Threshold(0.3)"
            raise bad_parameter(self, "decide", allowed, self.decide)
        return [rule]

    def _held_out_ledger(
        self, plans: list[MemberPlan], reads: Kind, X: Any, y: Array, own: OwnParams
    ) -> Ledger:
        """Return the ledger that was given, or one made now."""
        return own.ledger or cross_fit(
            plans,
            X,
            y,
            reads=reads,
            classes=self._classes_by_target,
            cv=self.cv,
            groups=own.groups,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags


def rules_of_given_models(*left_out: str) -> dict[str, Rule]:
    """Return the parameter rules of given models, without weights, prefit and those named."""
    gone = {"weights", "prefit", *left_out}
    return {name: rule for name, rule in GivenModels._rules.items() if name not in gone}


def allow_one_class(plan: MemberPlan, labels: Array) -> MemberPlan:
    """Return the plan, or that of a constant if its rows are all of one class."""
    if len(np.unique(take_rows(labels, plan.rows))) > 1:
        return plan
    constant = DummyClassifier(strategy="most_frequent")
    return replace(plan, estimator=constant, fit_params={})
