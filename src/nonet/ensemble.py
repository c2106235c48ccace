"""Base classes of all ensembles: a(x) = C( F( b_1(x), ..., b_k(x) ) ).

``members_`` are the b, ``combine_`` is F, ``decide_`` is C. Each ensemble method defines how
its members are made and which F and C it uses. The methods of fitted ensembles are
implemented here once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Literal, cast

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin, clone
from sklearn.utils import assert_all_finite
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from nonet._base.aliases import Array, Codes, Floats, Kind, Params
from nonet._base.arrays import encode_labels
from nonet._base.errors import ParameterError, show
from nonet._base.estimator import Estimator
from nonet._base.frames import take_rows
from nonet._base.parallel import count_jobs
from nonet._base.params import bad_parameter
from nonet._base.rule_words import class_in_words, rule_in_words
from nonet._base.warn import warn_caller
from nonet._native.runtime import limit_threads
from nonet.combine.rule import CombinationRule
from nonet.combine.table import bind_rule, rule_name
from nonet.combine.values import normalize_rows, refuse_negative_rows
from nonet.combine.weights import WeightFinder
from nonet.decide.identity import Identity
from nonet.decide.rule import Decision, DecisionRule
from nonet.decide.table import resolve_decision_rule
from nonet.decide.undecided import Undecided
from nonet.members.cross_fitted import cross_fit_support, make_tuning_folds
from nonet.members.ensemble_diagram import diagram_of
from nonet.members.fit import fit_member
from nonet.members.member import Member
from nonet.members.outputs import Targets, check_can_predict, predict_member, predict_members
from nonet.members.plan import MemberPlan

MemberRole = Literal["predictor", "side", "step"]
"""The role of a member's output.

"predictor": a prediction of the ensemble's own target. "side": a choice between two groups of
classes. "step": a term of one sum, which has no meaning without the terms before it.
"""


@dataclass(frozen=True)
class PerTarget:
    """One rule for each target of a multi-output classification."""

    parts: tuple[Any, ...]
    # By a factory: a class attribute that can be called would be a method to a model file.
    join: Callable[[list[Array]], Any] = field(default_factory=lambda: list)

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return f"{rule_in_words(self.parts[0])}, for each of {len(self.parts)} targets"

    @property
    def reads(self) -> Kind:
        """The kind of output that the members return."""
        return cast(Kind, self.parts[0].reads)

    def __call__(self, values: Targets, *rest: Any) -> Any:
        """Apply each rule to its own target."""
        return self.join([part(v, *rest) for part, v in zip(self.parts, values, strict=True)])


@dataclass(frozen=True)
class HeldOutPredictions:
    """Predictions on rows that the members have not seen, with the true targets.

    Attributes
    ----------
    predictions : list of ndarray
        For each target the outputs of the members, or the support.
    truth : list of ndarray
        For each target the class codes, or the values.
    sample_weight : ndarray or None
        The weight of each row.
    combined : bool
        Whether the predictions are F's support already, not the outputs that F combines.
    """

    predictions: Targets
    truth: Targets
    sample_weight: Floats | None = None
    combined: bool = False


class Ensemble(Estimator):
    """Parent of all ensembles: fitted members, a combination rule F, a decision rule C.

    Attributes
    ----------
    members_ : list of Member
        The fitted members b_1..b_k, each with its name and the columns it uses.
    combine_ : callable
        F: maps member outputs to support. It takes X as well, for an F that depends on the row.
    decide_ : callable
        C: maps support to predictions.
    estimators_ : list of estimators
        The fitted models of the members.
    """

    members_: list[Member]
    combine_: Any
    decide_: Any
    _member_role: ClassVar[MemberRole] = "predictor"

    @property
    def estimators_(self) -> list[Any]:
        """The fitted models of the members."""
        if "members_" not in vars(self):
            raise AttributeError(f"{type(self).__name__} has no members before fit is called.")
        return [member.estimator for member in self.members_]

    @property
    def _classes_by_target(self) -> Targets | None:
        return None

    def _html_repr(self) -> str:
        """Return what a notebook shows: scikit-learn's view of the parameters, and the diagram."""
        return f"{super()._html_repr()}{diagram_of(self)}"

    def member_outputs(self, X: Any) -> Any:
        """Return the outputs of every member for X, in the form that F reads.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        outputs : ndarray of shape (n_samples, n_members[, n_classes])
            Values, class codes (positions in ``classes_``, -1 for a member that abstains),
            probabilities or scores, as given by ``combine_.reads``. For a multi-output
            classification a list with one such array for each target.
        """
        check_is_fitted(self)
        predictions = predict_members(
            self.members_, X, self.combine_.reads, self._classes_by_target
        )
        return predictions[0] if len(predictions) == 1 else predictions

    def predict(self, X: Any) -> Array:
        """Predict X: C(F(outputs of the members)).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_targets)
        """
        support = self._support(X)
        self._check_support(support)
        with self._threads():
            return cast(Array, self.decide_(self._for_decision(support), X))

    def _support(self, X: Any) -> Any:
        outputs = self.member_outputs(X)
        with self._threads():
            return self.combine_(outputs, X)

    def _check_support(self, support: Any) -> None:
        """Warn of rows that C cannot decide well."""

    def _for_decision(self, support: Any) -> Any:
        """Return what C reads: the support, or probabilities if an ensemble converts its scores."""
        return support

    def _threads(self) -> AbstractContextManager[None]:
        """Limit native calls to ``n_jobs`` threads, as in fit; None is one."""
        return limit_threads(count_jobs(getattr(self, "n_jobs", None)))

    def _bind_combine(
        self,
        rule: CombinationRule,
        weights: Floats | WeightFinder | None,
        held_out: HeldOutPredictions | None,
    ) -> Any:
        """Bind F to the fitted members; find its weights on held-out predictions if needed."""
        targets: Sequence[Array | None] = self._classes_by_target or [None]
        reads = rule.reads["regression" if targets[0] is None else "classification"]
        check_can_predict(self.members_, reads, rule_name(rule))
        bound = [
            bind_rule(rule, len(self.members_), _weights_of(weights, held_out, t, classes), classes)
            for t, classes in enumerate(targets)
        ]
        return bound[0] if len(bound) == 1 else PerTarget(tuple(bound))


