"""Methods whose members return confidences: confidence-rated AdaBoost and SAMME.R.

A member h gives each row a number, positive for the second class. With u = y h(x), rows are
multiplied by exp(-alpha u), and the best alpha minimizes their sum Z(alpha). Z is convex; at its
minimum the reweighted rows have no correlation with h: sum of D u = 0.

References
----------
R. Schapire, Y. Singer, "Improved boosting algorithms using confidence-rated predictions",
*Machine Learning* 37, 297-336, 1999. J. Zhu, H. Zou, S. Rosset, T. Hastie, "Multi-class AdaBoost",
technical report, University of Michigan, 2006 (SAMME.R).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import brentq

from nonet._base.aliases import Array, Floats
from nonet._base.params import Choice
from nonet.boosting.adaboost.methods.label_methods import FITTED, log_odds
from nonet.boosting.adaboost.methods.method import (
    MIN_WEIGHT,
    BoostingMethod,
    Evaluation,
    TrainingRows,
    expected_value,
    weight_of,
)
from nonet.combine.rule import CombinationRule


class SumOfMembers(CombinationRule):
    """F of a method: the sum of the members' contributions, or their mean weighted by alpha."""

    def __init__(self, method: BoostingMethod) -> None:
        self.method = method

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return "mean" if self.method.is_averaged else "sum"

    @property
    def reads(self) -> Any:  # type: ignore[override]
        """The kind of member outputs that F reads, by task."""
        return {self.method.task: self.method.reads}

    def support(
        self, outputs: Array, weights: Floats | None = None, classes: Array | None = None
    ) -> Floats:
        """Sum the contributions of the members."""
        assert weights is not None
        assert classes is not None
        total = np.zeros((len(outputs), len(classes)))
        for position, weight in enumerate(weights):
            total += self.method.contribution(outputs[:, position], weight, len(classes))
        return np.asarray(total / np.abs(weights).sum()) if self.method.is_averaged else total


class Confidence(BoostingMethod):
    """Confidence-rated AdaBoost for two classes: real-valued members, alpha of either sign.

    The output of a member is 2 p - 1 if it gives probabilities, the value of its
    ``decision_function`` otherwise. A member that is wrong more often than right gets a negative
    weight, which inverts its predictions.

    A member that is never wrong, but abstains (outputs 0) on some rows, makes Z smaller the larger
    alpha is. Its alpha is smoothed as Schapire and Singer advise: 1/2 ln((W+ + e) / e) with W+ the
    weight of the rows on which it is right and e = 1 / 2n, divided by its maximum confidence. No
    member that is right on these rows gets a larger alpha, before the learning rate. A member that
    is right on all rows gets this alpha too (W+ is 1), or that of the heaviest member before it if
    that is more, and ends boosting.

    Parameters
    ----------
    alpha : {'exact', 'closed'}, default='exact'
        The alpha that minimizes Z, found numerically; or 1/2 ln((1 + r) / (1 - r)) with
        r = sum of D y h, which minimizes a bound of Z for members within [-1, 1]. For members
        with outputs -1 and +1 the two are the same.

    Examples
    --------
    >>> from nonet import AdaBoostClassifier
    >>> from nonet.boosting import Confidence
    >>> X, y = [[1], [2], [3], [4], [5]], [0, 1, 0, 0, 1]
    >>> exact = AdaBoostClassifier(method="confidence", n_estimators=4).fit(X, y)
    >>> closed = AdaBoostClassifier(method=Confidence("closed"), n_estimators=4).fit(X, y)
    >>> bool(exact.round_log_.z[0] <= closed.round_log_.z[0])
    True
    """

    reads = "scores"
    max_classes = 2
    _rules = {"alpha": Choice("exact", "closed")}

    def __init__(self, alpha: str = "exact") -> None:
        self.alpha = alpha

    def evaluate(self, predictions: Array, weights: Floats, rows: TrainingRows) -> Evaluation:
        """Weight the member by the alpha that minimizes Z."""
        u = rows.signs * _confidences(predictions)
        wrong = u <= 0
        error = weight_of(weights, wrong)
        correlation = expected_value(weights, u)
        if correlation == 0 or rows.n_classes < 2:
            alone = rows.n_classes < 2
            reason = FITTED if alone else "a member has no correlation with the labels"
            return Evaluation(error, 1.0, 1.0, wrong, stop=reason, is_kept=alone)
        present = weights > 0
        alpha = self.learning_rate * self._best_alpha(u[present], weights[present], correlation)
        is_perfect = bool((alpha * u[present] > 0).all())
        stop = FITTED if is_perfect else ""
        return Evaluation(error, alpha, alpha, wrong, alpha * u, stop=stop, is_perfect=is_perfect)

    def _best_alpha(self, u: Floats, weights: Floats, correlation: float) -> float:
        """Return the alpha of Z or of its bound, no larger than that of a member without error."""
        sign = float(np.sign(correlation))
        limit = _smoothed_alpha(sign * u, weights)
        if (sign * u > 0).all():
            return sign * limit
        if self.alpha == "exact":
            return _min_z(u, weights, sign * limit)
        maximum = np.tanh(limit)  # the correlation whose alpha is the limit
        return _closed_alpha(sign * min(abs(correlation), maximum), u)

    def rule(self) -> CombinationRule:
        """Return F: the sum of alpha h."""
        return SumOfMembers(self)

    def contribution(self, predictions: Array, weight: float, n_classes: int) -> Floats:
        """Return -alpha h and alpha h."""
        if n_classes == 1:
            return np.ones((len(predictions), 1))
        score = weight * _confidences(predictions)
        return np.column_stack([-score, score])


