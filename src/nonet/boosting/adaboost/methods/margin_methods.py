"""Methods that maximize the smallest margin of the training rows.

With gamma the edge of a member (sum of D y h) and rho a target margin, a member weighs
alpha = 1/2 ln((1 + gamma) / (1 - gamma)) - 1/2 ln((1 + rho) / (1 - rho)). AdaBoost is rho = 0; it
does not always reach the maximum margin. The methods differ in rho.

References
----------
G. Raetsch, M. Warmuth, "Efficient margin maximizing with boosting", *JMLR* 6, 2131-2152, 2005.
L. Breiman, "Prediction games and arcing algorithms", *Neural Computation* 11, 1493-1517, 1999.
C. Rudin, I. Daubechies, R. Schapire, "The dynamics of AdaBoost", *JMLR* 5, 1557-1595, 2004.
"""

from __future__ import annotations

import math

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.params import Real
from nonet.boosting.adaboost.methods.label_methods import LabelMethod, log_odds
from nonet.boosting.adaboost.methods.method import Evaluation, TrainingRows, smoothed_error

_FRACTION = Real(0, 1, open_low=True, open_high=True)


class MarginMethod(LabelMethod):
    """Parent of the methods with a target margin, which a child returns in ``target_margin``.

    Examples
    --------
    >>> from nonet.boosting import AdaBoostStar, MarginMethod
    >>> isinstance(AdaBoostStar(), MarginMethod)
    True
    """

    max_classes = 2

    def begin(self, rows: TrainingRows) -> None:
        """Start from scores of 0."""
        self._scores = np.zeros(len(rows.weights))
        self._total = 0.0

    def evaluate(self, predictions: Array, weights: Floats, rows: TrainingRows) -> Evaluation:
        """Reject a member whose edge does not exceed the target margin."""
        evaluation = super().evaluate(predictions, weights, rows)
        if evaluation.is_kept and evaluation.alpha <= 0:
            reason = "no member has an edge above the target margin"
            return Evaluation(
                evaluation.error, 0.0, 0.0, evaluation.wrong, stop=reason, is_kept=False
            )
        return evaluation

    def vote_weight(self, error: float, rows: TrainingRows) -> float:
        """Return twice alpha."""
        rho = self.target_margin(1 - 2 * error)
        return log_odds(error) - math.log((1 + rho) / (1 - rho))

    def perfect_weight(self, rows: TrainingRows) -> float:
        """Return the weight of AdaBoost: a member without error exceeds every margin below 1."""
        return self.learning_rate * log_odds(smoothed_error(rows.weights))

    def target_margin(self, edge: float) -> float:
        """Return the target margin rho, given the edge of the round's member."""
        raise NotImplementedError

    def reweight(self, weights: Floats, evaluation: Evaluation) -> Floats:
        """Store the scores, and reweight as AdaBoost does."""
        self._scores += evaluation.scores()
        self._total += evaluation.alpha
        return super().reweight(weights, evaluation)


class AdaBoostRho(MarginMethod):
    """AdaBoost_rho: AdaBoost with a fixed target margin.

    If the margin can be reached, the vote comes close to it.

    Parameters
    ----------
    rho : float, default=0.0
        The margin, from 0 (AdaBoost) to below 1.

    Examples
    --------
    >>> from nonet.boosting import AdaBoostRho
    >>> AdaBoostRho(0.2).target_margin(edge=0.5)
    0.2
    """

    _rules = {"rho": Real(0, 1, open_high=True)}

    def __init__(self, rho: float = 0.0) -> None:
        self.rho = rho

    def target_margin(self, edge: float) -> float:
        """Return rho."""
        return self.rho


class AdaBoostStar(MarginMethod):
    """AdaBoost*: within nu of the maximum margin after 2 ln(n) / nu^2 rounds.

    rho is the minimum edge so far, which no margin exceeds, less nu.

    Parameters
    ----------
    nu : float, default=0.01
        How far from the maximum margin the result may be.

    Examples
    --------
    >>> from nonet import AdaBoostClassifier, DecisionStump
    >>> from nonet.boosting import AdaBoostStar
    >>> X, y = [[1], [2], [3], [4]], [-1, 1, -1, -1]
    >>> star = AdaBoostClassifier(DecisionStump(), method=AdaBoostStar(0.1), n_estimators=300)
    >>> round(float(star.fit(X, y).round_log_.smallest_margin[-1]), 2)
    0.33
    """

    _rules = {"nu": _FRACTION}

    def __init__(self, nu: float = 0.01) -> None:
        self.nu = nu

    def begin(self, rows: TrainingRows) -> None:
        """Start without an edge."""
        super().begin(rows)
        self._min_edge = 1.0

    def target_margin(self, edge: float) -> float:
        """Return the minimum edge so far, less nu."""
        self._min_edge = min(self._min_edge, edge)
        return self._min_edge - self.nu


class ArcGv(MarginMethod):
    """Arc-gv: rho is the smallest margin reached so far, and 0 as long as that is negative.

    Examples
    --------
    >>> from nonet import AdaBoostClassifier, DecisionStump
    >>> X, y = [[1], [2], [3], [4]], [-1, 1, -1, -1]
    >>> model = AdaBoostClassifier(DecisionStump(), method="arc_gv", n_estimators=300).fit(X, y)
    >>> bool(model.round_log_.smallest_margin[-1] > 0.3)
    True
    """

    def target_margin(self, edge: float) -> float:
        """Return the smallest margin so far."""
        reached = float(self._scores.min()) / self._total if self._total else 0.0
        return max(reached, 0.0)
