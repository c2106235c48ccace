"""The loop of gradient boosting: grow a round, let watchers look, stop when one has seen enough.

All boosters run their rounds here. They differ in their stage, which grows the trees of a round
(`newton_stage`, `dart`, `classic.residual_stage`), and in who looks on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from nonet._native.tree import Tree
from nonet.boosting.gradient.booster import Booster
from nonet.losses import Loss


class RoundGrower(Protocol):
    """What the loop asks of a stage."""

    @property
    def loss(self) -> Loss:
        """The loss of the last round."""

    def add_round(self, number: int) -> list[Tree]:
        """Grow the trees of a round and add what they predict to the training scores."""


class Watcher:
    """Looks on while rounds are grown; children override what they need."""

    def begin_round(self) -> None:
        """Note that a round begins."""

    def follow(self, trees: Sequence[Tree]) -> None:
        """Take in the trees of the round just grown."""

    def look(self, booster: Booster) -> None:
        """Look at the booster as it is after the round."""

    def is_enough(self) -> bool:
        """Tell whether no more rounds are wanted."""
        return False


def run_rounds(
    booster: Booster, stage: RoundGrower, numbers: Iterable[int], watchers: Sequence[Watcher]
) -> None:
    """Add rounds to a booster until there are enough.

    Parameters
    ----------
    booster : Booster
        The rounds so far; new ones are added to it.
    stage : RoundGrower
        Grows the trees of a round.
    numbers : iterable of int
        Numbers of the rounds to grow, from 0.
    watchers : sequence of Watcher
        Who looks on; each sees what those before it have found.
    """
    for number in numbers:
        for watcher in watchers:
            watcher.begin_round()
        trees = stage.add_round(number)
        booster.rounds.append(trees)
        booster.loss = stage.loss  # some losses change their shape from round to round
        for watcher in watchers:
            watcher.follow(trees)
        for watcher in watchers:
            watcher.look(booster)
        if any(watcher.is_enough() for watcher in watchers):
            break
