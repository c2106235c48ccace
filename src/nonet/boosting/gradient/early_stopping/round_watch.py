"""Evaluate metrics on sets of rows after every round, and stop by a rule.

The results have the form of XGBoost's and LightGBM's: for each set, for each metric, the values
after every round. One metric on one set controls early stopping: the last ones, as in XGBoost,
unless others are named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nonet._native.tree import Tree
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.early_stopping.metrics import EvalMetric
from nonet.boosting.gradient.early_stopping.stop_rules import EarlyStoppingRule, find_best
from nonet.boosting.gradient.rounds import Watcher
from nonet.boosting.gradient.rows import Rows, TrainingRowsView

Results = dict[str, dict[str, list[float]]]


class RoundWatch(Watcher):
    """Evaluates metrics on sets of rows after every round.

    Parameters
    ----------
    model : estimator
        The booster's estimator, which predicts for scorers.
    sets : dict of str to Rows
        The sets by name.
    metrics : list of EvalMetric
        The metrics to evaluate on each set.
    stop : EarlyStoppingRule or None
        The rule that reads the deciding values; None never stops.
    deciding_set : str, optional
        Name of the set whose values decide; the last one if not given.
    deciding_metric : int, default=-1
        Position of the metric whose values decide.
    min_delta : float, default=0.0
        What the best value must be better by than those before it.
    """

    def __init__(
        self,
        model: Any,
        sets: Mapping[str, Rows | TrainingRowsView],
        metrics: Sequence[EvalMetric],
        stop: EarlyStoppingRule | None,
        *,
        deciding_set: str | None = None,
        deciding_metric: int = -1,
        min_delta: float = 0.0,
    ) -> None:
        self.model, self.sets, self.metrics, self.stop = model, sets, metrics, stop
        self._deciding_set = deciding_set or next(reversed(list(sets)), None)
        self._deciding_metric, self._min_delta = deciding_metric, min_delta
        self.results: Results = {name: {metric.name: [] for metric in metrics} for name in sets}

    def follow(self, trees: Sequence[Tree]) -> None:
        """Update the scores of all sets with the round just grown."""
        for rows in self.sets.values():
            rows.follow(trees)

    def look(self, booster: Booster) -> None:
        """Add the metrics of the booster in its current state."""
        for name, rows in self.sets.items():
            now = rows.now()
            for metric in self.metrics:
                value = metric.measure(self.model, booster.loss, now)
                self.results[name][metric.name].append(value)

    def is_enough(self) -> bool:
        """Return whether the stop rule applies to the deciding values."""
        if self.stop is None or not self.sets or not self.metrics:
            return False
        values, sign = self._deciding()
        return self.stop.is_enough([sign * value for value in values])

    def best(self) -> tuple[int, float] | None:
        """Return the number of rounds at which the deciding value was best, and that value."""
        if not self.sets or not self.metrics:
            return None
        values, sign = self._deciding()
        position = find_best([sign * value for value in values], self._min_delta)
        return position + 1, values[position]

    def truncate(self, n_rounds: int) -> None:
        """Drop the values after that many rounds."""
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

    def _deciding(self) -> tuple[list[float], float]:
        """Return the values that decide, and the sign of their metric."""
        assert self._deciding_set is not None
        metric = self.metrics[self._deciding_metric]
        return self.results[self._deciding_set][metric.name], metric.sign
