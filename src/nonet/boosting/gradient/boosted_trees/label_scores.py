"""Base class of boosted classifiers of several labels per row: one score and one yes or no each."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import compute_sample_weight
from sklearn.utils.validation import _check_y, check_is_fitted

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.errors import show
from nonet._base.params import bad_parameter
from nonet.boosting.gradient.booster_estimator import check_same_length
from nonet.boosting.gradient.class_scores import ClassScores
from nonet.boosting.gradient.decisions import LabelDecision


class LabelScores(ClassScores):
    """Adds targets of several columns of 0 and 1; `classes_` are then the numbers of the columns.

    Probabilities have one column per label, as in XGBoost and in those classifiers of scikit-learn
    that have scores for several labels (``MLPClassifier``, ``OneVsRestClassifier``).
    """

    _has_labels = False  # whether the target has several columns

    @property
    def n_classes_(self) -> int:
        """Number of classes, or of labels."""
        check_is_fitted(self)
        return len(self.classes_)

    def _read_target(
        self, y: Any, sample_weight: Any, n_rows: int, *, goes_on: bool = False
    ) -> tuple[Array, Floats | None]:
        if not goes_on:
            self._has_labels = has_columns(y)
        if not self._has_labels:
            return super()._read_target(y, sample_weight, n_rows, goes_on=goes_on)
        labels = self._read_labels(y)
        check_same_length(n_rows, labels)
        if not goes_on:
            self.classes_ = np.arange(labels.shape[1])
        weights = check_sample_weight(sample_weight, n_rows)
        if self.class_weight is not None:
            weights = self._weigh_labels(labels, weights)
        return self._encode_known(labels), weights

    def _weigh_labels(self, labels: Array, weights: Floats | None) -> Floats:
        if not isinstance(self.class_weight, str):
            allowed = "None or 'balanced' for several labels"
            raise bad_parameter(self, "class_weight", allowed, self.class_weight)
        of_rows: Floats = compute_sample_weight(self.class_weight, labels)
        return of_rows if weights is None else weights * of_rows

    def _read_labels(self, y: Any) -> Array:
        labels = np.asarray(_check_y(y, multi_output=True, y_numeric=False, estimator=self))
        is_known = np.isin(labels, [0, 1])
        if not is_known.all():
            raise ValueError(
                f"{type(self).__name__} needs columns of 0 and 1 if y has several, but y has "
                f"{show(labels[~is_known].tolist()[0])}; fit one model per column, as "
                "MultiOutputClassifier of scikit-learn does."
            )
        return labels

    def _encode_known(self, y: Any) -> Array:
        if not self._has_labels:
            return super()._encode_known(y)
        labels = self._read_labels(y) if has_columns(y) else np.asarray(y).reshape(-1, 1)
        if labels.shape[1] != len(self.classes_):
            raise ValueError(
                f"y must have as many columns as that of fit, {len(self.classes_)}, got "
                f"{labels.shape[1]}."
            )
        return np.asarray(labels, dtype=np.float64, order="F")

    def _labels_of(self, target: Array) -> Array:
        return target.astype(np.int64) if self._has_labels else super()._labels_of(target)

    def _strata(self, target: Array) -> Array | None:
        return None if self._has_labels else super()._strata(target)

    def _plan_decide(self) -> Any:
        if self._has_labels and self.decide is not None:
            raise bad_parameter(self, "decide", "None for several labels", self.decide)
        return super()._plan_decide()

    def _begin_decide(self, rule: Any, X: Any, target: Array) -> None:
        if self._has_labels:
            self.decide_ = LabelDecision()
        else:
            super()._begin_decide(rule, X, target)

    def _probabilities(self, scores: Floats) -> Floats:
        """Return probabilities of classes, or of labels."""
        if not self._has_labels:
            return super()._probabilities(scores)
        return self._booster.loss.inverse_link(scores).T

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        return tags


def has_columns(y: Any) -> bool:
    """Return whether a target has several columns.

    Examples
    --------
    >>> has_columns([0, 1, 1]), has_columns([[0, 1], [1, 1]])
    (False, True)
    """
    shape = np.asarray(y).shape
    return len(shape) == 2 and shape[1] > 1
