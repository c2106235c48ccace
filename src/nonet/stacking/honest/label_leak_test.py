"""A test of whether level-one predictions depend on the label of their own row.

Each label is kept or exchanged for another one by the toss of a fair coin, and the members
predict level one from these labels. A member that was not fitted on a row is independent of the
coin of that row, whatever it learned from the others. The mean over rows of

    coin * (preference of the prediction for the kept label over the other one)

therefore has expectation 0 for every honest scheme: folds of any kind, stratified or
overlapping, out-of-bag predictions, many rows or few. Shuffled labels do not have this
property. They are sampled without replacement, so the labels of the other folds determine what is
left for this one, and predictions correlate negatively with y. A final model can turn that into a
gain, although nothing leaks.

With one coin per group the labels of a group stay related to each other and to X, so that the
test also detects folds that split groups.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import stats
from sklearn.base import clone

from nonet._base.aliases import Array, Floats, Kind
from nonet._base.arrays import encode_labels
from nonet._base.frames import count_rows
from nonet.members.fit import fit_members
from nonet.members.folds import Fold, make_folds
from nonet.members.ledger import cross_fit
from nonet.members.outputs import Targets, predict_member
from nonet.members.plan import MemberPlan
from nonet.stacking.ledger_maker import plan_member

_MAX_TOSSES = 1000


@dataclass(frozen=True)
class TwoLabels:
    """The label of each row, and the label that may replace it.

    Attributes
    ----------
    kept, exchanged : ndarray of shape (n_samples,) or (n_samples, n_targets)
        In the form that the members are fitted on.
    scored : list of (kept, exchanged) pairs of ndarray
        The same in the form of predictions: class codes, one pair per target, or values.
    """

    kept: Array
    exchanged: Array
    scored: list[tuple[Array, Array]]

    def choose(self, coins: Floats) -> Array:
        """Return the labels that the coins choose: 1 keeps, -1 exchanges."""
        heads = coins > 0
        return np.where(heads if self.kept.ndim == 1 else heads[:, None], self.kept, self.exchanged)


def mirror_values(y: Array) -> TwoLabels:
    """Exchange the minimum value for the maximum, the second lowest for the second highest, ..."""
    order = np.argsort(y, axis=0, kind="stable")
    mirrored = np.empty_like(y)
    np.put_along_axis(mirrored, order, np.take_along_axis(y, order[::-1], axis=0), axis=0)
    return TwoLabels(y, mirrored, [(y.astype(np.float64), mirrored.astype(np.float64))])


def turn_classes(y: Array, classes: Targets) -> TwoLabels:
    """Exchange each class for the next one, the last for the first."""
    columns = [y] if y.ndim == 1 else list(y.T)
    codes = [encode_labels(column, known) for column, known in zip(columns, classes, strict=True)]
    next_codes = [(own + 1) % len(known) for own, known in zip(codes, classes, strict=True)]
    turned = [known[own] for own, known in zip(next_codes, classes, strict=True)]
    exchanged = turned[0] if y.ndim == 1 else np.column_stack(turned)
    return TwoLabels(y, exchanged, list(zip(codes, next_codes, strict=True)))


def preference(predictions: Array, kind: Kind, kept: Array, exchanged: Array) -> Floats:
    """Return how much each prediction prefers the kept label to the exchanged one."""
    if kind == "values":
        product = (predictions - (kept + exchanged) / 2) * (kept - exchanged)
        return np.asarray(product if product.ndim == 1 else _add_targets(product, kept - exchanged))
    if kind == "labels":
        return np.asarray((predictions == kept) * 1.0 - (predictions == exchanged))
    rows = np.arange(len(predictions))
    return np.asarray(predictions[rows, kept] - predictions[rows, exchanged], dtype=np.float64)


def _add_targets(product: Floats, gap: Floats) -> Floats:
    """Sum over targets, each scaled by its own spread."""
    spread = np.mean(gap**2, axis=0)
    return np.asarray((product / np.where(spread > 0, spread, 1)).sum(axis=1))


@dataclass(frozen=True)
class OwnLabelTest:
    """The members of a stack, refitted repeatedly on randomly exchanged labels.

    Attributes
    ----------
    stack : StackingClassifier or StackingRegressor
        Not fitted.
    steps : Pipeline or None
        The steps before the stack, which are fitted on all rows.
    X, y : the data
    groups : array-like of shape (n_samples,) or None
        Rows of a group have the same coin.
    """

    stack: Any
    steps: Any
    X: Any
    y: Array
    groups: Any

    def run(self, generators: Sequence[np.random.Generator]) -> tuple[Floats, list[str]]:
        """Return the effect of own labels, (n_repeats, n_members), and the members' names.

        It is scaled by the size of the preferences: 1 if all of them follow their own label.
        """
        effects, squares = np.empty((2, len(generators), len(self._plans)))
        for turn, random in enumerate(generators):
            coins = self._toss(random)
            for position, preferred in enumerate(self._preferences(coins)):
                effects[turn, position] = np.nanmean(coins * preferred)
                squares[turn, position] = np.nanmean(preferred**2)
        scale = np.sqrt(squares.mean(axis=0))
        return effects / np.where(scale > 0, scale, 1), [plan.name for plan in self._plans]

    def _preferences(self, coins: Floats) -> list[Floats]:
        """Return the preferences of each member; NaN where it has no level-one prediction."""
        labels = self._two_labels.choose(coins)
        X = self.X if self.steps is None else clone(self.steps).fit_transform(self.X, labels)
        return [self._preference_of(plan, X, labels) for plan in self._plans]

    def _preference_of(self, dealt: MemberPlan, X: Any, labels: Array) -> Floats:
        classes = self.stack._classes_by_target
        plan = plan_member(dealt.name, dealt.estimator, labels, classes, {})
        plan = plan if dealt.rows is None else plan.on_rows(dealt.rows)
        kind = self.stack._kind(plan.name, plan.estimator)
        if self._sees_own_rows:
            (member,) = fit_members([plan], X, labels)
            predictions, covered = (
                predict_member(member, X, kind, classes),
                np.ones(len(labels), bool),
            )
        else:
            predictions, covered = self._held_out(plan, kind, X, labels)
        pairs = self._two_labels.scored
        found = [
            preference(prediction, kind, *pair)
            for prediction, pair in zip(predictions, pairs, strict=True)
        ]
        return np.where(covered, np.sum(found, axis=0), np.nan)

    def _held_out(
        self, plan: MemberPlan, kind: Kind, X: Any, labels: Array
    ) -> tuple[Targets, Array]:
        with warnings.catch_warnings():
            # Coins may leave a fold without a class; the folds of the user's labels need not.
            warnings.filterwarnings("ignore", message=".* folds train without the classes")
            ledger = cross_fit(
                [plan],
                X,
                labels,
                reads=kind,
                classes=self.stack._classes_by_target,
                cv=self._folds,
                n_jobs=self.stack.n_jobs,
                out_of_bag=self.stack.out_of_bag,
            )
        return [page[:, 0] for page in ledger.predictions], ledger.coverage[:, 0] > 0

    @property
    def _sees_own_rows(self) -> bool:
        return bool(self.stack.prefit or self.stack.partition == "leaking")

    @cached_property
    def _two_labels(self) -> TwoLabels:
        classes = self.stack._classes_by_target
        return mirror_values(self.y) if classes is None else turn_classes(self.y, classes)

    @cached_property
    def _plans(self) -> list[MemberPlan]:
        """The members and the rows assigned to them by the original labels."""
        plans = [MemberPlan(name, model) for name, model in self.stack._kept()]
        if self.stack.partition is None:
            return plans
        parts = self.stack._deal_parts(len(plans), self.X, self.y)
        return [plan.on_rows(part) for plan, part in zip(plans, parts, strict=True)]

    @cached_property
    def _folds(self) -> list[Fold]:
        """The folds of the original labels: stratified ones must not depend on the coins."""
        classifier = self.stack._classes_by_target is not None
        return make_folds(self.stack.cv, self.X, self.y, self.groups, classifier=classifier)

    @cached_property
    def _training_rows(self) -> list[Array]:
        """The training rows of every fit."""
        everything = np.arange(count_rows(self.X))
        training = [everything] if self._sees_own_rows else [train for train, _ in self._folds]
        return [
            rows if plan.rows is None else np.intersect1d(rows, plan.rows)
            for plan in self._plans
            for rows in training
        ]

    def _toss(self, random: np.random.Generator) -> Floats:
        """Toss a coin for each row or group; classifiers need two classes in every fit."""
        numbers = np.arange(len(self.y))
        if self.groups is not None:
            numbers = np.unique(np.asarray(self.groups), return_inverse=True)[1]
        for _ in range(_MAX_TOSSES):
            coins: Floats = random.choice([-1.0, 1.0], numbers.max() + 1)[numbers]
            if self.stack._classes_by_target is None or self._have_two_classes(coins):
                return coins
        raise ValueError(
            "leak_check: labels cannot be exchanged at random so that every training fold keeps "
            "two classes; use fewer folds, or more rows or groups."
        )

    def _have_two_classes(self, coins: Floats) -> bool:
        labels = self._two_labels.choose(coins)
        return all(
            bool((labels[rows] != labels[rows[0]]).any(axis=0).all())
            for rows in self._training_rows
        )


def p_values(effects: Floats) -> Floats:
    """Return the one-sided p-value of each column from Student's t-test of a mean of 0."""
    mean, spread = effects.mean(axis=0), effects.std(axis=0, ddof=1)
    error = np.maximum(spread / np.sqrt(len(effects)), np.finfo(float).eps)
    return np.asarray(stats.t.sf(mean / error, len(effects) - 1))
