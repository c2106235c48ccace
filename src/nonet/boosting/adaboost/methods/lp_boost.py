"""LPBoost: the maximum margin by linear programming, with one more member per round.

Given the members so far, a linear program finds the vote weights that maximize the smallest
margin; its dual is the distribution over rows on which these members do worst. The next member is
fitted on that distribution. If its edge is no larger than that of the members before, no member of
its kind can increase the margin.

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
from nonet.boosting.adaboost.methods.label_methods import LabelMethod
from nonet.boosting.adaboost.methods.method import Evaluation, TrainingRows, expected_value


class LpBoost(LabelMethod):
    """LPBoost for two classes: each round solves for all weights again.

    Use it as a reference for the other methods that maximize margins: every round solves a linear
    program with as many variables as rows. There is no ``hold_out``: a round changes the weights of
    all members, so that the held-out error of every round would need all predictions again.
    ``staged_score`` computes it on your own rows, with the final weights.

    Parameters
    ----------
    nu : float or None, default=None
        Softness: no row gets more than ``1 / nu`` times its first weight, so that about a fraction
        nu of the rows may stay below the margin. None is the hard margin, which is useful only if
        the classes are separable.
    tolerance : float, default=1e-6
        Boosting ends if the edge of a member exceeds that of the members before by less than this.

    Examples
    --------
    >>> from nonet import AdaBoostClassifier, DecisionStump
    >>> X, y = [[1], [2], [3], [4]], [-1, 1, -1, -1]
    >>> model = AdaBoostClassifier(DecisionStump(), method="lp").fit(X, y)
    >>> print(f"{model.round_log_.smallest_margin[-1]:.4f}", model.round_log_.stopped)
    0.3333 no member makes the margin larger
    """

    max_classes = 2
    weights_follow_scores = False
    changes_earlier_weights = True
    _rules = {"nu": Nothing() | Real(0, 1, open_low=True), "tolerance": Real(0)}

    def __init__(self, nu: float | None = None, tolerance: float = 1e-6) -> None:
        self.nu = nu
        self.tolerance = tolerance

    def begin(self, rows: TrainingRows) -> None:
        """Start without members."""
        self._votes: list[Floats] = []
        self._max_edge = 0.0
        self._caps = rows.weights / self.nu if self.nu else (rows.weights > 0).astype(float)

    def evaluate(self, predictions: Array, weights: Floats, rows: TrainingRows) -> Evaluation:
        """Add the member to the linear program and solve it, if it has a larger edge."""
        wrong = predictions != rows.codes
        votes = np.where(wrong, -1.0, 1.0)
        edge = expected_value(weights, votes)
        error = (1 - edge) / 2
        if edge <= self._max_edge + self.tolerance:
            reason = "no member makes the margin larger"
            return Evaluation(error, 0.0, 0.0, wrong, stop=reason, is_kept=False)
        self._votes.append(votes)
        self._solve(np.array(self._votes))
        alpha = float(self._alphas[-1])
        reached = self._alphas @ np.array(self._votes)
        return Evaluation(error, alpha, alpha, wrong, z=1.0, total_scores=reached)

    def _solve(self, votes: Floats) -> None:
        """Find the distribution on which the best of the members does worst, and its dual."""
        n_members, n_rows = votes.shape
        solution = linprog(
            c=np.append(np.zeros(n_rows), 1.0),
            A_ub=np.column_stack([votes, -np.ones(n_members)]),
            b_ub=np.zeros(n_members),
            A_eq=np.append(np.ones(n_rows), 0.0)[np.newaxis],
            b_eq=[1.0],
            bounds=[*((0.0, cap) for cap in self._caps), (None, None)],
        )
        if not solution.success:
            raise RuntimeError(f"LpBoost found no optimum: {solution.message}")
        self._distribution, self._max_edge = solution.x[:-1], float(solution.x[-1])
        self._alphas = np.maximum(-solution.ineqlin.marginals, 0.0)

    def reweight(self, weights: Floats, evaluation: Evaluation) -> Floats:
        """Return the distribution on which the members so far do worst."""
        return np.array(self._distribution)

    def final_weights(self, weights: list[float]) -> list[float]:
        """Return the weights of the last linear program."""
        return [float(alpha) for alpha in self._alphas]
