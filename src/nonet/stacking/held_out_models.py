"""Base class of the learned combinations: a ledger, and the members that predict after fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from nonet._base.aliases import Array, Kind, Task
from nonet._base.params import Boolean, Choice, Rule
from nonet.members.folds import CrossValidation
from nonet.members.ledger import Ledger
from nonet.members.member import Member
from nonet.members.outputs import Targets
from nonet.members.plan import MemberPlan
from nonet.stacking.cross_fitted_models import OwnParams
from nonet.stacking.fold_average import FoldAverage
from nonet.stacking.prefit_models import PrefitModels


class HeldOutModels(PrefitModels):
    """Parent of the ensembles that learn from held-out predictions of their members."""

    _task: ClassVar[Task]
    _rules: ClassVar[Mapping[str, Rule]] = {
        **PrefitModels._rules,
        "cv": CrossValidation() | Choice("prefit"),
        "refit": Choice("all", "folds", "both"),
        "out_of_bag": Boolean(),
    }

    @property
    def prefit(self) -> bool:  # type: ignore[override]
        """Whether the members are already fitted."""
        return isinstance(self.cv, str) and self.cv == "prefit"

    def _ledger_of(
        self,
        plans: list[MemberPlan],
        kinds: Kind | tuple[Kind, ...],
        X: Any,
        target: Array,
        own: OwnParams,
    ) -> Ledger:
        keep_models = self.refit != "all"
        options = {"keep_models": keep_models, "out_of_bag": self.out_of_bag}
        return self._cross_fit(plans, kinds, X, target, own, **options)

    def _predicting_members(
        self, plans: list[MemberPlan], ledger: Ledger, X: Any, target: Array
    ) -> list[Member]:
        """Return the members that predict after fit: fitted on all rows, on folds, or both."""
        refit: dict[str, Any] = {"n_jobs": self.n_jobs, "steps": self._steps("models")}
        if self.refit == "all":
            return ledger.refit_members(plans, X, target, **refit)
        if not ledger.folds:
            raise ValueError(
                f"refit={self.refit!r} needs the models of the folds, which this ledger did not "
                "keep; make it with make_ledger(..., keep_models=True)."
            )
        both = self.refit == "both"
        on_all = [plan for plan in plans if both or not ledger.fold_members(plan.name)]
        whole = {m.name: m.estimator for m in ledger.refit_members(on_all, X, target, **refit)}
        members = []
        for plan in plans:
            models = [member.estimator for member in ledger.fold_members(plan.name)]
            models += [whole[plan.name]] if plan.name in whole else []
            members.append(Member(plan.name, FoldAverage(models, self._classes_of(plan))))
        return members

    def _classes_of(self, plan: MemberPlan) -> Targets | None:
        # A regressor among classifiers is fitted on codes, and predicts values.
        return None if plan.y is not None else self._classes_by_target
