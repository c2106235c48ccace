"""Base class of stacked ensembles: held-out predictions, level one, a final model.

Members: the given models; ``refit`` chooses those that predict after fit. F: a model fitted on
held-out predictions of the members. C: the class that the model predicts, or any rule
on its probabilities; the identity in regression.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeVar, cast

import numpy as np
from sklearn import get_config
from sklearn.base import clone
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, has_fit_parameter

from nonet._base.aliases import Array, Floats, Kind, Params
from nonet._base.errors import one_sentence
from nonet._base.frames import count_rows, take_rows
from nonet._base.params import Boolean, Choice, Having, Nothing, Rule, bad_parameter
from nonet._base.streams import RANDOM_STATE, member_seed, root_seed
from nonet.members.label_codes import fit_on_labels
from nonet.members.ledger import Ledger
from nonet.members.ledger_page import as_support
from nonet.members.outputs import Targets, choose_kind, predict_member, stack_predictions
from nonet.members.plan import MemberPlan
from nonet.stacking.cross_fitted_models import OwnParams
from nonet.stacking.held_out_models import HeldOutModels
from nonet.stacking.learned.final_model import FinalModel
from nonet.stacking.learned.inner_columns import InnerColumns
from nonet.stacking.learned.level_one import FORMS, LevelOne, LevelOneTable
from nonet.stacking.ledger_maker import plan_member

_METHOD_OF: dict[Kind, str] = {
    "values": "predict",
    "labels": "predict",
    "probabilities": "predict_proba",
    "scores": "decision_function",
}


Method = TypeVar("Method", bound=Callable[..., Any])


def final_has(method: str) -> Callable[[Method], Method]:
    """Make a method available if the final model has it."""

    def has_it(stack: Any) -> bool:
        final = getattr(stack, "final_estimator_", None)
        getattr(stack._final_prototype() if final is None else final, method)
        return True

    decorator: Callable[[Method], Method] = available_if(has_it)
    return decorator


@dataclass(frozen=True)
class FinalTask:
    """The task of the final model: level one and the true targets of held-out rows.

    Attributes
    ----------
    table : array, sparse matrix or frame
    target : ndarray
    params : mapping
        Other parameters of its fit, aligned with the rows of the table.
    sample_weight : ndarray or None
    groups : array-like or None
        The group of each row of the table.
    """

    table: Any
    target: Array
    params: Params
    sample_weight: Floats | None
    groups: Any = None


class StackedModels(HeldOutModels):
    """Parent of the ensembles with a final model on top of their members."""

    ledger_: Ledger
    _rules: ClassVar[Mapping[str, Rule]] = {
        **HeldOutModels._rules,
        "final_estimator": Nothing() | Having("a model with fit and predict", "fit", "predict"),
        "passthrough": Boolean() | Choice("inner"),
        "partition": Nothing() | Choice("honest", "leaking"),
        "random_state": RANDOM_STATE,
    }

    def _fit_stack(self, X: Any, target: Array, fit_params: Params) -> FinalTask:
        """Collect held-out predictions, fit the final model, and set the members that predict."""
        own, passed_on = self._own_params(fit_params, X, target)
        plans = self._plans_of_stack(passed_on, X, target)
        if own.ledger is not None and self.partition is not None:
            raise bad_parameter(self, "partition", "None if a ledger is given", self.partition)
        requested = tuple(self._kind(plan.name, plan.estimator) for plan in plans)
        predictions, rows, kinds = self._level_one_predictions(plans, requested, X, target, own)
        self.stack_method_ = [_METHOD_OF[kind] for kind in kinds]
        counts = tuple(len(known) for known in self._classes_by_target or [])
        self.level_one_ = LevelOne(
            tuple(plan.name for plan in plans),
            kinds,
            counts,
            self._form(),
            every_class=self._every_class(),
        )
        self.level_one_.learn_ranks(predictions)
        prefix = type(self).__name__.lower()
        columns = [f"{prefix}_{name}" for name in self.level_one_.column_names(predictions)]
        self._table = LevelOneTable(
            self.level_one_, tuple(columns), bool(self.passthrough), self._inner_columns(X)
        )
        task = FinalTask(
            self._table.build(predictions, take_rows(X, rows) if self.passthrough else None),
            take_rows(target, rows),
            {name: take_rows(value, rows) for name, value in self._final_params(passed_on).items()},
            None if own.sample_weight is None else own.sample_weight[rows],
            None if own.groups is None else take_rows(own.groups, rows),
        )
        self.final_estimator_ = self._fit_final(task)
        return task

    def _inner_columns(self, X: Any) -> InnerColumns | None:
        if self.passthrough != "inner":
            return None
        if not self.prefit:
            allowed = (
                "True or False unless cv='prefit', as the inner columns of models fitted on "
                "different folds cannot be compared: fit the members on other rows before"
            )
            raise bad_parameter(self, "passthrough", allowed, self.passthrough)
        return InnerColumns(self.members_, X)

    def _plans_of_stack(self, passed_on: Params, X: Any, target: Array) -> list[MemberPlan]:
        plans = [
            plan_member(plan.name, plan.estimator, target, self._classes_by_target, plan.fit_params)
            for plan in self._plans(passed_on)
        ]
        if self.partition is None:
            return plans
        if self.prefit:
            raise bad_parameter(self, "partition", "None if cv='prefit'", self.partition)
        parts = self._deal_parts(len(plans), X, target)
        return [plan.on_rows(part) for plan, part in zip(plans, parts, strict=True)]

    def _deal_parts(self, n_parts: int, X: Any, target: Array) -> list[Array]:
        """Assign each row to one of the members at random, each class evenly."""
        if n_parts == 1:
            return [np.arange(count_rows(X))]
        by_class = self._task == "classification" and target.ndim == 1
        dealer = StratifiedKFold if by_class else KFold
        seed = member_seed(root_seed(self.random_state), 0)
        deals = dealer(n_parts, shuffle=True, random_state=seed).split(
            np.zeros(len(target)), target
        )
        return [part for _, part in deals]

    def _form(self) -> str | None:
        return cast("str | None", self.level_one)

    def _kind(self, name: str, model: Any) -> Kind:
        """Return the kind of output of a member, by ``level_one`` or by ``stack_method``."""
        wanted = FORMS.get(self._form() or "")
        method = getattr(self, "stack_method", "auto")
        if wanted is not None:
            if method not in ("auto", _METHOD_OF[wanted]):
                raise bad_parameter(
                    self, "stack_method", f"'auto' if level_one={self._form()!r}", method
                )
            method = _METHOD_OF[wanted]
        return choose_kind(name, model, method, self._task)

    def _level_one_predictions(
        self,
        plans: list[MemberPlan],
        kinds: tuple[Kind, ...],
        X: Any,
        target: Array,
        own: OwnParams,
    ) -> tuple[Targets, Array, tuple[Kind, ...]]:
        """Return the predictions of which level one is made, their rows, and their kinds."""
        if self.prefit or self.partition == "leaking":
            # Members may have been fitted on these rows, which a ledger does not allow.
            self._remember_members(self._members(plans, X, target, None))
            if "ledger_" in vars(self):
                del self.ledger_  # of an earlier fit
            return self._predict(kinds, X), np.arange(count_rows(X)), kinds
        ledger = self._ledger_of(plans, kinds, X, target, own)
        self._remember_members(self._predicting_members(plans, ledger, X, target))
        self.ledger_ = ledger
        if own.ledger is not None and self._takes_any_kind():
            kinds = ledger.kinds  # the kinds that the ledger was made with
        return *_covered_predictions(ledger, kinds), kinds

    def _fitted_level_one(self, X: Any) -> tuple[Any, Array]:
        """Return the table that the final model was fitted on, and its rows of X."""
        if "ledger_" not in vars(self):
            return self.transform(X), np.arange(count_rows(X))
        predictions, rows = _covered_predictions(self.ledger_, self.level_one_.kinds)
        return self._table.build(predictions, take_rows(X, rows)), rows

    def _every_class(self) -> bool:
        """Return whether two classes get two columns of level one."""
        return False

    def _takes_any_kind(self) -> bool:
        return self._form() not in FORMS and getattr(self, "stack_method", "auto") == "auto"

    def _final_params(self, passed_on: Params) -> Params:
        """Return the other fit parameters of the final model, aligned with all rows."""
        if not get_config()["enable_metadata_routing"]:
            return passed_on
        # As in scikit-learn, weights reach the final model unless it declines them.
        final = self._final_prototype()
        if "sample_weight" not in passed_on or not has_fit_parameter(final, "sample_weight"):
            return {}
        requests = getattr(final.get_metadata_routing(), "fit", None)  # a router has none
        if requests is not None and requests.requests.get("sample_weight") is False:
            return {}
        return {"sample_weight": passed_on["sample_weight"]}

    def _fit_final(self, task: FinalTask) -> Any:
        final = clone(self._final_prototype())
        try:
            return fit_on_labels(final, task.table, task.target, task.params)
        except TypeError as why:
            if "sample_weight" not in str(why):
                raise
            raise TypeError(
                f"final_estimator {type(final).__name__} takes no sample_weight; choose one that "
                "does, or leave sample_weight out."
            ) from why
        except ValueError as why:
            if not self.passthrough:
                raise
            raise ValueError(
                f"final_estimator {type(final).__name__} failed on the columns of X that "
                "passthrough=True gives it; choose one that takes them, such as BoostedTrees* for "
                f"categories, or passthrough=False. The cause: {one_sentence(str(why))}"
            ) from why

    def _final_prototype(self) -> Any:
        if self.final_estimator is None:
            return self._default_final()
        return self.final_estimator

    def _default_final(self) -> Any:
        raise NotImplementedError

    def _predict(self, kinds: tuple[Kind, ...], X: Any) -> Targets:
        """Return each member's own kind of output; one page can hold different kinds."""
        classes, total = self._classes_by_target, len(self.members_)
        predictions = [
            predict_member(member, X, kind, classes, position, total)
            for position, (member, kind) in enumerate(zip(self.members_, kinds, strict=True))
        ]
        if len(set(kinds)) > 1 and classes is not None:
            counts = [len(known) for known in classes]
            predictions = [
                as_support(a, kind, counts) for a, kind in zip(predictions, kinds, strict=True)
            ]
        return [stack_predictions(of_target) for of_target in zip(*predictions, strict=True)]

    def member_outputs(self, X: Any) -> Any:
        """Return the outputs of every member for X, in the form that level one uses.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        outputs : ndarray of shape (n_samples, n_members[, n_classes])
            A list with one such array for each target of a multi-output classification.
        """
        check_is_fitted(self)
        predictions = self._predict(self.level_one_.kinds, X)
        return predictions[0] if len(predictions) == 1 else predictions

    def transform(self, X: Any) -> Any:
        """Return level one: the columns that the final model reads.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        columns : ndarray, sparse matrix or frame of shape (n_samples, n_columns)
        """
        check_is_fitted(self)
        return self.combine_.table(self.member_outputs(X), X)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return the names of the columns of level one.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the original columns, used if they pass through.

        Returns
        -------
        names : ndarray of str
        """
        check_is_fitted(self)
        original = _check_feature_names_in(
            self, input_features, generate_names=bool(self.passthrough)
        )
        names = list(self._table.columns)
        if self._table.inner is not None:
            original = self._table.inner.names()
        names += list(original) if self.passthrough else []
        return np.asarray(names, dtype=object)

    def get_metadata_routing(self) -> MetadataRouter:
        """Return the metadata routing of the members in fit and of the final model in predict.

        Returns
        -------
        routing : MetadataRouter
        """
        router = super().get_metadata_routing()
        mapping = MethodMapping().add(caller="predict", callee="predict")
        final = getattr(self, "final_estimator_", None) or self._final_prototype()
        return router.add(final_estimator_=final, method_mapping=mapping)

    def _bind_final(self, gives: Literal["values", "labels", "probabilities"]) -> FinalModel:
        """Return F: the final model on level one."""
        return FinalModel(
            self.final_estimator_,
            self._table,
            _only(self.level_one_.kinds),
            gives,
            self._classes_by_target,
            getattr(self, "calibration_", None),
        )

    def _decided(self, X: Any, predict_params: Params) -> Array:
        """Return C(F(outputs)), with parameters for ``predict`` of the final model."""
        check_is_fitted(self)
        if get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "predict", **predict_params)
            predict_params = routed["final_estimator_"].predict
        support = self.combine_(self.member_outputs(X), X, **predict_params)
        decided: Array = self.decide_(support, X)
        return decided


def _covered_predictions(ledger: Ledger, kinds: tuple[Kind, ...]) -> tuple[Targets, Array]:
    """Return the predictions on the rows that every member covers, and these rows."""
    rows = ledger.covered_rows
    predictions = (
        ledger.predictions if ledger.kinds == kinds else ledger.predictions_as(_only(kinds))
    )
    return [page[rows] for page in predictions], rows


def _only(kinds: tuple[Kind, ...]) -> Kind:
    """Return the kind of all members; 'scores' if they differ."""
    return kinds[0] if len(set(kinds)) == 1 else "scores"
