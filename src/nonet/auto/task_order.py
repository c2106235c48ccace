"""The order of the tasks of a run.

1. The first configuration runs on all folds: a model within seconds.
2. The next few configurations run on the first fold. Those that get a weight in a greedy blend of
   its rows, together with what is there already, run on the other folds; under a time limit those
   with the most weight per second first.
3. This goes on to the end of the portfolio. Configurations that would take more than a quarter of
   the time left are left for later.
4. If time is left, those that were left for later get their turn if they can be expected to end,
   and then those that were passed over run on the other folds after all.

Choices are made between batches of tasks, so that without a clock they depend on the data and the
seed alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from nonet.auto.configuration import Configuration
from nonet.auto.fold_task import AutoData
from nonet.auto.held_out import HeldOutRecord
from nonet.auto.metric import Metric
from nonet.auto.pace import Pace
from nonet.combine.weights import GreedySelection

_N_ABREAST = 4  # configurations that are compared on the first fold at a time
_MAX_ROWS = 20_000  # of this comparison
_PART_TO_WAIT = 0.25  # of the time left: configurations that take more wait

TaskOfRun = tuple[Configuration, int]


@dataclass
class TaskOrder:
    """The batches of tasks of one search, each chosen when those before it are done.

    Attributes
    ----------
    data : AutoData
    configurations : sequence of Configuration
        In the order of the portfolio.
    record : HeldOutRecord
        What is done.
    metric : Metric
    pace : Pace
        What tasks are expected to take.
    """

    data: AutoData
    configurations: Sequence[Configuration]
    record: HeldOutRecord
    metric: Metric
    pace: Pace
    waiting: list[Configuration] = field(default_factory=list, init=False)
    passed_over: list[Configuration] = field(default_factory=list, init=False)
    left_out: list[Configuration] = field(default_factory=list, init=False)

    def batches(self) -> Iterator[list[TaskOfRun]]:
        """Yield batches of tasks; tasks of a batch may run side by side."""
        first, *others = self.configurations
        yield self._on_folds([first], range(self.n_folds))
        for start in range(0, len(others), _N_ABREAST):
            yield from self._compare(self._affordable(others[start : start + _N_ABREAST]))
        for one in self.waiting:
            yield from self._catch_up(one)
        yield self._on_folds(self.passed_over, self._other_folds)

    @property
    def n_folds(self) -> int:
        """The number of folds."""
        return len(self.data.folds)

    @property
    def _other_folds(self) -> range:
        return range(1, self.n_folds)

    def _on_folds(self, some: Sequence[Configuration], folds: Sequence[int]) -> list[TaskOfRun]:
        return [(one, fold) for one in some for fold in folds]

    def _compare(self, new: Sequence[Configuration]) -> Iterator[list[TaskOfRun]]:
        """Run new configurations on the first fold, and those that help on the others."""
        yield self._on_folds(new, [0])
        helpful = self._helpful(new)
        self.passed_over += [one for one in new if one not in helpful]
        yield self._on_folds(self._affordable(helpful, self.n_folds - 1), self._other_folds)

    def _catch_up(self, one: Configuration) -> Iterator[list[TaskOfRun]]:
        """Run a configuration that had to wait, if all of its folds can be expected to end."""
        done = self.record.folds_of(one.name)
        if self.pace.part_of(one, self.n_folds - len(done)) > 1.0:
            self.left_out.append(one)
            return
        if not done:
            yield self._on_folds([one], [0])
        if self._helpful([one]):
            yield self._on_folds([one], self._other_folds)
        else:
            self.passed_over.append(one)

    def _affordable(
        self, some: Sequence[Configuration], n_tasks: int | None = None
    ) -> list[Configuration]:
        """Return the configurations that need not wait, and note the others."""
        n_tasks = self.n_folds if n_tasks is None else n_tasks
        costly = [one for one in some if self.pace.part_of(one, n_tasks) > _PART_TO_WAIT]
        self.waiting += costly
        return [one for one in some if one not in costly]

    def _helpful(self, new: Sequence[Configuration]) -> list[Configuration]:
        """Return the new configurations that get a weight on the rows of the first fold."""
        done = [one.name for one in new if 0 in self.record.folds_of(one.name)]
        if not done or self.n_folds == 1:
            return []
        page = self.record.page([*self.record.complete(), *done], [0])
        rows = slice(None) if len(page.rows) <= _MAX_ROWS else slice(0, _MAX_ROWS)
        weights = GreedySelection(n_rounds=20).find(
            page.outputs[rows],
            self.data.y[page.rows[rows]],
            self.metric.classes,
            self.data.weights_of(page.rows[rows]),
        )
        weight_of = dict(zip(page.names, weights, strict=True))
        helpful = [one for one in new if weight_of.get(one.name, 0.0) > 0]
        return sorted(
            helpful, key=lambda one: -weight_of[one.name] / self.pace.expected_seconds(one)
        )