def check_same_classes(owner: Ensemble, before: Targets | None) -> None:
    """Raise unless the classes equal those of the earlier fit that warm_start extends."""
    now = owner._classes_by_target
    same = before is None and now is None
    if before is not None and now is not None and len(before) == len(now):
        same = all(np.array_equal(known, seen) for known, seen in zip(before, now, strict=True))
    if not same:
        raise ValueError(
            f"{type(owner).__name__}: warm_start adds members to those of an earlier fit, but y "
            "has other classes or targets now; fit without warm_start."
        )


def check_is_given(owner: Any, y: Any) -> None:
    """Raise if y is None."""
    if y is None:
        raise ValueError(
            f"{type(owner).__name__} requires y to be passed, but the target y is None."
        )


def _weights_of(
    weights: Floats | WeightFinder | None,
    held_out: HeldOutPredictions | None,
    target: int,
    classes: Array | None,
) -> Floats | None:
    if not isinstance(weights, WeightFinder):
        return weights
    assert held_out is not None
    return weights.find(
        held_out.predictions[target],
        held_out.truth[target],
        classes=classes,
        sample_weight=held_out.sample_weight,
    )


class EnsembleRegressor(RegressorMixin, Ensemble):
    """Parent of the ensembles for regression: C is the identity or a custom function."""

    def _check_target(self, y: Any) -> Array:
        """Return y as numbers, with one column per target if there are several."""
        check_is_given(self, y)
        values = np.asarray(y)
        values = values.astype(np.float64) if values.dtype.kind == "O" else values
        assert_all_finite(values, input_name="y")
        if values.ndim == 2 and values.shape[1] > 1:
            return values.astype(np.float64)
        return cast(Array, column_or_1d(values, warn=True))

    def _truth(self, y: Array) -> Targets:
        return [y]

    def _bind_decide(self, decide: Any) -> Any:
        if decide is None or (isinstance(decide, str) and decide == "identity"):
            return Identity()
        if callable(decide) and not isinstance(decide, type):
            return AfterCombining(decide)
        allowed = "None, 'identity' or a function of the combined values"
        raise bad_parameter(self, "decide", allowed, decide)


