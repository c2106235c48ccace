"""The database of a run, ``run.sqlite``: facts, tasks and the list of files that belong to them.

It is written in transactions: what was committed is there after kill -9 and after a power cut, and
the rest is not. Readers in other processes see the last commit while a run is going on (SQLite's
write-ahead log).
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any, BinaryIO, Literal

from nonet._base.atomic_file import replace_file
from nonet._base.errors import ModelFileError
from nonet.auto.store import JSON, RunFolderError, TaskRecord

DATABASE = "run.sqlite"
VERSION = 1
_APPLICATION = 0x6E6F6E74  # "nont": no other program has databases of this number

_SCHEMA = f"""
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {VERSION};
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE tasks (
    key TEXT PRIMARY KEY, configuration TEXT NOT NULL, fold INTEGER NOT NULL, state TEXT NOT NULL,
    seconds REAL NOT NULL, peak_bytes INTEGER NOT NULL, error TEXT, kept_model TEXT NOT NULL,
    position INTEGER NOT NULL
);
CREATE TABLE files (
    owner TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, path TEXT NOT NULL,
    bytes INTEGER NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (owner, kind, name)
);
"""
_COLUMNS = ", ".join(field.name for field in fields(TaskRecord))

FileKind = Literal["array", "model"]


@dataclass(frozen=True)
class StoredFile:
    """A file of the run.

    Attributes
    ----------
    owner : str
        The key of its task; empty for data of the run.
    kind : {'array', 'model'}
        What it holds.
    name : str
        The name of the array or of the model.
    path : str
        The path in the folder of the run.
    bytes : int
        The size.
    digest : str
        The hash of an array's file; empty for a model, whose file has checksums of its own.
    """

    owner: str
    kind: FileKind
    name: str
    path: str
    bytes: int
    digest: str


class RunDatabase:
    """The open database of a run; threads may share it.

    Parameters
    ----------
    folder : Path
        The folder of the run.
    read_only : bool
        Whether it is opened for reading alone, beside a process that writes.

    Raises
    ------
    RunFolderError
        If it is missing, damaged, of another program or of a later version.
    """

    def __init__(self, folder: Path, *, read_only: bool) -> None:
        self._folder = folder
        self._thread_lock = threading.RLock()
        self._connection = _connect(folder, read_only)
        try:
            with self._one_sentence():
                self._check(is_thorough=not read_only)
                if not read_only:
                    self._connection.execute("PRAGMA journal_mode = WAL")
                    self._connection.execute("PRAGMA synchronous = FULL")
        except BaseException:
            self._connection.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        with self._thread_lock:
            self._connection.close()

    # ---- Facts -----------------------------------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """Return all facts."""
        rows = self._read("SELECT name, value FROM facts ORDER BY rowid")
        return {name: json.loads(value) for name, value in rows}

    def put_facts(self, facts: Mapping[str, JSON]) -> None:
        """Add or replace facts."""
        with self._transaction() as connection:
            connection.executemany(*_facts_statement(facts))

    # ---- Tasks and files -------------------------------------------------------------------------

    def find(self, key: str) -> TaskRecord | None:
        """Return the record of a task, if it has one."""
        rows = self._read(f"SELECT {_COLUMNS} FROM tasks WHERE key = ?", key)
        return TaskRecord(*rows[0]) if rows else None

    def records(self) -> list[TaskRecord]:
        """Return all records: done and failed tasks in order of finishing, then the others."""
        order = "ORDER BY state IN ('queued', 'running'), position"
        return [TaskRecord(*row) for row in self._read(f"SELECT {_COLUMNS} FROM tasks {order}")]

    def put_task(self, record: TaskRecord, files: Iterable[StoredFile] = ()) -> None:
        """Replace the record of a task and the list of its files."""
        with self._transaction() as connection:
            _delete_task(connection, record.key)
            next_position = "(SELECT coalesce(max(position), 0) + 1 FROM tasks)"
            marks = ", ".join("?" for _ in fields(TaskRecord))
            connection.execute(
                f"INSERT INTO tasks VALUES ({marks}, {next_position})", astuple(record)
            )
            connection.executemany(_INSERT_FILE, [astuple(file) for file in files])

    def drop(self, keys: Iterable[str], files: Iterable[StoredFile]) -> None:
        """Forget tasks with all their files, and files."""
        with self._transaction() as connection:
            for key in keys:
                _delete_task(connection, key)
            paths = [(file.path,) for file in files]
            connection.executemany("DELETE FROM files WHERE path = ?", paths)

    def put_file(self, file: StoredFile) -> None:
        """Add or replace data of the run."""
        with self._transaction() as connection:
            connection.execute(_INSERT_FILE, astuple(file))

    def files(self, owner: str | None = None) -> list[StoredFile]:
        """Return the files of a task (or '', of the run), or all files."""
        columns = ", ".join(field.name for field in fields(StoredFile))
        condition, values = ("", ()) if owner is None else ("WHERE owner = ?", (owner,))
        rows = self._read(f"SELECT {columns} FROM files {condition} ORDER BY rowid", *values)
        return [StoredFile(*row) for row in rows]

    # ---- Access ----------------------------------------------------------------------------------

    def _read(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._thread_lock, self._one_sentence():
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._thread_lock, self._one_sentence():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # SQLite may have rolled back by itself
                    self._connection.execute("ROLLBACK")
                raise

    def _check(self, *, is_thorough: bool) -> None:
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if application != _APPLICATION:
            raise RunFolderError(
                f"{str(self._folder)!r} is not the folder of a run, because its {DATABASE} was "
                "made by another program; give the folder that the run was started with."
            )
        if version != VERSION:
            raise RunFolderError(
                f"the run in {str(self._folder)!r} has version {version}, but this release of "
                f"nonet reads version {VERSION}; use the release that it was started with."
            )
        if is_thorough and self._connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise sqlite3.DatabaseError("its pages do not fit each other")

    @contextmanager
    def _one_sentence(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.ProgrammingError as why:
            raise RunFolderError(
                f"the run in {str(self._folder)!r} was closed; open it again to use it."
            ) from why
        except sqlite3.OperationalError as why:
            raise RunFolderError(
                f"the run in {str(self._folder)!r} cannot be read or written: {why}; what was "
                "finished before is kept, so free the disk, or check the folder, and open it again."
            ) from why
        except sqlite3.Error as why:
            raise RunFolderError(
                f"the {DATABASE} of the run in {str(self._folder)!r} is damaged: {why}; restore "
                "the folder from a copy, or start a new run."
            ) from why


def create_database(folder: Path, facts: Mapping[str, JSON]) -> None:
    """Make the database of a new run, completely or not at all."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(_SCHEMA)
        connection.executemany(*_facts_statement(facts))
        connection.commit()
        content = connection.serialize()

    def write(file: BinaryIO) -> None:
        file.write(content)

    try:
        replace_file(folder / DATABASE, write)
    except ModelFileError as why:
        raise RunFolderError(str(why)) from why


