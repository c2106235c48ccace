"""Given models with held-out predictions, cross-fitted in ``fit`` or read from a ledger.

``CrossFittedModels`` makes held-out predictions with the splitter ``cv``; ``LedgerModels`` can
also read them from an existing ledger.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, cast

import numpy as np

from nonet._base.aliases import Array, Floats, Kind, Params
from nonet._base.arrays import check_sample_weight
from nonet._base.metadata import GROUPS_ON_REQUEST
from nonet._base.params import Rule
from nonet.ensemble import HeldOutPredictions
from nonet.members.folds import CrossValidation
from nonet.members.ledger import Ledger, cross_fit
from nonet.members.member import Member
from nonet.members.outputs import Targets
from nonet.members.plan import MemberPlan
from nonet.members.row_digest import are_other_rows
from nonet.stacking.given_models import GivenModels


@dataclass(frozen=True)
class OwnParams:
    """The parameters of fit that the ensemble itself uses, apart from its members.

    Attributes
    ----------
    groups : array-like or None
        The group of each row, for the splitter.
    sample_weight : ndarray or None
        The weight of each row in whatever is learned from held-out predictions.
    ledger : Ledger or None
        Existing held-out predictions, in the order of the members.
    """

    groups: Any
    sample_weight: Floats | None
    ledger: Ledger | None = None


class CrossFittedModels(GivenModels):
    """Parent of the ensembles that learn from held-out predictions of their members."""

    __metadata_request__fit = GROUPS_ON_REQUEST  # for the splitter; members get what they request
    _rules: ClassVar[Mapping[str, Rule]] = {**GivenModels._rules, "cv": CrossValidation()}

    def _own_params(self, fit_params: Params, X: Any, y: Array) -> tuple[OwnParams, Params]:
        """Split the parameters of fit into the ensemble's own and those of the members."""
        passed_on = dict(fit_params)
        groups = passed_on.pop("groups", None)
        weight = check_sample_weight(passed_on.get("sample_weight"), len(y))
        if weight is not None:
            passed_on["sample_weight"] = weight
        return OwnParams(groups, weight), passed_on

    def _members(
        self, plans: list[MemberPlan], X: Any, y: Array, ledger: Ledger | None = None
    ) -> list[Member]:
        """Fit the members on all rows, or take those that the ledger has fitted on all rows."""
        if ledger is None:
            return self._fit_plans(plans, X, y)
        return ledger.refit_members(plans, X, y, n_jobs=self.n_jobs, steps=self._steps("models"))

    def _cross_fit(
        self,
        plans: list[MemberPlan],
        reads: Kind | tuple[Kind, ...],
        X: Any,
        y: Array,
        own: OwnParams,
        **more: Any,
    ) -> Ledger:
        """Return the ledger passed to fit, or make one."""
        return own.ledger or cross_fit(
            plans,
            X,
            y,
            reads=reads,
            classes=self._classes_by_target,
            cv=self.cv,
            groups=own.groups,
            n_jobs=self.n_jobs,
            steps=self._steps("held-out fits"),
            **more,
        )

    def _held_out(
        self, plans: list[MemberPlan], reads: Kind, X: Any, y: Array, own: OwnParams
    ) -> HeldOutPredictions:
        """Return the predictions of members for rows they were not fitted on."""
        ledger = self._cross_fit(plans, reads, X, y, own)
        return covered_predictions(ledger, reads, self._truth(y), own.sample_weight)


class LedgerModels(CrossFittedModels):
    """Parent of the ensembles that accept a ledger in place of cross-fitting."""

    @classmethod
    def from_ledger(cls, ledger: Ledger, X: Any, y: Any, **params: Any) -> Self:
        """Fit an ensemble of the members of a ledger, which holds their held-out predictions.

        Parameters
        ----------
        ledger : Ledger
            Made by :func:`nonet.make_ledger`, or the ``ledger_`` of another ensemble.
        X, y : the data of the ledger
        **params : dict
            The other parameters of the ensemble.

        Returns
        -------
        ensemble : object
        """
        if len(ledger.models) < len(ledger.names):
            raise ValueError(
                "a loaded ledger has only the names of its models; pass the models to the "
                "ensemble and call fit(X, y, ledger=ledger)."
            )
        models = list(zip(ledger.names, ledger.models, strict=True))
        return cast(Self, cls(models, **params).fit(X, y, ledger=ledger))

    def _own_params(self, fit_params: Params, X: Any, y: Array) -> tuple[OwnParams, Params]:
        """Split the parameters of fit; a ledger belongs to the ensemble itself."""
        rest = dict(fit_params)
        ledger = rest.pop("ledger", None)
        if ledger is not None:
            ledger = check_ledger(ledger, self._kept(), X, y, self._classes_by_target)
        own, passed_on = super()._own_params(rest, X, y)
        return replace(own, ledger=ledger), passed_on


def check_ledger(
    ledger: Any, models: list[tuple[str, Any]], X: Any, y: Array, classes: Targets | None
) -> Ledger:
    """Return the ledger of these models in their order; raise if it does not match them."""
    if not isinstance(ledger, Ledger):
        raise TypeError(f"ledger must be a Ledger made by make_ledger, but got {ledger!r}.")
    taken = ledger.take([name for name, _ in models])
    if (taken.classes is None) != (classes is None):
        raise ValueError("ledger and ensemble must both be for classification or regression.")
    if taken.target is not None and not np.array_equal(taken.target, y):
        raise ValueError(
            f"ledger was made for another target: fit got {len(y)} rows, the ledger has "
            f"{len(taken.target)}, and they must be the same rows with the same y."
        )
    if are_other_rows(taken.rows_digest, X):
        raise ValueError(
            "ledger was made on other rows: y is the same, but the values of X are not; pass the X "
            "that the ledger was made with, or make a new ledger."
        )
    for (name, model), noted in zip(models, taken.models, strict=False):
        if repr(model) != repr(noted):
            raise ValueError(
                f"member {name!r} is {model!r}, but the ledger holds the predictions of {noted!r}; "
                "make a new ledger, or use the same model."
            )
    return taken


def covered_predictions(
    ledger: Ledger, reads: Kind, truth: Targets, sample_weight: Floats | None
) -> HeldOutPredictions:
    """Return the predictions on the rows that every member covers, and the true targets."""
    rows = ledger.covered_rows
    return HeldOutPredictions(
        [predictions[rows] for predictions in ledger.predictions_as(reads)],
        [target[rows] for target in truth],
        None if sample_weight is None else sample_weight[rows],
    )
