"""The store of a run in a folder, which survives kill -9 and a full disk.

The folder holds ``run.sqlite`` (what is there), ``tasks/`` and ``data/`` (arrays as ``.npy``,
models as ``.nonet``) and ``run.lock``. The files of a result are written under temporary names,
forced to the disk and renamed; then one transaction records the result with its files. A file that
no row names is a leftover and is removed when the run is opened again.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from nonet._base.aliases import Array
from nonet.auto.folder_lock import LOCK_FILE, FolderLock
from nonet.auto.run_database import DATABASE, RunDatabase, StoredFile, create_database
from nonet.auto.run_files import DATA, TASKS, RunFiles
from nonet.auto.store import (
    JSON,
    KeptModel,
    RunFolderError,
    State,
    TaskRecord,
    missing_data,
    missing_model,
    unfinished_task,
)


class RunStore:
    """A `Store` in a folder; use `RunStore.create` or `RunStore.open`.

    One process at a time may write to it, any number may read. Threads may share a store. A model
    that `nonet.save` refuses, such as an estimator of another library, is kept in memory: its task
    has to be run again in a later process (``has_model`` is False there).

    Examples
    --------
    >>> import numpy as np
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     with RunStore.create(name, {"n_rows": 2}) as store:
    ...         store.finish("k1", "forest", 0, arrays={"held_out": np.ones(2)}, model=None,
    ...                      seconds=0.5, peak_bytes=100)
    ...     with RunStore.open(name) as store:
    ...         store.facts, store.find("k1").state, store.arrays("k1")
    ({'n_rows': 2}, 'done', {'held_out': array([1., 1.])})
    """

    def __init__(self, folder: Path, lock: FolderLock | None) -> None:
        self.folder = folder
        self.read_only = lock is None
        self._models: dict[tuple[str, str], Any] = {}  # those without a file, by owner and name
        try:
            self._database = RunDatabase(folder, read_only=self.read_only)
        except BaseException:
            if lock is not None:
                lock.release()
            raise
        self._files = RunFiles(folder)
        # A store that is forgotten, not closed, must not keep the lock.
        self._closer = weakref.finalize(self, _close, self._database, lock, os.getpid())

    @classmethod
    def create(cls, folder: str | os.PathLike[str], facts: Mapping[str, JSON]) -> RunStore:
        """Start a run.

        Parameters
        ----------
        folder : str or path
            A folder that is empty, or that does not exist.
        facts : mapping
            Facts of the run.

        Returns
        -------
        RunStore
        """
        path = Path(folder)
        _make_folder(path)
        lock = FolderLock(path)
        try:
            _check_is_empty(path)
            create_database(path, facts)
            (path / TASKS).mkdir(exist_ok=True)
            (path / DATA).mkdir(exist_ok=True)
        except BaseException:
            lock.release()
            raise
        return cls(path, lock)

    @classmethod
    def open(cls, folder: str | os.PathLike[str], *, read_only: bool = False) -> RunStore:
        """Open a run that was started before.

        Parameters
        ----------
        folder : str or path
            The folder of the run.
        read_only : bool, default=False
            Open it for reading, also while another process writes to it.

        Returns
        -------
        RunStore
            Tasks that were under way when the last process ended are absent. So are finished tasks
            of which someone has removed a file.
        """
        path = Path(folder)
        _check_is_run(path)
        store = cls(path, None if read_only else FolderLock(path))
        if not read_only:
            try:
                store._remove_unfinished()
            except BaseException:
                store.close()
                raise
        return store

    # ---- Facts -----------------------------------------------------------------------------------

    @property
    def facts(self) -> dict[str, Any]:
        """A copy of the facts of the run."""
        return self._database.facts()

    def update_facts(self, **facts: JSON) -> None:
        """Add facts, or replace those of the same name."""
        self._check_writable()
        self._database.put_facts(facts)

    # ---- Tasks -----------------------------------------------------------------------------------

    def find(self, key: str) -> TaskRecord | None:
        """Return the record of a task, if it has one."""
        return self._database.find(key)

    def records(self) -> list[TaskRecord]:
        """Return all records: done and failed tasks in order of finishing, then the others."""
        return self._database.records()

    def mark(self, key: str, configuration: str, fold: int, state: State) -> None:
        """Record that a task is queued or running, for those who watch the run."""
        self._put_result(TaskRecord(key, configuration, fold, state), [])

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
        """Keep the result of a task: all of it, or nothing.

        Parameters
        ----------
        key : str
            The key of the task.
        configuration : str
            The name of its configuration.
        fold : int
            The number of its fold.
        arrays : mapping of str to ndarray
            Its arrays, of numbers, dates or text of fixed width.
        model : estimator or None
            Its fitted model.
        seconds : float
            Its wall time.
        peak_bytes : int
            The peak of its memory.

        Raises
        ------
        RunFolderError
            If the disk is full; what was there before is kept.
        """
        self._check_writable()
        written: list[StoredFile] = []
        try:
            for name, array in arrays.items():
                written.append(self._files.write_array(key, name, array))
            kept: KeptModel = "none" if model is None else "memory"
            if model is not None and (file := self._files.write_model(key, "", model)) is not None:
                written.append(file)
                kept = "file"
            record = TaskRecord(
                key,
                configuration,
                int(fold),
                "done",
                float(seconds),
                int(peak_bytes),
                kept_model=kept,
            )
            self._put_result(record, written)
        except BaseException:
            self._remove_unnamed(written)
            raise
        if kept == "memory":
            self._models[key, ""] = model

    def fail(
        self, key: str, configuration: str, fold: int, error: str, seconds: float = 0.0
    ) -> None:
        """Record that a task failed; an earlier result of it is dropped."""
        record = TaskRecord(key, configuration, int(fold), "failed", float(seconds), error=error)
        self._put_result(record, [])

    def _put_result(self, record: TaskRecord, files: list[StoredFile]) -> None:
        self._check_writable()
        former = self._database.files(record.key)
        self._database.put_task(record, files)
        self._models.pop((record.key, ""), None)
        self._files.remove(former)

    def arrays(self, key: str) -> dict[str, Array]:
        """Return the arrays of a task that is done."""
        self._check_is_done(key)
        files = [file for file in self._database.files(key) if file.kind == "array"]
        return {file.name: self._files.read_array(file) for file in files}

    def has_model(self, key: str) -> bool:
        """Return whether the model of a task can be had."""
        return (key, "") in self._models or self._find_file(key, "model", "") is not None

    def model(self, key: str) -> Any:
        """Return the model of a task that is done; one that is in a file is loaded each time."""
        self._check_is_done(key)
        if (key, "") in self._models:
            return self._models[key, ""]
        file = self._find_file(key, "model", "")
        if file is None:
            raise missing_model(key)
        return self._files.read_model(file)

    # ---- Data of the run -------------------------------------------------------------------------

    def has(self, name: str) -> bool:
        """Return whether there is an array or a model of this name."""
        kept = ("", name) in self._models
        return kept or any(file.name == name for file in self._database.files(""))

    def save_array(self, name: str, array: Array) -> None:
        """Keep an array, in place of an earlier one of the name."""
        self._check_writable()
        self._replace(self._files.write_array("", name, array))

    def load_array(self, name: str) -> Array:
        """Return an array by its name."""
        file = self._find_file("", "array", name)
        if file is None:
            raise missing_data(name, "array")
        return self._files.read_array(file)

    def save_model(self, name: str, model: Any) -> None:
        """Keep a model, in place of an earlier one of the name."""
        self._check_writable()
        file = self._files.write_model("", name, model)
        if file is None:
            self._models["", name] = model
            return
        self._replace(file)
        self._models.pop(("", name), None)

    def load_model(self, name: str) -> Any:
        """Return a model by its name."""
        if ("", name) in self._models:
            return self._models["", name]
        file = self._find_file("", "model", name)
        if file is None:
            raise missing_data(name, "model")
        return self._files.read_model(file)

    def _replace(self, file: StoredFile) -> None:
        former = self._find_file("", file.kind, file.name)
        try:
            self._database.put_file(file)
        except BaseException:
            self._remove_unnamed([file])
            raise
        if former is not None:
            self._files.remove([former])

    # ---- Life cycle ------------------------------------------------------------------------------

    def close(self) -> None:
        """Close the database and give the lock back; a second call does nothing."""
        self._closer()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        why: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _remove_unnamed(self, written: list[StoredFile]) -> None:
        """Remove new files after an error, unless it came when they were recorded already."""
        with suppress(RunFolderError):  # what is not known now is a leftover at the next opening
            named = {file.path for file in self._database.files()}
            self._files.remove(file for file in written if file.path not in named)

    def _remove_unfinished(self) -> None:
        """Forget what the last process did not finish, and remove its leftovers."""
        files = self._database.files()
        self._files.remove_all_but(files)  # first, because a full disk lets nothing be written
        lost = [file for file in files if not self._files.is_whole(file)]
        keys = {task.key for task in self.records() if task.state in ("queued", "running")}
        keys |= {file.owner for file in lost if file.owner}
        if keys or lost:
            self._database.drop(keys, lost)
            self._files.remove(file for file in files if file.owner in keys)
            self._files.remove(lost)

    # ---- Checks ----------------------------------------------------------------------------------

    def _find_file(self, owner: str, kind: str, name: str) -> StoredFile | None:
        files = self._database.files(owner)
        return next((file for file in files if (file.kind, file.name) == (kind, name)), None)

    def _check_is_done(self, key: str) -> None:
        record = self.find(key)
        if record is None or record.state != "done":
            raise unfinished_task(key)

    def _check_writable(self) -> None:
        if self.read_only:
            raise RunFolderError(
                f"the run in {str(self.folder)!r} was opened with read_only=True; open it without "
                "that to change it."
            )


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise RunFolderError(
            f"the folder {str(path)!r} cannot be made: {why.strerror}; give the path of a new or "
            "empty folder."
        ) from why


def _check_is_empty(path: Path) -> None:
    """Raise unless the folder is empty, but for what a start that was killed has left."""
    names = [name for name in os.listdir(path) if name != LOCK_FILE]
    if DATABASE in names:
        raise RunFolderError(
            f"{str(path)!r} holds a run already; resume it, or give another folder."
        )
    if others := sorted(name for name in names if not name.startswith(f".{DATABASE}")):
        raise RunFolderError(
            f"a run needs a new or empty folder, but {str(path)!r} holds {others[0]!r}; give "
            "another folder."
        )


def _check_is_run(path: Path) -> None:
    if (path / DATABASE).is_file():
        return
    reason = f"it has no {DATABASE}" if path.is_dir() else "there is no folder of this name"
    raise RunFolderError(
        f"{str(path)!r} is not the folder of a run, because {reason}; give the folder that the run "
        "was started with."
    )


def _close(database: RunDatabase, lock: FolderLock | None, process: int) -> None:
    if os.getpid() != process:
        return  # a child made by fork must leave the database of its parent alone
    database.close()
    if lock is not None:
        lock.release()
