"""Files of tables: name, format, and the content in pieces, as often as it is needed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from nonet._base.errors import one_sentence
from nonet.tables.pieces import BrokenFile

STANDARD_INPUT = "-"
Format = Literal["csv", "parquet", "arrow", "json lines", "workbook"]
_ENDINGS: dict[str, Format] = {
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    **dict.fromkeys((".arrow", ".feather", ".ipc"), "arrow"),
    **dict.fromkeys((".jsonl", ".ndjson"), "json lines"),
    **dict.fromkeys((".xlsx", ".xls", ".ods", ".xlsm", ".zip"), "workbook"),
}
_FIRST_BYTES: dict[bytes, Format] = {
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    b"PK\x03\x04": "workbook",
    b'{"': "json lines",
}
_PIECE = 1 << 20
_PIECE_OF_ZSTD = 1 << 16  # after which comes the end of a truncated file
_IN_MEMORY = 1 << 24  # bytes of standard input that need no temporary file
DAMAGES = (OSError, EOFError, zlib.error, lzma.LZMAError)
"""What libraries raise in the middle of a damaged file."""


class NeedsLibrary(ValueError):
    """A file needs a library that is not installed."""


def import_pyarrow(what: str) -> Any:
    """Return pyarrow, or raise a sentence about what needs it.

    Examples
    --------
    >>> import_pyarrow("A Parquet file").__name__
    'pyarrow'
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as why:
        raise NeedsLibrary(f"{what} needs pyarrow: pip install nonet[app].") from why
    return pyarrow


def find_format(ending: str, content: bytes) -> Format:
    """Return the format of a file by its ending, or by its first bytes.

    Parameters
    ----------
    ending : str
        Such as ".csv", in lower case.
    content : bytes
        The file, or its beginning.

    Returns
    -------
    str
        'csv', if nothing else is found.

    Examples
    --------
    >>> find_format(".pq", b""), find_format(".data", b"a;b"), find_format("", b"PAR1")
    ('parquet', 'csv', 'parquet')
    """
    if ending in _ENDINGS:
        return _ENDINGS[ending]
    marks = (name for mark, name in _FIRST_BYTES.items() if content.startswith(mark))
    return next(marks, "csv")


def cannot_be_read(path: Path, why: OSError) -> ValueError:
    """Return the error for a file that the operating system does not read.

    Examples
    --------
    >>> cannot_be_read(Path("a.csv"), FileNotFoundError(2, "No such file or directory"))
    ValueError("'a.csv' cannot be read: no such file or directory.")
    """
    if isinstance(why, IsADirectoryError):
        return ValueError(f"{str(path)!r} is a folder; give the path of a file.")
    reason = one_sentence((why.strerror or str(why)).lower())
    return ValueError(f"{str(path)!r} cannot be read: {reason}")


def workbook_error(name: str) -> ValueError:
    """Return the error for a file of several tables."""
    return ValueError(f"{name} is a workbook or an archive; save it as CSV.")


class TableFile:
    """A file of a table, or standard input, which is kept so that it can be read again.

    Parameters
    ----------
    source : str or Path
        A path, or "-" for standard input.

    Attributes
    ----------
    name : str
        The name, for messages.

    Examples
    --------
    >>> _ = Path("sizes.csv.gz").write_bytes(gzip.compress(b"size;1"))
    >>> file = TableFile("sizes.csv.gz")
    >>> file.format, list(file.pieces())
    ('csv', [b'size;1'])
    """

    def __init__(self, source: str | Path) -> None:
        self._kept: _Kept | None = None
        self._compression = ""
        if source == STANDARD_INPUT:
            self.name, self._ending = "standard input", ""
            self._kept = _keep(sys.stdin.buffer)
            return
        self._path = Path(source)
        self.name = self._path.name
        *_, before, self._ending = ("", "", *(end.lower() for end in self._path.suffixes))
        if self._ending in _OPENERS:
            self._compression, self._ending = self._ending, before

    @cached_property
    def format(self) -> Format:
        """The format, by the ending or by the first bytes."""
        return find_format(self._ending, next(self.pieces(), b""))

    def pieces(self) -> Iterator[bytes]:
        """Yield the content, without compression, from its beginning."""
        if self._kept is not None:
            self._kept.seek(0)
            yield from iter(lambda: self._kept.read(_PIECE) if self._kept else b"", b"")
            return
        with self._open() as file:
            if self._compression:
                yield from self._decompress(file)
            else:
                yield from self._read(file)

    def path_or_file(self) -> str | io.IOBase:
        """Return what can be read in any order: the path, or a temporary file of the content."""
        if not self._kept and not self._compression:
            with self._open():  # or raise
                return str(self._path)
        kept: Any = self._kept or _keep(_Pieces(self.pieces()))
        kept.seek(0)
        opened: io.IOBase = kept
        return opened

    def _open(self) -> io.BufferedReader:
        try:
            return self._path.open("rb")
        except OSError as why:
            raise cannot_be_read(self._path, why) from why

    def _read(self, file: io.BufferedReader) -> Iterator[bytes]:
        try:
            yield from iter(lambda: file.read(_PIECE), b"")
        except OSError as why:
            raise cannot_be_read(self._path, why) from why

    def _decompress(self, file: io.BufferedReader) -> Iterator[bytes]:
        # One step at a time: what comes before damage is not lost.
        try:
            yield from iter(_OPENERS[self._compression](file), b"")
        except DAMAGES as why:
            raise BrokenFile(f"{self.name} is damaged, or not a {self._compression} file.") from why


def _read_gzip(file: io.BufferedReader) -> Callable[[], bytes]:
    opened = gzip.GzipFile(fileobj=file)
    return lambda: opened.read1(_PIECE)


def _read_bz2(file: io.BufferedReader) -> Callable[[], bytes]:
    if not file.peek(1):  # no stream at all, which is no damage
        return lambda: b""
    opened = bz2.BZ2File(file)
    return lambda: opened.read1(_PIECE)


def _read_xz(file: io.BufferedReader) -> Callable[[], bytes]:
    opened = lzma.LZMAFile(file)  # noqa: SIM115, the caller closes the file below it
    return lambda: opened.read1(_PIECE)


def _read_zstd(file: io.BufferedReader) -> Callable[[], bytes]:
    pyarrow = import_pyarrow("A .zst file")
    opened = pyarrow.CompressedInputStream(pyarrow.PythonFile(file), "zstd")
    return lambda: bytes(opened.read(_PIECE_OF_ZSTD))


_OPENERS: dict[str, Callable[[io.BufferedReader], Callable[[], bytes]]] = {
    ".gz": _read_gzip,
    ".bz2": _read_bz2,
    ".xz": _read_xz,
    ".zst": _read_zstd,
}


class _Pieces:
    """Pieces as what `shutil.copyfileobj` reads."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces

    def read(self, n_bytes: int = 0) -> bytes:
        return next(self._pieces, b"")


class _Kept(tempfile.SpooledTemporaryFile[bytes]):
    """A temporary file that is gone when nobody reads it any longer."""

    def __del__(self) -> None:
        self.close()


def _keep(stream: Any) -> _Kept:
    """Return a copy of what can be read once only: in memory if it is small, else on disk."""
    kept = _Kept(_IN_MEMORY)
    shutil.copyfileobj(stream, kept)
    return kept
