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

# A leaf with less hessian than this has nothing left to gain, and stays as it is.
_NO_HESSIAN = 1e-150
# Seeds of trees are drawn as scikit-learn draws them: the bags of a seed are then the same, too.
_LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True)
class ResidualTrees:
    """What the trees of a round are like.

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
            least = self.min_weight_fraction * float(inside.sum())
            params = replace(params, min_weight_leaf=least)
        seeds = [int(self.rng.randint(_LARGEST_SEED)) for _ in range(n_trees)]
        return [replace(params, seed=seed) for seed in seeds]


class ResidualStage(Stage):
    """Rounds of trees that are grown by squared error on negative gradients.

    Parameters
    ----------
    loss : Loss
        What is to become small.
    rows : Rows
        The training rows, with targets in the domain of the loss.
    dataset : BinnedDataset
        Their bins.
    trees : ResidualTrees
        What the trees are like.
    rate : float
        Factor of the leaves in the scores; the trees are given back without it.
    sampling : RowSampling or None
        Which rows the trees of a round see; None is all.
    loss_of_round : callable
        Returns the loss that the next round makes small, from the stage.
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
        """Write residuals, the negative gradients, in place of gradients."""
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
        if pruning > 0 or self.bag.counts is not None or self._has_idle_rows:
            self._find_outside(tree, leaves)
        return tree

    def _add_tree(self, tree: Tree, leaves: Array, served: list[int], share: float) -> Tree:
        nodes = tree.arrays()
        columns = nodes["values"].reshape(-1, 1).T  # a view
        if self.loss.has_exact_leaves:
            # Quantiles are those of weighted rows, even of equal weights, as in scikit-learn.
            weights, counts = self.rows.weights, self.bag.counts
            known = np.ones(len(leaves)) if weights is None else weights
            has_say = leaves if counts is None else np.where(counts, leaves, -1)
            self._fill_exact(columns, has_say, served, known)
        elif not isinstance(self.loss, SquaredLoss):  # whose step is the mean that is there
            is_leaf = nodes["left"] < 0
            columns[0, is_leaf] = self._newton_steps(served[0], leaves, len(is_leaf))[is_leaf]
        self._add_values(self._rate * share * columns, leaves, served)
        return tree.with_values(nodes["values"].ravel())

    def _newton_steps(self, k: int, leaves: Array, n_nodes: int) -> Floats:
        residuals, hessians, weights = self._gradients[k], self._hessians[k], self.bag.inside
        if weights is not None:
            residuals, hessians = residuals * weights, hessians * weights
        top = np.bincount(leaves, residuals, n_nodes)
        bottom = np.bincount(leaves, hessians, n_nodes)
        steps = np.divide(top, bottom, out=np.zeros(n_nodes), where=bottom >= _NO_HESSIAN)
        n_scores = len(self._served)
        # Friedman's factor for the scores of K classes, of which only K - 1 are free.
        return steps if n_scores == 1 else steps * ((n_scores - 1) / n_scores)
