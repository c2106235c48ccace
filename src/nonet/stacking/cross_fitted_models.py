"""Given models whose predictions are held out: cross-fitted in ``fit``, or read from a ledger.

``CrossFittedModels`` makes held-out predictions with the splitter ``cv``; ``LedgerModels`` takes
them, ready-made, from a ledger too.
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
from nonet.ensemble import HeldOutAnswers
from nonet.members.folds import CrossValidation
from nonet.members.ledger import Ledger, cross_fit
from nonet.members.member import Member
from nonet.members.outputs import Targets
from nonet.members.plan import MemberPlan
from nonet.stacking.given_models import GivenModels


@dataclass(frozen=True)
class OwnParams:
    """What the ensemble itself takes from the parameters of fit, beside its members.

    Attributes
    ----------
    groups : array-like or None
        The group of each row, for the splitter.
    sample_weight : ndarray or None
        The weight of each row in whatever is learned from held-out answers.
    ledger : Ledger or None
        Held-out answers made before, in the order of the members.
    """

    groups: Any
    sample_weight: Floats | None
    ledger: Ledger | None = None


class CrossFittedModels(GivenModels):
    """Parent of the ensembles that learn from held-out predictions of their members."""

    __metadata_request__fit = GROUPS_ON_REQUEST  # the splitter's; members get what they ask for
    _rules: ClassVar[Mapping[str, Rule]] = {**GivenModels._rules, "cv": CrossValidation()}

    def _own_params(self, fit_params: Params, y: Array) -> tuple[OwnParams, Params]:
        """Split the parameters of fit: the ensemble's own, and those for the members."""
        passed_on = dict(fit_params)
        groups = passed_on.pop("groups", None)
        weight = check_sample_weight(passed_on.get("sample_weight"), len(y))
        if weight is not None:
            passed_on["sample_weight"] = weight
        return OwnParams(groups, weight), passed_on

    def _members(
        self, plans: list[MemberPlan], X: Any, y: Array, ledger: Ledger | None = None
    ) -> list[Member]:
        """Fit the members on all rows, or take those of the ledger that were fitted on them."""
        if ledger is None:
            return self._fit_plans(plans, X, y)
        return ledger.refit_members(plans, X, y, n_jobs=self.n_jobs, verbose=self.verbose)

    def _cross_fit(
        self,
        plans: list[MemberPlan],
        reads: Kind | tuple[Kind, ...],
        X: Any,
        y: Array,
        own: OwnParams,
        **more: Any,
    ) -> Ledger:
        """Return the ledger that was given to fit, or one made now."""
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
            **more,
        )

    def _held_out(
        self, plans: list[MemberPlan], reads: Kind, X: Any, y: Array, own: OwnParams
    ) -> HeldOutAnswers:
        """Return the predictions of members for rows they were not fitted on."""
        ledger = self._cross_fit(plans, reads, X, y, own)
        return held_out_part(ledger, reads, self._truth(y), own.sample_weight)


class LedgerModels(CrossFittedModels):
    """Parent of the ensembles that take a ledger in place of cross-fitting."""

    @classmethod
    def from_ledger(cls, ledger: Ledger, X: Any, y: Any, **params: Any) -> Self:
        """Fit an ensemble of the members whose held-out answers are known already.

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
                "a ledger that was loaded knows its models by name only; give them to the "
                "ensemble and call fit(X, y, ledger=ledger)."
            )
        models = list(zip(ledger.names, ledger.models, strict=True))
        return cast(Self, cls(models, **params).fit(X, y, ledger=ledger))

    def _own_params(self, fit_params: Params, y: Array) -> tuple[OwnParams, Params]:
        """Split the parameters of fit; a ledger is the ensemble's own."""
        rest = dict(fit_params)
        ledger = rest.pop("ledger", None)
        if ledger is not None:
            ledger = check_ledger(ledger, self._kept(), y, self._classes_by_target)
        own, passed_on = super()._own_params(rest, y)
        return replace(own, ledger=ledger), passed_on


def check_ledger(
    ledger: Any, models: list[tuple[str, Any]], y: Array, classes: Targets | None
) -> Ledger:
    """Return the ledger of these models in their order; raise if it was made of something else."""
    if not isinstance(ledger, Ledger):
        raise TypeError(f"ledger must be a Ledger made by make_ledger, but got {ledger!r}.")
    taken = ledger.take([name for name, _ in models])
    if (taken.classes is None) != (classes is None):
        raise ValueError("ledger and ensemble must both be of classification, or of regression.")
    if taken.target is not None and not np.array_equal(taken.target, y):
        raise ValueError(
            f"ledger was made for another target: fit got {len(y)} rows, the ledger has "
            f"{len(taken.target)}, and they must be the same rows with the same y."
        )
    for (name, model), noted in zip(models, taken.models, strict=False):
        if repr(model) != repr(noted):
            raise ValueError(
                f"member {name!r} is {model!r}, but the ledger holds the answers of {noted!r}; "
                "make a new ledger, or use the same model."
            )
    return taken


def held_out_part(
    ledger: Ledger, reads: Kind, truth: Targets, sample_weight: Floats | None
) -> HeldOutAnswers:
    """Return the answers on the rows that every member was asked about, beside the truth."""
    rows = ledger.covered_rows
    return HeldOutAnswers(
        [answers[rows] for answers in ledger.answers_as(reads)],
        [target[rows] for target in truth],
        None if sample_weight is None else sample_weight[rows],
    )
