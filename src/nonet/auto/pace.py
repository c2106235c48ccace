"""The pace of a run: its clock, what tasks will take, and learning rates that fit into the time.

The seconds of a task are estimated by a rough formula for its family, corrected by the tasks of the
run so far. A task that would not end in time is not started. Boosters whose rounds would take too
long get a larger learning rate, because a booster that is stopped early predicts badly.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import ceil, log2
from typing import Any

from nonet.auto.configuration import Configuration
from nonet.auto.cost_model import CostModel, TaskCost
from nonet.boosting import BoostedTreesClassifier
from nonet.boosting.gradient.boosted_trees.auto_settings import choose_settings

_ROUNDS_TIMES_RATE = 20.0  # a booster takes about 20 / learning_rate rounds
_MAX_RATE = 0.2
_N_CONFIGURATIONS = 8  # that a run should have the time for
_FRACTION_TO_END = 0.03  # of the time, left for the blend
_SECONDS_TO_END = 0.3
_FRACTION_OF_ROUNDS = 0.6  # that boosters with chosen settings grow before they stop


@dataclass(frozen=True)
class TaskSize:
    """What the time of a task depends on.

    Attributes
    ----------
    n_rows : int
        Rows of a fit.
    n_columns : int
    n_scores : int
        Trees per round of a booster: one per class, if there are more than two.
    n_folds : int
    n_prepared : int
        Columns of a preparation, at most.
    n_numbers, n_dense : int
        Columns of numbers, and columns as linear models read them: these and one-hot ones.
    is_classification : bool
    """

    n_rows: int
    n_columns: int
    n_scores: int
    n_folds: int
    n_prepared: int = 0
    n_numbers: int = 0
    n_dense: int = 0
    is_classification: bool = True

    def of(self, configuration: Configuration) -> TaskSize:
        """Return the size of a task of a configuration, whose prepared columns count."""
        if not configuration.is_prepared:
            return self
        return replace(self, n_columns=self.n_columns + self.n_prepared)


@dataclass
class Pace:
    """The clock of a run, and estimates of the time of its tasks.

    Attributes
    ----------
    size : TaskSize
    time_limit : float or None
        Seconds of the whole run; None is no limit.
    n_at_once : int
        How many tasks run at a time.
    began : float
        The moment of ``time.monotonic()`` at which the run began.
    paced_for : float or None
        The seconds that learning rates are adapted to: those of the run when it was begun, which
        one that is resumed keeps.

    Examples
    --------
    >>> pace = Pace(TaskSize(1000, 10, 1, 5), time_limit=None)
    >>> pace.left() is None, pace.allows(Configuration("default", "boosted_trees"))
    (True, True)
    """

    size: TaskSize
    time_limit: float | None = None
    n_at_once: int = 1
    began: float = field(default_factory=time.monotonic)
    paced_for: float | None = None
    _costs: CostModel = field(default_factory=CostModel)
    _has_run: bool = False

    @property
    def deadline(self) -> float | None:
        """The moment at which members must end, before the end of the run."""
        if self.time_limit is None:
            return None
        reserve = min(_SECONDS_TO_END + _FRACTION_TO_END * self.time_limit, self.time_limit / 2)
        return self.began + self.time_limit - reserve

    def left(self) -> float | None:
        """Return the seconds left for members; None without a limit."""
        return None if self.deadline is None else self.deadline - time.monotonic()

    def allows(self, configuration: Configuration) -> bool:
        """Return whether a task can be expected to end in time; the first one always is."""
        left = self.left()
        if left is None or not self._has_run:
            return True
        return left > 0 and self._costs.fits(self._cost_of(configuration), left)

    def expected_seconds(self, configuration: Configuration) -> float:
        """Return what a task is expected to take; 1 for all without a limit, which knows no time.

        Choices of a run without a limit must not depend on the speed of the machine.
        """
        if self.time_limit is None:
            return 1.0
        return self._costs.predict(self._cost_of(configuration))

    def part_of(self, configuration: Configuration, n_tasks: int) -> float:
        """Return the part of the time left that tasks of a configuration will take.

        Parameters
        ----------
        configuration : Configuration
        n_tasks : int

        Returns
        -------
        part : float
            0 without a limit.
        """
        left = self.left()
        if left is None:
            return 0.0
        seconds = n_tasks * self.expected_seconds(configuration) / self.n_at_once
        return seconds / max(left, 1e-9)

    def deadline_of(self, configuration: Configuration, part: float) -> float | None:
        """Return the moment at which a task must end; None without a limit.

        Parameters
        ----------
        configuration : Configuration
        part : float
            The part of the time left that it gets. Members that are known get what tasks like them
            take, if that is more.
        """
        deadline, left = self.deadline, self.left()
        if deadline is None or left is None:
            return None
        allowed = part * max(left, 0.0)
        if configuration.guest is None and self._has_run:
            allowed = max(allowed, self._costs.predict_high(self._cost_of(configuration)))
        return min(deadline, deadline - left + allowed)

    def observe(self, configuration: Configuration, seconds: float) -> None:
        """Correct the estimates by a task that is done."""
        left = self.left()
        self._has_run = True
        has_ended = left is None or left > 0
        self._costs.observe(self._cost_of(configuration), seconds, has_ended=has_ended)

    def _cost_of(self, configuration: Configuration) -> TaskCost:
        estimate = estimate_seconds(self.adapt(configuration), self.size)
        return TaskCost(configuration.name, configuration.family, estimate)

    def adapt(self, configuration: Configuration) -> Configuration:
        """Return the configuration with a learning rate that the time allows."""
        rate = configuration.params.get("learning_rate")
        if self.paced_for is None or rate is None or configuration.family != "boosted_trees":
            return configuration
        seconds = self.paced_for * self.n_at_once / (self.size.n_folds * _N_CONFIGURATIONS)
        per_round = _seconds_per_round(configuration.params, self.size.of(configuration))
        # A power of 1.25, so that runs of about the same time have the same configurations.
        excess = _ROUNDS_TIMES_RATE / rate * per_round / seconds
        factor = 1.25 ** ceil(max(0.0, log2(max(excess, 1e-9)) / log2(1.25)))
        if factor == 1.0:
            return configuration
        faster = {"learning_rate": round(min(_MAX_RATE, rate * factor), 4)}
        return replace(configuration, params={**configuration.params, **faster})


def estimate_seconds(configuration: Configuration, size: TaskSize) -> float:
    """Return roughly how long a fit takes, on a processor of a few gigahertz.

    Parameters
    ----------
    configuration : Configuration
    size : TaskSize

    Returns
    -------
    seconds : float
    """
    if configuration.is_prepared:
        plain, read = replace(configuration, prep="none"), size.of(configuration)
        return _seconds_of_preparation(size) + estimate_seconds(plain, read)
    params = configuration.params
    if configuration.family == "boosted_trees":
        if "n_estimators" not in params:
            return _seconds_of_default(params, size)
        rounds = min(params["n_estimators"], _ROUNDS_TIMES_RATE / params["learning_rate"])
        return 0.05 + float(rounds) * _seconds_per_round(params, size)
    if configuration.family in ("extra_trees", "random_forest"):
        columns = max(1.0, float(params.get("max_features", 1.0)) * size.n_columns)
        per_tree = size.n_rows * log2(size.n_rows + 2) * (20.0 + columns) * 1e-9
        per_tree *= 1.0 + 0.1 * size.n_scores  # sums per class
        return float(params["n_estimators"]) * per_tree
    cells = size.n_rows * (size.n_columns + 5.0)
    factor = {"linear": 2e-6, "neighbors": 1e-6, "network": 2e-5}
    return 0.02 + cells * factor.get(configuration.family, 1e-5) * max(1.0, size.n_scores / 3)


def _seconds_of_preparation(size: TaskSize) -> float:
    """Return the time of choosing features on a sample, and of making them for all rows."""
    chosen = min(size.n_rows, 10_000) * (size.n_columns + 250.0) * 2.5e-7
    return 0.05 + chosen + size.n_rows * size.n_prepared * 2e-7


def _seconds_of_default(params: Mapping[str, Any], size: TaskSize) -> float:
    """Return the time of boosters whose settings are chosen from the data."""
    owner = BoostedTreesClassifier(**params)
    chosen = choose_settings(owner, size.n_rows, size.n_columns, size.n_scores, is_free=True)
    shape = {"num_leaves": chosen.num_leaves, "colsample_bynode": chosen.colsample_bynode}
    rounds = _FRACTION_OF_ROUNDS * chosen.n_bags * chosen.n_rounds
    binning = size.n_rows * size.n_columns * 1e-8
    return 0.05 + binning + rounds * _seconds_per_round(shape, size)


def _seconds_per_round(params: Mapping[str, Any], size: TaskSize) -> float:
    """Return the time of one round: rows that are read, and nodes that are searched."""
    leaves = params.get("num_leaves", 31)
    columns = max(1.0, params.get("colsample_bynode", 1.0) * size.n_columns)
    of_rows = size.n_rows * (log2(leaves + 1) * (4.0 + 0.4 * size.n_columns)) * 1e-9
    of_nodes = min(leaves, size.n_rows / 10) * (2e-6 + columns * 0.25e-6)
    return float(size.n_scores * (2e-5 + of_rows + of_nodes))