class EnsembleClassifier(ClassifierMixin, Ensemble):
    """Parent of the ensembles for classification.

    ``score`` is the accuracy over all rows: a row on which the ensemble abstains counts as
    wrong. :func:`nonet.decide.selective_accuracy` offers other ways to count it.
    """

    classes_: Any

    @property
    def _classes_by_target(self) -> Targets | None:
        return self.classes_ if isinstance(self.classes_, list) else [self.classes_]

    def _check_target(self, y: Any) -> Array:
        """Return y with the user's own labels, and store the classes."""
        check_is_given(self, y)
        labels = np.asarray(y)
        if labels.dtype.kind == "f":
            assert_all_finite(labels, input_name="y")
        check_classification_targets(labels)
        if labels.ndim == 2 and labels.shape[1] > 1:
            self.classes_ = [np.unique(column) for column in labels.T]
            return labels
        labels = column_or_1d(labels, warn=True)
        self.classes_ = np.unique(labels)
        return cast(Array, labels)

    def _truth(self, y: Array) -> Targets:
        columns = [y] if y.ndim == 1 else list(y.T)
        assert self._classes_by_target is not None
        return [
            encode_labels(column, classes)
            for column, classes in zip(columns, self._classes_by_target, strict=True)
        ]

    def _check_support(self, support: Any) -> None:
        if self.combine_.reads == "labels":
            warn_of_no_votes(support, self.decide_)

    def predict_proba(self, X: Any) -> Any:
        """Return the support of each class, scaled to sum to one.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``. Under a voting rule these are vote fractions;
            a row without any decision is uniform. A list of such arrays for a multi-output
            classification.
        """
        support = self._support(X)
        return (
            [normalize_support(s) for s in support]
            if isinstance(support, list)
            else normalize_support(support)
        )

    def _resolve_decide(self, decide: Any, combine: CombinationRule) -> list[DecisionRule]:
        """Return C for each target, after checking that it can handle the output of F."""
        assert self._classes_by_target is not None
        rules = [
            resolve_decision_rule(decide, classes, self) for classes in self._classes_by_target
        ]
        rule = rules[0]
        if combine.may_abstain and not (rule.can_abstain or rule.arbiter is not None):
            raise ParameterError(
                f"combination rule {rule_name(combine)!r} may give no decision, but "
                f"{type(rule).__name__} always predicts a class; use a rule that can abstain, "
                "for example decide=Argmax(tie='abstain', abstain_label=...)."
            )
        return rules

    def _bind_decide(
        self,
        rules: list[DecisionRule],
        X: Any,
        y: Array,
        held_out: HeldOutPredictions | None,
        fit_params: Any,
    ) -> Any:
        """Bind C to the classes, and tune it on held-out support if needed."""
        arbiters = self._arbiters(rules[0].arbiter, X, y, fit_params)
        if rules[0].needs_held_out:
            rules = self._tune(rules, held_out)
        bound = [
            Decision(rule, rule.classes_, rule.abstain_label_for(rule.classes_), arbiter)
            for rule, arbiter in zip(rules, arbiters, strict=True)
        ]
        return bound[0] if len(bound) == 1 else PerTarget(tuple(bound), np.column_stack)

    def _tune(
        self, rules: list[DecisionRule], held_out: HeldOutPredictions | None
    ) -> list[DecisionRule]:
        assert held_out is not None
        supports = self._held_out_support(held_out)
        return [
            rule.tune(support, truth, rule.classes_, held_out.sample_weight)
            for rule, support, truth in zip(rules, supports, held_out.truth, strict=True)
        ]

    def _cross_fitted(
        self,
        X: Any,
        y: Array,
        sample_weight: Floats | None = None,
        groups: Any = None,
        fit_params: Params | None = None,
    ) -> HeldOutPredictions:
        """Return the support of rows from clones of this ensemble that were fitted without them.

        For ensembles without out-of-bag predictions. ``fit_params`` holds all parameters of ``fit``
        besides X and y, weights and groups included.
        """
        folds = make_tuning_folds(y, groups, sample_weight)
        rows, supports = cross_fit_support(self._tuning_clone(), X, y, folds, fit_params or {})
        truth = [codes[rows] for codes in self._truth(y)]
        weight = None if sample_weight is None else sample_weight[rows]
        return HeldOutPredictions(supports, truth, weight, combined=True)

    def _tuning_clone(self) -> Any:
        """Return an unfitted clone without a decision rule, to be fitted on folds."""
        prototype = clone(self).set_params(decide=Undecided())
        if "warm_start" in prototype.get_params(deep=False):
            prototype.set_params(warm_start=False)
        return prototype

    def _held_out_support(self, held_out: HeldOutPredictions) -> list[Floats]:
        if held_out.combined:
            return held_out.predictions
        parts = self.combine_.parts if isinstance(self.combine_, PerTarget) else (self.combine_,)
        return [
            part(predictions) for part, predictions in zip(parts, held_out.predictions, strict=True)
        ]

    def _arbiters(self, arbiter: Any, X: Any, y: Array, fit_params: Any) -> list[Any]:
        """Return, for each target, the function that decides the rows the rule leaves open."""
        targets = self._classes_by_target
        assert targets is not None
        if arbiter is None:
            return [None] * len(targets)
        member = self._resolve_arbiter(arbiter, X, y, fit_params)
        self.arbiter_ = member.estimator
        return [
            partial(_predict_arbiter, member, targets, position) for position in range(len(targets))
        ]

    def _resolve_arbiter(self, arbiter: Any, X: Any, y: Array, fit_params: Any) -> Member:
        """Return the member of that name, or fit the given model on all rows."""
        if not isinstance(arbiter, str):
            return fit_member(MemberPlan("arbiter", arbiter, fit_params=fit_params), X, y)
        by_name = {member.name: member for member in self.members_}
        if arbiter not in by_name:
            raise ParameterError(
                f"arbiter {arbiter!r} is not the name of a member; the members are "
                f"{', '.join(map(repr, by_name))}."
            )
        return by_name[arbiter]


