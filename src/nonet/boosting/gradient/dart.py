"""DART: trees that are dropped while a new one is grown, so that late trees matter too.

References
----------
K. V. Rashmi and R. Gilad-Bachrach, "DART: dropouts meet multiple additive regression trees",
*AISTATS* 2015.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from nonet._base.aliases import Array
from nonet._base.streams import stream
from nonet._native.tree import Tree
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.score_watch import Rows

# More are not dropped in one round, as in LightGBM.
_MOST_DROPPED = 50


@dataclass(frozen=True)
class Dropout:
    """Which rounds are dropped while a new one is grown.

    Parameters
    ----------
    seed : int
        Of the draws; those of a round depend on the seed and its number alone.
    rate : float
        Probability of each earlier round.
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
        if len(dropped) <= _MOST_DROPPED:
            return dropped
        return np.sort(random.choice(dropped, _MOST_DROPPED, replace=False))

    def add_round(
        self,
        booster: Booster,
        parts: Sequence[Rows],
        number: int,
        grow: Callable[[float], list[Tree]],
    ) -> list[Tree]:
        """Grow a round without k dropped ones; then these count k / (k + 1), it 1 / (k + 1).

        Parameters
        ----------
        booster : Booster
            The rounds so far, of which those dropped are changed.
        parts : sequence of Rows
            Training rows and evaluation sets, whose scores are kept up to date in place.
        number : int
            The number of the round.
        grow : callable
            Grows its trees for a factor of their leaves, and adds them to the training scores.

        Returns
        -------
        list of Tree
        """
        dropped = self.draw(number)
        old = Booster(booster.loss, 0 * booster.start, [booster.rounds[i] for i in dropped])
        answers = [old.scores(part.X) for part in parts]
        share = 1 / (len(dropped) + 1)
        for part, answer in zip(parts, answers, strict=True):
            part.scores -= answer
        trees = grow(share)
        for part, answer in zip(parts, answers, strict=True):
            part.scores += (1 - share) * answer
        rounds = list(booster.rounds)
        for i in dropped:
            rounds[i] = [_scaled(tree, 1 - share) for tree in rounds[i]]
        booster.rounds = rounds  # the list of the last complete round is left as it was
        return trees


def _scaled(tree: Tree, factor: float) -> Tree:
    return tree.with_values(factor * tree.arrays()["values"].ravel())
