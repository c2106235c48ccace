"""Base classes of given models combined by any rule, with given or found weights.

For voting and views: F is any rule of ``nonet.combine``, C any rule of ``nonet.decide``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats, Params
from nonet._base.arrays import check_member_weights
from nonet._base.params import Anything, ArrayLike, Instance, Nothing, Rule
from nonet.combine.table import resolve_combination_rule
from nonet.combine.weights import WeightFinder, resolve_weight_finder
from nonet.ensemble import EnsembleClassifier, EnsembleRegressor
from nonet.members.plan import MemberPlan
from nonet.stacking.cross_fitted_models import CrossFittedModels, OwnParams
from nonet.stacking.named_models import takes_part


class WeightedModels(CrossFittedModels):
    """Parent of the ensembles with the parameters ``combine``, ``weights`` and ``decide``."""

    _rules: ClassVar[Mapping[str, Rule]] = {
        **CrossFittedModels._rules,
        "weights": Nothing()
        | Instance("the name of a weight finder", str)
        | Instance("a WeightFinder", WeightFinder)
        | ArrayLike(),
        "combine": Anything(),
        "decide": Anything(),
    }

    def _given_weights(self) -> Floats | WeightFinder | None:
        """Return the weights of the members that are not dropped, a weight finder, or None."""
        if isinstance(self.weights, (str, WeightFinder)):
            return resolve_weight_finder(self.weights)
        weights = check_member_weights(self.weights, len(self.estimators))
        if weights is None:
            return None
        kept = [takes_part(pair) for pair in self.estimators]
        return check_member_weights(weights[kept], sum(kept))

    @property
    def weights_(self) -> Any:
        """The weights in use, given or found; None if all members have the same weight."""
        check_is_fitted(self)
        parts = getattr(self.combine_, "parts", None)
        return self.combine_.weights if parts is None else [part.weights for part in parts]


class WeightedClassifier(WeightedModels, EnsembleClassifier):
    """Parent of the classifiers with these parameters."""

    def _combine_name(self) -> Any:
        """Return F as a name, a rule or a function."""
        raise NotImplementedError

    def _fit_weighted(
        self, plans: list[MemberPlan], X: Any, labels: Array, own: OwnParams, passed_on: Params
    ) -> None:
        """Fit the members and set up F and C."""
        weights = self._given_weights()
        combine = resolve_combination_rule(self._combine_name(), "classification")
        decide = self._resolve_decide(self.decide, combine)
        self._remember_members(self._members(plans, X, labels, own.ledger))
        held_out = None
        if isinstance(weights, WeightFinder) or decide[0].needs_held_out:
            held_out = self._held_out(plans, combine.reads["classification"], X, labels, own)
        self.combine_ = self._bind_combine(combine, weights, held_out)
        self.decide_ = self._bind_decide(decide, X, labels, held_out, passed_on)


class WeightedRegressor(WeightedModels, EnsembleRegressor):
    """Parent of the regressors with these parameters."""

    def _combine_name(self, weights: Any) -> Any:
        """Return F as a name, a rule or a function; found weights suggest a default."""
        if self.combine is not None:
            return self.combine
        return weights.suited_rule("regression") if isinstance(weights, WeightFinder) else "mean"

    def _fit_weighted(self, plans: list[MemberPlan], X: Any, values: Array, own: OwnParams) -> None:
        """Fit the members and set up F and C."""
        weights = self._given_weights()
        combine = resolve_combination_rule(self._combine_name(weights), "regression")
        self._remember_members(self._members(plans, X, values, own.ledger))
        held_out = None
        if isinstance(weights, WeightFinder):
            held_out = self._held_out(plans, "values", X, values, own)
        self.combine_ = self._bind_combine(combine, weights, held_out)
        self.decide_ = self._bind_decide(self.decide)
