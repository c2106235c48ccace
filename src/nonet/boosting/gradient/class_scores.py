"""Between labels and scores: codes of classes, probabilities, decisions."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_y

from nonet._base.aliases import Array, Floats
from nonet.boosting.gradient.tree_boosting import TreeBoosting


class ClassScores(ClassifierMixin, TreeBoosting):
    """Parent of boosted classifiers: one score for two classes, one a class for more."""

    def _check_target(
        self, y: Any, sample_weight: Any, n_rows: int, *, goes_on: bool = False
    ) -> tuple[Array, Floats | None]:
        labels = _check_y(y, y_numeric=False, estimator=self)
        check_classification_targets(labels)
        if len(labels) != n_rows:
            raise ValueError(
                f"X and y must have the same number of rows, got {n_rows} and {len(labels)}."
            )
        weights = self._check_weights(sample_weight, labels)
        if self.class_weight is not None:
            by_class = compute_sample_weight(self.class_weight, labels)
            weights = by_class if weights is None else weights * by_class
        if not goes_on:
            self.classes_ = np.unique(labels)
        return self._encode_known(labels), weights

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

    def _probabilities(self, scores: Floats) -> Floats:
        shares = self._booster.loss.inverse_link(scores)
        if len(self.classes_) > 2:
            return shares.T
        return np.column_stack([1 - shares[0], shares[0]])[:, : len(self.classes_)]

    def _decide(self, scores: Floats) -> Array:
        codes = scores.argmax(axis=0) if len(scores) > 1 else (scores[0] > 0).astype(np.intp)
        labels: Array = self.classes_[codes]
        return labels

    def _margins(self, scores: Floats) -> Floats:
        return scores[0] if len(scores) == 1 else scores.T
