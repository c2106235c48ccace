"""What a task will take: predictions of its time, corrected by the tasks of the run so far.

The seconds of a task are first estimated by a formula. What the tasks of this run took, compared
with their estimates, corrects it: by the folds of the same configuration where there are some, by
the same family otherwise, by all tasks otherwise. A task is started only if a pessimistic
prediction fits into the time left.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, log
from statistics import median

_MIN_SECONDS = 1e-3  # below this a ratio of times is noise
_NORMAL_SPREAD = 1.4826  # standard deviation of a normal distribution whose median deviation is 1


@dataclass(frozen=True)
class TaskCost:
    """What the prediction of a task's time depends on.

    Attributes
    ----------
    configuration : str
        The name of the configuration; its folds take about the same time.
    family : str
        The family; formulas are wrong by about the same factor within one.
    estimate : float
        Seconds by a formula of rows, columns, classes and trees.
    """

    configuration: str
    family: str
    estimate: float


class CostModel:
    """Predictions of the seconds of tasks, which learn from the tasks of the run.

    The logarithms of (seconds / estimate) are compared at three levels: folds of a configuration,
    configurations of a family, families of the run. The median of a level is drawn towards that of
    the wider one, the more the less there is to compare. Medians make one task that met a busy
    machine harmless.

    Examples
    --------
    >>> model = CostModel()
    >>> first = TaskCost("boosted_64", "boosted_trees", estimate=2.0)
    >>> model.predict(first), round(model.predict_high(first), 1)
    (2.0, 6.5)
    >>> model.observe(first, seconds=4.0)
    >>> round(model.predict(first), 1), round(model.predict_high(first), 1)
    (3.9, 4.7)
    >>> model.fits(first, seconds_left=4.0)
    False
    """

    def __init__(self) -> None:
        self._logs: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))

    def observe(self, task: TaskCost, seconds: float, *, has_ended: bool = True) -> None:
        """Learn from a task.

        Parameters
        ----------
        task : TaskCost
            The task.
        seconds : float
            Its wall time.
        has_ended : bool, default=True
            False for a task that was stopped: it counts only if it took longer than predicted.
        """
        if not has_ended and seconds < self.predict(task):
            return
        ratio = max(seconds, _MIN_SECONDS) / max(task.estimate, _MIN_SECONDS)
        self._logs[task.family][task.configuration].append(log(ratio))

    def predict(self, task: TaskCost) -> float:
        """Return the seconds that a task will take, as likely more as less."""
        return max(task.estimate, _MIN_SECONDS) * exp(self._center(task))

    def predict_high(self, task: TaskCost) -> float:
        """Return seconds that nine tasks out of ten will not exceed."""
        return self.predict(task) * exp(_NINE_IN_TEN * self._spread(task))

    def fits(self, task: TaskCost, seconds_left: float) -> bool:
        """Return whether a task can be expected to end in the time left."""
        return self.predict_high(task) <= seconds_left

    def _center(self, task: TaskCost) -> float:
        center = 0.0
        for level, logs in self._levels(task):
            center = (level.pull * center + len(logs) * median(logs)) / (level.pull + len(logs))
        return center

    def _spread(self, task: TaskCost) -> float:
        """Return the standard deviation of the logarithm, from the nearest level with tasks."""
        spread = _FIRST_SPREAD
        for level, logs in self._levels(task):
            middle, n_more = median(logs), len(logs) - 1
            seen = max(_MIN_SPREAD, _NORMAL_SPREAD * median(abs(one - middle) for one in logs))
            spread = (2 * level.spread + n_more * seen) / (2 + n_more)
        return spread

    def _levels(self, task: TaskCost) -> Iterator[tuple[_Level, list[float]]]:
        """Yield the levels that have tasks, from the widest to that of the configuration."""
        if self._logs:
            yield _RUN, [median(_medians(family)) for family in self._logs.values()]
        if family := self._logs.get(task.family):
            yield _FAMILY, _medians(family)
            if logs := family.get(task.configuration):
                yield _CONFIGURATION, logs


def _medians(family: dict[str, list[float]]) -> list[float]:
    return [median(logs) for logs in family.values()]


@dataclass(frozen=True)
class _Level:
    """How predictions learn from tasks that have something in common.

    Attributes
    ----------
    pull : float
        How many values the wider level counts for.
    spread : float
        The spread that is presumed before tasks show their own.
    """

    pull: float
    spread: float


_RUN = _Level(pull=0.5, spread=log(2.0))
_FAMILY = _Level(pull=0.5, spread=log(1.5))
_CONFIGURATION = _Level(pull=0.2, spread=log(1.15))
_FIRST_SPREAD = log(2.5)
_MIN_SPREAD = log(1.1)
_NINE_IN_TEN = 1.2816  # the 90 % point of the normal distribution
