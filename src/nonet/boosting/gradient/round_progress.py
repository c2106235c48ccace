"""The progress of boosting rounds, with the last losses."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nonet._base.progress import Progress
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.rounds import Watcher


class RoundProgress(Watcher):
    """Counts the rounds as they are grown.

    Parameters
    ----------
    progress : Progress
        What counts them.
    values : callable
        Returns the values to show, by name; called only if the progress is shown.
    """

    def __init__(self, progress: Progress, values: Callable[[], Mapping[str, float]]) -> None:
        self._progress, self._values = progress, values

    def look(self, booster: Booster) -> None:
        """Count a round."""
        if self._progress.is_shown:
            self._progress.advance(values=self._values())
