"""Files that are written block by block: CSV, TSV, JSON lines, Parquet, one JSON document."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np

from nonet import __version__
from nonet.cli.command_error import CommandError, UsageError
from nonet.cli.output import as_plain
from nonet.tables.table import LeveledColumn


class RowWriter(Protocol):
    """What writes blocks of columns to a file."""

    def write(self, columns: dict[str, Any]) -> None:
        """Write the rows of a block."""

    def close(self) -> None:
        """Write what comes after the last row."""


def column_values(column: Any) -> list[Any]:
    """Return the values of a column as Python has them, None where one is missing.

    Examples
    --------
    >>> column_values(np.array([1.5, np.nan])), column_values(LeveledColumn.from_values(["a"]))
    ([1.5, None], ['a'])
    """
    if isinstance(column, LeveledColumn):
        return list(column.values().tolist())
    values = as_plain(np.asarray(column))
    return [None if value == "NaT" else value for value in values]


def _rows(columns: dict[str, Any]) -> Iterable[tuple[Any, ...]]:
    return zip(*map(column_values, columns.values()), strict=True)


class DelimitedWriter:
    """Lines of values with a delimiter; the first has the names."""

    def __init__(self, file: BinaryIO, delimiter: str) -> None:
        self._file, self._delimiter = file, delimiter
        self._has_names = False

    def write(self, columns: dict[str, Any]) -> None:
        """Write the rows of a block."""
        text = io.StringIO(newline="")
        lines = csv.writer(text, delimiter=self._delimiter, lineterminator="\n")
        if not self._has_names:
            lines.writerow(columns)
            self._has_names = True
        lines.writerows(_rows(columns))
        self._file.write(_encode(text.getvalue()))

    def close(self) -> None:
        """Nothing comes after the rows."""


class JSONLinesWriter:
    """One object per line."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, columns: dict[str, Any]) -> None:
        """Write the rows of a block."""
        names = list(columns)
        lines = (_as_json(dict(zip(names, row, strict=True))) + "\n" for row in _rows(columns))
        self._file.write(_encode("".join(lines)))

    def close(self) -> None:
        """Nothing comes after the rows."""


class JSONDocumentWriter:
    """One document that holds all rows in a list."""

    def __init__(self, file: BinaryIO, command: str) -> None:
        self._file = file
        self._n_rows = 0
        self._head = f'{{"command": {_as_json(command)}, "nonet": {_as_json(__version__)}'

    def write(self, columns: dict[str, Any]) -> None:
        """Write the rows of a block."""
        names = list(columns)
        if not self._n_rows:
            self._file.write(_encode(f'{self._head}, "columns": {_as_json(names)}, "rows": [\n'))
        rows = [_as_json(dict(zip(names, row, strict=True))) for row in _rows(columns)]
        start = ",\n" if self._n_rows else ""
        self._file.write(_encode(start + ",\n".join(rows)))
        self._n_rows += len(rows)

    def close(self) -> None:
        """Write the end of the document."""
        self._file.write(_encode(f'\n], "n_rows": {self._n_rows}}}\n'))


class ParquetWriter:
    """A Parquet file; each block becomes a row group, with the types of the first."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._writer: Any = None
        self._arrow = import_pyarrow()

    def write(self, columns: dict[str, Any]) -> None:
        """Write the rows of a block."""
        arrays = {name: self._arrow_array(column) for name, column in columns.items()}
        table = self._arrow.table(arrays)
        if self._writer is None:
            self._writer = self._arrow.parquet.ParquetWriter(self._file, table.schema)
        try:
            self._writer.write_table(table.cast(self._writer.schema))
        except (self._arrow.ArrowInvalid, self._arrow.ArrowNotImplementedError) as why:
            raise CommandError(
                "columns that are passed through change their type along the table, which Parquet "
                "has no form for; write CSV."
            ) from why

    def _arrow_array(self, column: Any) -> Any:
        if isinstance(column, LeveledColumn):
            return self._arrow.array(column_values(column), type=self._arrow.string())
        return self._arrow.array(np.asarray(column), from_pandas=True)

    def close(self) -> None:
        """Write the end of the file."""
        if self._writer is not None:
            self._writer.close()


def import_pyarrow() -> Any:
    """Return pyarrow, or raise with how to install it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as why:
        raise CommandError("a Parquet file needs pyarrow: pip install nonet[app].") from why
    return pyarrow


# ---- Formats -----------------------------------------------------------------------------------

_WRITERS: dict[str, Any] = {
    ".csv": lambda file: DelimitedWriter(file, ","),
    ".txt": lambda file: DelimitedWriter(file, ","),
    ".tsv": lambda file: DelimitedWriter(file, "\t"),
    ".jsonl": JSONLinesWriter,
    ".ndjson": JSONLinesWriter,
    ".parquet": ParquetWriter,
    ".pq": ParquetWriter,
}
_GZIP = ".gz"


def check_ending(path: str) -> None:
    """Raise if no format has the ending of a path, or if its library is missing.

    Examples
    --------
    >>> check_ending("predictions.csv")
    """
    ending = _endings(path)[0]
    if ending not in _WRITERS:
        known = ", ".join(_WRITERS)
        raise UsageError(f"{path!r} must end in one of {known}, by which its format is chosen.")
    if _WRITERS[ending] is ParquetWriter:
        import_pyarrow()


def write_rows(
    path: str, file: BinaryIO, blocks: Iterable[dict[str, Any]]
) -> tuple[int, list[str]]:
    """Write blocks of columns to an open file.

    Parameters
    ----------
    path : str
        Its path, whose ending is the format.
    file : binary file
    blocks : iterable of dict of str to column

    Returns
    -------
    n_rows : int
    names : list of str
        Of the columns.
    """
    ending, is_compressed = _endings(path)
    if not is_compressed:
        return write_blocks(_WRITERS[ending](file), blocks)
    # Without the time of writing, so that equal predictions are equal files.
    with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as compressed:
        return write_blocks(_WRITERS[ending](compressed), blocks)


def write_blocks(writer: RowWriter, blocks: Iterable[dict[str, Any]]) -> tuple[int, list[str]]:
    """Write blocks of columns with a writer, and return the number of rows and the names."""
    n_rows, names = 0, list[str]()
    for columns in blocks:
        writer.write(columns)
        names = list(columns)
        n_rows += len(columns[names[-1]])
    writer.close()
    return n_rows, names


def _endings(path: str) -> tuple[str, bool]:
    endings: Sequence[str] = [suffix.lower() for suffix in Path(path).suffixes]
    is_compressed = bool(endings) and endings[-1] == _GZIP
    plain = endings[:-1] if is_compressed else endings
    return (plain[-1] if plain else ""), is_compressed


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
