"""Methods whose members are regressors: Gentle AdaBoost and LogitBoost, for two classes.

A member f is fitted by weighted least squares. Gentle AdaBoost fits the labels -1 and +1 under
weights exp(-y F); LogitBoost takes Newton steps on the logistic loss: it fits (y - p) / (p (1 - p))
under weights p (1 - p), with p = 1 / (1 + exp(-2 F)).

References
----------
J. Friedman, T. Hastie, R. Tibshirani, "Additive logistic regression: a statistical view of
boosting", *Annals of Statistics* 28, 337-407, 2000.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.base import is_classifier

from nonet._base.aliases import Array, Floats
from nonet._base.params import Real
from nonet.boosting.adaboost.methods.confidence_rated import SumOfMembers
from nonet.boosting.adaboost.methods.method import (
    BoostingMethod,
    Evaluation,
    TrainingRows,
    expected_value,
    weight_of,
)
from nonet.combine.rule import CombinationRule
from nonet.trees.decision_tree import DecisionTreeRegressor


class RegressionMethod(BoostingMethod):
    """Parent of the methods whose members are regressors; a child defines their target.

    Examples
    --------
    >>> from nonet.boosting import Gentle, RegressionMethod
    >>> isinstance(Gentle(), RegressionMethod)
    True
    """

    reads = "values"
    max_classes = 2
    is_averaged = False  # the sum is half a log-odds: probabilities need it undivided

    def prepare(self, estimator: Any, by_default: Any) -> Any:
        """Return the user's regressor; a regression tree of depth 1 by default."""
        if estimator is None:
            return DecisionTreeRegressor(max_depth=1)
        if is_classifier(estimator):
            raise ValueError(
                f"{type(self).__name__} boosts regressors, but {type(estimator).__name__} is a "
                "classifier; use the regressor of the same kind."
            )
        return estimator

    def rule(self) -> CombinationRule:
        """Return F: the sum of the members' outputs."""
        return SumOfMembers(self)

    def contribution(self, predictions: Array, weight: float, n_classes: int) -> Floats:
        """Return -f and f."""
        if n_classes == 1:
            return np.ones((len(predictions), 1))
        return np.column_stack([-weight * predictions, weight * predictions])


class Gentle(RegressionMethod):
    """Gentle AdaBoost: members fit the labels by least squares and have equal weights.

    The output of a member lies between the labels that it averages, so that no step is larger than
    1. It is less sensitive to outliers than real AdaBoost.

    Examples
    --------
    >>> from nonet import AdaBoostClassifier
    >>> X, y = [[1], [2], [3], [4], [5]], [0, 1, 0, 0, 1]
    >>> AdaBoostClassifier(method="gentle", n_estimators=20).fit(X, y).score(X, y)
    1.0
    """

    def target(self, rows: TrainingRows) -> Floats:
        """Return the labels as -1 and +1."""
        return rows.signs

    def evaluate(self, predictions: Array, weights: Floats, rows: TrainingRows) -> Evaluation:
        """Add y f to the score of each row; stop if that does not lower the loss."""
        u = rows.signs * predictions
        wrong = u <= 0
        error = weight_of(weights, wrong)
        steps = self.learning_rate * u
        if rows.n_classes < 2 or expected_value(weights, np.exp(-steps)) >= 1:
            alone = rows.n_classes < 2
            reason = "there is one class" if alone else "a member does not lower the loss"
            return Evaluation(error, 1.0, 1.0, wrong, steps, stop=reason, is_kept=alone)
        return Evaluation(error, self.learning_rate, self.learning_rate, wrong, steps)


class Logit(RegressionMethod):
    """LogitBoost: Newton steps on the logistic loss.

    Parameters
    ----------
    max_response : float, default=4.0
        Bound of the response (y - p) / (p (1 - p)), which is clipped where p is near 0 or 1.

    Examples
    --------
    >>> from nonet import AdaBoostClassifier
    >>> X, y = [[1], [2], [3], [4], [5]], [0, 1, 0, 0, 1]
    >>> AdaBoostClassifier(method="logit", n_estimators=20).fit(X, y).score(X, y)
    1.0
    """

    weights_follow_scores = False
    _rules = {"max_response": Real(0, open_low=True)}

    def __init__(self, max_response: float = 4.0) -> None:
        self.max_response = max_response

    def begin(self, rows: TrainingRows) -> None:
        """Start from scores of 0."""
        self._first = rows.weights
        self._scores = np.zeros(len(rows.weights))  # F, positive for the second class
        self._signs = rows.signs

    def target(self, rows: TrainingRows) -> Floats:
        """Return the working response."""
        p = expit(2 * self._scores)
        with np.errstate(divide="ignore"):  # p may round to 0 or 1; the response is then clipped
            response = np.where(rows.codes == 1, 1 / p, -1 / (1 - p))
        return np.asarray(np.clip(response, -self.max_response, self.max_response))

    def evaluate(self, predictions: Array, weights: Floats, rows: TrainingRows) -> Evaluation:
        """Add half the member's output to the score."""
        u = rows.signs * predictions
        wrong = u <= 0
        rate = self.learning_rate / 2
        stop = "there is one class" if rows.n_classes < 2 else ""
        return Evaluation(weight_of(weights, wrong), rate, rate, wrong, rate * u, stop=stop)

    def reweight(self, weights: Floats, evaluation: Evaluation) -> Floats:
        """Return the first weights times p (1 - p)."""
        self._scores += evaluation.scores() * self._signs
        p = expit(2 * self._scores)
        return np.asarray(self._first * p * (1 - p))
