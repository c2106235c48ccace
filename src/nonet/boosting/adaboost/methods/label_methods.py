"""Methods whose members vote with labels: AdaBoost, SAMME and MadaBoost.

With eps the weighted error of a round, the notes' weight is alpha = 1/2 ln((1 - eps) / eps), and
rows are multiplied by exp(-alpha) where the member is right, by exp(alpha) where it is wrong. The
same in another notation: by 1 / lambda and lambda = sqrt((1 - eps) / eps), alpha = ln lambda.
Dividing both factors by exp(-alpha) changes nothing after scaling to sum 1, so that it is enough to
multiply wrong rows by exp(2 alpha): 2 alpha is what scikit-learn calls the weight.

References
----------
Y. Freund, R. Schapire, "A decision-theoretic generalization of on-line learning and an
application to boosting", *JCSS* 55, 119-139, 1997 (AdaBoost, AdaBoost.M1). J. Zhu, H. Zou, S.
Rosset, T. Hastie, "Multi-class AdaBoost", *Statistics and Its Interface* 2, 349-360, 2009 (SAMME).
C. Domingo, O. Watanabe, "MadaBoost: a modification of AdaBoost", *COLT* 2000.
"""

from __future__ import annotations

import math

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.warn import warn_caller
from nonet._native.loss import scale_unmarked
from nonet.boosting.adaboost.methods.method import (
    BoostingMethod,
    Evaluation,
    TrainingRows,
    smoothed_error,
    weight_of,
)
from nonet.combine.rule import CombinationRule
from nonet.combine.table import COMBINATION_RULES

FITTED = "a member makes no weighted error"


def log_odds(error: float) -> float:
    """Return ln((1 - error) / error): 0 for guessing between two, positive for better.

    Parameters
    ----------
    error : float
        A weighted error, above 0 and below 1.

    Returns
    -------
    log_odds : float
        Twice the notes' alpha.

    Examples
    --------
    >>> from nonet.boosting import log_odds
    >>> log_odds(0.5)
    0.0
    >>> round(log_odds(0.2) / 2, 4)
    0.6931
    """
    return math.log((1 - error) / error)


class LabelMethod(BoostingMethod):
    """Parent of the methods whose members vote with labels.

    A child implements ``vote_weight``; ``error_limit`` is the error at which boosting stops.

    Examples
    --------
    :class:`BoostingMethod` shows a child.
    """

    gives_fractions = True

    def evaluate(self, predictions: Array, weights: Floats, rows: TrainingRows) -> Evaluation:
        """Weight the member by its error; stop at an error of zero and at that of guessing."""
        wrong = predictions != rows.codes
        error = weight_of(weights, wrong)
        if error <= 0:
            weight = self.perfect_weight(rows)
            return Evaluation(0.0, weight, weight / 2, wrong, stop=FITTED, is_perfect=True)
        limit = self.error_limit(rows.n_classes)
        if error >= limit:
            reason = f"a weighted error of {error:.4g} is not below {limit:.4g}"
            return Evaluation(error, 0.0, 0.0, wrong, stop=reason, is_kept=False)
        weight = self.learning_rate * self.vote_weight(error, rows)
        return Evaluation(error, weight, weight / 2, wrong, stop=_reason_of_overflow(weight))

    def vote_weight(self, error: float, rows: TrainingRows) -> float:
        """Return the weight of a member of this error, before the learning rate."""
        raise NotImplementedError

    def perfect_weight(self, rows: TrainingRows) -> float:
        """Return the weight of a member without error, as if one more row were half wrong."""
        return self.learning_rate * self.vote_weight(smoothed_error(rows.weights), rows)

    def error_limit(self, n_classes: int) -> float:
        """Return the error at which boosting stops."""
        return 0.5

    def reweight(self, weights: Floats, evaluation: Evaluation) -> Floats:
        """Keep the weights of wrong rows and multiply those of right rows by exp(-2 alpha)."""
        # One factor avoids an exponential per row; it is at most 1 for alpha >= 0.
        return scale_unmarked(weights, evaluation.wrong, math.exp(-2 * evaluation.alpha))

    def rule(self) -> CombinationRule:
        """Return F: the weighted vote."""
        return COMBINATION_RULES["plurality"]

    def contribution(self, predictions: Array, weight: float, n_classes: int) -> Floats:
        """Return the weight in the column of the member's class."""
        votes = np.zeros((len(predictions), n_classes))
        votes[np.arange(len(predictions)), predictions] = weight
        return votes

    def class_scores(self, support: Floats) -> Floats:
        """Turn vote fractions into scores of sum 0: 1 for all votes, -1 / (K - 1) for none."""
        n_classes = support.shape[1]
        if n_classes == 1:
            return np.zeros_like(support)
        return np.asarray((n_classes * support - 1) / (n_classes - 1))


