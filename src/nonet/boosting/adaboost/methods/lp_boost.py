"""LPBoost: the largest margin by linear programming, one member more each round.

Given the members so far, a linear program finds the weights of the vote with the largest smallest
margin; its dual is the distribution over rows on which these members do worst. The next member is
fitted on that distribution. If it does no better on it than the members before, no member of its
kind can make the margin larger.

References
----------
A. Demiriz, K. Bennett, J. Shawe-Taylor, "Linear programming boosting via column generation",
*Machine Learning* 46, 225-254, 2002.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from nonet._base.aliases import Array, Floats
from nonet._base.params import Nothing, Real
from nonet.boosting.adaboost.methods.method import TrainingRows, Verdict, weighted_mean
from nonet.boosting.adaboost.methods.votes import VoteMethod


class LpBoost(VoteMethod):
    """LPBoost for two classes: all weights are found anew each round.

    A reference for the other margin maximisers rather than a rival: a linear program of as many
    variables as rows is solved every round. There is no ``hold_out``: a round changes the weights
    of all members, so that the error on rows held out would have to be summed anew from all
    answers, round by round. ``staged_score`` does that on rows of your own, with the last weights.

    Parameters
    ----------
    nu : float or None, default=None
        Softness: no row gets more than ``1 / nu`` times its first weight, so that about a share
        nu of the rows may stay below the margin. None is the hard margin, which is of use only
        where the rows can be told apart.
    tolerance : float, default=1e-6
        A member whose edge exceeds that of the ones before by less ends boosting.

    Examples
    --------
    >>> from nonet import AdaBoostClassifier, DecisionStump
    >>> X, y = [[1], [2], [3], [4]], [-1, 1, -1, -1]
    >>> model = AdaBoostClassifier(DecisionStump(), method="lp").fit(X, y)
    >>> print(f"{model.round_log_.smallest_margin[-1]:.4f}", model.round_log_.stopped)
    0.3333 no member makes the margin larger
    """

    most_classes = 2
    weights_follow_scores = False
    changes_earlier_weights = True
    _rules = {"nu": Nothing() | Real(0, 1, open_low=True), "tolerance": Real(0)}

    def __init__(self, nu: float | None = None, tolerance: float = 1e-6) -> None:
        self.nu = nu
        self.tolerance = tolerance

    def begin(self, rows: TrainingRows) -> None:
        """Start without members."""
        self._votes: list[Floats] = []
        self._largest_edge = 0.0
        self._caps = rows.weights / self.nu if self.nu else (rows.weights > 0).astype(float)

    def judge(self, answers: Array, weights: Floats, rows: TrainingRows) -> Verdict:
        """Add the member to the linear program and solve it, if it has a larger edge."""
        wrong = answers != rows.codes
        votes = np.where(wrong, -1.0, 1.0)
        edge = weighted_mean(weights, votes)
        error = (1 - edge) / 2
        if edge <= self._largest_edge + self.tolerance:
            reason = "no member makes the margin larger"
            return Verdict(error, 0.0, 0.0, wrong, stop=reason, is_kept=False)
        self._votes.append(votes)
        self._solve(np.array(self._votes))
        alpha = float(self._alphas[-1])
        reached = self._alphas @ np.array(self._votes)
        return Verdict(error, alpha, alpha, wrong, z=1.0, total_scores=reached)

    def _solve(self, votes: Floats) -> None:
        """Find the distribution on which the best of the members does worst, and its dual."""
        n_members, n_rows = votes.shape
        answer = linprog(
            c=np.append(np.zeros(n_rows), 1.0),
            A_ub=np.column_stack([votes, -np.ones(n_members)]),
            b_ub=np.zeros(n_members),
            A_eq=np.append(np.ones(n_rows), 0.0)[np.newaxis],
            b_eq=[1.0],
            bounds=[*((0.0, cap) for cap in self._caps), (None, None)],
        )
        if not answer.success:
            raise RuntimeError(f"LpBoost found no optimum: {answer.message}")
        self._distribution, self._largest_edge = answer.x[:-1], float(answer.x[-1])
        self._alphas = np.maximum(-answer.ineqlin.marginals, 0.0)

    def reweigh(self, weights: Floats, verdict: Verdict) -> Floats:
        """Return the distribution on which the members so far do worst."""
        return np.array(self._distribution)

    def final_weights(self, weights: list[float]) -> list[float]:
        """Return the weights of the last linear program."""
        return [float(alpha) for alpha in self._alphas]
