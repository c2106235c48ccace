"""One round of gradient boosting as Friedman described it: trees on residuals, then new leaves.

A tree is grown by squared error on the negative gradients. Its leaves then get the step that the
loss asks for: the mean residual, Newton's step, or the exact minimiser. Scores of training rows are
updated from the leaves they fell into; rows outside the bag walk down the finished tree.

References
----------
J. Friedman, "Greedy function approximation: a gradient boosting machine", *Annals of Statistics*
29, 2001; "Stochastic gradient boosting", *Computational Statistics and Data Analysis* 38, 2002.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nonet._base.aliases import Array, Floats
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, TreeGrower
from nonet._native.loss import add_leaf_values
from nonet._native.tree import Tree
from nonet.boosting.gradient.classic.loss_watch import Part, reported_loss
from nonet.boosting.gradient.exact_leaves import fill_exact_values
from nonet.boosting.gradient.row_leaves import find_row_leaves
from nonet.losses import Loss, SquaredLoss

# A leaf with less hessian than this has nothing left to gain, and stays as it is.
_NO_HESSIAN = 1e-150


@dataclass(frozen=True)
class Bag:
    """Which rows the trees of a round see.

    Parameters
    ----------
    counts : uint32 array of shape (n_rows,) or None
        1 for rows in the bag, 0 for others; None if all are in it.
    inside : array of shape (n_rows,) or None
        Weights of rows, 0 outside the bag; None is 1 each.
    outside : array of shape (n_rows,) or None
        Weights of rows, 0 inside the bag; None if no row is outside.
    """

    counts: Array | None
    inside: Floats | None
    outside: Floats | None

    @classmethod
    def of_some(cls, counts: Array, weights: Floats | None) -> Bag:
        """Make a bag of the rows that are counted."""
        inside = counts.astype(np.float64)
        outside = 1 - inside
        if weights is not None:
            inside, outside = weights * inside, weights * outside
        if not (inside.any() and outside.any()):
            raise ValueError(
                "subsample must leave rows of positive weight both in a bag and outside it, but "
                f"there are {np.count_nonzero(inside)} and {np.count_nonzero(outside)} of them; "
                "set subsample=1.0, which draws nothing."
            )
        return cls(counts, inside, outside)


class ResidualStage:
    """The scores of the training rows, and what it takes to improve them.

    Parameters
    ----------
    loss : Loss
        What is to become small.
    part : Part
        The rows, with targets in the domain of the loss.
    dataset : BinnedDataset
        Their bins.
    scores : array of shape (n_scores, n_rows)
        Scores so far; they are changed in place.
    """

    def __init__(self, loss: Loss, part: Part, dataset: BinnedDataset, scores: Floats) -> None:
        self.loss, self.part, self.scores = loss, part, scores
        self._residuals = np.empty_like(scores)
        self._hessians = np.empty_like(scores)
        self._leaves = np.empty(dataset.n_rows, dtype=np.int32)
        self._grower = TreeGrower(dataset)
        self._has_idle_rows = part.weights is not None and not part.weights.all()

    def mean_loss(self, weights: Floats | None) -> float:
        """Average the loss at the scores so far, over rows of these weights."""
        return reported_loss(self.loss, self.part.target, self.scores, weights)

    def add_round(
        self, params: GrowParams, seeds: Sequence[int], bag: Bag, *, rate: float, pruning: float
    ) -> list[Tree]:
        """Grow the trees of a round, one a score, and add their answers to the scores.

        Parameters
        ----------
        params : GrowParams
            What the trees should be like.
        seeds : sequence of int
            Seed of each tree.
        bag : Bag
            Rows that the trees may see.
        rate : float
            Factor of the leaves in the scores; the trees are given back without it.
        pruning : float
            Alpha of minimal cost-complexity pruning.

        Returns
        -------
        list of Tree
        """
        self._find_residuals()
        trees = []
        for k, seed in enumerate(seeds):
            tree = self._grow(k, replace(params, seed=seed), bag, pruning)
            values = self._new_values(tree, k, bag)
            add_leaf_values(self._leaves, rate * values, self.scores[k])
            trees.append(tree.with_values(values))
        return trees

    def _find_residuals(self) -> None:
        is_single = self.loss.n_scores == 1
        scores, gradients, hessians = (
            numbers[0] if is_single else numbers
            for numbers in (self.scores, self._residuals, self._hessians)
        )
        wanted = None if self.loss.has_constant_hessian else hessians
        self.loss.fill(self.part.target, scores, gradients, wanted)
        np.negative(gradients, out=gradients)

    def _grow(self, k: int, params: GrowParams, bag: Bag, pruning: float) -> Tree:
        tree = self._grower.grow(
            self._residuals[k],
            params,
            criterion="squared_error",
            counts=bag.counts,
            weights=self.part.weights,
            leaves=self._leaves,
        )
        if pruning > 0:
            tree = tree.prune(pruning)
        if pruning > 0 or bag.counts is not None or self._has_idle_rows:
            find_row_leaves(tree, self._grower.dataset, self.part.X, self._leaves)
        return tree

    def _new_values(self, tree: Tree, k: int, bag: Bag) -> NDArray[np.float64]:
        nodes = tree.arrays()
        values: NDArray[np.float64] = nodes["values"]
        if self.loss.has_exact_leaves:
            self._find_exact_values(values, k, bag)
        elif not isinstance(self.loss, SquaredLoss):  # whose step is the mean that is there
            is_leaf = nodes["left"] < 0
            values[is_leaf] = self._newton_steps(k, bag.inside, len(values))[is_leaf]
        return values

    def _find_exact_values(self, values: Floats, k: int, bag: Bag) -> None:
        y, weights = self.part.target, self.part.weights
        # Quantiles are those of weighted rows, even of equal weights, as in scikit-learn.
        known = np.ones(len(y)) if weights is None else weights
        has_say = self._leaves if bag.counts is None else np.where(bag.counts, self._leaves, -1)
        fill_exact_values(self.loss, has_say, y, self.scores[k], known, values)

    def _newton_steps(self, k: int, weights: Floats | None, n_nodes: int) -> Floats:
        residuals, hessians = self._residuals[k], self._hessians[k]
        if weights is not None:
            residuals, hessians = residuals * weights, hessians * weights
        top = np.bincount(self._leaves, residuals, n_nodes)
        bottom = np.bincount(self._leaves, hessians, n_nodes)
        steps = np.divide(top, bottom, out=np.zeros(n_nodes), where=bottom >= _NO_HESSIAN)
        n_scores = len(self.scores)
        # Friedman's factor for the scores of K classes, of which only K - 1 are free.
        return steps if n_scores == 1 else steps * ((n_scores - 1) / n_scores)