def _confidences(predictions: Floats) -> Floats:
    """Turn the scores of both classes into one number.

    Probabilities sum to 1 and give p_1 - p_0; a decision function d comes as (-d, d) and gives d.
    """
    if predictions.shape[1] == 1:
        return np.ones(len(predictions))
    return np.asarray((predictions[:, 1] - predictions[:, 0]) / (2 - predictions.sum(axis=1)))


def _smoothed_alpha(u: Floats, weights: Floats) -> float:
    """Return Schapire and Singer's alpha, 1/2 ln((W+ + e) / (W- + e)), of a member without error.

    W+ is the weight of the rows on which the member is right, W- = 0, and e is 1/2n. The maximum
    confidence counts as 1.
    """
    right = weight_of(weights, u > 0)
    return float(np.log1p(2 * len(u) * right) / 2 / np.abs(u).max())


def _min_z(u: Floats, weights: Floats, limit: float) -> float:
    """Find the alpha between 0 and a limit that minimizes Z: the zero of its derivative."""

    def derivative(alpha: float) -> float:
        exponents = -alpha * u
        return expected_value(weights, u * np.exp(exponents - exponents.max()))

    if derivative(limit) * limit >= 0:  # Z still falls there
        return limit
    return float(brentq(derivative, *sorted((0.0, limit)), xtol=1e-14, rtol=1e-13))


def _closed_alpha(correlation: float, u: Floats) -> float:
    if np.abs(u).max() > 1 + 1e-12:
        raise ValueError(
            "Confidence(alpha='closed') needs members with outputs within [-1, 1], but one has an "
            f"output of {np.abs(u).max():.4g}; use alpha='exact', which accepts any outputs."
        )
    return log_odds((1 - correlation) / 2) / 2


class SammeR(BoostingMethod):
    """SAMME.R: members give probabilities and have equal weights; real AdaBoost for two classes.

    A member adds (K - 1) (ln p_k - mean of ln p) to the score of class k; p is clipped at 2.2e-16,
    so that the scores of a member with probabilities of 0 stay finite. A member that does not lower
    the exponential loss ends boosting, and so does one without error, which weighs no more than
    the others.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nonet import AdaBoostClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> AdaBoostClassifier(method="samme_r", n_estimators=10).fit(X, y).score(X, y) > 0.95
    True
    """

    reads = "probabilities"

    def evaluate(self, predictions: Array, weights: Floats, rows: TrainingRows) -> Evaluation:
        """Compute each row's step from the member's probability of its class."""
        wrong = np.argmax(predictions, axis=1) != rows.codes
        error = weight_of(weights, wrong)
        n_classes = rows.n_classes
        if n_classes < 2:
            return Evaluation(0.0, 1.0, self.learning_rate, wrong, stop=FITTED)
        # The same as (K - 1) / K times the sum of y_k ln p_k, y coded as 1 and -1 / (K - 1).
        of_class = _log_ratios(predictions)[np.arange(len(predictions)), rows.codes]
        steps = self.learning_rate * of_class / (n_classes - 1)
        if expected_value(weights, np.exp(-steps)) >= 1:
            reason = "a member does not lower the exponential loss"
            return Evaluation(error, 0.0, 0.0, wrong, stop=reason, is_kept=False)
        stop = FITTED if error <= 0 else ""
        return Evaluation(error, 1.0, self.learning_rate, wrong, steps, stop=stop)

    def rule(self) -> CombinationRule:
        """Return F: the mean of the log ratios."""
        return SumOfMembers(self)

    def contribution(self, predictions: Array, weight: float, n_classes: int) -> Floats:
        """Return (K - 1) (ln p - mean of ln p)."""
        return weight * _log_ratios(predictions)


def _log_ratios(probabilities: Floats) -> Floats:
    logs = np.log(np.maximum(probabilities, MIN_WEIGHT))
    return np.asarray((probabilities.shape[1] - 1) * (logs - logs.mean(axis=1, keepdims=True)))
