"""One round of gradient boosting: slopes of the loss, trees on them, new scores.

The trees of a round, one a score or one for all, are grown on the slopes at the scores so far;
their leaves hold Newton's step, or the exact minimiser where the loss knows it, times the learning
rate. Scores of training rows are updated from the leaves the rows fell into: no row is asked twice.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.bags import draw_columns
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, TreeGrower
from nonet._native.loss import add_leaf_values
from nonet._native.tree import Tree
from nonet.boosting.gradient.exact_leaves import fill_exact_values
from nonet.boosting.gradient.row_leaves import find_row_leaves
from nonet.boosting.gradient.row_sampling import RowSampling
from nonet.boosting.gradient.safe_steps import shorten_unsafe_steps
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
    sampling : RowSampling, optional
        Which rows the trees of a round see; all if not given.
    X : array of shape (n_rows, n_columns), optional
        The rows as they are, for leaves of rows that a tree did not see.
    columns_a_tree : int, optional
        Number of columns drawn for each tree; all if not given.
    has_vector_leaves : bool
        Whether one tree has the steps of all scores in its leaves, instead of one tree a score.
    """

    def __init__(
        self,
        loss: Loss,
        dataset: BinnedDataset,
        y: Array,
        weights: Floats | None,
        scores: Floats,
        *,
        sampling: RowSampling | None = None,
        X: Any = None,
        columns_a_tree: int | None = None,
        has_vector_leaves: bool = False,
    ) -> None:
        self.loss = loss
        self.y, self.weights, self.scores = y, weights, scores
        self.sampling, self.X, self.columns_a_tree = sampling, X, columns_a_tree
        # Which scores the trees of a round serve.
        every = list(range(len(scores)))
        self._served = [every] if has_vector_leaves else [[k] for k in every]
        self._factors: Floats | None = None
        self._counts: Array | None = None
        self._gradients = np.empty_like(scores)
        self._hessians = np.ones_like(scores)
        self._leaves = np.empty((len(self._served), dataset.n_rows), dtype=np.int32)
        self._grower = TreeGrower(dataset)

    def mean_loss(self) -> float:
        """Average the loss at the scores so far."""
        return self.loss.mean_loss(self.y, self._as_loss_takes_them(self.scores), self.weights)

    def add_round(self, params: GrowParams, rate: float, number: int) -> list[Tree]:
        """Grow the trees of a round and add their answers to the scores."""
        self._find_slopes()
        if self.sampling is not None:
            self._draw_rows(self.sampling, number)
        first = number * len(self._served)
        trees = self._grow([self._params_of(params, first + t) for t in range(len(self._served))])
        return [
            self._add_tree(tree, leaves, rate, served)
            for tree, leaves, served in zip(trees, self._leaves, self._served, strict=True)
        ]

    def _params_of(self, params: GrowParams, tree: int) -> GrowParams:
        if self.columns_a_tree is None:
            return replace(params, tree=tree)
        n_columns = self._grower.dataset.n_columns
        columns = draw_columns(params.seed, tree, n_columns, self.columns_a_tree)
        return replace(params, tree=tree, columns=columns)

    def _as_loss_takes_them(self, scores: Floats) -> Floats:
        return scores[0] if self.loss.n_scores == 1 else scores

    def _find_slopes(self) -> None:
        scores = self._as_loss_takes_them(self.scores)
        gradients = self._as_loss_takes_them(self._gradients)
        if self.loss.has_constant_hessian:
            self.loss.fill(self.y, scores, gradients, None)
        else:
            self.loss.fill(self.y, scores, gradients, self._as_loss_takes_them(self._hessians))

    def _draw_rows(self, sampling: RowSampling, number: int) -> None:
        """Let slopes say how often their rows count; rows that do not are left out."""
        if self.loss.has_constant_hessian:
            self._hessians[...] = 1
        factors = sampling.draw(number, self._gradients, self._hessians, self.weights)
        self._factors = factors
        self._counts = None if factors is None else (factors > 0).astype(np.uint32)
        if factors is not None:
            self._gradients *= factors
            self._hessians *= factors

    def _grow(self, params: list[GrowParams]) -> list[Tree]:
        if len(params) > 1:  # one for each score
            return self._grower.grow_each(
                self._gradients,
                self._hessians,
                params,
                counts=self._counts,
                weights=self.weights,
                leaves=self._leaves,
            )
        tree = self._grower.grow(
            self._gradients.T,
            params[0],
            criterion="newton",
            hessians=self._hessians.T,
            counts=self._counts,
            weights=self.weights,
            leaves=self._leaves[0],
        )
        return [tree]

    def _add_tree(self, tree: Tree, leaves: Array, rate: float, served: list[int]) -> Tree:
        values = tree.arrays()["values"]
        columns = values.reshape(-1, len(served)).T  # a view: what is written there is in values
        if self.loss.has_exact_leaves:
            self._find_exact_values(columns, leaves, served)
        if self._counts is not None:
            find_row_leaves(tree, self._grower.dataset, self.X, leaves)
        if self.loss.is_self_concordant:
            shorten_unsafe_steps(columns, rate, leaves, partial(self._rises, served))
        values *= rate
        for k, column in zip(served, columns, strict=True):
            add_leaf_values(leaves, np.ascontiguousarray(column), self.scores[k])
        return tree.with_values(values.ravel())

    def _rises(self, served: list[int], rows: Array, moves: Floats) -> Floats:
        """Return by how much the weighted losses of rows rise if the served scores are moved."""
        y, before = self.y[rows], self.scores[:, rows]
        after = before.copy()
        after[served] += moves
        with np.errstate(over="ignore", invalid="ignore"):  # an infinite loss is a rise
            values = [self.loss.value(y, self._as_loss_takes_them(s)) for s in (before, after)]
            rises = values[1] - values[0]
        if self.weights is None:
            return rises
        return np.where(self.weights[rows] > 0, self.weights[rows] * rises, 0.0)

    def _find_exact_values(self, columns: Floats, leaves: Array, served: list[int]) -> None:
        weights = self._weights_in_bag()
        for k, values in zip(served, columns, strict=True):
            loss, y = self.loss.part(k, self.y)
            fill_exact_values(loss, leaves, y, self.scores[k], weights, values)

    def _weights_in_bag(self) -> Floats | None:
        if self._factors is None or self.weights is None:
            return self.weights if self._factors is None else self._factors
        return self.weights * self._factors
