"""One round of gradient boosting as Friedman described it: trees on residuals, new leaf values.

A tree is grown by squared error on the negative gradients. Its leaves then get the step that the
loss requires: the mean residual, Newton's step, or the exact minimiser. Scores of training rows are
updated from the leaves they fell into; rows outside the bag are passed through the finished tree.

References
----------
J. Friedman, "Greedy function approximation: a gradient boosting machine", *Annals of Statistics*
29, 2001; "Stochastic gradient boosting", *Computational Statistics and Data Analysis* 38, 2002.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams
from nonet._native.tree import Tree
from nonet.boosting.gradient.row_sampling import RowSampling
from nonet.boosting.gradient.rows import Rows
from nonet.boosting.gradient.stage import Stage
from nonet.losses import Loss, SquaredLoss

# A leaf with less hessian than this gets a step of 0.
_NO_HESSIAN = 1e-150
# Seeds of trees are drawn as in scikit-learn, so that the bags of a seed are the same.
_MAX_SEED = 2**31 - 1


@dataclass(frozen=True)
class ResidualTrees:
    """Parameters of the trees of a round.

    Parameters
    ----------
    params : GrowParams
        How they are grown.
    min_weight_fraction : float
        Minimum fraction of the weight in a bag that a leaf must hold.
    pruning : float
        Alpha of minimal cost-complexity pruning.
    rng : RandomState
        Source of the seeds of trees.
    """

    params: GrowParams
    min_weight_fraction: float
    pruning: float
    rng: np.random.RandomState

    def params_of_round(self, inside: Floats | None, n_trees: int) -> list[GrowParams]:
        """Return the parameters of each tree of a round, for the weights of rows in the bag."""
        params = self.params
        if inside is not None and self.min_weight_fraction > 0:
            minimum = self.min_weight_fraction * float(inside.sum())
            params = replace(params, min_weight_leaf=minimum)
        seeds = [int(self.rng.randint(_MAX_SEED)) for _ in range(n_trees)]
        return [replace(params, seed=seed) for seed in seeds]


class ResidualStage(Stage):
    """Rounds of trees that are grown by squared error on negative gradients.

    Parameters
    ----------
    loss : Loss
        The loss to minimize.
    rows : Rows
        The training rows, with targets in the domain of the loss.
    dataset : BinnedDataset
        Their bins.
    trees : ResidualTrees
        Parameters of the trees.
    rate : float
        Factor of the leaves in the scores; the returned trees do not contain it.
    sampling : RowSampling or None
        How the rows of a round are sampled; None is all rows.
    loss_of_round : callable
        Returns the loss that the next round minimizes, given the stage.
    """

    def __init__(
        self,
        loss: Loss,
        rows: Rows,
        dataset: BinnedDataset,
        trees: ResidualTrees,
        *,
        rate: float,
        sampling: RowSampling | None,
        loss_of_round: Callable[[Stage], Loss],
    ) -> None:
        served = [[k] for k in range(len(rows.scores))]
        super().__init__(loss, rows, dataset, sampling, served)
        self._trees, self._rate, self._loss_of_round = trees, rate, loss_of_round
        self._has_idle_rows = rows.weights is not None and not rows.weights.all()

    def _find_gradients(self) -> None:
        """Write residuals, the negative gradients, into the array of gradients."""
        self.loss = self._loss_of_round(self)
        super()._find_gradients()
        np.negative(self._gradients, out=self._gradients)

    def _grow(self, number: int) -> list[Tree]:
        params = self._trees.params_of_round(self.bag.inside, len(self._served))
        return [self._grow_tree(k, of_tree) for k, of_tree in enumerate(params)]

    def _grow_tree(self, k: int, params: GrowParams) -> Tree:
        leaves, pruning = self._leaves[k], self._trees.pruning
        tree = self._grower.grow(
            self._gradients[k],
            params,
            criterion="squared_error",
            counts=self.bag.counts,
            weights=self.rows.weights,
            leaves=leaves,
        )
        if pruning > 0:
            tree = tree.prune(pruning)
            leaves[...] = -1  # the leaves of the tree before pruning
        if pruning > 0 or self.bag.counts is not None or self._has_idle_rows:
            self._find_outside(tree, leaves)
        return tree

    def _add_tree(self, tree: Tree, leaves: Array, served: list[int], factor: float) -> Tree:
        nodes = tree.arrays()
        columns = nodes["values"].reshape(-1, 1).T  # a view
        if self.loss.has_exact_leaves:
            # Quantiles are those of weighted rows, even of equal weights, as in scikit-learn.
            weights, counts = self.rows.weights, self.bag.counts
            known = np.ones(len(leaves)) if weights is None else weights
            has_say = leaves if counts is None else np.where(counts, leaves, -1)
            self._fill_exact(columns, has_say, served, known)
        elif not isinstance(self.loss, SquaredLoss):  # its leaves hold the mean already
            is_leaf = nodes["left"] < 0
            columns[0, is_leaf] = self._newton_steps(served[0], leaves, len(is_leaf))[is_leaf]
        self._add_values(self._rate * factor * columns, leaves, served)
        return tree.with_values(nodes["values"].ravel())

    def _newton_steps(self, k: int, leaves: Array, n_nodes: int) -> Floats:
        residuals, hessians, weights = self._gradients[k], self._hessians[k], self.bag.inside
        if weights is not None:
            residuals, hessians = residuals * weights, hessians * weights
        top = np.bincount(leaves, residuals, n_nodes)
        bottom = np.bincount(leaves, hessians, n_nodes)
        steps = np.divide(top, bottom, out=np.zeros(n_nodes), where=bottom >= _NO_HESSIAN)
        n_scores = len(self._served)
        # Friedman's factor for the scores of K classes, because only K - 1 of them are free.
        return steps if n_scores == 1 else steps * ((n_scores - 1) / n_scores)
