"""Sets of rows on the workers, as the watch of a booster evaluates them."""

from __future__ import annotations

from collections.abc import Sequence

from nonet._native.sums import ExactSum
from nonet._native.tree import Tree
from nonet.dask.workers import Workers
from nonet.losses import Loss


class PartSet:
    """The training rows, or those that were held out, of all workers.

    Parameters
    ----------
    workers : Workers
        They hold the rows.
    name : {'training', 'validation'}
        Which rows.
    """

    def __init__(self, workers: Workers, name: str) -> None:
        self._workers, self._name = workers, name

    def now(self) -> PartSet:
        """Return the rows with their current scores."""
        return self

    def follow(self, trees: Sequence[Tree]) -> None:
        """Update the scores; those of training rows are up to date."""
        if self._name != "training":
            self._workers.tell("follow", list(trees))

    def mean_loss(self, loss: Loss) -> float:
        """Average the loss over the rows of all workers."""
        parts = self._workers.call("sum_losses", self._name)
        losses, weights = (_joined(sums) for sums in zip(*parts, strict=True))
        return losses.value / weights.value


def _joined(sums: Sequence[ExactSum]) -> ExactSum:
    whole = ExactSum()
    for one in sums:
        whole.add(one)
    return whole
