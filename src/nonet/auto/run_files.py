"""The files of a run: arrays as ``.npy`` and models as ``.nonet``, written once and never changed.

Each file gets a name that no other file had before. Data that replaces older data is therefore a
second file beside the first, and the row in the database decides which of them counts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO

import numpy as np

from nonet._base.aliases import Array
from nonet._base.atomic_file import replace_file
from nonet._base.errors import ModelFileError
from nonet._base.plain_arrays import array_from_bytes, is_plain
from nonet.auto.run_database import FileKind, StoredFile
from nonet.auto.store import RunFolderError
from nonet.persist import load, save

TASKS = "tasks"
DATA = "data"

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}")
_SUFFIXES: dict[FileKind, str] = {"array": ".npy", "model": ".nonet"}


class RunFiles:
    """The folders of arrays and models of a run.

    Parameters
    ----------
    folder : Path
        The folder of the run.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    # ---- Writing ---------------------------------------------------------------------------------

    def write_array(self, owner: str, name: str, array: Array) -> StoredFile:
        """Write an array of a plain dtype, and return what the database records of the file."""
        array = np.asarray(array)
        if not is_plain(array.dtype):
            raise TypeError(
                f"array {name!r} has dtype {array.dtype}, but a run stores numbers, dates and text "
                "of fixed width; encode it first."
            )
        path = self._new_path(owner, "array", name)
        written = blake2b(digest_size=16)

        def write(file: BinaryIO) -> None:
            np.lib.format.write_array(
                _HashedFile(file, written), array, version=(1, 0), allow_pickle=False
            )

        try:
            replace_file(self._folder / path, write)
        except ModelFileError as why:
            raise RunFolderError(str(why)) from why
        return self._describe(owner, "array", name, path, written.hexdigest())

    def write_model(self, owner: str, name: str, model: Any) -> StoredFile | None:
        """Write a model; return None if model files have no form for it."""
        path = self._new_path(owner, "model", name)
        try:
            save(model, self._folder / path)
        except ModelFileError as why:
            if isinstance(why.__cause__, OSError):
                raise RunFolderError(str(why)) from why
            return None
        return self._describe(owner, "model", name, path, "")

    def _new_path(self, owner: str, kind: FileKind, name: str) -> str:
        for part in filter(None, (owner, name)):
            if not _NAME.fullmatch(part):
                raise ValueError(
                    f"{part[:120]!r} cannot be the name of a task or of data in a run; use at most "
                    "100 letters, digits, '_', '-' and '.', not '.' first."
                )
        stem = ".".join(filter(None, (owner, name, token_hex(4))))
        return f"{TASKS if owner else DATA}/{stem}{_SUFFIXES[kind]}"

    def _describe(
        self, owner: str, kind: FileKind, name: str, path: str, digest: str
    ) -> StoredFile:
        n_bytes = os.path.getsize(self._folder / path)
        return StoredFile(owner, kind, name, path, n_bytes, digest)

    # ---- Reading ---------------------------------------------------------------------------------

    def read_array(self, file: StoredFile) -> Array:
        """Read an array, if its file is the one that was written."""
        path = self._folder / file.path
        if not self.is_whole(file):
            raise _damaged(path, "it is missing, or its size has changed")
        content = np.memmap(path, mode="r").data
        if blake2b(content, digest_size=16).hexdigest() != file.digest:
            raise _damaged(path, "its content has changed")
        return array_from_bytes(content, file.name)

    def read_model(self, file: StoredFile) -> Any:
        """Load a model."""
        path = self._folder / file.path
        try:
            return load(path)
        except ModelFileError as why:
            raise _damaged(path, str(why).rstrip(".")) from why

    def is_whole(self, file: StoredFile) -> bool:
        """Return whether the file exists in the size in which it was written."""
        try:
            return os.path.getsize(self._folder / file.path) == file.bytes
        except OSError:
            return False

    # ---- Removing --------------------------------------------------------------------------------

    def remove(self, files: Iterable[StoredFile]) -> None:
        """Remove files; one that cannot be removed now is a leftover for the next time."""
        for file in files:
            with suppress(OSError):
                os.unlink(self._folder / file.path)

    def remove_all_but(self, files: Iterable[StoredFile]) -> None:
        """Remove the leftovers of a process that ended early."""
        kept = {self._folder / file.path for file in files}
        for room in (TASKS, DATA):
            (self._folder / room).mkdir(exist_ok=True)
            for path in (self._folder / room).iterdir():
                if path not in kept:
                    with suppress(OSError):
                        path.unlink()


class _HashedFile:
    """A file that is written to, with a hash of what was written."""

    def __init__(self, file: BinaryIO, hashed: Any) -> None:
        self._file = file
        self._hashed = hashed

    def write(self, content: bytes) -> int:
        self._hashed.update(content)
        return self._file.write(content)


def _damaged(path: Path, reason: str) -> RunFolderError:
    return RunFolderError(
        f"{str(path)!r} is damaged: {reason}; remove this file and open the run again, so that its "
        "task is run again."
    )
