"""Base class of boosted classifiers: fit, and staged predictions of the weighted vote."""

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
    Boolean,
    Choice,
    Instance,
    Nothing,
    Real,
    Rule,
    bad_parameter,
    check_params,
)
from nonet._base.progress import Steps
from nonet._base.streams import root_seed
from nonet.boosting.adaboost.boosted_ensemble import BoostedEnsemble
from nonet.boosting.adaboost.held_out import split_rows
from nonet.boosting.adaboost.methods.boosting_methods import resolve_method
from nonet.boosting.adaboost.methods.label_methods import LabelMethod
from nonet.boosting.adaboost.methods.method import BoostingMethod, TrainingRows
from nonet.boosting.adaboost.round_log import RoundLogBuilder
from nonet.boosting.adaboost.rounds import run_reweighting
from nonet.boosting.adaboost.stopping import StopRule, resolve_stop_rules
from nonet.boosting.adaboost.vote_sum import VoteSum, can_sum_votes
from nonet.combine.rule import Combination, CombinationRule
from nonet.combine.table import bind_rule, resolve_combination_rule
from nonet.ensemble import EnsembleClassifier, HeldOutPredictions, normalize_support
from nonet.members.outputs import predict_member
from nonet.trees.decision_tree import DecisionTreeClassifier

_HELD_OUT = 0.1  # the fraction of rows held out if a rule needs them and hold_out is None

# Minimum fraction of the weight in a leaf of the default tree. Otherwise rows of a class of almost
# no weight would get leaves that predict this class, however heavy the other classes are.
_MIN_LEAF = 1e-6

# Maximum number of weights, rows times rounds, that the round log keeps by default.
_MAX_KEPT = 10**6

_REDRAWS = 20  # number of rejected samples in sequence that are tolerated if rows are resampled


