"""Base class of bagged ensembles: bags, fitting of the members, and predictions.

Members: clones of one learner (or of several in turn), each on its own sample of rows and columns.
F: the mean, or any rule. C: the arg max, or any rule; the identity in regression.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from sklearn.base import MetaEstimatorMixin
from sklearn.utils import check_consistent_length, get_tags
from sklearn.utils.metadata_routing import MetadataRouter
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from nonet._base.aliases import Array, Floats, Kind, Params, Task
from nonet._base.arrays import check_sample_weight
from nonet._base.frames import (
    check_columns_have_values,
    check_same_columns,
    count_rows,
)
from nonet._base.metadata import GROUPS_ON_REQUEST
from nonet._base.number_tables import read_table
from nonet._base.parallel import count_jobs, run_all
from nonet._base.params import (
    Boolean,
    Having,
    Instance,
    Integer,
    Nothing,
    Real,
    Rule,
    bad_parameter,
    check_params,
)
from nonet._base.progress import Steps
from nonet._base.streams import RANDOM_STATE, member_seed, root_seed
from nonet._base.warn import warn_caller
from nonet.bagging.bagging.bags import Bags, check_classes_drawn, count_columns
from nonet.bagging.bagging.draws import resolve_draw_rule
from nonet.bagging.bagging.out_of_bag import OutOfBag, Watch, average_out_of_bag, combine_out_of_bag
from nonet.bagging.bagging.population import Population, number_distinct, number_groups
from nonet.bagging.bagging.routed_metadata import make_router, route
from nonet.combine.table import resolve_combination_rule
from nonet.ensemble import Ensemble, PerTarget, check_same_classes
from nonet.members.fit import fit_members
from nonet.members.ledger import predict_out_of_bag
from nonet.members.outputs import Targets, predict_member, stack_predictions
from nonet.members.plan import MemberPlan

_ANSWERED_BY: dict[Kind, str] = {
    "values": "predict",
    "labels": "predict",
    "probabilities": "predict_proba",
    "scores": "decision_function",
}
_BATCH = 4  # predictions in memory per worker: enough to keep it busy, with little memory


class BaggedEnsemble(MetaEstimatorMixin, Ensemble):
    """Parent of the ensembles whose members differ by their rows and columns."""

    __metadata_request__fit = GROUPS_ON_REQUEST
    _task: ClassVar[Task]
    _seed: int
    _bags: list[Bags]
    _rules: ClassVar[Mapping[str, Rule]] = {
        "estimator": Nothing()
        | Having("an estimator with fit and predict", "fit", "predict")
        | Instance("a list of such estimators", list, tuple),
        "n_estimators": Integer(1),
        "max_samples": Nothing() | Integer(1) | Real(0, 1, open_low=True),
        "max_features": Integer(1) | Real(0, 1, open_low=True),
        "bootstrap": Boolean(),
        "bootstrap_features": Boolean(),
        "oob_score": Boolean()
        | Instance("the name of a scorer", str)
        | Having("a metric(y, predictions)", "__call__"),
        "warm_start": Boolean(),
        "n_jobs": Nothing() | Integer(),
        "random_state": RANDOM_STATE,
        "verbose": Boolean() | Integer(0),
    }

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Any:
        """Draw the bags, fit a member on each, and resolve F and C.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
        sample_weight : array-like of shape (n_samples,), default=None
            If rows are drawn one by one with replacement, the relative probability to draw a row;
            otherwise the members are fitted with the weights of their rows.
        **fit_params : dict
            ``groups``, the group of each row, for a draw by groups; with scikit-learn's metadata
            routing enabled, also the metadata that the members request.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        groups = fit_params.pop("groups", None)
        if self._grows():
            check_same_columns(self, X)
        table = self._check_table(X, reset=True)
        if self.estimator is None:  # members of the user's choice make their own checks
            check_columns_have_values(self, table)
        known = self._classes_by_target if self._grows() else None
        target = self._check_target(y)
        if self._grows():
            check_same_classes(self, known)
        check_consistent_length(table, target, groups)
        self.estimator_ = self._default_estimator() if self.estimator is None else self.estimator
        combine = resolve_combination_rule(self._combine_name(), self._task)
        decide = self._resolve_decide(self.decide, combine)
        weights = check_sample_weight(sample_weight, len(target))
        params = self._route("fit", "fit", fit_params)
        self._forget_score()
        self._grow(table, target, weights, groups, params)
        self.combine_ = self._bind_combine(combine, None, None)
        self._settle(decide, table, target, weights)
        if self._tunes(decide) and not self._leaves_rows_out():
            given = {"sample_weight": weights, "groups": groups, **fit_params}
            given = {name: value for name, value in given.items() if value is not None}
            self._tune_on_folds(decide, table, target, weights, groups, given)
        return self

    def _settle(self, decide: Any, table: Any, target: Array, weights: Floats | None) -> None:
        """Bind C to the ensemble, and score it out of bag if requested."""
        self._bind_early(decide, table, target)
        if self._predicts_out_of_bag(decide):
            out_of_bag = self._out_of_bag(table, self._watch(target))
            self._score_out_of_bag(decide, table, target, weights, out_of_bag)

    def _leaves_rows_out(self) -> bool:
        """Return whether there are members that have not seen all rows."""
        unseen = (member.unseen_rows for member in self.members_)
        return any(rows is not None and rows.size for rows in unseen)

    def _check_table(self, X: Any, *, reset: bool) -> Any:
        return read_table(self, X, reset=reset)

    def _prototypes(self) -> list[Any]:
        """Return the learners that the members are clones of in turn, usually one."""
        if self.estimator is None:
            return [self._default_estimator()]
        if not isinstance(self.estimator, (list, tuple)):
            return [self.estimator]
        rule = Having("a non-empty list of estimators with fit and predict", "fit", "predict")
        if not self.estimator or not all(map(rule.allows, self.estimator)):
            raise bad_parameter(self, "estimator", rule.describe(), self.estimator)
        return list(self.estimator)

    def _grow(
        self, table: Any, target: Array, weights: Floats | None, groups: Any, params: list[Params]
    ) -> None:
        """Add members until there are ``n_estimators`` of them."""
        grows = self._grows()
        members, bags_of_members = (self.members_, self._bags) if grows else ([], [])
        self._check_growth(len(members))
        seed = self._seed if grows else root_seed(self.random_state)
        bags = self._make_bags(table, target, weights, groups, seed)
        if grows and not bags.rule.can_grow:
            raise ValueError(
                f"{bags.rule!r} draws for a fixed number of members, so warm_start cannot add "
                "some; set n_parts."
            )
        passed_on = None if bags.population.probabilities is not None else weights
        plans = self._plans(bags, range(len(members), self.n_estimators), passed_on, params)
        self._check_weights_arrive(plans)
        if not grows:
            self._check_classes_arrive(plans, target, weights, bags.rule.way_out)
        steps = Steps(self, "members", self.verbose)
        grown = fit_members(plans, table, target, n_jobs=self.n_jobs, steps=steps)
        self._seed, self._bags = seed, [*bags_of_members, *[bags] * len(grown)]
        self.members_ = [*members, *grown]

    def _grows(self) -> bool:
        """Return whether members are added to those of an earlier fit."""
        return bool(self.warm_start) and "members_" in vars(self)

    def _check_growth(self, n_members: int) -> None:
        if self.n_estimators < max(n_members, len(self._prototypes())):
            minimum = f"at least {max(n_members, len(self._prototypes()))}, "
            reason = "the members that are already fitted" if n_members else "one of each estimator"
            raise bad_parameter(self, "n_estimators", minimum + reason, self.n_estimators)
        if n_members == self.n_estimators:
            warn_caller(
                f"warm_start with n_estimators={self.n_estimators} adds no member: there are "
                "that many already.",
            )

    def _make_bags(
        self, table: Any, target: Array, weights: Floats | None, groups: Any, seed: int
    ) -> Bags:
        rule = resolve_draw_rule(self.draw, groups is not None)
        if rule.needs_classes and self._task == "regression":
            allowed = "a rule that needs no classes, as there are none in regression"
            raise bad_parameter(self, "draw", allowed, self.draw)
        population = Population(
            n_rows=count_rows(table),
            n_members=self.n_estimators,
            max_samples=self.max_samples,
            replace=self.bootstrap,
            seed=seed,
            probabilities=weights if self.bootstrap and rule.draws_single_rows else None,
            classes=number_distinct(target) if rule.needs_classes else None,
            groups=None if groups is None else number_groups(groups, count_rows(table)),
        )
        population.warn_of_small_bags()
        rule.check(population)
        n_columns = int(self.n_features_in_)
        drawn = count_columns(self, self.max_features, n_columns)
        return Bags(rule, population, n_columns, drawn, self.bootstrap_features)

    def _plans(
        self, bags: Bags, positions: range, weights: Floats | None, params: list[Params]
    ) -> list[MemberPlan]:
        prototypes = self._prototypes()
        return [
            MemberPlan(
                f"{type(prototypes[position % len(prototypes)]).__name__}[{position}]",
                prototypes[position % len(prototypes)],
                counts=bags.counts(position),
                columns=bags.columns(position),
                sample_weight=weights,
                seed=member_seed(bags.population.seed, position),
                fit_params=params[position % len(prototypes)],
            )
            for position in positions
        ]

    def _check_weights_arrive(self, plans: Sequence[MemberPlan]) -> None:
        for plan in plans:
            if plan.sample_weight is not None and not _takes_weights(plan.estimator):
                raise TypeError(
                    f"{type(self).__name__}: sample_weight must be passed to the members here, but "
                    f"{type(plan.estimator).__name__}.fit does not accept it; use bootstrap=True "
                    "to sample rows with probabilities proportional to the weights."
                )

    def _check_classes_arrive(
        self, plans: Sequence[MemberPlan], target: Array, weights: Floats | None, way_out: str
    ) -> None:
        if self._task == "regression":
            return
        counts = [plan.counts for plan in plans]
        for position, labels in enumerate(np.atleast_2d(target.T)):
            classes, codes = np.unique(labels, return_inverse=True)
            number = position if target.ndim == 2 else None
            check_classes_drawn(counts, codes, classes, weights, way_out, number)

    def _out_of_bag(self, table: Any, watch: Watch) -> OutOfBag:
        """Return the members' predictions for the rows that were not in their bags."""
        self._check_same_rows(count_rows(table))
        reads, classes = self.combine_.reads, self._classes_by_target
        if is_mean(self.combine_):
            return average_out_of_bag(self.members_, table, reads, classes, watch)
        parts = self.combine_.parts if isinstance(self.combine_, PerTarget) else [self.combine_]
        ledger = predict_out_of_bag(self.members_, table, reads=reads, classes=classes)
        return combine_out_of_bag(ledger, parts, watch)

    def _check_same_rows(self, n_rows: int) -> None:
        for bags in self._bags:
            if bags.population.n_rows != n_rows:
                raise ValueError(
                    f"{type(self).__name__}: out-of-bag rows need one table for all members, but "
                    f"there were {bags.population.n_rows} rows before and {n_rows} now; fit "
                    "without warm_start, or without an out-of-bag score."
                )

    @property
    def estimators_samples_(self) -> list[Array]:
        """The rows of each member's bag, repeats included; computed from the seed in each call."""
        check_is_fitted(self)
        return [bags.rows(position) for position, bags in enumerate(self._bags)]

    @property
    def estimators_features_(self) -> list[Array]:
        """The columns of each member."""
        check_is_fitted(self)
        every = np.arange(self.n_features_in_)
        return [every if m.columns is None else m.columns for m in self.members_]

    def __len__(self) -> int:
        return len(self.members_)

    def __getitem__(self, position: int) -> Any:
        return self.estimators_[position]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.estimators_)

    def member_outputs(self, X: Any) -> Any:
        """Return the outputs of every member on X, in the form that F reads.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        outputs : ndarray of shape (n_samples, n_members[, n_classes])
            Values, class codes, probabilities or scores, as given by ``combine_.reads``. For
            multi-output classification, a list with one such array per target.
        """
        check_is_fitted(self)
        return super().member_outputs(self._check_table(X, reset=False))

    def predict(self, X: Any, **params: Any) -> Array:
        """Predict the targets of X: C(F(outputs of the members)).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        **params : dict
            Metadata for the members, with scikit-learn's metadata routing enabled.

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_targets)
        """
        support = self._routed_support("predict", X, params)
        with self._threads():
            decided: Array = self.decide_(support, self._check_table(X, reset=False))
        return decided

    def _routed_support(self, caller: str, X: Any, params: Params) -> Any:
        check_is_fitted(self)
        reads = self.combine_.reads
        if is_mean(self.combine_):
            support = self._average(caller, X, reads, params)
            return support[0] if len(support) == 1 else support
        predictions = self._predictions(caller, X, reads, params)
        outputs = [stack_predictions(of_target) for of_target in zip(*predictions, strict=True)]
        with self._threads():
            return self.combine_(outputs[0] if len(outputs) == 1 else outputs)

    def _average(self, caller: str, X: Any, kind: Kind, params: Params) -> list[Floats]:
        """Average predictions one by one, so that memory does not grow with the members."""
        predictions = self._predictions(caller, X, kind, params)
        totals = [first.astype(np.float64) for first in next(predictions)]
        for prediction in predictions:
            for total, of_target in zip(totals, prediction, strict=True):
                total += of_target
        return [total / len(self.members_) for total in totals]

    def _predictions(self, caller: str, X: Any, kind: Kind, params: Params) -> Iterator[Targets]:
        """Yield the predictions of the members in their order, a few at a time."""
        check_is_fitted(self)
        table = self._check_table(X, reset=False)
        own = self._route(caller, _ANSWERED_BY[kind], params)
        total, jobs = len(self.members_), count_jobs(self.n_jobs)
        calls = [
            (
                member,
                table,
                kind,
                self._classes_by_target,
                position,
                total,
                own[position % len(own)],
            )
            for position, member in enumerate(self.members_)
        ]
        if jobs == 1:
            yield from (predict_member(*call) for call in calls)
            return
        for start in range(0, total, jobs * _BATCH):
            yield from run_all(
                predict_member, calls[start : start + jobs * _BATCH], n_jobs=self.n_jobs
            )

    def _route(self, caller: str, callee: str, params: Params) -> list[Params]:
        return route(self, self._prototypes(), caller, callee, params)

    def get_metadata_routing(self) -> MetadataRouter:
        """Return the metadata that the ensemble and its members request.

        Returns
        -------
        routing : MetadataRouter
        """
        reads = resolve_combination_rule(self._combine_name(), self._task).reads[self._task]
        callers = ("predict", "predict_proba", "predict_log_proba")
        callees = dict.fromkeys(callers, _ANSWERED_BY[reads])
        own = {"fit": "fit", "decision_function": "decision_function"}
        return make_router(self, self._prototypes(), own | callees)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        parts = [get_tags(model) for model in self._prototypes()]
        tags.input_tags.sparse = all(part.input_tags.sparse for part in parts)
        tags.input_tags.allow_nan = all(part.input_tags.allow_nan for part in parts)
        tags.target_tags.multi_output = all(part.target_tags.multi_output for part in parts)
        return tags


def _takes_weights(estimator: Any) -> bool:
    return bool(has_fit_parameter(estimator, "sample_weight"))


def is_mean(combine: Any) -> bool:
    """Return whether F is the plain mean, which can be updated one member at a time."""
    first = combine.parts[0] if isinstance(combine, PerTarget) else combine
    return bool(first.averages)
