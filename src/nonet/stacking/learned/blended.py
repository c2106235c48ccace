"""Base classes of blends and selections: weights found on the ledger, and standard errors.

Members: the given models. F: a rule with weights found on held-out predictions. C: arg max, or any
rule; the identity in regression.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from nonet._base.aliases import Array, Floats, Kind, Params
from nonet._base.frames import count_rows
from nonet._base.params import Anything, Choice, Nothing, Rule, check_params
from nonet._base.streams import RANDOM_STATE
from nonet.combine.log_loss import LogLoss
from nonet.combine.rule import CombinationRule
from nonet.combine.signed_sum import LeastSquares
from nonet.combine.table import bind_rule, resolve_combination_rule, rule_name
from nonet.combine.weights import WeightFinder, resolve_weight_finder
from nonet.ensemble import EnsembleClassifier, EnsembleRegressor, HeldOutPredictions
from nonet.members.ledger import Ledger
from nonet.members.member import Member
from nonet.members.outputs import check_can_predict, predict_members
from nonet.members.plan import MemberPlan
from nonet.stacking.cross_fitted_models import OwnParams, covered_predictions
from nonet.stacking.held_out_models import HeldOutModels
from nonet.stacking.learned.weight_errors import bootstrap_errors, jackknife_errors

_BLEND_ONLY: dict[str, WeightFinder] = {"least_squares": LeastSquares(), "log_loss": LogLoss()}


@dataclass(frozen=True)
class Blend:
    """The settings of a blend: the weight finder, the rule, the kind of output it reads."""

    finder: WeightFinder
    rule: CombinationRule
    reads: Kind


class BlendedModels(HeldOutModels):
    """Parent of the ensembles whose members get weights found on held-out predictions."""

    _drops_useless: ClassVar[bool] = False
    _rules: ClassVar[Mapping[str, Rule]] = {
        **HeldOutModels._rules,
        "decide": Anything(),
        "errors": Nothing() | Choice("jackknife", "bootstrap"),
        "random_state": RANDOM_STATE,
    }

    def _finder(self) -> WeightFinder:
        """Return the weight finder, by its name or as given."""
        raise NotImplementedError

    def _combine_name(self, finder: WeightFinder) -> Any:
        """Return F as a name, a rule or a function: the one that the weights are meant for."""
        return finder.suited_rule(self._task)

    def _blend(self) -> Blend:
        finder = self._finder()
        rule = resolve_combination_rule(self._combine_name(finder), self._task)
        return Blend(finder, rule, rule.reads[self._task])

    def _fit_blend(
        self, X: Any, target: Array, own: OwnParams, passed_on: Params
    ) -> HeldOutPredictions:
        """Collect and return held-out predictions; find the weights on them and set the members."""
        classes = self._one_target()
        plans, blend = self._plans(passed_on), self._blend()
        models = [Member(plan.name, plan.estimator) for plan in plans]
        check_can_predict(models, blend.reads, rule_name(blend.rule))  # before anything is fitted
        held_out, folds = self._held_out_predictions(plans, blend, X, target, own)
        find = _Search(blend.finder, held_out, classes)
        weights = find(np.arange(len(held_out.truth[0])))
        self._weights = weights
        self.weights_se_ = self._errors_of(find, len(held_out.truth[0]), folds)
        kept = np.flatnonzero(weights) if self._drops_useless else np.arange(len(plans))
        self._settle_members([plans[position] for position in kept], X, target)
        self.combine_ = bind_rule(blend.rule, len(kept), weights[kept], classes)
        return replace(held_out, predictions=[page[:, kept] for page in held_out.predictions])

    def _one_target(self) -> Array | None:
        targets = self._classes_by_target
        if targets is None:
            return None
        if len(targets) > 1:
            raise ValueError(
                f"{type(self).__name__} takes one target of classes, but y has {len(targets)}; fit "
                "one ensemble for each."
            )
        return targets[0]

    def _held_out_predictions(
        self, plans: list[MemberPlan], blend: Blend, X: Any, target: Array, own: OwnParams
    ) -> tuple[HeldOutPredictions, list[Array]]:
        """Return the predictions on held-out rows, and the rows of each fold among them."""
        truth = self._truth(target)
        if self.prefit:
            self._settle_members(plans, X, target)
            predictions = predict_members(self.members_, X, blend.reads, self._classes_by_target)
            return HeldOutPredictions(predictions, truth, own.sample_weight), []
        self.ledger_ = self._ledger_of(plans, blend.reads, X, target, own)
        held_out = covered_predictions(self.ledger_, blend.reads, truth, own.sample_weight)
        return held_out, _folds_among(self.ledger_, count_rows(X))

    def _settle_members(self, plans: list[MemberPlan], X: Any, target: Array) -> None:
        members = (
            self._members(plans, X, target, None)
            if self.prefit
            else self._predicting_members(plans, self.ledger_, X, target)
        )
        self._remember_members(members)

    def _errors_of(self, find: _Search, n_rows: int, folds: list[Array]) -> Floats | None:
        if self.errors is None:
            return None
        if self.errors == "jackknife" and len(folds) > 1:
            return jackknife_errors(find, n_rows, folds)
        return bootstrap_errors(find, n_rows, self.random_state)

    @property
    def weights_(self) -> Floats:
        """The weights found, one per given model that is not dropped."""
        if "_weights" not in vars(self):
            raise AttributeError(f"{type(self).__name__} has no weights before fit is called.")
        return self._weights


class BlendedClassifier(BlendedModels, EnsembleClassifier):
    """Parent of the blends of classifiers."""

    _task = "classification"

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Collect held-out predictions, and find the weights on them.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of any type.
        **fit_params : dict
            ``sample_weight`` goes to every member and to the search for weights; with
            scikit-learn's metadata routing enabled, members get all metadata they request.
            ``groups``, the group of each row, goes to the splitter ``cv``. ``ledger``, made
            by :func:`nonet.make_ledger`, replaces the cross-validated fits of the members.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        labels = self._check_target(y)
        own, passed_on = self._own_params(fit_params, X, labels)
        decide = self._resolve_decide(self.decide, self._blend().rule)
        held_out = self._fit_blend(X, labels, own, passed_on)
        self.decide_ = self._bind_decide(decide, X, labels, held_out, passed_on)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags


class BlendedRegressor(BlendedModels, EnsembleRegressor):
    """Parent of the blends of regressors."""

    _task = "regression"

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Collect held-out predictions, and find the weights on them.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
        **fit_params : dict
            ``sample_weight`` goes to every member and to the search for weights; with
            scikit-learn's metadata routing enabled, members get all metadata they request.
            ``groups``, the group of each row, goes to the splitter ``cv``. ``ledger``, made
            by :func:`nonet.make_ledger`, replaces the cross-validated fits of the members.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        values = self._check_target(y)
        own, passed_on = self._own_params(fit_params, X, values)
        self._fit_blend(X, values, own, passed_on)
        self.decide_ = self._bind_decide(self.decide)
        return self


@dataclass(frozen=True)
class _Search:
    """Find weights on some of the held-out rows."""

    finder: WeightFinder
    held_out: HeldOutPredictions
    classes: Array | None

    def __call__(self, rows: Array) -> Floats:
        weight = self.held_out.sample_weight
        return self.finder.find(
            self.held_out.predictions[0][rows],
            self.held_out.truth[0][rows],
            classes=self.classes,
            sample_weight=None if weight is None else weight[rows],
        )


def _folds_among(ledger: Ledger, n_rows: int) -> list[Array]:
    """Return the rows of each fold as positions among the covered rows."""
    position = np.full(n_rows, -1)
    position[ledger.covered_rows] = np.arange(len(ledger.covered_rows))
    folds = [position[rows][position[rows] >= 0] for rows in ledger.held_out_rows]
    return [fold for fold in folds if 0 < len(fold) < len(ledger.covered_rows)]


def resolve_blend(weights: Any) -> WeightFinder:
    """Return the weight finder, including two that only apply to a blend."""
    if isinstance(weights, str) and weights in _BLEND_ONLY:
        return _BLEND_ONLY[weights]
    return resolve_weight_finder(weights)
