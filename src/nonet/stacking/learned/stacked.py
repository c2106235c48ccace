"""What stacked ensembles share: held-out answers, level one, a model on top.

Members: the given models; how they answer after fit, ``refit`` says. F: a model, fitted on what
the members said of rows that they had not seen. C: the class that the model predicts, or any rule
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
from nonet._base.frames import count_rows, take_rows
from nonet._base.params import Boolean, Choice, Having, Nothing, Rule, bad_parameter
from nonet._base.streams import RANDOM_STATE, member_seed, root_seed
from nonet.members.label_codes import fit_on_labels
from nonet.members.ledger import Ledger
from nonet.members.ledger_page import as_support
from nonet.members.outputs import Targets, ask_member, choose_kind, stack_answers
from nonet.members.plan import MemberPlan
from nonet.stacking.cross_fitted_models import OwnParams
from nonet.stacking.held_out_models import HeldOutModels
from nonet.stacking.learned.final_model import FinalModel
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
    """What the final model is to learn: level one and the truth on rows held out from members.

    Attributes
    ----------
    table : array, sparse matrix or frame
    target : ndarray
    params : mapping
        What else its fit takes, aligned with the rows of the table.
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
    """Parent of the ensembles with a model on top of their members."""

    ledger_: Ledger
    _rules: ClassVar[Mapping[str, Rule]] = {
        **HeldOutModels._rules,
        "final_estimator": Nothing() | Having("a model with fit and predict", "fit", "predict"),
        "passthrough": Boolean(),
        "partition": Nothing() | Choice("honest", "leaking"),
        "random_state": RANDOM_STATE,
    }

    def _fit_stack(self, X: Any, target: Array, fit_params: Params) -> FinalTask:
        """Gather held-out answers, fit the model on top of them, settle who answers later."""
        own, passed_on = self._own_params(fit_params, target)
        plans = self._plans_of_stack(passed_on, X, target)
        if own.ledger is not None and self.partition is not None:
            raise bad_parameter(self, "partition", "None if a ledger is given", self.partition)
        asked = tuple(self._kind(plan.name, plan.estimator) for plan in plans)
        answers, rows, kinds = self._level_one_answers(plans, asked, X, target, own)
        self.stack_method_ = [_METHOD_OF[kind] for kind in kinds]
        counts = tuple(len(known) for known in self._classes_by_target or [])
        self.level_one_ = LevelOne(
            tuple(plan.name for plan in plans),
            kinds,
            counts,
            self._form(),
            every_class=self._every_class(),
        )
        self.level_one_.learn_ranks(answers)
        prefix = type(self).__name__.lower()
        columns = [f"{prefix}_{name}" for name in self.level_one_.column_names(answers)]
        self._table = LevelOneTable(self.level_one_, tuple(columns), self.passthrough)
        task = FinalTask(
            self._table.build(answers, take_rows(X, rows) if self.passthrough else None),
            take_rows(target, rows),
            {name: take_rows(value, rows) for name, value in self._final_params(passed_on).items()},
            None if own.sample_weight is None else own.sample_weight[rows],
            None if own.groups is None else take_rows(own.groups, rows),
        )
        self.final_estimator_ = self._fit_final(task)
        return task

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
        """Deal the rows to the members, each class evenly; each row goes to one of them."""
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
        """Return what a member is asked for, by ``level_one`` or by ``stack_method``."""
        wanted = FORMS.get(self._form() or "")
        method = getattr(self, "stack_method", "auto")
        if wanted is not None:
            if method not in ("auto", _METHOD_OF[wanted]):
                raise bad_parameter(
                    self, "stack_method", f"'auto' if level_one={self._form()!r}", method
                )
            method = _METHOD_OF[wanted]
        return choose_kind(name, model, method, self._task)

    def _level_one_answers(
        self,
        plans: list[MemberPlan],
        kinds: tuple[Kind, ...],
        X: Any,
        target: Array,
        own: OwnParams,
    ) -> tuple[Targets, Array, tuple[Kind, ...]]:
        """Return the answers that level one is made of, the rows they are on, and their kinds."""
        if self.prefit or self.partition == "leaking":
            # Members may have seen these rows: what they say of them is no entry for a ledger.
            self._remember_members(self._members(plans, X, target, None))
            if "ledger_" in vars(self):
                del self.ledger_  # of an earlier fit
            return self._ask(kinds, X), np.arange(count_rows(X)), kinds
        ledger = self._ledger_of(plans, kinds, X, target, own)
        self._remember_members(self._answering_members(plans, ledger, X, target))
        self.ledger_ = ledger
        if own.ledger is not None and self._takes_any_kind():
            kinds = ledger.kinds  # what was asked when the ledger was made
        return *_covered_answers(ledger, kinds), kinds

    def _fitted_level_one(self, X: Any) -> tuple[Any, Array]:
        """Return the table that the final model was fitted on, and its rows of X."""
        if "ledger_" not in vars(self):
            return self.transform(X), np.arange(count_rows(X))
        answers, rows = _covered_answers(self.ledger_, self.level_one_.kinds)
        return self._table.build(answers, take_rows(X, rows)), rows

    def _every_class(self) -> bool:
        """Tell whether two classes get two columns of level one."""
        return False

    def _takes_any_kind(self) -> bool:
        return self._form() not in FORMS and getattr(self, "stack_method", "auto") == "auto"

    def _final_params(self, passed_on: Params) -> Params:
        """Return what else the fit of the final model is given, aligned with all rows."""
        if not get_config()["enable_metadata_routing"]:
            return passed_on
        # As in scikit-learn, weights reach the final model unless it says that it wants none.
        final = self._final_prototype()
        if "sample_weight" not in passed_on or not has_fit_parameter(final, "sample_weight"):
            return {}
        wishes = getattr(final.get_metadata_routing(), "fit", None)  # a router has none of its own
        if wishes is not None and wishes.requests.get("sample_weight") is False:
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

    def _final_prototype(self) -> Any:
        if self.final_estimator is None:
            return self._default_final()
        return self.final_estimator

    def _default_final(self) -> Any:
        raise NotImplementedError

    def _ask(self, kinds: tuple[Kind, ...], X: Any) -> Targets:
        """Ask each member for its own kind of answer; different kinds share one page."""
        classes, total = self._classes_by_target, len(self.members_)
        answers = [
            ask_member(member, X, kind, classes, place, total)
            for place, (member, kind) in enumerate(zip(self.members_, kinds, strict=True))
        ]
        if len(set(kinds)) > 1 and classes is not None:
            counts = [len(known) for known in classes]
            answers = [as_support(a, kind, counts) for a, kind in zip(answers, kinds, strict=True)]
        return [stack_answers(of_target) for of_target in zip(*answers, strict=True)]

    def member_outputs(self, X: Any) -> Any:
        """Ask every member about X, in the form that level one is made of.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        outputs : ndarray of shape (n_samples, n_members[, n_classes])
            A list with one such array for each target of a multi-output classification.
        """
        check_is_fitted(self)
        answers = self._ask(self.level_one_.kinds, X)
        return answers[0] if len(answers) == 1 else answers

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
        original = _check_feature_names_in(self, input_features, generate_names=self.passthrough)
        names = list(self._table.columns)
        names += list(original) if self.passthrough else []
        return np.asarray(names, dtype=object)

    def get_metadata_routing(self) -> MetadataRouter:
        """Say which member wants which metadata in fit, and the final model in predict.

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


def _covered_answers(ledger: Ledger, kinds: tuple[Kind, ...]) -> tuple[Targets, Array]:
    """Return the answers on the rows that every member was asked about, and these rows."""
    rows = ledger.covered_rows
    answers = ledger.answers if ledger.kinds == kinds else ledger.answers_as(_only(kinds))
    return [page[rows] for page in answers], rows


def _only(kinds: tuple[Kind, ...]) -> Kind:
    """Return the kind that all members share; 'scores' is what any mixture is noted as."""
    return kinds[0] if len(set(kinds)) == 1 else "scores"
