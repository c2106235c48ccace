"""Progress output of boosting: one printed line per given number of rounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.rounds import Watcher


class ProgressLines(Watcher):
    """Print lines with values, numbers of leaves, and the remaining time.

    Parameters
    ----------
    rounds : range
        Numbers of the rounds to be grown.
    every : int
        Number of rounds per line; 0 prints nothing.
    values : callable
        Returns the values to print, by name.
    """

    def __init__(
        self, rounds: range, every: int, values: Callable[[], Mapping[str, float]]
    ) -> None:
        self._rounds, self._every, self._values = rounds, int(every), values
        self._began = time.perf_counter()

    def look(self, booster: Booster) -> None:
        """Print the line of a round if it is due."""
        n_grown = len(booster.rounds) - self._rounds.start
        if not self._every or n_grown % self._every:
            return
        seconds = (time.perf_counter() - self._began) / n_grown
        left = seconds * (self._rounds.stop - len(booster.rounds))
        words = [
            f"round {len(booster.rounds)} of {self._rounds.stop}",
            *(f"{name} {value:.6g}" for name, value in self._values().items()),
            f"{sum(tree.n_leaves for tree in booster.rounds[-1])} leaves",
            f"{seconds:.3f} s per round",
            f"at most {left:.1f} s left",
        ]
        print(", ".join(words))
