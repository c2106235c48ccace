"""Values of metrics on sets of rows after every round, and a rule that says when to stop.

The results have the form that users of XGBoost and LightGBM know: for each set, for each metric,
the values after every round. The last metric on the last set decides, as in XGBoost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nonet._native.tree import Tree
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.early_stopping.metrics import EvalMetric
from nonet.boosting.gradient.early_stopping.stop_rules import StopRule
from nonet.boosting.gradient.rounds import Watcher
from nonet.boosting.gradient.rows import Rows, TrainingRows

Results = dict[str, dict[str, list[float]]]


class RoundWatch(Watcher):
    """Takes metrics of sets of rows after every round.

    Parameters
    ----------
    model : estimator
        The booster's estimator, which predicts for scorers.
    sets : dict of str to Rows
        The sets by name.
    metrics : list of EvalMetric
        What is taken of each.
    stop : StopRule or None
        When the deciding values say that it is enough; None is never.
    """

    def __init__(
        self,
        model: Any,
        sets: Mapping[str, Rows | TrainingRows],
        metrics: Sequence[EvalMetric],
        stop: StopRule | None,
    ) -> None:
        self.model, self.sets, self.metrics, self.stop = model, sets, metrics, stop
        self.results: Results = {name: {metric.name: [] for metric in metrics} for name in sets}

    def follow(self, trees: Sequence[Tree]) -> None:
        """Bring the scores of all sets up to the round just grown."""
        for rows in self.sets.values():
            rows.follow(trees)

    def look(self, booster: Booster) -> None:
        """Add the values of the booster as it is now."""
        for name, rows in self.sets.items():
            now = rows.now()
            for metric in self.metrics:
                value = metric.measure(self.model, booster.loss, now)
                self.results[name][metric.name].append(value)

    def is_enough(self) -> bool:
        """Tell whether the deciding values have stopped getting better."""
        if self.stop is None or not self.sets:
            return False
        sign = self.metrics[-1].sign
        return self.stop.is_enough([sign * value for value in self._deciding()])

    def best(self) -> tuple[int, float] | None:
        """Return after how many rounds the deciding value was best, and that value."""
        if not self.sets:
            return None
        values = self._deciding()
        place = int(np.argmax(self.metrics[-1].sign * np.array(values)))
        return place + 1, values[place]

    def cut(self, n_rounds: int) -> None:
        """Drop the values after so many rounds."""
        for by_metric in self.results.values():
            for values in by_metric.values():
                del values[n_rounds:]

    def last(self) -> dict[str, float]:
        """Return the values after the last round, by set and metric."""
        return {
            f"{name} {metric}": values[-1]
            for name, by_metric in self.results.items()
            for metric, values in by_metric.items()
        }

    def _deciding(self) -> list[float]:
        return self.results[list(self.sets)[-1]][self.metrics[-1].name]
