"""DART: boosting in which some trees are dropped while a new one is grown.

References
----------
K. V. Rashmi and R. Gilad-Bachrach, "DART: dropouts meet multiple additive regression trees",
*AISTATS* 2015.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from nonet._base.aliases import Array
from nonet._base.streams import stream
from nonet._native.tree import Tree
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.rows import Rows
from nonet.losses import Loss

# Maximum number of rounds dropped at a time, as in LightGBM.
_MAX_DROPPED = 50


@dataclass(frozen=True)
class Dropout:
    """The rule that chooses the rounds to drop while a new one is grown.

    Parameters
    ----------
    seed : int
        Seed; the choice in a round depends on the seed and the round's number alone.
    rate : float
        Probability to drop each earlier round.
    skip : float
        Probability that nothing is dropped.

    Examples
    --------
    >>> Dropout(seed=0, rate=1.0, skip=0.0).draw(3)
    array([0, 1, 2])
    """

    seed: int
    rate: float
    skip: float

    def draw(self, number: int) -> Array:
        """Draw the rounds to drop in the round of the given number."""
        random = stream(self.seed, number)
        if random.random() < self.skip:
            return np.empty(0, dtype=np.intp)
        dropped = np.flatnonzero(random.random(number) < self.rate)
        if len(dropped) <= _MAX_DROPPED:
            return dropped
        return np.sort(random.choice(dropped, _MAX_DROPPED, replace=False))


class ScalableStage(Protocol):
    """Interface of a stage whose rounds can be scaled besides their learning rate."""

    @property
    def loss(self) -> Loss:
        """The loss of the last round."""

    def add_round(self, number: int, factor: float = 1.0) -> list[Tree]:
        """Grow the trees of a round, scaled by a factor, and add them to the training scores."""


class DropoutStage:
    """Grows a round without k dropped ones, then scales these by k/(k+1) and it by 1/(k+1).

    Parameters
    ----------
    stage : ScalableStage
        Grows the trees, and stores the scores of the training rows.
    dropout : Dropout
        Chooses the rounds to drop.
    booster : Booster
        The rounds so far; the dropped ones are changed.
    parts : sequence of Rows
        Training rows and evaluation sets, whose scores are updated in place.
    """

    def __init__(
        self, stage: ScalableStage, dropout: Dropout, booster: Booster, parts: Sequence[Rows]
    ) -> None:
        self._stage, self._dropout, self._booster, self._parts = stage, dropout, booster, parts

    @property
    def loss(self) -> Loss:
        """The loss of the stage."""
        return self._stage.loss

    def add_round(self, number: int) -> list[Tree]:
        """Drop rounds, grow the trees of a new one, and restore the others with less weight.

        Parameters
        ----------
        number : int
            The number of the round.

        Returns
        -------
        list of Tree
        """
        dropped, booster = self._dropout.draw(number), self._booster
        old = Booster(booster.loss, 0 * booster.start, [booster.rounds[i] for i in dropped])
        predictions = [old.scores(part.X) for part in self._parts]
        factor = 1 / (len(dropped) + 1)
        for part, predicted in zip(self._parts, predictions, strict=True):
            part.scores -= predicted
        trees = self._stage.add_round(number, factor)
        for part, predicted in zip(self._parts, predictions, strict=True):
            part.scores += (1 - factor) * predicted
        rounds = list(booster.rounds)
        for i in dropped:
            rounds[i] = [_scaled(tree, 1 - factor) for tree in rounds[i]]
        booster.rounds = rounds  # a new list: the list of the last complete round is unchanged
        return trees


def _scaled(tree: Tree, factor: float) -> Tree:
    return tree.with_values(factor * tree.arrays()["values"].ravel())
