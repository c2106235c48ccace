"""Methods that weigh pairs of a row and a class: AdaBoost.M2 and AdaBoost.MH.

AdaBoost.M2 weights the wrong classes of a row: a member must separate the right class from the
wrong ones that the members before confused it with. AdaBoost.MH turns K classes into K one-vs-rest
targets and weights each pair of a row and a class.

References
----------
Y. Freund, R. Schapire, "A decision-theoretic generalization of on-line learning and an
application to boosting", *JCSS* 55, 119-139, 1997 (AdaBoost.M2). R. Schapire, Y. Singer, "Improved
boosting algorithms using confidence-rated predictions", *Machine Learning* 37, 297-336, 1999
(AdaBoost.MH).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from nonet._base.aliases import Array, Floats
from nonet.boosting.adaboost.methods.confidence_rated import SumOfMembers
from nonet.boosting.adaboost.methods.label_methods import FITTED, log_odds
from nonet.boosting.adaboost.methods.method import (
    MIN_WEIGHT,
    BoostingMethod,
    Evaluation,
    TrainingRows,
    smoothed_error,
    weight_of,
)
from nonet.combine.rule import CombinationRule
from nonet.members.label_codes import fit_on_labels


class M2(BoostingMethod):
    """AdaBoost.M2: members give probabilities and are evaluated by their pseudo-loss.

    The pseudo-loss of a member h is the mean, over the weights of wrong classes k, of
    (1 - h(right) + h(k)) / 2; guessing has 1/2. The training error is at most K - 1 times the
    product of Z.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nonet import AdaBoostClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> AdaBoostClassifier(method="m2", n_estimators=20).fit(X, y).score(X, y) > 0.95
    True
    """

    reads = "probabilities"
    gives_fractions = True

    def begin(self, rows: TrainingRows) -> None:
        """Give equal weights to all wrong classes of a row."""
        self._is_right = np.arange(rows.n_classes) == rows.codes[:, np.newaxis]
        spread = np.where(self._is_right, 0.0, rows.weights[:, np.newaxis])
        self._pairs = spread / max(spread.sum(), MIN_WEIGHT)

    def bound_factor(self, n_classes: int) -> float:
        """Return K - 1."""
        return float(max(n_classes - 1, 1))

    def evaluate(self, predictions: Array, weights: Floats, rows: TrainingRows) -> Evaluation:
        """Weight the member by its pseudo-loss."""
        wrong = np.argmax(predictions, axis=1) != rows.codes
        if rows.n_classes < 2:
            return Evaluation(0.0, 1.0, 1.0, wrong, stop=FITTED)
        of_right = predictions[np.arange(len(predictions)), rows.codes][:, np.newaxis]
        leads = of_right - predictions
        loss = float((self._pairs * (1 - leads)).sum()) / 2
        if loss >= 0.5:
            reason = f"a pseudo-loss of {loss:.4g} is not below 0.5"
            return Evaluation(loss, 0.0, 0.0, wrong, stop=reason, is_kept=False)
        if loss <= MIN_WEIGHT:
            weight = self.learning_rate * log_odds(smoothed_error(rows.weights))
            return Evaluation(0.0, weight, weight / 2, wrong, stop=FITTED, is_perfect=True)
        weight = self.learning_rate * log_odds(loss)
        steps = weight / 2 * leads
        self._next = self._pairs * np.exp(-steps)
        z, nearest = float(self._next.sum()), _nearest(steps, self._is_right)
        return Evaluation(loss, weight, weight / 2, wrong, nearest, z=z)

    def reweight(self, weights: Floats, evaluation: Evaluation) -> Floats:
        """Return the total weight of the wrong classes of each row."""
        self._pairs = self._next / self._next.sum()
        return np.asarray(self._pairs.sum(axis=1))

    def probabilities(self, support: Floats) -> Floats:
        """Return the support, which is a mean of probabilities already."""
        return support

    def rule(self) -> CombinationRule:
        """Return F: the weighted mean of probabilities."""
        return SumOfMembers(self)

    def contribution(self, predictions: Array, weight: float, n_classes: int) -> Floats:
        """Return the member's probabilities, weighted."""
        return np.asarray(weight * predictions)


