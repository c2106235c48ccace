"""Base class of the ensembles that accept fitted models."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Kind, Params
from nonet.ensemble import HeldOutPredictions
from nonet.members.label_codes import decode_prefit
from nonet.members.ledger import Ledger
from nonet.members.member import Member
from nonet.members.outputs import predict_members
from nonet.members.plan import MemberPlan
from nonet.stacking.cross_fitted_models import LedgerModels, OwnParams


class PrefitModels(LedgerModels):
    """Parent of the ensembles whose members may be fitted already.

    ``prefit``, a parameter or a property, states whether they are. The rows passed to ``fit`` then
    count as held out.
    """

    prefit: bool

    def _plans(self, fit_params: Params) -> list[MemberPlan]:
        plans = super()._plans(fit_params)
        if not self.prefit:
            return plans
        for plan in plans:
            check_is_fitted(plan.estimator)
        classes = getattr(self, "classes_", None)
        return [plan.with_estimator(decode_prefit(plan.estimator, classes)) for plan in plans]

    def _members(
        self, plans: list[MemberPlan], X: Any, y: Array, ledger: Ledger | None = None
    ) -> list[Member]:
        if self.prefit:
            return [Member(plan.name, plan.estimator) for plan in plans]
        return super()._members(plans, X, y, ledger)

    def _held_out(
        self, plans: list[MemberPlan], reads: Kind, X: Any, y: Array, own: OwnParams
    ) -> HeldOutPredictions:
        if not self.prefit:
            return super()._held_out(plans, reads, X, y, own)
        predictions = predict_members(self.members_, X, reads, self._classes_by_target)
        return HeldOutPredictions(predictions, self._truth(y), own.sample_weight)
