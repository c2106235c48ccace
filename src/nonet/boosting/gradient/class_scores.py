"""Base class of boosted classifiers: class codes, probabilities and predicted labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import compute_sample_weight
from sklearn.utils.validation import _check_y

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_class_labels, check_sample_weight, find_classes
from nonet._base.params import bad_parameter
from nonet.boosting.gradient.booster import by_row
from nonet.boosting.gradient.booster_estimator import GradientBoosted, check_same_length
from nonet.boosting.gradient.decisions import (
    LinkedDecision,
    PlainDecision,
    class_probabilities,
)
from nonet.boosting.gradient.steps import StepSum
from nonet.decide.rule import DecisionRule
from nonet.decide.undecided import Undecided
from nonet.ensemble import EnsembleClassifier, HeldOutPredictions
from nonet.members.member import Member
from nonet.trees.binned_table import BinnedTable, StoredTarget, needs_values


class ClassScores(EnsembleClassifier, GradientBoosted):
    """Parent of boosted classifiers: one score for two classes, one per class for more."""

    class_weight: Any = None
    _zero_is_positive: ClassVar[bool] = False  # whether a score of 0 means the second class

    # ---- Targets -------------------------------------------------------------------------------

    def _read_target(
        self, y: Any, sample_weight: Any, n_rows: int, *, goes_on: bool = False
    ) -> tuple[Array, Floats | None]:
        if isinstance(y, StoredTarget) and (codes := self._stored_codes(y, goes_on)) is not None:
            check_same_length(n_rows, codes)
            return codes, check_sample_weight(sample_weight, n_rows)
        labels = _check_y(y, y_numeric=False, estimator=self)
        check_class_labels(labels)
        check_same_length(n_rows, labels)
        weights = check_sample_weight(sample_weight, n_rows)
        if self.class_weight is not None:
            by_class = compute_sample_weight(self.class_weight, labels)
            weights = by_class if weights is None else weights * by_class
        self._check_classes(labels, weights, goes_on)
        if not goes_on:
            self.classes_ = find_classes(labels)[0]
        return self._encode_known(labels), weights

    def _stored_codes(self, y: StoredTarget, goes_on: bool) -> Array | None:
        """Return targets of a bins file in the form of the loss, where they are stored so."""
        codes = None if self.class_weight is not None or goes_on else y.codes()
        if codes is None or y.labels is None:
            return None
        self.classes_ = y.labels
        return codes if len(y.labels) <= 2 else codes.astype(np.int32)

    def _check_classes(self, labels: Array, weights: Floats | None, goes_on: bool) -> None:
        """Raise for classes that the estimator does not support."""

    def _encode_known(self, y: Any) -> Array:
        labels = _check_y(y, y_numeric=False, estimator=self)
        codes, known = _find_codes(labels, self.classes_)
        if not known.all():
            raise ValueError(
                f"y has the label {labels[~known].tolist()[0]!r}, which is not among the classes "
                f"learned, {self.classes_.tolist()}."
            )
        target: Array = codes.astype(np.float64 if len(self.classes_) <= 2 else np.int32)
        return target

    def _labels_of(self, target: Array) -> Array:
        labels: Array = self.classes_[target.astype(np.intp)]
        return labels

    def _strata(self, target: Array) -> Array | None:
        return target

    # ---- C -------------------------------------------------------------------------------------

    def _plan_decide(self) -> DecisionRule | None:
        if self.decide is None:
            return None
        return self._resolve_decide(self.decide, StepSum([0.0]))[0]

    def _begin_decide(self, rule: DecisionRule | None, X: Any, target: Array) -> None:
        """Bind C to the loss; use the most probable class until the rule is tuned."""
        if isinstance(X, BinnedTable) and rule is not None and rule.needs_held_out:
            raise needs_values("A rule decide that is tuned on held-out predictions")
        if rule is None or rule.needs_held_out or isinstance(rule, Undecided):
            zero = "positive" if self._zero_is_positive else "negative"
            self.decide_ = PlainDecision.of(self.classes_, zero)
        else:
            self.decide_ = self._bind_decide([rule], X, self._labels_of(target), None, {})

    def _tune_decide(
        self, rule: DecisionRule | None, X: Any, target: Array, given: Mapping[str, Any]
    ) -> None:
        """Tune C on cross-fitted predictions of clones."""
        if rule is None or not rule.needs_held_out:
            return
        weights = check_sample_weight(given.get("sample_weight"), len(target))
        of_rows = {**given, "sample_weight": weights}
        params = {name: np.asarray(each) for name, each in of_rows.items() if each is not None}
        labels = self._labels_of(target)
        held_out = self._cross_fitted(X, labels, weights, params.get("groups"), params)
        self.decide_ = self._bind_decide([rule], X, labels, held_out, {})

    def _bind_decide(self, *given: Any) -> LinkedDecision:
        decision = super()._bind_decide(*given)
        parts = {part.name: getattr(decision, part.name) for part in fields(decision)}
        return LinkedDecision(**parts, loss=self._booster.loss)

    def _held_out_support(self, held_out: HeldOutPredictions) -> list[Floats]:
        """Return probabilities instead of scores, as C expects."""
        scores = super()._held_out_support(held_out)[0]
        by_score = scores.T if scores.ndim == 2 else scores[np.newaxis]
        return [self._probabilities(by_score)]

    def _resolve_arbiter(self, arbiter: Any, X: Any, y: Array, fit_params: Any) -> Member:
        if isinstance(arbiter, str):
            allowed = "an estimator, as members are steps of a sum and predict no class"
            raise bad_parameter(self, "arbiter", allowed, arbiter)
        return super()._resolve_arbiter(arbiter, X, y, fit_params)

    # ---- Predictions ---------------------------------------------------------------------------

    def _probabilities(self, scores: Floats) -> Floats:
        return class_probabilities(self._booster.loss, scores, len(self.classes_))

    def predict(self, X: Any) -> Array:
        """Return the most probable class of each row, or the class that ``decide`` chooses.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows, in any form that `fit` accepts.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
        """
        return self._predict_scores(self._scores(X), X)

    def predict_proba(self, X: Any) -> Floats:
        """Return the probabilities of the classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows, in any form that `fit` accepts.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        return self._probabilities(self._scores(X))

    def decision_function(self, X: Any) -> Floats:
        """Return the scores: log-odds for two classes, one score per class for more.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows, in any form that `fit` accepts.

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            For two classes and an exponential loss, half the log-odds.
        """
        return by_row(self._scores(X))

    def staged_predict(self, X: Any) -> Iterator[Array]:
        """Yield the predicted classes after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows, in any form that `fit` accepts.

        Yields
        ------
        labels : ndarray of shape (n_samples,)
        """
        return (self._predict_scores(scores, X) for scores in self._staged_scores(X))

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Yield the probabilities after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows, in any form that `fit` accepts.

        Yields
        ------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        return map(self._probabilities, self._staged_scores(X))

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Yield the scores after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows, in any form that `fit` accepts.

        Yields
        ------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        return map(by_row, self._staged_scores(X))


def _find_codes(labels: Array, classes: Array) -> tuple[Array, Array]:
    """Return the code of each label, and whether it is one of the classes."""
    if len(classes) == 2 and labels.dtype.kind == classes.dtype.kind:  # without a search per row
        codes = labels == classes[1]
        return codes, codes | (labels == classes[0])
    codes = np.searchsorted(classes, labels)
    return codes, classes[np.minimum(codes, len(classes) - 1)] == labels
