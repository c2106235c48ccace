"""Tables from files: CSV, Parquet, Arrow, JSON lines, compressed or not, and from frames."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nonet.tables.arrow_memory import open_in_arrow
from nonet.tables.as_table import as_table
from nonet.tables.column_names import Notes
from nonet.tables.csv_files.reader import read_csv
from nonet.tables.json_blocks import read_records
from nonet.tables.stored_index import without_stored_index
from nonet.tables.table import Table
from nonet.tables.table_files import (
    DAMAGES,
    STANDARD_INPUT,
    Format,
    NeedsLibrary,
    cannot_be_read,
    find_format,
    import_pyarrow,
    workbook_error,
)


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
    if isinstance(source, str) and source == STANDARD_INPUT:
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
    except OSError as why:
        raise cannot_be_read(path, why) from why


def _read_content(content: bytes, name: str, ending: str, notes: Notes) -> Table:
    return _READERS[find_format(ending, content)](content, name, notes)


# ---- Compressed files --------------------------------------------------------------------------


def _decompress(content: bytes, ending: str, path: Path) -> bytes:
    try:
        return _DECOMPRESS[ending](content)
    except NeedsLibrary:
        raise
    except (*DAMAGES, ValueError) as why:
        raise ValueError(f"{path.name} is damaged, or not a {ending} file.") from why


def _decompress_zstd(content: bytes) -> bytes:
    pyarrow = import_pyarrow("A .zst file")
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


def _read_parquet(content: bytes, name: str, notes: Notes) -> Table:
    pyarrow = import_pyarrow("A Parquet file")
    try:
        frame = pyarrow.parquet.read_table(open_in_arrow(content))
    except (pyarrow.ArrowException, OSError) as why:
        raise ValueError(f"{name} is damaged, or not a Parquet file.") from why
    return _table_of_arrow(frame, name, notes)


def _read_arrow(content: bytes, name: str, notes: Notes) -> Table:
    pyarrow = import_pyarrow("An Arrow file")
    for open_ in (pyarrow.ipc.open_file, pyarrow.ipc.open_stream):
        try:
            frame = open_(open_in_arrow(content)).read_all()
        except (pyarrow.ArrowException, OSError):
            continue
        return _table_of_arrow(frame, name, notes)
    raise ValueError(f"{name} is damaged, or not an Arrow file.")


def _table_of_arrow(frame: Any, name: str, notes: Notes) -> Table:
    table = without_stored_index(as_table(frame, notes=notes), notes)
    if not table.n_rows:
        raise ValueError(f"{name} has no rows.")
    return table


def _read_json_lines(content: bytes, name: str, notes: Notes) -> Table:
    records = list(read_records(io.BytesIO(content), name))
    if not records:
        raise ValueError(f"{name} is empty.")
    return as_table(records, notes=notes)


def _refuse_workbook(content: bytes, name: str, notes: Notes) -> Table:
    raise workbook_error(name)


_READERS: dict[Format, Callable[[bytes, str, Notes], Table]] = {
    "csv": read_csv,
    "parquet": _read_parquet,
    "arrow": _read_arrow,
    "json lines": _read_json_lines,
    "workbook": _refuse_workbook,
}