def _reason_of_overflow(weight: float) -> str:
    """Return why boosting must stop, if right rows would have no weight from now on."""
    if math.exp(-weight) > 0:
        return ""
    reason = f"a member of weight {weight:.4g} leaves no weight to the rows that it gets right"
    warn_caller(f"boosting stops, because {reason}; lower learning_rate.")
    return reason


class Samme(LabelMethod):
    """SAMME: a member of K classes weighs ln((1 - eps) / eps) + ln(K - 1), if eps < 1 - 1/K.

    With two classes it is discrete AdaBoost. A member without error weighs 1 and ends boosting, as
    in scikit-learn.

    Examples
    --------
    >>> from nonet import AdaBoostClassifier
    >>> from nonet.boosting import Samme
    >>> AdaBoostClassifier(method=Samme()).fit([[0], [1], [2]], [0, 1, 0]).score([[1]], [1])
    1.0
    """

    perfect_member_weighs_most = False

    def vote_weight(self, error: float, rows: TrainingRows) -> float:
        """Return ln((1 - eps) / eps) + ln(K - 1)."""
        return log_odds(error) + math.log(rows.n_classes - 1)

    def perfect_weight(self, rows: TrainingRows) -> float:
        """Return scikit-learn's 1."""
        return 1.0

    def error_limit(self, n_classes: int) -> float:
        """Return 1 - 1/K, the error of guessing."""
        return 1 - 1 / n_classes


class Discrete(LabelMethod):
    """Discrete AdaBoost, AdaBoost.M1 with more than two classes: stops at an error of 1/2.

    A member weighs ln((1 - eps) / eps), twice the notes' alpha. One without error ends boosting.
    It weighs ln(2 n + 1), as if one more row than the n there are were half wrong, or as much as
    the heaviest member before it if that is more.

    Examples
    --------
    >>> from nonet import AdaBoostClassifier, DecisionStump
    >>> X, y = [[1], [2], [3], [4]], [-1, 1, -1, -1]
    >>> model = AdaBoostClassifier(DecisionStump(), method="discrete", n_estimators=3).fit(X, y)
    >>> model.round_log_.error.round(4)
    array([0.25  , 0.1667, 0.2   ])
    """

    def vote_weight(self, error: float, rows: TrainingRows) -> float:
        """Return ln((1 - eps) / eps)."""
        if rows.n_classes < 2:
            return 1.0  # there is only one class: any weight will do
        return log_odds(error)


class Mada(Discrete):
    """MadaBoost: AdaBoost in which no row weighs more than it did at first.

    The weight of a row is its first weight times min(1, exp(-y F(x))). Rows that stay wrong, such
    as mislabelled ones, therefore do not dominate the sample. The weights do not depend on the
    previous weights alone, so the method stores the scores.

    Examples
    --------
    >>> from nonet import AdaBoostClassifier
    >>> X, y = [[1], [2], [3], [4], [5]], [0, 1, 0, 0, 1]
    >>> model = AdaBoostClassifier(method="mada", n_estimators=3).fit(X, y)
    >>> bool(model.round_log_.last_weights.max() <= 0.5)
    True
    """

    weights_follow_scores = False

    def begin(self, rows: TrainingRows) -> None:
        """Start from scores of 0."""
        self._first = rows.weights
        self._scores = np.zeros(len(rows.weights))

    def reweight(self, weights: Floats, evaluation: Evaluation) -> Floats:
        """Return the first weights times min(1, exp(-score))."""
        self._scores += evaluation.scores()
        return self._first * np.exp(-np.maximum(self._scores, 0))
