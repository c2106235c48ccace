"""What the auto-ensembler needs from the store of a run, in memory or in a folder.

A *task* is one configuration on one fold. A store holds the facts of the run (as JSON), the record
of each task with its arrays and its model, and data of the run by name (encoded columns, the final
model).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, Protocol, Self

from nonet._base.aliases import Array

JSON = None | bool | int | float | str | list[Any] | dict[str, Any]
"""A value that JSON can hold."""

State = Literal["queued", "running", "done", "failed"]
KeptModel = Literal["none", "file", "memory"]


class RunFolderError(ValueError):
    """The folder of a run cannot be used, or the run has no such task or data.

    Examples
    --------
    >>> from nonet.auto.run_store import RunStore
    >>> RunStore.open("no such run")
    Traceback (most recent call last):
        ...
    nonet.auto.store.RunFolderError: 'no such run' is not the folder of a run, because there is no
    folder of this name; give the folder that the run was started with.
    """


@dataclass(frozen=True)
class TaskRecord:
    """What is known of a task.

    Attributes
    ----------
    key : str
        The hash of all that the result depends on (`task_key`).
    configuration : str
        The name of the configuration.
    fold : int
        The number of the fold.
    state : {'queued', 'running', 'done', 'failed'}
        How far it is.
    seconds : float
        Wall time of the task.
    peak_bytes : int
        Peak of its memory; 0 where it was not measured.
    error : str or None
        One sentence for a task that failed.
    kept_model : {'none', 'file', 'memory'}
        How the model of a task that is done was kept; one in memory alone ends with its process.
    """

    key: str
    configuration: str
    fold: int
    state: State
    seconds: float = 0.0
    peak_bytes: int = 0
    error: str | None = None
    kept_model: KeptModel = "none"


class Store(Protocol):
    """The interface of `MemoryStore` and `RunStore`.

    Arrays that a store returns must not be changed: they may be those that it holds.
    """

    @property
    def facts(self) -> dict[str, Any]:
        """A copy of the facts of the run."""
        ...

    def update_facts(self, **facts: JSON) -> None:
        """Add facts, or replace those of the same name."""
        ...

    # ---- Tasks ----

    def find(self, key: str) -> TaskRecord | None:
        """Return the record of a task, if it has one."""
        ...

    def records(self) -> list[TaskRecord]:
        """Return all records: done and failed tasks in order of finishing, then the others."""
        ...

    def mark(self, key: str, configuration: str, fold: int, state: State) -> None:
        """Record that a task is queued or running, for those who watch the run."""
        ...

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
        """Keep the result of a task: all of it, or nothing."""
        ...

    def fail(
        self, key: str, configuration: str, fold: int, error: str, seconds: float = 0.0
    ) -> None:
        """Record that a task failed; an earlier result of it is dropped."""
        ...

    def arrays(self, key: str) -> dict[str, Array]:
        """Return the arrays of a task that is done."""
        ...

    def has_model(self, key: str) -> bool:
        """Return whether the model of a task can be had."""
        ...

    def model(self, key: str) -> Any:
        """Return the model of a task that is done."""
        ...

    # ---- Data of the run ----

    def has(self, name: str) -> bool:
        """Return whether there is an array or a model of this name."""
        ...

    def save_array(self, name: str, array: Array) -> None:
        """Keep an array, in place of an earlier one of the name."""
        ...

    def load_array(self, name: str) -> Array:
        """Return an array by its name."""
        ...

    def save_model(self, name: str, model: Any) -> None:
        """Keep a model, in place of an earlier one of the name."""
        ...

    def load_model(self, name: str) -> Any:
        """Return a model by its name."""
        ...

    def close(self) -> None:
        """Release what the store holds of the system; a second call does nothing."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        why: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...


def unfinished_task(key: str) -> RunFolderError:
    """Return the error for a task that has no result."""
    return RunFolderError(f"the run has no finished task {key!r}; look it up with find first.")


def missing_model(key: str) -> RunFolderError:
    """Return the error for a task whose model cannot be had."""
    return RunFolderError(
        f"the run has no model of task {key!r}: it was kept without one, or the model has no form "
        "in a file and its process has ended; run the task again."
    )


def missing_data(name: str, kind: str) -> RunFolderError:
    """Return the error for data that nobody has saved."""
    return RunFolderError(f"the run has no {kind} {name!r}; save it first.")
