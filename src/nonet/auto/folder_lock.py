"""A lock on a folder that ends with its process, however the process ends.

The operating system holds the lock, so nothing is left behind after kill -9. POSIX locks belong to
the process: a child made by fork does not have them, and a second lock by the same process would
succeed, which is why this module keeps a list of its own.
"""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

from nonet.auto.store import RunFolderError

LOCK_FILE = "run.lock"

_held: set[str] = set()  # the folders that this process has locked
_guard = threading.Lock()

if sys.platform == "win32":
    import msvcrt

    def _lock_file(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock_file(descriptor: int) -> None:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FolderLock:
    """The right of one process to write to a folder.

    Parameters
    ----------
    folder : Path
        An existing folder.

    Raises
    ------
    RunFolderError
        If another process, or this one, has the lock, or if the folder cannot be written to.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     lock = FolderLock(Path(name))
    ...     lock.release()
    """

    def __init__(self, folder: Path) -> None:
        self._folder = os.path.realpath(folder)
        self._process = os.getpid()
        with _guard:
            if self._folder in _held:
                raise _in_use(folder, f"this process (process {self._process})")
            self._descriptor: int | None = _open_and_lock(folder)
            _held.add(self._folder)

    def release(self) -> None:
        """Give the lock back; a second call, or one in a child made by fork, does nothing."""
        with _guard:
            if self._descriptor is None or os.getpid() != self._process:
                return
            os.close(self._descriptor)
            self._descriptor = None
            _held.discard(self._folder)


def _open_and_lock(folder: Path) -> int:
    path = folder / LOCK_FILE
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as why:
        raise RunFolderError(
            f"the run in {str(folder)!r} cannot be written to: {why.strerror}; open it with "
            "read_only=True, or copy the folder to where you may write."
        ) from why
    try:
        _lock_file(descriptor)
        with suppress(OSError):  # a disk that is full: the number is for the message alone
            os.ftruncate(descriptor, 0)
            os.write(descriptor, str(os.getpid()).encode())
    except OSError as why:
        os.close(descriptor)
        raise _in_use(folder, _holder(path)) from why
    return descriptor


def _holder(path: Path) -> str:
    with suppress(OSError, ValueError):
        return f"process {int(path.read_text())}"
    return "another process"


def _in_use(folder: Path, holder: str) -> RunFolderError:
    return RunFolderError(
        f"the run in {str(folder)!r} is in use by {holder}; wait until it ends, end it, or give "
        "another folder."
    )
