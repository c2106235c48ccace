"""Between labels and scores: codes of classes, probabilities, predicted labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_y

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_sample_weight
from nonet.boosting.gradient.booster import by_row
from nonet.boosting.gradient.gradient_boosted import GradientBoosted, check_same_length


class ClassScores(ClassifierMixin, GradientBoosted):
    """Parent of boosted classifiers: one score for two classes, one per class for more."""

    class_weight: Any = None
    _zero_is_positive: ClassVar[bool] = False  # a score of 0 is the second of two classes

    # ---- Targets -------------------------------------------------------------------------------

    def _check_target(
        self, y: Any, sample_weight: Any, n_rows: int, *, goes_on: bool = False
    ) -> tuple[Array, Floats | None]:
        labels = _check_y(y, y_numeric=False, estimator=self)
        check_classification_targets(labels)
        check_same_length(n_rows, labels)
        weights = check_sample_weight(sample_weight, n_rows)
        if self.class_weight is not None:
            by_class = compute_sample_weight(self.class_weight, labels)
            weights = by_class if weights is None else weights * by_class
        self._check_classes(labels, weights, goes_on)
        if not goes_on:
            self.classes_ = np.unique(labels)
        return self._encode_known(labels), weights

    def _check_classes(self, labels: Array, weights: Floats | None, goes_on: bool) -> None:
        """Refuse classes that the estimator cannot tell apart."""

    def _encode_known(self, y: Any) -> Array:
        labels = _check_y(y, y_numeric=False, estimator=self)
        codes = np.searchsorted(self.classes_, labels)
        known = self.classes_[np.minimum(codes, len(self.classes_) - 1)] == labels
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

    # ---- Predictions ---------------------------------------------------------------------------

    def _probabilities(self, scores: Floats) -> Floats:
        shares = self._booster.loss.inverse_link(scores)
        if len(scores) > 1:
            return shares.T
        return np.column_stack([1 - shares[0], shares[0]])[:, : len(self.classes_)]

    def _predict_scores(self, scores: Floats, X: Any) -> Array:
        if len(scores) > 1:
            codes = scores.argmax(axis=0)
        else:
            is_second = scores[0] >= 0 if self._zero_is_positive else scores[0] > 0
            codes = is_second.astype(np.intp)
        labels: Array = self.classes_[codes]
        return labels

    def predict(self, X: Any) -> Array:
        """Return the most probable class of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows, in any form that `fit` takes.

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
            Rows, in any form that `fit` takes.

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
            Rows, in any form that `fit` takes.

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            For two classes and an exponential loss, half the log-odds.
        """
        return by_row(self._scores(X))

    def staged_predict(self, X: Any) -> Iterator[Array]:
        """Yield the most probable classes after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows, in any form that `fit` takes.

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
            Rows, in any form that `fit` takes.

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
            Rows, in any form that `fit` takes.

        Yields
        ------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        return map(by_row, self._staged_scores(X))
