"""Archives on the disk: opened and written by a path or as an open file, in one sentence if not."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO

from nonet._base.archive import ArchiveReader, write_archive
from nonet._base.atomic_file import replace_file
from nonet._base.errors import ModelFileError, show

PathOrFile = str | os.PathLike[str] | BinaryIO

_STARTS_OF_ZIP = (b"PK\x03\x04", b"PK\x05\x06")


def write_archive_file(
    path_or_file: PathOrFile,
    manifest: Mapping[str, Any],
    parts: Mapping[str, bytes],
    compression: int = 0,
) -> None:
    """Write an archive: to a path completely or not at all, to an open file at its position.

    Parameters
    ----------
    path_or_file : str, path or binary file
        Where to.
    manifest, parts, compression
        As in `write_archive`.
    """
    if hasattr(path_or_file, "write"):
        buffer = io.BytesIO()  # zip needs to seek, and the file of a user may not be able to
        write_archive(buffer, manifest, parts, compression)
        path_or_file.write(buffer.getvalue())
        return
    _check_path(path_or_file)
    replace_file(path_or_file, lambda file: write_archive(file, manifest, parts, compression))


@contextmanager
def open_archive(
    path_or_file: PathOrFile, what: str, max_bytes: int | None = None
) -> Iterator[ArchiveReader]:
    """Open a file, and yield its checked archive.

    Parameters
    ----------
    path_or_file : str, path or binary file
        The file.
    what : str
        What it should be, for messages, such as ``'model file'``.
    max_bytes : int, optional
        Limit of the bytes of all parts together.

    Yields
    ------
    ArchiveReader
    """
    if hasattr(path_or_file, "read"):
        content = path_or_file.read()
        if not isinstance(content, bytes):
            raise ModelFileError("the file must be open in binary mode, to give bytes.")
        file: BinaryIO | io.FileIO = io.BytesIO(content)
        label = "the file"
    else:
        _check_path(path_or_file)
        label = repr(os.fspath(path_or_file))
        file = _open(path_or_file, label)
    with file:
        archive = _open_checked(file, label, what, max_bytes)
        try:
            yield archive
        finally:
            archive.close()


def _open(path: str | os.PathLike[str], label: str) -> io.FileIO:
    try:
        return io.FileIO(path)
    except OSError as why:
        reason = (why.strerror or type(why).__name__).lower()
        raise ModelFileError(f"{label} cannot be read: {reason}.") from why


def _open_checked(
    file: BinaryIO | io.FileIO, label: str, what: str, max_bytes: int | None
) -> ArchiveReader:
    start = file.read(8) or b""
    if start[:4] not in _STARTS_OF_ZIP:
        raise ModelFileError(f"{label} is not a {what}: {_guess(start)}.")
    return ArchiveReader(file, label, max_bytes)


def _guess(start: bytes) -> str:
    if not start:
        return "it is empty"
    if start[:1] == b"\x80":
        return "it is a pickle, which pickle.load reads if you trust who wrote it"
    if start[:2] in (b"\x1f\x8b", b"BZ") or start[:1] == b"x":
        return "it is compressed data, perhaps of joblib"
    return f"it begins with {start!r} where a zip archive begins with b'PK'"


def _check_path(path: Any) -> None:
    if not isinstance(path, str | os.PathLike):
        raise ModelFileError(
            f"the file must be given by its path or as an open binary file, but got {show(path)}."
        )
