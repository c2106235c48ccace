"""The search of a run: tasks are run as far as limits allow, and their results are kept.

Which tasks come next is decided in `task_order`, batch by batch.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from nonet._base.progress import Progress
from nonet.auto.best_so_far import BestSoFar
from nonet.auto.configuration import Configuration, without_preparations
from nonet.auto.families import IGNORES_DEADLINES
from nonet.auto.fold_task import AutoData, FoldResult, quiet_on_one_core, run_fold_task
from nonet.auto.held_out import HeldOutRecord
from nonet.auto.killable import OutOfTime
from nonet.auto.metric import Metric
from nonet.auto.pace import Pace
from nonet.auto.store import Store
from nonet.auto.task_key import task_key
from nonet.auto.task_memory import predict_task_bytes
from nonet.auto.task_order import TaskOfRun, TaskOrder
from nonet.members.turns import run_in_turns
from nonet.trees.shared_bins import SharedBins

_NO_TIME = "no time was left"
_PART_OF_OTHERS = 0.25  # of the time left, for one fit of a member that knows no deadline
_PART_OF_CONFIGURATION = 1 / 3  # of the time left, for its fits on all folds


@dataclass(frozen=True)
class SearchSettings:
    """Limits and choices of a search.

    Attributes
    ----------
    max_tasks : int or None
        How many tasks may be run.
    n_at_once : int
        How many tasks run at a time.
    max_bytes : int or None
        Memory that the tasks which run at a time may take.
    run_apart : callable or None
        Runs members that know no deadline in a process of their own.
    """

    max_tasks: int | None = None
    n_at_once: int = 1
    max_bytes: int | None = None
    run_apart: Any = None


@dataclass
class Search:
    """One search over the configurations of a portfolio.

    Attributes
    ----------
    data : AutoData
    configurations : sequence of Configuration
        In the order of the portfolio.
    store : Store
        Results that are there already are not computed again.
    metric : Metric
    pace : Pace
        The clock, and what tasks are expected to take.
    settings : SearchSettings
    identity : tuple of str
        Hashes of the data and of the folds.
    progress : Progress or None
    """

    data: AutoData
    configurations: Sequence[Configuration]
    store: Store
    metric: Metric
    pace: Pace
    settings: SearchSettings
    identity: tuple[str, str]
    progress: Progress | None = None
    record: HeldOutRecord = field(init=False)
    skipped: dict[str, str] = field(default_factory=dict)
    is_interrupted: bool = False

    def __post_init__(self) -> None:
        preps = {one.name: one.prep for one in self.configurations}
        self.record = HeldOutRecord(self.data, self.store, preps)
        self._best_so_far = BestSoFar(self.data, self.record, self.metric)
        self._order = TaskOrder(self.data, self.configurations, self.record, self.metric, self.pace)
        alone = without_preparations(self.configurations)
        self._names_without_preparation = {one.name for one in alone}
        self._n_left = self.settings.max_tasks
        # Folds with columns of their own have no edges in common.
        is_shared = self.data.columns is None
        self._plain_bins = SharedBins(self.data.X).in_use if is_shared else contextlib.nullcontext
        self._lock = threading.Lock()
        self._failed: set[str] = set()  # configurations that failed, or were too slow, on a fold

    def run(self) -> None:
        """Run tasks until all are done, the time is over, or the user interrupts."""
        try:
            with quiet_on_one_core():
                for batch in self._order.batches():
                    self._run_batch(batch)
        except KeyboardInterrupt:
            self.is_interrupted = True
        for one in self._order.left_out:
            self.skipped.setdefault(one.name, _NO_TIME)

    # ---- Tasks ---------------------------------------------------------------------------------

    def _run_batch(self, batch: list[TaskOfRun]) -> None:
        """Run the tasks of a batch that are not done, as far as limits allow.

        A configuration that failed on a fold in an earlier batch is not run on others.
        """
        if self._n_left is not None:
            batch = batch[: self._n_left]
            self._n_left -= len(batch)
        failed = frozenset(self._failed)
        batch = [task for task in batch if task[0].name not in failed]
        todo = [task for task in batch if not self._is_done(*task)]
        run_in_turns(self._run_task, todo, self.settings.n_at_once)

    def key_of(self, configuration: Configuration, fold: int) -> str:
        """Return the key of a task."""
        paced = self.pace.adapt(configuration)
        return task_key(*self.identity, paced.as_dict(), fold, self.data.seed)

    def _is_done(self, configuration: Configuration, fold: int) -> bool:
        """Return whether a task is done, and take its result into the record."""
        key = self.key_of(configuration, fold)
        known = self.store.find(key)
        if known is not None and known.state == "failed":
            self._failed.add(configuration.name)
            return True
        if known is None or known.state != "done" or not self.store.has_model(key):
            return False
        self.record.add(configuration.name, fold, key)
        return True

    def _deadline_of(self, configuration: Configuration) -> float | None:
        """Return when a task has to end: once there is a model, nothing gets all of the time left.

        Nothing is known of what a guest takes. A fit in a process of its own has to wait for that
        process. The losses of a booster may fall round by round without end, as where classes can
        be separated.
        """
        if configuration.family in IGNORES_DEADLINES and not self.record.complete():
            return self.pace.deadline
        return self.pace.deadline_of(configuration, self._part_of(configuration))

    def _part_of(self, configuration: Configuration) -> float:
        """Return the part of the time left that one fit may take."""
        if configuration.guest is not None or configuration.family in IGNORES_DEADLINES:
            return _PART_OF_OTHERS
        n_turns = max(1.0, len(self.data.folds) / self.settings.n_at_once)
        return _PART_OF_CONFIGURATION / n_turns

    def _why_not(self, configuration: Configuration) -> str:
        """Return why a task cannot be run now; nothing if it can."""
        if not self.pace.allows(configuration):
            return _NO_TIME
        limit = self.settings.max_bytes
        needed = predict_task_bytes(configuration, self.pace.size)
        if limit is None or needed * self.settings.n_at_once <= limit:
            return ""
        return f"it needs {needed / 1e9:.2g} GB, and the memory limit is {limit / 1e9:.2g} GB"

    def _run_task(self, configuration: Configuration, fold: int) -> None:
        reason = self._why_not(configuration)
        if not reason and self._is_repetition(configuration, fold):
            reason = "no prepared columns were found"
        if reason:
            self.skipped.setdefault(configuration.name, reason)
            return
        began = time.perf_counter()
        key = self.key_of(configuration, fold)
        try:
            result = self._fit(configuration, fold, key)
        except OutOfTime:
            with self._lock:
                self._failed.add(configuration.name)
                self.skipped.setdefault(configuration.name, "it did not end in time")
                self.store.mark(key, configuration.name, fold, "queued")
        except Exception as why:  # a member that fails is recorded, shown and skipped
            seconds = time.perf_counter() - began
            with self._lock:
                self._failed.add(configuration.name)
                self.store.fail(key, configuration.name, fold, _in_one_line(why), seconds)
        else:
            with self._lock:
                self._keep(configuration, fold, key, result)

    def _fit(self, configuration: Configuration, fold: int, key: str) -> FoldResult:
        with self._lock:
            self.store.mark(key, configuration.name, fold, "running")
        deadline = self._deadline_of(configuration)
        paced, run_apart = self.pace.adapt(configuration), self.settings.run_apart
        with self._bins_of(configuration, fold)():
            return run_fold_task(paced, fold, self.data, deadline, run_apart)

    def _keep(self, configuration: Configuration, fold: int, key: str, result: FoldResult) -> None:
        named = {"predictions": result.predictions, "losses": result.losses}
        arrays = {name: array for name, array in named.items() if array is not None}
        self.pace.observe(configuration, result.seconds)
        self.store.finish(
            key,
            configuration.name,
            fold,
            arrays=arrays,
            model=result.model,
            seconds=result.seconds,
            peak_bytes=result.peak_bytes,
        )
        self.record.add(configuration.name, fold, key)
        self._show(configuration, fold)

    def _is_repetition(self, configuration: Configuration, fold: int) -> bool:
        """Return whether a preparation adds no column, and another task is the same without it."""
        if not configuration.is_prepared or configuration.name in self._names_without_preparation:
            return False
        return self.data.preparation_of(fold, configuration.prep).columns.n_features == 0

    def _bins_of(self, configuration: Configuration, fold: int) -> Any:
        if not configuration.is_prepared:
            return self._plain_bins
        return self.data.preparation_of(fold, configuration.prep).bins.in_use

    def _show(self, configuration: Configuration, fold: int) -> None:
        if self.progress is None or not self.progress.is_shown:
            return
        left = self.pace.left()
        self.progress.advance(
            name=f"{configuration.name}, fold {fold + 1}",
            values=self._best_so_far.values(),
            allowed=None if left is None else max(0.0, left),
        )


def _in_one_line(why: Exception) -> str:
    text = " ".join(str(why).split())
    return f"{type(why).__name__}: {text}"
