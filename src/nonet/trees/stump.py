"""The decision stump: one column, one threshold, one sign.

``h(x) = s * sign(x_i - theta)`` with ``sign(0) = +1`` is the textbook weak learner of
AdaBoost. It minimises the weighted number of errors exactly, where a depth-1 tree minimises an
impurity.

References
----------
Y. Freund, R. Schapire, "A decision-theoretic generalization of on-line learning and an application
to boosting", Journal of Computer and System Sciences 55, 1997.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.estimator import Estimator
from nonet._base.number_tables import read_numbers
from nonet._base.params import Choice, Rule, check_params

TIED_THRESHOLD = {"lowest": 0, "highest": -1}
"""Position of the threshold to take among equally good ones, in ascending order."""


class _Candidate(NamedTuple):
    error: float  # weighted
    column: int
    threshold: float
    sign: int


class DecisionStump(ClassifierMixin, Estimator):
    """Decision stump: one split of one column that minimises the weighted 0/1 error.

    ``h(x) = s * sign(x_i - theta)``, where +1 stands for the last of the two classes. Of splits
    with equal errors (within rounding) the lowest column wins, then the threshold that ``tie``
    names, then s = +1. A constant prediction is made only if it is better than every split.

    Parameters
    ----------
    tie : {'highest', 'lowest'}, default='highest'
        Which threshold to take if several in a column are equally good.

    Attributes
    ----------
    column_ : int
        The column i; 0 for a constant prediction.
    threshold_ : float
        theta, midway between two neighbouring values; minus infinity for a constant prediction.
    sign_ : int
        s, +1 or -1.
    error_ : float
        Weighted fraction of training rows that are misclassified.
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    See Also
    --------
    DecisionTreeClassifier : With ``max_depth=1``, one split that minimises the impurity.

    Examples
    --------
    >>> from nonet import DecisionStump
    >>> stump = DecisionStump().fit([[1], [2], [3], [4]], [-1, 1, -1, -1])
    >>> stump.column_, stump.threshold_, stump.sign_, stump.error_
    (0, 2.5, -1, 0.25)
    >>> stump.predict([[2], [3]])
    array([ 1, -1])

    Two thresholds with one error each:

    >>> X, y = [[1], [2], [3], [4]], [-1, 1, -1, 1]
    >>> DecisionStump().fit(X, y).threshold_, DecisionStump(tie="lowest").fit(X, y).threshold_
    (3.5, 1.5)
    """

    _rules: ClassVar[Mapping[str, Rule]] = {"tie": Choice("highest", "lowest")}

    def __init__(self, tie: str = "highest") -> None:
        self.tie = tie

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> DecisionStump:
        """Find the best column, threshold and sign.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows of finite numbers.
        y : array-like of shape (n_samples,)
            Labels of two classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of rows.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        X, y = read_numbers(self, X, y, dtype=(np.float64, np.float32))
        signs = self._encode_labels(y)
        weights = check_sample_weight(sample_weight, len(y))
        weights = np.ones(len(y)) if weights is None else weights
        there = weights > 0
        best = _best_candidate(X[there], (weights * signs)[there], TIED_THRESHOLD[self.tie])
        total = float(weights.sum())
        self.error_ = max(best.error, 0.0) / total
        self.column_, self.threshold_, self.sign_ = best.column, best.threshold, best.sign
        return self

    def _encode_labels(self, y: Array) -> Floats:
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is "
                f"{type_of_target(y)}; DecisionTreeClassifier(max_depth=1) splits any number of "
                "classes."
            )
        return np.where(y == self.classes_[-1], 1.0, -1.0)

    def decision_function(self, X: Any) -> Floats:
        """Return s * sign(x_i - theta).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows of finite numbers.

        Returns
        -------
        signs : ndarray of shape (n_samples,)
            +1.0 for the last class, -1.0 for the first.
        """
        check_is_fitted(self)
        X = read_numbers(self, X, reset=False, dtype=(np.float64, np.float32))
        signs: Floats = self.sign_ * np.where(X[:, self.column_] >= self.threshold_, 1.0, -1.0)
        return signs

    def predict(self, X: Any) -> Array:
        """Return the class on whose side of the threshold a row lies.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows of finite numbers.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
        """
        positive = self.decision_function(X) > 0
        labels: Array = np.where(positive, self.classes_[-1], self.classes_[0])
        return labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = True
        return tags


def _best_candidate(X: Floats, signed_weights: Floats, tied: int) -> _Candidate:
    total = float(np.abs(signed_weights).sum())
    # Sums of n terms are off by at most n roundings of the total: closer errors are equal ones.
    equal = len(X) * np.finfo(np.float64).eps * total
    best = _constant_candidate(signed_weights)
    # A split of equal error is preferred to the constant; among splits, an earlier one is.
    margin = equal
    for column in range(X.shape[1]):
        split = _best_split(X[:, column], signed_weights, column, equal, tied)
        if split is not None and split.error < best.error + margin:
            best, margin = split, -equal
    return best


def _constant_candidate(signed_weights: Floats) -> _Candidate:
    errors = {
        sign: float(np.abs(signed_weights[signed_weights * sign < 0]).sum()) for sign in (1, -1)
    }
    sign = 1 if errors[1] <= errors[-1] else -1
    return _Candidate(errors[sign], 0, -np.inf, sign)


def _best_split(
    x: Floats, signed_weights: Floats, column: int, equal: float, tied: int
) -> _Candidate | None:
    order = np.argsort(x, kind="stable")
    x, signed = x[order].astype(np.float64), signed_weights[order]
    positions = np.flatnonzero(x[1:] > x[:-1])  # a threshold behind each of these rows
    if not positions.size:
        return None
    # With s = +1, rows below the threshold are predicted as -1: wrong where their label is +1.
    positive, negative = np.maximum(signed, 0), np.maximum(-signed, 0)
    upright = np.cumsum(positive)[positions] + (negative.sum() - np.cumsum(negative)[positions])
    inverted = positive.sum() + negative.sum() - upright
    errors = np.minimum(upright, inverted)
    position = int(np.flatnonzero(errors <= errors.min() + equal)[tied])
    sign = 1 if upright[position] <= inverted[position] + equal else -1
    left, right = x[positions[position]], x[positions[position] + 1]
    return _Candidate(float(errors[position]), column, _midway(left, right), sign)


def _midway(left: np.float64, right: np.float64) -> float:
    """Return a threshold with left < threshold <= right, for x >= threshold goes right."""
    middle = float(left / 2 + right / 2)
    return middle if left < middle <= right else float(right)
