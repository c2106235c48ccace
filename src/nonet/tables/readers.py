"""Tables from files: CSV, Parquet, Arrow, JSON lines, compressed or not, and from frames."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nonet._base.errors import one_sentence
from nonet.tables.as_table import as_table
from nonet.tables.column_names import Notes
from nonet.tables.csv_files.reader import read_csv
from nonet.tables.table import Table

_STANDARD_INPUT = "-"


def read_table(source: Any, *, notes: Notes = None) -> Table:
    r"""Return a table from a file or a frame.

    Parameters
    ----------
    source : str, Path or table
        The path of a CSV file (.csv, .tsv, .txt or any other ending), or of one in the formats of
        Parquet (.parquet), Arrow (.arrow, .feather, .ipc) or JSON lines (.jsonl, .ndjson), which
        may be compressed (.gz, .bz2, .xz, .zst); "-" for standard input; or whatever `as_table`
        takes.
    notes : list of str, optional
        Gets a sentence for each repair.

    Returns
    -------
    Table

    Examples
    --------
    >>> _ = Path("flats.csv").write_text("size;city\n1,5;Oslo\n2;Rome\n")
    >>> read_table("flats.csv").names
    ('size', 'city')
    """
    if isinstance(source, str) and source == _STANDARD_INPUT:
        return _read_content(sys.stdin.buffer.read(), "standard input", "", notes)
    if not isinstance(source, str | Path):
        return as_table(source, notes=notes)
    path = Path(source)
    *_, ending, last = ("", "", *(suffix.lower() for suffix in path.suffixes))
    content = _read_bytes(path)
    if last in _DECOMPRESS:
        return _read_content(_decompress(content, last, path), path.name, ending, notes)
    return _read_content(content, path.name, last, notes)


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except IsADirectoryError as why:
        raise ValueError(f"{str(path)!r} is a folder; give the path of a file.") from why
    except OSError as why:
        reason = one_sentence((why.strerror or str(why)).lower())
        raise ValueError(f"{str(path)!r} cannot be read: {reason}") from why


def _read_content(content: bytes, name: str, ending: str, notes: Notes) -> Table:
    read = _READERS.get(ending) or _reader_by_content(content)
    return read(content, name, notes)


def _reader_by_content(content: bytes) -> Callable[[bytes, str, Notes], Table]:
    """Return the reader of a file whose ending is not known, by its first bytes."""
    for mark, reader in _FIRST_BYTES.items():
        if content.startswith(mark):
            return reader
    return read_csv


# ---- Compressed files --------------------------------------------------------------------------


def _decompress(content: bytes, ending: str, path: Path) -> bytes:
    try:
        return _DECOMPRESS[ending](content)
    except (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError) as why:
        if isinstance(why, _NeedsLibrary):
            raise
        raise ValueError(f"{path.name} is damaged, or not a {ending} file.") from why


def _decompress_zstd(content: bytes) -> bytes:
    pyarrow = _import_pyarrow("A .zst file")
    stream = pyarrow.CompressedInputStream(pyarrow.BufferReader(content), "zstd")
    plain: bytes = stream.read()
    return plain


_DECOMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.decompress,
    ".bz2": bz2.decompress,
    ".xz": lzma.decompress,
    ".zst": _decompress_zstd,
}


# ---- Formats -----------------------------------------------------------------------------------


class _NeedsLibrary(ValueError):
    """A file needs a library that is not installed."""


def _import_pyarrow(what: str) -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as why:
        raise _NeedsLibrary(f"{what} needs pyarrow: pip install nonet[app].") from why
    return pyarrow


def _read_parquet(content: bytes, name: str, notes: Notes) -> Table:
    pyarrow = _import_pyarrow("A Parquet file")
    try:
        frame = pyarrow.parquet.read_table(pyarrow.BufferReader(content))
    except (pyarrow.ArrowException, OSError) as why:
        raise ValueError(f"{name} is damaged, or not a Parquet file.") from why
    return _table_with_rows(as_table(frame, notes=notes), name)


def _read_arrow(content: bytes, name: str, notes: Notes) -> Table:
    pyarrow = _import_pyarrow("An Arrow file")
    for open_ in (pyarrow.ipc.open_file, pyarrow.ipc.open_stream):
        try:
            frame = open_(pyarrow.BufferReader(content)).read_all()
        except (pyarrow.ArrowException, OSError):
            continue
        return _table_with_rows(as_table(frame, notes=notes), name)
    raise ValueError(f"{name} is damaged, or not an Arrow file.")


def _table_with_rows(table: Table, name: str) -> Table:
    if not table.n_rows:
        raise ValueError(f"{name} has no rows.")
    return table


def _read_json_lines(content: bytes, name: str, notes: Notes) -> Table:
    records = []
    for number, line in enumerate(io.BytesIO(content), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as why:
            raise ValueError(f"{name}: line {number} is not JSON.") from why
        if not isinstance(record, dict):
            raise ValueError(f"{name}: line {number} is not an object of names and values.")
        records.append(record)
    if not records:
        raise ValueError(f"{name} is empty.")
    return as_table(records, notes=notes)


def _refuse_workbook(content: bytes, name: str, notes: Notes) -> Table:
    raise ValueError(f"{name} is a workbook or an archive; save it as CSV.")


_Reader = Callable[[bytes, str, Notes], Table]
_READERS: dict[str, _Reader] = {
    **dict.fromkeys((".parquet", ".pq"), _read_parquet),
    **dict.fromkeys((".arrow", ".feather", ".ipc"), _read_arrow),
    **dict.fromkeys((".jsonl", ".ndjson"), _read_json_lines),
    **dict.fromkeys((".xlsx", ".xls", ".ods", ".xlsm", ".zip"), _refuse_workbook),
}
_FIRST_BYTES: dict[bytes, _Reader] = {
    b"PAR1": _read_parquet,
    b"ARROW1": _read_arrow,
    b"PK\x03\x04": _refuse_workbook,
    b'{"': _read_json_lines,
}