class Mh(BoostingMethod):
    """AdaBoost.MH: one-vs-rest members, with a weight for each pair of a row and a class.

    A member is one clone of the learner for each class, all with the same weight alpha. The
    training error is at most K times the product of Z. The fraction of wrong one-vs-rest
    predictions is at most the product itself.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nonet import AdaBoostClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> AdaBoostClassifier(method="mh", n_estimators=20).fit(X, y).score(X, y) > 0.95
    True
    """

    reads = "scores"

    def prepare(self, estimator: Any, by_default: Any) -> Any:
        """Return a learner that fits one clone per class."""
        return OneVsRestMember(super().prepare(estimator, by_default))

    def begin(self, rows: TrainingRows) -> None:
        """Code the one-vs-rest targets: +1 for a row's class, -1 for the others."""
        self._is_right = np.arange(rows.n_classes) == rows.codes[:, np.newaxis]
        self._truth = np.where(self._is_right, 1.0, -1.0)

    def first_weights(self, rows: TrainingRows) -> Floats:
        """Give equal weights to all classes of a row."""
        return np.repeat(rows.weights[:, np.newaxis] / rows.n_classes, rows.n_classes, axis=1)

    def bound_factor(self, n_classes: int) -> float:
        """Return K."""
        return float(n_classes)

    def evaluate(self, predictions: Array, weights: Floats, rows: TrainingRows) -> Evaluation:
        """Weight the member by the weight of its wrong one-vs-rest predictions."""
        wrong = np.argmax(predictions, axis=1) != rows.codes
        u = self._truth * predictions
        error = weight_of(weights, u < 0)
        if error >= 0.5:
            reason = f"a weighted error of {error:.4g} is not below 0.5"
            return Evaluation(error, 0.0, 0.0, wrong, stop=reason, is_kept=False)
        if error <= 0:
            alpha = self.learning_rate * log_odds(smoothed_error(weights)) / 2
            return Evaluation(0.0, alpha, alpha, wrong, stop=FITTED, is_perfect=True)
        alpha = self.learning_rate * log_odds(error) / 2
        self._next = weights * np.exp(-alpha * u)
        leads = (
            alpha * (predictions[np.arange(len(u)), rows.codes][:, np.newaxis] - predictions) / 2
        )
        z, nearest = float(self._next.sum()), _nearest(leads, self._is_right)
        return Evaluation(error, alpha, alpha, wrong, nearest, z=z)

    def reweight(self, weights: Floats, evaluation: Evaluation) -> Floats:
        """Return the weights of the pairs of a row and a class."""
        return self._next

    def rule(self) -> CombinationRule:
        """Return F: the sum of alpha times the one-vs-rest predictions."""
        return SumOfMembers(self)

    def contribution(self, predictions: Array, weight: float, n_classes: int) -> Floats:
        """Return the one-vs-rest predictions, weighted."""
        return np.asarray(weight * predictions)


def _nearest(leads: Floats, is_right: Array) -> Floats:
    """Return the lead of the right class over the next best; with one class, its own score."""
    if leads.shape[1] == 1:
        return np.ones(len(leads))
    return np.asarray(np.where(is_right, np.inf, leads).min(axis=1))


class OneVsRestMember(ClassifierMixin, BaseEstimator):
    """One binary classifier per class, each with its own weights: a member of AdaBoost.MH."""

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: Array, sample_weight: Floats | None = None) -> OneVsRestMember:
        """Fit a one-vs-rest classifier for every class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array of shape (n_samples,) or (n_samples, n_classes), default=None
            Weights of rows, or of pairs of a row and a class.

        Returns
        -------
        self : object
        """
        self.classes_ = np.unique(y)
        weights = np.ones(len(y)) if sample_weight is None else sample_weight
        weights = np.broadcast_to(weights.T, (len(self.classes_), len(y)))
        self.estimators_ = [
            fit_on_labels(
                clone(self.estimator), X, np.where(y == known, 1, -1), {"sample_weight": of_class}
            )
            for known, of_class in zip(self.classes_, weights, strict=True)
        ]
        return self

    def decision_function(self, X: Any) -> Floats:
        """Return +1 for the class and -1 for the rest, with one column per class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        predictions : ndarray of shape (n_samples, n_classes)
        """
        predictions = [model.predict(X) for model in self.estimators_]
        return np.column_stack(predictions).astype(np.float64)

    def predict(self, X: Any) -> Array:
        """Return the first class predicted with +1, or the first class if there is none.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        labels : ndarray of shape (n_samples,)
        """
        return np.asarray(self.classes_[np.argmax(self.decision_function(X), axis=1)])
