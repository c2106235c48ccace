"""A sum of trees: members are trees, F is their sum from a starting score, C the inverse link."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from nonet._base.aliases import Floats
from nonet._native_tree import Tree, predict_values
from nonet.losses import Loss


@dataclass
class Booster:
    """What gradient boosting leaves behind: a start and rounds of trees, one tree a score.

    Parameters
    ----------
    loss : Loss
        The loss it was grown for.
    start : array of shape (n_scores,)
        Scores before the first round.
    rounds : list of lists of Tree
        The trees of each round, one a score; the learning rate is in their leaves.

    Examples
    --------
    >>> from nonet.losses import SquaredLoss
    >>> Booster(SquaredLoss(), np.array([2.0])).scores(np.zeros((3, 1)))
    array([[2., 2., 2.]])
    """

    loss: Loss
    start: Floats
    rounds: list[list[Tree]] = field(default_factory=list)

    def scores(self, X: Floats) -> Floats:
        """Sum the trees over rows.

        Parameters
        ----------
        X : array of shape (n_rows, n_columns)
            Rows.

        Returns
        -------
        array of shape (n_scores, n_rows)
        """
        scores = np.repeat(self.start[:, np.newaxis], len(X), axis=1)
        if self.rounds:
            for k in range(len(scores)):
                scores[k] += predict_values([trees[k] for trees in self.rounds], X)[:, 0]
        return scores

    def staged_scores(self, X: Floats) -> Iterator[Floats]:
        """Give the scores after each round.

        Parameters
        ----------
        X : array of shape (n_rows, n_columns)
            Rows.

        Yields
        ------
        array of shape (n_scores, n_rows)
        """
        scores = np.repeat(self.start[:, np.newaxis], len(X), axis=1)
        for trees in self.rounds:
            add_round(scores, trees, X)
            yield scores.copy()


def add_round(scores: Floats, trees: list[Tree], X: Floats) -> None:
    """Add the answers of the trees of one round to scores of shape (n_scores, n_rows)."""
    for of_score, tree in zip(scores, trees, strict=True):
        of_score += predict_values([tree], X)[:, 0]