class BoostedClassifier(BoostedEnsemble, EnsembleClassifier):
    """Parent of the classifiers that are boosted by a method."""

    __metadata_request__fit = GROUPS_ON_REQUEST
    _rules: ClassVar[Mapping[str, Rule]] = {
        **BoostedEnsemble._rules,
        "method": Anything(),
        "class_weight": Nothing() | Choice("balanced") | Instance("a dict", dict),
        "stop_when": Anything(),
        "keep_weights": Nothing() | Boolean(),
        "hold_out": Nothing() | Real(0, 1, open_low=True, open_high=True),
    }

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> Any:
        """Boost: fit a member, reweight the rows, and repeat.

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
        train, held = split_rows(self._hold_out_fraction(stops), every.codes, groups, seed)
        if held is not None and method.changes_earlier_weights:
            raise bad_parameter(self, "hold_out", f"None for {method!r}", self.hold_out)
        rows = _take(every, train)
        held_out = None if held is None else _take(every, held)
        self._boost(method.start(rows, self.learning_rate), rows, held_out, stops, seed, train)
        self.combine_ = self._tie(combine, method)
        tuning = None
        if decide[0].needs_held_out:
            tuning = self._tuning_predictions(table, target, sample_weight, groups, held)
        # An arbiter reads X itself, as in predict; members may read codes of its categories.
        self.decide_ = self._bind_decide(
            decide, X if held is None else take_rows(X, train), rows.target, tuning, {}
        )
        return self

    def _default_estimator(self) -> Any:
        minimum = 0.0 if self.class_weight is None else _MIN_LEAF
        return DecisionTreeClassifier(max_depth=1, min_weight_fraction_leaf=minimum)

    def _training_rows(self, table: Any, target: Array, sample_weight: Any) -> TrainingRows:
        weights = check_sample_weight(sample_weight, len(target), any_scale=True)
        weights = np.ones(len(target)) if weights is None else weights
        if self.class_weight is not None:
            weights = weights * compute_sample_weight(self.class_weight, target)
        codes = encode_labels(target, self.classes_)
        return TrainingRows(table, target, weights / weights.sum(), codes, self.classes_)

    def _hold_out_fraction(self, stops: list[StopRule]) -> float | None:
        needed = any(rule.needs_held_out for rule in stops)
        return _HELD_OUT if needed and self.hold_out is None else self.hold_out

    def _boost(
        self,
        method: BoostingMethod,
        rows: TrainingRows,
        held_out: TrainingRows | None,
        stops: list[StopRule],
        seed: int,
        positions: Array,
    ) -> None:
        """Run the rounds and store their results."""
        target = method.target(rows)
        learned = rows if target is None else replace(rows, target=target)
        learner = self._make_learner(method, learned, seed)
        log = RoundLogBuilder(method, rows, held_out, self._keeps_weights(len(rows.codes)))
        n_redraws = _REDRAWS if self.resample else 0
        with Steps(self, "rounds").track(self.n_estimators) as progress:
            rounds = run_reweighting(
                method, learner, rows, self.n_estimators, log, stops, n_redraws, progress
            )
        held_errors = log.columns.get("held_out_error", rounds.errors)
        kept = min([len(rounds.members), *(rule.rounds_kept(held_errors) for rule in stops)])
        self._take_rounds(rounds, kept)
        self.method_ = method
        self.round_log_ = log.close(positions, rounds.stopped)

    def _keeps_weights(self, n_rows: int) -> bool:
        if self.keep_weights is None:
            return bool((self.n_estimators + 1) * n_rows <= _MAX_KEPT)
        return bool(self.keep_weights)

    def _resolve_combine(self, method: BoostingMethod) -> CombinationRule:
        if self.combine is None:
            return method.rule()
        return resolve_combination_rule(self.combine, "classification")

    def _tie(self, rule: CombinationRule, method: BoostingMethod) -> Combination:
        """Tie F to the members and their weights, and sum votes natively where that is F."""
        weights = self._member_weights if rule.takes_weights else None
        is_vote = self.combine is None and isinstance(method, LabelMethod)
        sums = is_vote and can_sum_votes(self.members_)
        self._vote_sum = (
            VoteSum(self.members_, self._member_weights, self.n_classes_) if sums else None
        )
        return bind_rule(rule, len(self.members_), weights, self.classes_)

    def _tuning_predictions(
        self, table: Any, target: Array, sample_weight: Any, groups: Any, held: Array | None
    ) -> HeldOutPredictions:
        """Return predictions to tune C on: for ``hold_out`` rows, or of clones fitted on folds."""
        weights = check_sample_weight(sample_weight, len(target), any_scale=True)
        if self.hold_out is None or held is None:
            given = {"sample_weight": weights, "groups": groups}
            given = {name: value for name, value in given.items() if value is not None}
            return self._cross_fitted(table, target, weights, groups, given)
        predictions = [self.member_outputs(take_rows(table, held))]
        truth = [codes[held] for codes in self._truth(target)]
        return HeldOutPredictions(predictions, truth, None if weights is None else weights[held])

    @property
    def n_classes_(self) -> int:
        """The number of classes."""
        return len(self.classes_)

    # ---- Predictions ---------------------------------------------------------------------------

    def _support(self, X: Any) -> Floats:
        check_is_fitted(self)
        table = self._check_table(X, reset=False)
        if self._vote_sum is not None and not issparse(table):
            return self._vote_sum.fractions(table)
        support: Floats = super()._support(table)
        return support

    def _for_decision(self, support: Floats) -> Floats:
        """Return probabilities in place of scores for a rule that needs them."""
        is_scores = self.combine is None and not self.method_.gives_fractions
        if is_scores and self.decide_.rule.needs_probabilities:
            return self._probabilities(support)
        return support

    def decision_function(self, X: Any) -> Floats:
        """Return the scores of the classes: the outputs of the members, averaged by their weights.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            With two classes one number per row, between -2 (all members predict the first) and 2.
            Under a user's own ``combine`` rule, the support that it returns.
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
            As in scikit-learn. Scores are fractions of the weight, so these probabilities are
            underconfident. They rank well, but calibrate them before use. Under a user's own
            ``combine`` rule, the fractions that it returns.
        """
        return self._probabilities(self._support(X))

    def _probabilities(self, support: Floats) -> Floats:
        if self.combine is not None:
            return normalize_support(support)
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
        """Yield the predictions after each round.

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
            predictions = predict_member(member, table, self.combine_.reads, [self.classes_])[0]
            total = total + self.method_.contribution(predictions, weight, self.n_classes_)
            size += abs(weight)
            # The first members may have weight 0; dividing by their sum would give NaN.
            yield total / (size or 1.0) if self.method_.is_averaged else total.copy()


def _take(rows: TrainingRows, positions: Array) -> TrainingRows:
    if len(positions) == len(rows.codes):
        return rows
    weights = rows.weights[positions]
    codes: Codes = rows.codes[positions]
    return TrainingRows(
        take_rows(rows.table, positions),
        rows.target[positions],
        weights / weights.sum(),
        codes,
        rows.classes,
    )