def _predict_arbiter(member: Member, classes: Targets, target: int, X: Any, rows: Array) -> Codes:
    return predict_member(member, take_rows(X, rows), "labels", classes)[target]


def warn_of_no_votes(support: Any, decision: Any) -> None:
    """Warn if all members abstained on some rows, and the rule predicts a class all the same."""
    if isinstance(decision, PerTarget):
        for part, of_target in zip(decision.parts, support, strict=True):
            warn_of_no_votes(of_target, part)
        return
    if decision.abstain_label is not None or decision.arbiter is not None:
        return
    n_empty = np.count_nonzero(~support.any(axis=1))
    if n_empty:
        warn_caller(
            f"all members abstained on {n_empty} of {len(support)} rows, which are predicted to be "
            f"{decision.classes.tolist()[0]!r}; a rule such as decide=Argmax(tie='abstain', "
            "abstain_label=...) abstains there."
        )


def normalize_support(support: Floats) -> Floats:
    """Scale the rows that do not sum to one; the others stay bitwise the same."""
    refuse_negative_rows(support)
    rows = np.flatnonzero(np.abs(support.sum(axis=1) - 1) > 1e-6)
    if rows.size:
        support[rows] = normalize_rows(support[rows])
    return support


@dataclass(frozen=True)
class AfterCombining:
    """C of regression given by the user: a function of the combined values, such as rounding."""

    function: Callable[[Floats], Floats]

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return f"{class_in_words(self.function)} of the value"

    def __call__(self, support: Floats, X: Any = None) -> Floats:
        """Return the output of the user's function on the support."""
        values = np.asarray(self.function(support))
        if values.dtype.kind not in "biuf" or values.shape[:1] != support.shape[:1]:
            raise ValueError(
                f"decide: the function must return one number per row, an array of length "
                f"{len(support)}, but it returned {show(values)} of shape {values.shape} and dtype "
                f"{values.dtype}."
            )
        return values
