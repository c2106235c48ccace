"""The loss of held-out rows after every round of classic gradient boosting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.classic.boosted_sum import answers_of_round
from nonet.losses import LogisticLoss, Loss, SquaredLoss


def reported_loss(loss: Loss, y: Array, scores: Floats, weights: Floats | None) -> float:
    """Average a loss as it is reported: whole deviances, where boosting fits half of them.

    Parameters
    ----------
    loss : Loss
        The loss.
    y : array of shape (n_rows,)
        Targets.
    scores : array of shape (n_scores, n_rows)
        Scores.
    weights : array of shape (n_rows,) or None
        Weights of rows.

    Returns
    -------
    float
    """
    mean = loss.mean_loss(y, scores[0] if loss.n_scores == 1 else scores, weights)
    return 2 * mean if isinstance(loss, (LogisticLoss, SquaredLoss)) else mean


@dataclass
class Part:
    """Rows with their targets as the loss takes them, and weights."""

    X: Any
    target: Array
    weights: Floats | None

    def take(self, rows: Array) -> Part:
        """Return some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        return Part(self.X[rows], self.target[rows], weights)


class LossWatch:
    """Follows the loss of held-out rows, and says when it is enough.

    Parameters
    ----------
    part : Part
        The rows.
    start : array of shape (n_scores, n_rows) or (n_scores, 1)
        Their scores before the first tree.
    booster : Booster
        The trees so far.
    n_rounds : int
        It is enough once a loss is not less than that of any of so many rounds before it.
    """

    def __init__(self, part: Part, start: Floats, booster: Booster, n_rounds: int) -> None:
        self._part, self._start = part, start
        self._sums = np.zeros((len(start), len(part.target)))
        self._recent = np.full(n_rounds, np.inf)
        for trees in booster.rounds:
            self._sums += answers_of_round(trees, part.X)

    def is_enough(self, booster: Booster, rate: float, tol: float) -> bool:
        """Follow the round just grown and tell whether the loss has stalled.

        Parameters
        ----------
        booster : Booster
            All trees, those of this round last.
        rate : float
            Learning rate.
        tol : float
            How much less the loss must be to count as less.

        Returns
        -------
        bool
        """
        self._sums += answers_of_round(booster.rounds[-1], self._part.X)
        scores = self._start + rate * self._sums
        now = reported_loss(booster.loss, self._part.target, scores, self._part.weights)
        if not (now + tol < self._recent).any():
            return True
        self._recent = np.append(self._recent[1:], now)
        return False
