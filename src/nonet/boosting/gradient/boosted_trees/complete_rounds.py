"""The rounds that are complete when a fit is interrupted or its deadline is over."""

from __future__ import annotations

from nonet._native.tree import Tree
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.rounds import Watcher
from nonet.members.deadline import is_past_deadline


class CompleteRounds(Watcher):
    """Stores the rounds that were completely grown and scored.

    Parameters
    ----------
    booster : Booster
        The booster that is grown.
    n_bags : int
        Number of boosters whose rounds it holds.
    """

    def __init__(self, booster: Booster, n_bags: int) -> None:
        self._n_bags = n_bags
        self._complete = booster.rounds, len(booster.rounds)

    def look(self, booster: Booster) -> None:
        """Note a round, which is complete if all boosters have grown theirs."""
        # A single assignment, so that an interrupt cannot separate the list from its length. Bagged
        # boosters all have the same number of complete rounds.
        n_rounds = len(booster.rounds)
        self._complete = booster.rounds, n_rounds - n_rounds % self._n_bags

    def is_enough(self) -> bool:
        """Return whether the deadline is over and no booster has more rounds than another."""
        rounds, n_complete = self._complete
        return len(rounds) == n_complete > 0 and is_past_deadline()

    @property
    def rounds(self) -> list[list[Tree]]:
        """The complete rounds."""
        rounds, n_rounds = self._complete
        return rounds[:n_rounds]
