"""One round of gradient boosting: gradients of the loss, trees on them, new scores.

Scores of training rows are updated from the leaves that the rows fell into: no row is predicted a
second time. `newton_stage` and `classic.residual_stage` differ in how trees are grown on the
gradients, and in their leaf values.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.data import BinnedDataset
from nonet._native.grow import TreeGrower
from nonet._native.loss import add_leaf_values
from nonet._native.tree import Tree
from nonet.boosting.gradient.exact_leaves import fill_exact_values
from nonet.boosting.gradient.row_leaves import find_row_leaves
from nonet.boosting.gradient.row_sampling import Bag, RowSampling
from nonet.boosting.gradient.rows import Rows, as_loss_takes
from nonet.losses import Loss


class Stage:
    """Parent of the stages, which grow boosting rounds and update the training scores.

    Parameters
    ----------
    loss : Loss
        The loss to minimize.
    rows : Rows
        The training rows; their scores are changed in place.
    dataset : BinnedDataset
        Their columns.
    sampling : RowSampling or None
        How the rows of a round are sampled; None is all rows.
    served : sequence of lists of int
        For each tree of a round, the scores that its leaves have values for.
    """

    def __init__(
        self,
        loss: Loss,
        rows: Rows,
        dataset: BinnedDataset,
        sampling: RowSampling | None,
        served: Sequence[list[int]],
    ) -> None:
        self.loss, self.rows, self.sampling = loss, rows, sampling
        self.bag = Bag(rows.weights)
        self._served = served
        self._gradients = np.empty_like(rows.scores)
        # Hessians that a loss fills are touched first by the threads that fill them.
        make = np.ones_like if loss.has_constant_hessian else np.empty_like
        self._hessians = make(rows.scores)
        self._leaves = dataset.scratch((len(served), dataset.n_rows), np.int32)
        self._grower = TreeGrower(dataset)

    def add_round(self, number: int, factor: float = 1.0) -> list[Tree]:
        """Grow the trees of a round and add their predictions to the scores.

        Parameters
        ----------
        number : int
            The number of the round.
        factor : float
            Scale of the new trees, besides the learning rate.

        Returns
        -------
        list of Tree
        """
        self._find_gradients()
        self.bag = self._draw_bag(number)
        trees = self._grow(number)
        return [
            self._add_tree(tree, leaves, served, factor)
            for tree, leaves, served in zip(trees, self._leaves, self._served, strict=True)
        ]

    def _find_gradients(self) -> None:
        scores, gradients, hessians = (
            as_loss_takes(self.loss, numbers)
            for numbers in (self.rows.scores, self._gradients, self._hessians)
        )
        wanted = None if self.loss.has_constant_hessian else hessians
        self.loss.fill(self.rows.target, scores, gradients, wanted)

    def _draw_bag(self, number: int) -> Bag:
        weights = self.rows.weights
        if self.sampling is None:
            return Bag(weights)
        return Bag(weights, self.sampling.draw(number, self._gradients, self._hessians, weights))

    def _grow(self, number: int) -> list[Tree]:
        """Grow the trees of a round, and find the leaves of the rows in the bag."""
        raise NotImplementedError

    def _add_tree(self, tree: Tree, leaves: Array, served: list[int], factor: float) -> Tree:
        """Set the leaf values of a tree, and add them to the scores."""
        raise NotImplementedError

    # ---- Shared by the stages ------------------------------------------------------------------

    def _find_outside(self, tree: Tree, leaves: Array) -> None:
        """Find the leaves of all rows, including those outside the bag."""
        find_row_leaves(tree, self._grower.dataset, self.rows.X, leaves)

    def _fill_exact(
        self, columns: Floats, leaves: Array, served: list[int], weights: Floats | None
    ) -> None:
        """Write exact minimisers into values of shape (n_served, n_nodes)."""
        for k, values in zip(served, columns, strict=True):
            loss, y = self.loss.part(k, self.rows.target)
            fill_exact_values(loss, leaves, y, self.rows.scores[k], weights, values)

    def _add_values(self, columns: Floats, leaves: Array, served: list[int]) -> None:
        """Add values of shape (n_served, n_nodes) to the scores of rows by their leaves."""
        for k, column in zip(served, columns, strict=True):
            add_leaf_values(leaves, np.ascontiguousarray(column), self.rows.scores[k])
