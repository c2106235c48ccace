"""Boosting rounds on a GPU: it counts, parts and adds up rows, and the processor searches splits.

A GPU does what each worker of a fit on partitions does (`summed_stage`), with all rows in one part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.data import BinnedDataset
from nonet._native.device_rows import DeviceRows
from nonet._native.grow import GrowParams
from nonet._native.partitions import ColumnEdges, Leaves, Measured, MomentSizes, MomentTotals, Words
from nonet._native.tree import Tree
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.rows import Rows
from nonet.boosting.gradient.summed_stage import SummedStage
from nonet.losses import Loss, MultinomialLoss
from nonet.losses.classes import CrossEntropyLoss
from nonet.losses.native import NativeLoss

# Rows that a GPU counts in the time of a call, times columns.
_CELLS_PER_CALL = 5_000_000


class DeviceStage(SummedStage):
    """Grows boosting rounds on a GPU.

    Parameters
    ----------
    rows : Rows
        The training rows.
    booster : Booster
        The rounds so far.
    dataset : BinnedDataset
        The columns of the rows.
    params : GrowParams
        Parameters of the trees.
    rate : float
        The learning rate.
    keeps_scores : bool
        Whether the scores of the rows are wanted on the processor after each round.
    """

    def __init__(
        self,
        rows: Rows,
        booster: Booster,
        dataset: BinnedDataset,
        params: GrowParams,
        rate: float,
        *,
        keeps_scores: bool,
    ) -> None:
        check_loss(booster.loss)
        self._rows = rows if keeps_scores else None
        self._device = DevicePart(rows, booster.loss, dataset)
        bins = ColumnEdges.of(dataset).without_rows()  # all that the search reads
        super().__init__(self._device, booster, bins, params, rate, _CELLS_PER_CALL)

    def add_round(self, number: int) -> list[Tree]:
        """Grow the trees of a round and add their predictions to the scores."""
        trees = super().add_round(number)
        if self._rows is not None:
            self._device.rows.copy_scores(self._rows.scores)
        return trees


def check_loss(loss: Loss) -> None:
    """Raise a ValueError for a loss that a GPU cannot minimize yet."""
    is_known = isinstance(loss, NativeLoss) or (
        isinstance(loss, MultinomialLoss) and not isinstance(loss, CrossEntropyLoss)
    )
    if not is_known or loss.has_exact_leaves:
        raise ValueError(
            f"{loss!r} cannot be minimized on a GPU yet, only losses of the library with Newton "
            "steps (squared, logistic, multinomial, Poisson, gamma, Tweedie, exponential, Huber "
            "with Newton steps); fit it outside use_device('cuda')."
        )


class DevicePart:
    """All rows on a GPU, as the only worker of a stage.

    Parameters
    ----------
    rows : Rows
        The training rows.
    loss : Loss
        The loss to minimize.
    dataset : BinnedDataset
        The columns of the rows.
    """

    def __init__(self, rows: Rows, loss: Loss, dataset: BinnedDataset) -> None:
        self._given, self._loss = rows, loss
        is_class = isinstance(loss, MultinomialLoss)
        target = np.asarray(rows.target, dtype=np.int32 if is_class else np.float64)
        self.rows = DeviceRows(dataset, target, rows.weights, np.atleast_2d(rows.scores))
        self._sizes: list[MomentSizes] = []

    def __len__(self) -> int:
        return 1

    def begin_round(self, rounds: Sequence[list[Tree]]) -> None:
        """Do nothing: the scores are those after these rounds."""

    def call(self, step: str, *arguments: Any) -> list[Any]:
        """Take a step of the round; return its result as that of the only worker."""
        return [getattr(self, step)(*arguments)]

    def tell(self, step: str, *arguments: Any) -> None:
        """Take a step that has no result."""
        self.call(step, *arguments)

    # ---- Steps, as those of a worker on partitions ---------------------------------------------

    def measure(self, params: Sequence[GrowParams]) -> list[MomentSizes]:
        """Compute gradients and hessians, and return their sizes."""
        loss = self._loss
        if isinstance(loss, NativeLoss):
            self.rows.find_gradients(loss._name, loss._shape)
        else:
            self.rows.find_gradients("", 0.0)
        self._sizes = [self.rows.sizes(k) for k in range(len(params))]
        return self._sizes

    def total(self, everywhere: Sequence[MomentSizes]) -> list[MomentTotals]:
        """Return the totals of each tree."""
        return [self.rows.totals(k, sizes) for k, sizes in enumerate(everywhere)]

    def count_light(self, kinds: Sequence[str], everywhere: Sequence[Measured]) -> list[Words]:
        """Count the derivatives that would be rounded too coarsely, for each tree."""
        each = zip(kinds, everywhere, strict=True)
        return [self.rows.count_light(k, *given) for k, given in enumerate(each)]

    def start(self, kinds: Sequence[str], everywhere: Sequence[Measured]) -> list[Words]:
        """Write the rows, and return the histogram of the root of each tree."""
        each = zip(kinds, everywhere, strict=True)
        found = (self.rows.start(k, *given) for k, given in enumerate(each))
        return _kept(found, len(kinds))

    def split(self, orders: Sequence[tuple[int, Words, int]]) -> list[Words]:
        """Split nodes, and return the histograms of children, for trees by their numbers."""
        return _kept((self.rows.split(*order) for order in orders), len(orders))

    def sum_leaves(self, trees: Sequence[tuple[Words, Leaves, int]]) -> list[Floats]:
        """Make the last splits, and return the sums of the leaves."""
        sums = []
        for k, (last, leaf_of_node, n_leaves) in enumerate(trees):
            self.rows.split(k, last, 0)
            sums.append(self.rows.sum_leaves(k, leaf_of_node, n_leaves, self._sizes[k]))
        return sums

    def rises(self, k: int, is_long: Array, moves: Floats) -> tuple[Floats, Array]:
        """Return by how much long steps raise the losses of rows, and the leaves of these rows."""
        leaves = self.rows.leaves(k)
        self.rows.copy_scores(self._given.scores)
        chosen = np.flatnonzero((leaves >= 0) & is_long[leaves])
        moved = moves[leaves[chosen]][np.newaxis]
        return self._given.rises([k], chosen, moved, self._loss), leaves[chosen]

    def add(self, values: Sequence[tuple[int, Floats]]) -> None:
        """Add the values of leaves to the scores of rows, tree by tree."""
        for k, of_leaves in values:
            self.rows.add(k, of_leaves)


def _kept(histograms: Iterable[Words], n_trees: int) -> list[Words]:
    """Return the histograms of all trees; the memory of one is used again for the next."""
    return [cells if n_trees == 1 else cells.copy() for cells in histograms]
