"""One round of gradient boosting: slopes of the loss, trees on them, new scores.

The trees of a round, one a score, are grown on the slopes at the scores so far; their leaves hold
Newton's step, or the exact minimiser where the loss knows it, times the learning rate. Scores of
training rows are updated from the leaves the rows fell into: no row is asked twice.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native_data import BinnedDataset
from nonet._native_grow import GrowParams, TreeGrower
from nonet._native_loss import add_leaf_values
from nonet._native_tree import Tree
from nonet.boosting.exact_leaves import fill_exact_values
from nonet.losses import Loss


class Stage:
    """The scores of the training rows, and what it takes to improve them.

    Parameters
    ----------
    loss : Loss
        What is to become small.
    dataset : BinnedDataset
        The columns.
    y : array of shape (n_rows,)
        Targets, in the domain of the loss.
    weights : array of shape (n_rows,) or None
        Weights of rows.
    scores : array of shape (n_scores, n_rows)
        Scores so far; they are changed in place.
    """

    def __init__(
        self,
        loss: Loss,
        dataset: BinnedDataset,
        y: Array,
        weights: Floats | None,
        scores: Floats,
    ) -> None:
        self.loss = loss
        self.y, self.weights, self.scores = y, weights, scores
        self._gradients = np.empty_like(scores)
        self._hessians = np.ones_like(scores)
        self._leaves = np.empty(dataset.n_rows, dtype=np.int32)
        self._grower = TreeGrower(dataset)

    def mean_loss(self) -> float:
        """Average the loss at the scores so far."""
        return self.loss.mean_loss(self.y, self._as_loss_takes_them(self.scores), self.weights)

    def add_round(self, params: GrowParams, rate: float, number: int) -> list[Tree]:
        """Grow the trees of a round, one a score, and add their answers to the scores."""
        self._find_slopes()
        n_scores = len(self.scores)
        return [
            self._add_tree(replace(params, tree=number * n_scores + k), rate, k)
            for k in range(n_scores)
        ]

    def _as_loss_takes_them(self, scores: Floats) -> Floats:
        return scores[0] if self.loss.n_scores == 1 else scores

    def _find_slopes(self) -> None:
        scores = self._as_loss_takes_them(self.scores)
        gradients = self._as_loss_takes_them(self._gradients)
        if self.loss.has_constant_hessian:
            self.loss.fill(self.y, scores, gradients, None)
        else:
            self.loss.fill(self.y, scores, gradients, self._as_loss_takes_them(self._hessians))

    def _add_tree(self, params: GrowParams, rate: float, k: int) -> Tree:
        tree = self._grower.grow(
            self._gradients[k],
            params,
            criterion="newton",
            hessians=self._hessians[k],
            weights=self.weights,
            leaves=self._leaves,
        )
        values = tree.arrays()["values"]
        if self.loss.has_exact_leaves:
            fill_exact_values(self.loss, self._leaves, self.y, self.scores[k], self.weights, values)
        values *= rate
        add_leaf_values(self._leaves, values, self.scores[k])
        return tree.with_values(values)