_INSERT_FILE = "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)"


def _facts_statement(facts: Mapping[str, JSON]) -> tuple[str, list[tuple[str, str]]]:
    rows = [(name, json.dumps(value)) for name, value in facts.items()]
    update = "ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    return f"INSERT INTO facts VALUES (?, ?) {update}", rows


def _delete_task(connection: sqlite3.Connection, key: str) -> None:
    connection.execute("DELETE FROM tasks WHERE key = ?", (key,))
    connection.execute("DELETE FROM files WHERE owner = ?", (key,))


def _connect(folder: Path, read_only: bool) -> sqlite3.Connection:
    """Open the database; in a folder that cannot be written to, without its log."""
    address = (folder / DATABASE).absolute().as_uri()
    try:
        connection = _open_address(f"{address}?mode={'ro' if read_only else 'rw'}")
        if read_only and not _has_log(connection):
            connection.close()
            connection = _open_address(f"{address}?immutable=1")
    except sqlite3.OperationalError as why:
        raise RunFolderError(
            f"the {DATABASE} in {str(folder)!r} cannot be opened: {why}; check that it is a file "
            "that you may read."
        ) from why
    return connection


def _has_log(connection: sqlite3.Connection) -> bool:
    """Return whether the files of the log are there or can be made, which reading needs, too."""
    try:
        connection.execute("SELECT 1 FROM sqlite_master").fetchall()
    except sqlite3.OperationalError:
        return False
    except sqlite3.DatabaseError:
        pass  # damage, which the check after this one reports
    return True


def _open_address(address: str) -> sqlite3.Connection:
    # Without `isolation_level` the module opens no transactions by itself; a lock of ours lets one
    # thread in at a time.
    return sqlite3.connect(
        address, uri=True, isolation_level=None, check_same_thread=False, timeout=30
    )
