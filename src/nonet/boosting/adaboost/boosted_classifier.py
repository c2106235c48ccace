"""Boosted classifiers: the story of fit, and what the weighted vote says stage by stage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_consistent_length, compute_sample_weight
from sklearn.utils.validation import check_is_fitted, column_or_1d

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.arrays import check_sample_weight, encode_labels
from nonet._base.frames import take_rows
from nonet._base.metadata import GROUPS_ON_REQUEST
from nonet._base.params import (
    Anything,
    Choice,
    Instance,
    Nothing,
    Real,
    Rule,
    bad_parameter,
    check_params,
)
from nonet._base.streams import root_seed
from nonet.boosting.adaboost.boosted import BoostedEnsemble
from nonet.boosting.adaboost.held_out import part_rows
from nonet.boosting.adaboost.methods.boosting_methods import resolve_method
from nonet.boosting.adaboost.methods.method import BoostingMethod, TrainingRows
from nonet.boosting.adaboost.methods.votes import VoteMethod
from nonet.boosting.adaboost.round_log import LogBook
from nonet.boosting.adaboost.rounds import run_rounds
from nonet.boosting.adaboost.stopping import StopRule, resolve_stop_rules
from nonet.boosting.adaboost.vote_sum import VoteSum, can_sum_votes
from nonet.combine.rule import Combination, CombinationRule
from nonet.combine.table import bind_rule, resolve_combination_rule
from nonet.ensemble import EnsembleClassifier, HeldOutAnswers, as_shares
from nonet.members.outputs import ask_member
from nonet.trees.decision_tree import DecisionTreeClassifier

_HELD_OUT = 0.1  # the share of rows held out where something needs them and nobody said how many

# Of all weight, in a leaf of the default tree. Where a class weighs next to nothing, a leaf of its
# own rows would answer for it all the same, however much the others weigh.
_LEAST_LEAF = 1e-6

_REDRAWS = 20  # unlucky draws in a row that are forgiven where rows are drawn


class BoostedClassifier(BoostedEnsemble, EnsembleClassifier):
    """Parent of the classifiers that are boosted by a method."""

    __metadata_request__fit = GROUPS_ON_REQUEST
    _rules: ClassVar[Mapping[str, Rule]] = {
        **BoostedEnsemble._rules,
        "method": Anything(),
        "class_weight": Nothing() | Choice("balanced") | Instance("a dict", dict),
        "stop_when": Anything(),
        "hold_out": Nothing() | Real(0, 1, open_low=True, open_high=True),
    }

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> Any:
        """Boost: fit a member, reweigh the rows, and so on.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None
            The first weights of the rows; equal if None.
        groups : array-like of shape (n_samples,), default=None
            Rows of one group are held out together, by ``hold_out`` and in the folds on which
            ``decide`` is tuned.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        table = self._check_table(X, reset=True)
        target = self._check_target(y if y is None else column_or_1d(y, warn=True))
        check_consistent_length(table, target, groups)
        method = resolve_method(self, self.method, len(self.classes_))
        combine = self._resolve_combine(method)
        decide = self._resolve_decide(self.decide, combine)
        stops = resolve_stop_rules(self, self.stop_when)
        every = self._training_rows(table, target, sample_weight)
        seed = root_seed(self.random_state)
        train, held = part_rows(self._share_held_out(stops), every.codes, groups, seed)
        if held is not None and method.changes_earlier_weights:
            raise bad_parameter(self, "hold_out", f"None for {method!r}", self.hold_out)
        rows = _take(every, train)
        held_out = None if held is None else _take(every, held)
        self._boost(method.start(rows, self.learning_rate), rows, held_out, stops, seed, train)
        self.combine_ = self._tie(combine, method)
        tuning = None
        if decide[0].needs_held_out:
            tuning = self._tuning_answers(table, target, sample_weight, groups, held)
        self.decide_ = self._bind_decide(decide, rows.table, rows.target, tuning, {})
        return self

    def _default_estimator(self) -> Any:
        least = 0.0 if self.class_weight is None else _LEAST_LEAF
        return DecisionTreeClassifier(max_depth=1, min_weight_fraction_leaf=least)

    def _training_rows(self, table: Any, target: Array, sample_weight: Any) -> TrainingRows:
        weights = check_sample_weight(sample_weight, len(target), any_scale=True)
        weights = np.ones(len(target)) if weights is None else weights
        if self.class_weight is not None:
            weights = weights * compute_sample_weight(self.class_weight, target)
        codes = encode_labels(target, self.classes_)
        return TrainingRows(table, target, weights / weights.sum(), codes, self.classes_)

    def _share_held_out(self, stops: list[StopRule]) -> float | None:
        needed = any(rule.needs_held_out for rule in stops)
        return _HELD_OUT if needed and self.hold_out is None else self.hold_out

    def _boost(
        self,
        method: BoostingMethod,
        rows: TrainingRows,
        held_out: TrainingRows | None,
        stops: list[StopRule],
        seed: int,
        places: Array,
    ) -> None:
        """Run the rounds and keep what they found."""
        target = method.target(rows)
        learned = rows if target is None else replace(rows, target=target)
        learner = self._make_learner(method, learned, seed)
        book = LogBook(method, rows, held_out)
        n_redraws = _REDRAWS if self.resample else 0
        rounds = run_rounds(method, learner, rows, self.n_estimators, book, stops, n_redraws)
        held_errors = book.columns.get("held_out_error", rounds.errors)
        kept = min([len(rounds.members), *(rule.rounds_kept(held_errors) for rule in stops)])
        self._take_rounds(rounds, kept)
        self.method_ = method
        self.round_log_ = book.close(places, rounds.stopped)

    def _resolve_combine(self, method: BoostingMethod) -> CombinationRule:
        if self.combine is None:
            return method.rule()
        return resolve_combination_rule(self.combine, "classification")

    def _tie(self, rule: CombinationRule, method: BoostingMethod) -> Combination:
        """Tie F to the members and their weights, and sum votes natively where that is F."""
        weights = self._member_weights if rule.takes_weights else None
        is_vote = self.combine is None and isinstance(method, VoteMethod)
        sums = is_vote and can_sum_votes(self.members_)
        self._vote_sum = (
            VoteSum(self.members_, self._member_weights, self.n_classes_) if sums else None
        )
        return bind_rule(rule, len(self.members_), weights, self.classes_)

    def _tuning_answers(
        self, table: Any, target: Array, sample_weight: Any, groups: Any, held: Array | None
    ) -> HeldOutAnswers:
        """Return what C is tuned on: the rows of ``hold_out``, or clones fitted on folds."""
        weights = check_sample_weight(sample_weight, len(target), any_scale=True)
        if self.hold_out is None or held is None:
            given = {"sample_weight": weights, "groups": groups}
            given = {name: value for name, value in given.items() if value is not None}
            return self._cross_fitted(table, target, weights, groups, given)
        answers = [self.member_outputs(take_rows(table, held))]
        truth = [codes[held] for codes in self._truth(target)]
        return HeldOutAnswers(answers, truth, None if weights is None else weights[held])

    @property
    def n_classes_(self) -> int:
        """The number of classes."""
        return len(self.classes_)

    # ---- Answers -------------------------------------------------------------------------------

    def _support(self, X: Any) -> Floats:
        check_is_fitted(self)
        table = self._check_table(X, reset=False)
        if self._vote_sum is not None and not issparse(table):
            return self._vote_sum.shares(table)
        support: Floats = super()._support(table)
        return support

    def _for_decision(self, support: Floats) -> Floats:
        """Return probabilities in place of scores for a rule that needs them."""
        is_scores = self.combine is None and not self.method_.gives_fractions
        if is_scores and self.decide_.rule.needs_probabilities:
            return self._probabilities(support)
        return support

    def decision_function(self, X: Any) -> Floats:
        """Return the scores of the classes: what the members say, averaged by their weights.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            With two classes one number, between -2 (all members for the first) and 2. Under a
            ``combine`` of the user's, the support it gives.
        """
        return self._decision(self._support(X))

    def _class_scores(self, support: Floats) -> Floats:
        return support if self.combine is not None else self.method_.class_scores(support)

    def _decision(self, support: Floats) -> Floats:
        scores = self._class_scores(support)
        return scores[:, 1] - scores[:, 0] if self.n_classes_ == 2 else scores

    def predict_proba(self, X: Any) -> Floats:
        """Return probabilities of the classes: the softmax of their scores over K - 1.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            As in scikit-learn. Scores are shares of the weight, so that these probabilities are
            cautious; they rank well and should be calibrated before they are believed. Under a
            ``combine`` of the user's, the shares it gives.
        """
        return self._probabilities(self._support(X))

    def _probabilities(self, support: Floats) -> Floats:
        if self.combine is not None:
            return as_shares(support)
        return self.method_.probabilities(support)

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of the probabilities.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        log_probabilities : ndarray of shape (n_samples, n_classes)
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    # ---- Stages --------------------------------------------------------------------------------

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Yield the scores after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Yields
        ------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        for support in self._staged_support(X):
            yield self._decision(support)

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Yield the probabilities after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Yields
        ------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        for support in self._staged_support(X):
            yield self._probabilities(support)

    def staged_predict(self, X: Any) -> Iterator[Array]:
        """Yield the answers after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Yields
        ------
        y : ndarray of shape (n_samples,)
        """
        for support in self._staged_support(X):
            yield self.decide_(self._for_decision(support), X)

    def _staged_support(self, X: Any) -> Iterator[Floats]:
        check_is_fitted(self)
        table = self._check_table(X, reset=False)
        if self.combine is not None:
            yield from self._staged_prefixes(self.member_outputs(table))
            return
        total: Any = 0.0
        size = 0.0
        for member, weight in zip(self.members_, self._member_weights, strict=True):
            answers = ask_member(member, table, self.combine_.reads, [self.classes_])[0]
            total = total + self.method_.contribution(answers, weight, self.n_classes_)
            size += abs(weight)
            # Members of weight 0 may come first, and then there is nothing to divide by.
            yield total / (size or 1.0) if self.method_.is_averaged else total.copy()


def _take(rows: TrainingRows, places: Array) -> TrainingRows:
    if len(places) == len(rows.codes):
        return rows
    weights = rows.weights[places]
    codes: Codes = rows.codes[places]
    return TrainingRows(
        take_rows(rows.table, places),
        rows.target[places],
        weights / weights.sum(),
        codes,
        rows.classes,
    )
