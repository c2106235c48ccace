"""The store of a run that nobody wants to resume: everything stays in memory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from nonet._base.aliases import Array
from nonet.auto.store import (
    JSON,
    KeptModel,
    State,
    TaskRecord,
    missing_data,
    missing_model,
    unfinished_task,
)


class MemoryStore:
    """A `Store` in memory.

    Parameters
    ----------
    facts : mapping, optional
        Facts of the run.

    Notes
    -----
    Arrays and models are kept as they are, not copied. Each method makes one change of one
    dictionary, so that threads may share a store.

    Examples
    --------
    >>> import numpy as np
    >>> store = MemoryStore({"n_rows": 2})
    >>> store.finish("k1", "forest", 0, arrays={"held_out": np.ones(2)}, model=None, seconds=0.5,
    ...              peak_bytes=100)
    >>> store.find("k1").state, store.arrays("k1")
    ('done', {'held_out': array([1., 1.])})
    """

    def __init__(self, facts: Mapping[str, JSON] | None = None) -> None:
        self._facts: dict[str, str] = {}
        self._records: dict[str, TaskRecord] = {}
        self._results: dict[str, tuple[dict[str, Array], Any]] = {}
        self._arrays: dict[str, Array] = {}
        self._models: dict[str, Any] = {}
        self.update_facts(**dict(facts or {}))

    @property
    def facts(self) -> dict[str, Any]:
        """A copy of the facts of the run."""
        return {name: json.loads(text) for name, text in self._facts.items()}

    def update_facts(self, **facts: JSON) -> None:
        """Add facts, or replace those of the same name."""
        self._facts.update({name: json.dumps(value) for name, value in facts.items()})

    # ---- Tasks -----------------------------------------------------------------------------------

    def find(self, key: str) -> TaskRecord | None:
        """Return the record of a task, if it has one."""
        return self._records.get(key)

    def records(self) -> list[TaskRecord]:
        """Return all records: done and failed tasks in order of finishing, then the others."""
        return sorted(self._records.values(), key=lambda task: task.state in ("queued", "running"))

    def mark(self, key: str, configuration: str, fold: int, state: State) -> None:
        """Record that a task is queued or running, for those who watch the run."""
        self._record(TaskRecord(key, configuration, fold, state))

    def finish(
        self,
        key: str,
        configuration: str,
        fold: int,
        *,
        arrays: Mapping[str, Array],
        model: Any | None,
        seconds: float,
        peak_bytes: int,
    ) -> None:
        """Keep the result of a task."""
        self._results[key] = (dict(arrays), model)
        kept: KeptModel = "none" if model is None else "memory"
        record = TaskRecord(key, configuration, fold, "done", seconds, peak_bytes, kept_model=kept)
        self._record(record)

    def fail(
        self, key: str, configuration: str, fold: int, error: str, seconds: float = 0.0
    ) -> None:
        """Record that a task failed; an earlier result of it is dropped."""
        self._results.pop(key, None)
        self._record(TaskRecord(key, configuration, fold, "failed", seconds, error=error))

    def _record(self, record: TaskRecord) -> None:
        self._records.pop(record.key, None)  # a dictionary keeps the position of an old key
        self._records[record.key] = record

    def arrays(self, key: str) -> dict[str, Array]:
        """Return the arrays of a task that is done."""
        if key not in self._results:
            raise unfinished_task(key)
        return dict(self._results[key][0])

    def has_model(self, key: str) -> bool:
        """Return whether the model of a task can be had."""
        return key in self._results and self._results[key][1] is not None

    def model(self, key: str) -> Any:
        """Return the model of a task that is done."""
        if not self.has_model(key):
            raise missing_model(key) if key in self._results else unfinished_task(key)
        return self._results[key][1]

    # ---- Data of the run -------------------------------------------------------------------------

    def has(self, name: str) -> bool:
        """Return whether there is an array or a model of this name."""
        return name in self._arrays or name in self._models

    def save_array(self, name: str, array: Array) -> None:
        """Keep an array, in place of an earlier one of the name."""
        self._arrays[name] = array

    def load_array(self, name: str) -> Array:
        """Return an array by its name."""
        if name not in self._arrays:
            raise missing_data(name, "array")
        return self._arrays[name]

    def save_model(self, name: str, model: Any) -> None:
        """Keep a model, in place of an earlier one of the name."""
        self._models[name] = model

    def load_model(self, name: str) -> Any:
        """Return a model by its name."""
        if name not in self._models:
            raise missing_data(name, "model")
        return self._models[name]

    def without_tasks(self) -> MemoryStore:
        """Return a store of the facts and arrays of the run, without results and models."""
        kept = MemoryStore(self.facts)
        kept._arrays = dict(self._arrays)
        return kept

    # ---- Life cycle ------------------------------------------------------------------------------

    def close(self) -> None:
        """Do nothing: memory needs no closing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        why: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
