"""What the ensembles of given models share: named members, their plans, held-out answers.

The models come as (name, estimator) pairs; they can be dropped, set and asked for by name, as
in scikit-learn's meta-estimators.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, cast

import numpy as np
from sklearn import get_config
from sklearn.base import MetaEstimatorMixin, TransformerMixin, is_classifier, is_regressor
from sklearn.utils import Bunch, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import _BaseComposition
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from nonet._base.aliases import Array, Floats, Kind, Params
from nonet._base.arrays import check_member_weights, check_sample_weight
from nonet._base.metadata import GROUPS_ON_REQUEST
from nonet._base.params import ArrayLike, Boolean, Instance, Integer, Nothing, Rule
from nonet.combine.weights import WeightFinder, resolve_weight_finder
from nonet.ensemble import Ensemble, HeldOutAnswers
from nonet.members.fit import fit_members
from nonet.members.folds import CrossValidation
from nonet.members.label_codes import decode_prefit
from nonet.members.ledger import Ledger, cross_fit
from nonet.members.member import Member
from nonet.members.outputs import Targets, ask_members
from nonet.members.plan import MemberPlan
from nonet.stacking.named_models import DROPPED, check_named_models, is_well_formed, takes_part


@dataclass(frozen=True)
class OwnParams:
    """What the ensemble itself takes from the parameters of fit, beside its members.

    Attributes
    ----------
    ledger : Ledger or None
        Held-out answers made before, in the order of the members.
    groups : array-like or None
        The group of each row, for the splitter.
    sample_weight : ndarray or None
        The weight of each row in whatever is learned from held-out answers.
    """

    ledger: Ledger | None
    groups: Any
    sample_weight: Floats | None


class GivenModels(TransformerMixin, MetaEstimatorMixin, _BaseComposition, Ensemble):
    """Parent of the ensembles whose members are given by name."""

    __metadata_request__fit = GROUPS_ON_REQUEST  # the splitter's; members get what they ask for
    _rules: ClassVar[Mapping[str, Rule]] = {
        "estimators": Instance("a list of (name, estimator) pairs", list, tuple),
        "weights": Nothing()
        | Instance("the name of a way to find them", str)
        | Instance("a WeightFinder", WeightFinder)
        | ArrayLike(),
        "n_jobs": Nothing() | Integer(),
        "verbose": Boolean() | Integer(0),
        "cv": CrossValidation(),
        "prefit": Boolean(),
    }

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

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters, those of the members included.

        Parameters
        ----------
        deep : bool, default=True
            Whether to include the parameters of the members, as ``name__parameter``.

        Returns
        -------
        params : dict
        """
        params: dict[str, Any] = self._get_params("estimators", deep=deep)
        return params

    def set_params(self, **params: Any) -> Any:
        """Set parameters, members (``name=estimator`` or ``name='drop'``) or their parameters.

        Parameters
        ----------
        **params : dict
            ``weights=...``, ``lr='drop'``, ``lr__C=0.1``, ...

        Returns
        -------
        self : object
        """
        self._set_params("estimators", **params)
        return self

    @property
    def named_estimators(self) -> Bunch:
        """The given, unfitted models by name."""
        return Bunch(**dict(self.estimators))

    def _kept(self) -> list[tuple[str, Any]]:
        """Return the (name, model) pairs that take part, after checking them all."""
        kept = check_named_models(type(self).__name__, self.estimators)
        self._validate_names([name for name, _ in self.estimators])
        for name, model in kept:
            self._check_role(name, model)
        return kept

    def _check_role(self, name: str, model: Any) -> None:
        wanted, fits = (
            ("classifier", is_classifier) if is_classifier(self) else ("regressor", is_regressor)
        )
        if not fits(model):
            raise ValueError(
                f"{type(self).__name__}: member {name!r} must be a {wanted}, but "
                f"{type(model).__name__} is not one."
            )

    def _own_params(self, fit_params: Params, y: Array) -> tuple[OwnParams, Params]:
        """Part the parameters of fit: the ensemble's own, and those for the members."""
        passed_on = dict(fit_params)
        ledger, groups = passed_on.pop("ledger", None), passed_on.pop("groups", None)
        if ledger is not None:
            ledger = check_ledger(ledger, self._kept(), y, self._classes_by_target)
        weight = check_sample_weight(passed_on.get("sample_weight"), len(y))
        if weight is not None:
            passed_on["sample_weight"] = weight
        return OwnParams(ledger, groups, weight), passed_on

    def _plans(self, fit_params: Params) -> list[MemberPlan]:
        kept = self._kept()
        if self.prefit:
            for _, model in kept:
                check_is_fitted(model)
            classes = getattr(self, "classes_", None)
            kept = [(name, decode_prefit(model, classes)) for name, model in kept]
        if not get_config()["enable_metadata_routing"]:
            _check_unrouted(self, fit_params)
            own = {name: fit_params for name, _ in kept}
        else:
            routed = process_routing(self, "fit", **fit_params)
            own = {name: routed[name].fit for name, _ in kept}
        return [MemberPlan(name, model, fit_params=own[name]) for name, model in kept]

    def _given_weights(self) -> Floats | WeightFinder | None:
        """Return numbers for the members that take part, a way to find them, or None."""
        if isinstance(self.weights, (str, WeightFinder)):
            return resolve_weight_finder(self.weights)
        weights = check_member_weights(self.weights, len(self.estimators))
        if weights is None:
            return None
        kept = [takes_part(pair) for pair in self.estimators]
        return check_member_weights(weights[kept], sum(kept))

    def _members(
        self, plans: list[MemberPlan], X: Any, y: Array, ledger: Ledger | None
    ) -> list[Member]:
        if self.prefit:
            return [Member(plan.name, plan.estimator) for plan in plans]
        if ledger is not None:
            return ledger.refit_members(plans, X, y, n_jobs=self.n_jobs, verbose=self.verbose)
        source = type(self).__name__.removesuffix("Classifier").removesuffix("Regressor")
        return fit_members(plans, X, y, n_jobs=self.n_jobs, verbose=self.verbose, source=source)

    def _held_out(
        self, plans: list[MemberPlan], reads: Kind, X: Any, y: Array, own: OwnParams
    ) -> HeldOutAnswers:
        """Return answers on unseen rows: out of fold, or all rows when the members came fitted."""
        classes = self._classes_by_target
        truth = self._truth(y)
        if self.prefit:
            answers = ask_members(self.members_, X, reads, classes)
            return HeldOutAnswers(answers, truth, own.sample_weight)
        ledger = own.ledger or cross_fit(
            plans,
            X,
            y,
            reads=reads,
            classes=classes,
            cv=self.cv,
            groups=own.groups,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
        )
        return held_out_part(ledger, reads, truth, own.sample_weight)

    def _remember_members(self, members: list[Member]) -> None:
        self.members_ = members
        fitted = {member.name: member.estimator for member in members}
        self.named_estimators_ = Bunch(
            **{name: fitted.get(name, DROPPED) for name, _ in self.estimators}
        )
        if hasattr(members[0].estimator, "feature_names_in_"):
            self.feature_names_in_ = members[0].estimator.feature_names_in_

    @property
    def n_features_in_(self) -> int:
        """Number of features seen during fit."""
        return int(self.estimators_[0].n_features_in_)

    @property
    def weights_(self) -> Any:
        """The weights in use: given or found; None if all members weigh the same."""
        check_is_fitted(self)
        parts = getattr(self.combine_, "parts", None)
        return self.combine_.weights if parts is None else [part.weights for part in parts]

    def transform(self, X: Any) -> Any:
        """Return what each member answers, side by side.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        answers : ndarray of shape (n_samples, n_columns)
            A column for each member, or several: one for each target or class.
        """
        return side_by_side(self.member_outputs(X))

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return the names of the columns that ``transform`` gives.

        Parameters
        ----------
        input_features : array-like of str, optional
            Not used; checked against the names seen in fit.

        Returns
        -------
        names : ndarray of str
        """
        check_is_fitted(self)
        _check_feature_names_in(self, input_features, generate_names=False)
        prefix = type(self).__name__.lower()
        return np.asarray([f"{prefix}_{name}" for name in self._column_names()], dtype=object)

    def _column_names(self) -> list[str]:
        return [member.name for member in self.members_]

    def get_metadata_routing(self) -> MetadataRouter:
        """Say which member wants which metadata in fit.

        Returns
        -------
        routing : MetadataRouter
        """
        router = MetadataRouter(owner=self).add_self_request(self)
        for name, model in filter(takes_part, self.estimators):
            mapping = MethodMapping().add(callee="fit", caller="fit")
            router.add(**{name: model}, method_mapping=mapping)
        return router

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if not is_well_formed(self.estimators):
            return tags  # fit says what is wrong
        parts = [get_tags(model) for _, model in filter(takes_part, self.estimators)]
        tags.input_tags.sparse = all(part.input_tags.sparse for part in parts)
        tags.input_tags.allow_nan = all(part.input_tags.allow_nan for part in parts)
        tags.target_tags.multi_output = all(part.target_tags.multi_output for part in parts)
        tags.transformer_tags.preserves_dtype = []
        return tags


def side_by_side(outputs: Array) -> Array:
    """Return (n, k) or (n, k, c) answers as a table with one row for each row."""
    return np.ascontiguousarray(outputs).reshape(len(outputs), -1)


def _check_unrouted(owner: Any, fit_params: Params) -> None:
    extra = [name for name in fit_params if name != "sample_weight"]
    if extra:
        raise ValueError(
            f"{type(owner).__name__}.fit passes on sample_weight alone, but got {extra}; "
            "sklearn.set_config(enable_metadata_routing=True) lets members ask for more."
        )


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
