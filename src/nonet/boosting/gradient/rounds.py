"""The loop of gradient boosting: grow a round, call the watchers, stop if one requests it.

All boosters run their rounds here. They differ in their stage, which grows the trees of a round
(`newton_stage`, `dart`, `classic.residual_stage`), and in their watchers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from nonet._native.tree import Tree
from nonet.boosting.gradient.booster import Booster
from nonet.losses import Loss
from nonet.members.turns import pass_turn


class RoundGrower(Protocol):
    """Interface of a stage, as the loop uses it."""

    @property
    def loss(self) -> Loss:
        """The loss of the last round."""

    def add_round(self, number: int) -> list[Tree]:
        """Grow the trees of a round and add their predictions to the training scores."""


class Watcher:
    """Observes the rounds; children override the methods they need."""

    def begin_round(self) -> None:
        """Prepare for a round that begins."""

    def follow(self, trees: Sequence[Tree]) -> None:
        """Process the trees of the round just grown."""

    def look(self, booster: Booster) -> None:
        """Process the booster after the round."""

    def is_enough(self) -> bool:
        """Return whether to stop."""
        return False


def run_rounds(
    booster: Booster, stage: RoundGrower, numbers: Iterable[int], watchers: Sequence[Watcher]
) -> None:
    """Add rounds to a booster until all are grown or a watcher stops it.

    Parameters
    ----------
    booster : Booster
        The rounds so far; new ones are added to it.
    stage : RoundGrower
        Grows the trees of a round.
    numbers : iterable of int
        Numbers of the rounds to grow, from 0.
    watchers : sequence of Watcher
        Observers, called in order; each can use the results of those before it.
    """
    for number in numbers:
        pass_turn()
        for watcher in watchers:
            watcher.begin_round()
        trees = stage.add_round(number)
        booster.rounds.append(trees)
        booster.loss = stage.loss  # some losses change their shape in every round
        for watcher in watchers:
            watcher.follow(trees)
        for watcher in watchers:
            watcher.look(booster)
        if any(watcher.is_enough() for watcher in watchers):
            break
