"""One boosting round by Newton steps: trees on gradients and hessians.

The trees of a round, one per score or one for all, split where a Newton step gains the most; their
leaves hold that step, or the exact minimiser if the loss has one, times the learning rate.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from nonet._base.aliases import Array, Floats
from nonet._native.bags import draw_columns
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams
from nonet._native.runtime import get_num_threads
from nonet._native.tree import Tree
from nonet.boosting.gradient.row_sampling import Bag, RowSampling
from nonet.boosting.gradient.rows import Rows
from nonet.boosting.gradient.safe_steps import shorten_unsafe_steps
from nonet.boosting.gradient.stage import Stage
from nonet.losses import Loss
from nonet.trees.binned_table import BinnedTable

# What a row keeps in memory, beside bins, targets and leaves, which a bins file keeps.
_BYTES_PER_SCORE = 3 * 8  # score, gradient, hessian
_BYTES_PER_GROWER = 2 * (4 + 8)  # two buffers of its number and of what it adds to histograms


class NewtonStage(Stage):
    """Boosting rounds whose splits and leaf values use gradients and hessians.

    Parameters
    ----------
    loss : Loss
        The loss to minimize.
    rows : Rows
        The training rows; their scores are changed in place.
    dataset : BinnedDataset
        Their columns.
    params : GrowParams
        Parameters of the trees.
    rate : float
        The learning rate.
    sampling : RowSampling, optional
        How the rows of a round are sampled; all rows if None.
    columns_per_tree : int, optional
        Number of columns sampled for each tree; all if None.
    has_vector_leaves : bool
        Whether the leaves of one tree hold the steps of all scores, instead of one tree per score.
    """

    def __init__(
        self,
        loss: Loss,
        rows: Rows,
        dataset: BinnedDataset,
        params: GrowParams,
        rate: float,
        *,
        sampling: RowSampling | None = None,
        columns_per_tree: int | None = None,
        has_vector_leaves: bool = False,
    ) -> None:
        if isinstance(rows.X, BinnedTable):
            rows.X.check_memory(_bytes_per_row(len(rows.scores)))
        every = list(range(len(rows.scores)))
        served = [every] if has_vector_leaves else [[k] for k in every]
        super().__init__(loss, rows, dataset, sampling, served)
        self._params, self._rate, self._columns_per_tree = params, rate, columns_per_tree

    def _draw_bag(self, number: int) -> Bag:
        """Multiply gradients and hessians by the counts of their rows in the bag."""
        if self.sampling is not None and self.loss.has_constant_hessian:
            self._hessians[...] = 1
        bag = super()._draw_bag(number)
        if bag.factors is not None:
            self._gradients *= bag.factors
            self._hessians *= bag.factors
        return bag

    def _grow(self, number: int) -> list[Tree]:
        first, n_trees = number * len(self._served), len(self._served)
        params = [self._params_of(first + t) for t in range(n_trees)]
        if n_trees > 1:
            return self._grower.grow_each(
                self._gradients,
                self._hessians,
                params,
                counts=self.bag.counts,
                weights=self.rows.weights,
                leaves=self._leaves,
            )
        tree = self._grower.grow(
            self._gradients.T,
            params[0],
            criterion="newton",
            hessians=self._hessians.T,
            counts=self.bag.counts,
            weights=self.rows.weights,
            leaves=self._leaves[0],
        )
        return [tree]

    def _params_of(self, tree: int) -> GrowParams:
        if self._columns_per_tree is None:
            return self._params.of_tree(tree)
        n_columns = self._grower.dataset.n_columns
        columns = draw_columns(self._params.seed, tree, n_columns, self._columns_per_tree)
        return replace(self._params, tree=tree, columns=columns)

    def _add_tree(self, tree: Tree, leaves: Array, served: list[int], factor: float) -> Tree:
        rate = self._rate * factor
        values = tree.arrays()["values"]
        columns = values.reshape(-1, len(served)).T  # a view: writing to it changes values
        if self.loss.has_exact_leaves:
            self._fill_exact(columns, leaves, served, self.bag.inside)
        if self.bag.counts is not None:
            self._find_outside(tree, leaves)
        if self.loss.is_self_concordant:
            shorten_unsafe_steps(columns, rate, leaves, partial(self._rises, served))
        values *= rate
        self._add_values(columns, leaves, served)
        return tree.with_values(values.ravel())

    def _rises(self, served: list[int], rows: Array, moves: Floats) -> Floats:
        return self.rows.rises(served, rows, moves, self.loss)


def _bytes_per_row(n_scores: int) -> int:
    n_growers = min(n_scores, get_num_threads())  # trees of several classes grow side by side
    return n_scores * _BYTES_PER_SCORE + n_growers * _BYTES_PER_GROWER
