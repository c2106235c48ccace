"""Base class of the ensembles of given models: named members, their plans, their outputs.

The models come as (name, estimator) pairs; they can be dropped, set and accessed by name, as
in scikit-learn's meta-estimators. Features of some of these ensembles (held-out predictions, a
ledger, prefit members, weights) have files of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn import get_config
from sklearn.base import MetaEstimatorMixin, TransformerMixin, is_classifier, is_regressor
from sklearn.utils import Bunch, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from nonet._base.aliases import Array, Params
from nonet._base.params import Boolean, Instance, Integer, Nothing, Rule
from nonet._base.progress import Steps
from nonet.ensemble import Ensemble
from nonet.members.fit import fit_members
from nonet.members.member import Member
from nonet.members.named_members import NamedMembers
from nonet.members.plan import MemberPlan
from nonet.stacking.named_models import DROPPED, check_named_models, is_well_formed, takes_part


class GivenModels(TransformerMixin, MetaEstimatorMixin, NamedMembers, Ensemble):
    """Parent of the ensembles whose members are given by name."""

    _rules: ClassVar[Mapping[str, Rule]] = {
        "estimators": Instance("a list of (name, estimator) pairs", list, tuple),
        "n_jobs": Nothing() | Integer(),
        "verbose": Boolean() | Integer(0),
    }

    @property
    def named_estimators(self) -> Bunch:
        """The given models by name, not fitted."""
        return Bunch(**dict(self.estimators or ()))

    def _kept(self) -> list[tuple[str, Any]]:
        """Return the (name, model) pairs that are not dropped, after checking them all."""
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

    def _plans(self, fit_params: Params) -> list[MemberPlan]:
        kept = self._kept()
        if not get_config()["enable_metadata_routing"]:
            _check_unrouted(self, fit_params)
            own = {name: fit_params for name, _ in kept}
        else:
            routed = process_routing(self, "fit", **fit_params)
            own = {name: routed[name].fit for name, _ in kept}
        return [MemberPlan(name, model, fit_params=own[name]) for name, model in kept]

    def _fit_plans(self, plans: list[MemberPlan], X: Any, y: Array | None) -> list[Member]:
        return fit_members(plans, X, y, n_jobs=self.n_jobs, steps=self._steps("models"))

    def _steps(self, unit: str) -> Steps:
        return Steps(self, unit, self.verbose)

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

    def transform(self, X: Any) -> Any:
        """Return the outputs of the members, side by side.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        predictions : ndarray of shape (n_samples, n_columns)
            One column per member, or several: one per target or class.
        """
        return side_by_side(self.member_outputs(X))

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return the names of the columns that ``transform`` returns.

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
        """Return a name for each column: that of the member, numbered if it has several."""
        names = [member.name for member in self.members_]
        targets = self._classes_by_target or []
        by_label = self.combine_.reads in ("labels", "values")
        suffixes = [[""] if by_label else [str(c) for c in range(len(of))] for of in targets]
        if len(targets) > 1:
            mark = "" if by_label else "_"
            suffixes = [[f"_{t}{mark}{s}" for s in of] for t, of in enumerate(suffixes)]
        return [name + s for of in suffixes or [[""]] for name in names for s in of]

    def get_metadata_routing(self) -> MetadataRouter:
        """Return the metadata routing of the members in fit.

        Returns
        -------
        routing : MetadataRouter
        """
        router = MetadataRouter(owner=self).add_self_request(self)
        for name, model in filter(takes_part, self.estimators or ()):
            mapping = MethodMapping().add(callee="fit", caller="fit")
            router.add(**{name: model}, method_mapping=mapping)
        return router

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if not is_well_formed(self.estimators):
            return tags  # fit reports what is wrong
        parts = [get_tags(model) for _, model in filter(takes_part, self.estimators)]
        tags.input_tags.sparse = all(part.input_tags.sparse for part in parts)
        tags.input_tags.allow_nan = all(part.input_tags.allow_nan for part in parts)
        tags.target_tags.multi_output = all(part.target_tags.multi_output for part in parts)
        tags.transformer_tags.preserves_dtype = []
        return tags


def side_by_side(outputs: Any) -> Array:
    """Return (n, k) or (n, k, c) outputs, or a list of such arrays, as a matrix of n rows."""
    if isinstance(outputs, list):
        return np.hstack([side_by_side(of_target) for of_target in outputs])
    return np.ascontiguousarray(outputs).reshape(len(outputs), -1)


def _check_unrouted(owner: Any, fit_params: Params) -> None:
    extra = [name for name in fit_params if name != "sample_weight"]
    if extra:
        raise ValueError(
            f"{type(owner).__name__}.fit passes on sample_weight alone, but got {extra}; "
            "sklearn.set_config(enable_metadata_routing=True) lets members request more."
        )
