"""Files that are replaced as a whole: a reader finds the old content or the new one.

The content is written to a temporary file in the same folder, forced to the disk, and renamed. A
writer that is killed, or that finds the disk full, leaves the old file as it was.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex
from typing import BinaryIO

from nonet._base.errors import ModelFileError

Path = str | os.PathLike[str]


def replace_file(path: Path, write: Callable[[BinaryIO], None]) -> None:
    """Replace the content of a file, completely or not at all.

    Parameters
    ----------
    path : str or path
        The file; a link is followed. What is not a regular file (a pipe, a device) is written to
        directly, since a rename would replace it.
    write : callable
        Gets an open binary file and writes the content.

    Raises
    ------
    ModelFileError
        If the operating system refuses; the old file is then left as it was.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     replace_file(Path(folder, "numbers"), lambda file: file.write(b"123"))
    ...     Path(folder, "numbers").read_bytes()
    b'123'
    """
    with _one_sentence_about(path):
        target = os.path.realpath(path)
        if os.path.exists(target) and not os.path.isfile(target) and not os.path.isdir(target):
            with open(target, "wb") as device:
                write(device)
            return
        if os.path.isdir(target):
            raise IsADirectoryError
        _write_and_rename(target, write)


def _write_and_rename(target: str, write: Callable[[BinaryIO], None]) -> None:
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f".{name[:100]}.{token_hex(8)}.part")
    # Not `tempfile`: its files are readable by their owner alone, whatever the umask allows.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(target):
            os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    keep_the_rename(folder)


def keep_the_rename(folder: str) -> None:
    """Force the new entry of the folder to the disk, where the system has a call for it."""
    with suppress(OSError):  # Windows opens no folders
        descriptor = os.open(folder or ".", os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def _one_sentence_about(path: Path) -> Iterator[None]:
    try:
        yield
    except IsADirectoryError as why:
        raise ModelFileError(
            f"{os.fspath(path)!r} cannot be written, because it is a directory; give the path of a "
            "file in it."
        ) from why
    except OSError as why:
        reason = why.strerror or type(why).__name__
        raise ModelFileError(
            f"{os.fspath(path)!r} cannot be written: {reason[:1].lower()}{reason[1:]}; nothing was "
            "changed, so try another path or free the disk."
        ) from why
