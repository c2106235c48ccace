"""Rows of Parquet and Arrow files in parts: pages and record batches, never a whole column.

Whether integers and booleans have missing values is found first, because that decides how they
are stored in all parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from nonet._base.frame_columns import open_frame
from nonet.tables.column_names import Notes, repair_names
from nonet.tables.frame_tables import columns_of_frame
from nonet.tables.pieces import BrokenFile
from nonet.tables.stored_index import without_stored_index
from nonet.tables.table import MISSING, Column, LeveledColumn, Table
from nonet.tables.table_files import TableFile, import_pyarrow

_ROWS = 65_536  # of a part at most
_PAGE_BUFFER = 1 << 18
_WITHOUT_NAN = {"bool", *(f"{sign}int{n}" for sign in ("", "u") for n in (8, 16, 32, 64))}
_TEXT = {f"{size}{kind}" for size in ("", "large_") for kind in ("string", "binary")}
_TEXT |= {"string_view", "binary_view"}


def parquet_parts(file: TableFile, notes: Notes, rows_per_part: int = _ROWS) -> Iterator[Table]:
    """Return the tables of the rows of a Parquet file, part by part."""
    pyarrow = import_pyarrow("A Parquet file")
    source = file.path_or_file()
    broken = f"{file.name} is damaged, or not a Parquet file."
    try:
        opened = pyarrow.parquet.ParquetFile(source, buffer_size=_PAGE_BUFFER, pre_buffer=False)
        schema = opened.schema_arrow
    except (pyarrow.ArrowException, OSError) as why:
        raise BrokenFile(broken) from why
    if not opened.metadata.num_rows:
        raise ValueError(f"{file.name} has no rows.")
    names = _names(schema, notes)
    n_missing = {j: _count_missing(opened, j, broken) for j in _looked_at(schema)}
    rows = min(rows_per_part, _ROWS)
    found = _guard(lambda: opened.iter_batches(batch_size=rows), broken)
    return _parts(found, names, _Types(schema, n_missing, opened.metadata.num_rows), rows)


def _count_missing(opened: Any, j: int, broken: str) -> int:
    """Return the missing values of a column, by the statistics of the file if it has some."""
    metadata = opened.metadata
    groups = (metadata.row_group(i).column(j) for i in range(metadata.num_row_groups))
    known = [group.statistics for group in groups]
    if all(one is not None and one.has_null_count for one in known):
        return sum(one.null_count for one in known)
    name = opened.schema_arrow.names[j]
    found = _guard(lambda: opened.iter_batches(batch_size=_ROWS, columns=[name]), broken)
    return _survey(found, [j])[1][j]


def arrow_parts(file: TableFile, notes: Notes, rows_per_part: int = _ROWS) -> Iterator[Table]:
    """Return the tables of the rows of an Arrow file or stream, part by part."""
    pyarrow = import_pyarrow("An Arrow file")
    source = file.path_or_file()
    broken = f"{file.name} is damaged, or not an Arrow file."

    def read(columns: list[int] | None = None) -> Iterator[Any]:
        return _guard(lambda: _record_batches(pyarrow, source, columns), broken)

    schema = _arrow_schema(pyarrow, source, broken)
    names = _names(schema, notes)
    looked_at = _looked_at(schema)
    n_rows, n_missing = _survey(read(looked_at or None), looked_at)
    if not n_rows:
        next(read(), None)  # raises if damage is the reason
        raise ValueError(f"{file.name} has no rows.")
    return _parts(read(), names, _Types(schema, n_missing, n_rows), min(rows_per_part, _ROWS))


def _survey(found: Iterable[Any], looked_at: list[int]) -> tuple[int, dict[int, int]]:
    """Return the number of rows, and of missing values in some columns."""
    n_rows, n_missing = 0, dict.fromkeys(looked_at, 0)
    try:
        for batch in found:
            n_rows += batch.num_rows
            for j, column in zip(looked_at, batch.columns, strict=False):
                n_missing[j] += column.null_count
    except BrokenFile:
        pass  # the rows before the damage come first
    return n_rows, n_missing


def _arrow_schema(pyarrow: Any, source: Any, broken: str) -> Any:
    for open_ in (pyarrow.ipc.open_file, pyarrow.ipc.open_stream):
        try:
            return open_(_map(pyarrow, source)).schema
        except (pyarrow.ArrowException, OSError):
            continue
    raise BrokenFile(broken)


def _map(pyarrow: Any, source: Any) -> Any:
    """Return a file that is read where it is needed only."""
    if isinstance(source, str):
        return pyarrow.memory_map(source)
    source.seek(0)
    return source


def _record_batches(pyarrow: Any, source: Any, columns: list[int] | None) -> Iterator[Any]:
    options = pyarrow.ipc.IpcReadOptions(included_fields=columns)
    try:
        opened = pyarrow.ipc.open_file(_map(pyarrow, source), options=options)
    except (pyarrow.ArrowException, OSError):
        yield from pyarrow.ipc.open_stream(_map(pyarrow, source), options=options)
        return
    for position in range(opened.num_record_batches):
        yield opened.get_batch(position)


def _guard(read: Any, broken: str) -> Iterator[Any]:
    """Yield what is read; an error of pyarrow in the middle becomes a `BrokenFile`."""
    from pyarrow import ArrowException

    try:
        yield from read()
    except (ArrowException, OSError) as why:
        raise BrokenFile(broken) from why


# ---- Columns -----------------------------------------------------------------------------------


class _Types:
    """The types that columns have in all parts, which missing values decide."""

    def __init__(self, schema: Any, n_missing: dict[int, int], n_rows: int) -> None:
        kinds = [str(kind) for kind in schema.types]
        self._floats = {j for j, n in n_missing.items() if n and kinds[j] in _WITHOUT_NAN}
        self._text_columns = {j for j, n in n_missing.items() if n < n_rows and kinds[j] in _TEXT}

    def apply(self, j: int, column: Column) -> Column:
        """Return a column of a part with its type."""
        if isinstance(column, LeveledColumn):
            return column
        if j in self._text_columns:  # no row of the part has a value
            codes = np.full(len(column), MISSING, dtype=np.int32)
            return LeveledColumn(codes, np.array([], dtype=object))
        return column.astype(np.float64) if j in self._floats else column


def _looked_at(schema: Any) -> list[int]:
    """Return the columns whose type depends on missing values."""
    kinds = (str(kind) for kind in schema.types)
    return [j for j, kind in enumerate(kinds) if kind in _WITHOUT_NAN or kind in _TEXT]


def _names(schema: Any, notes: Notes) -> tuple[str, ...]:
    """Return the names of the columns; a column of nested values raises."""
    names = repair_names(schema.names, notes)
    _columns(schema.empty_table(), names)
    return names


def _parts(
    found: Iterable[Any], names: tuple[str, ...], types: _Types, rows: int
) -> Iterator[Table]:
    """Yield the tables of batches, without a stored index."""
    return map(without_stored_index, _whole_parts(found, names, types, rows))


def _whole_parts(
    found: Iterable[Any], names: tuple[str, ...], types: _Types, rows: int
) -> Iterator[Table]:
    import pyarrow

    for batch in found:
        table = pyarrow.Table.from_batches([batch])
        for start in range(0, batch.num_rows, rows):
            columns = _columns(table.slice(start, rows), names)
            yield Table(names, tuple(types.apply(j, column) for j, column in enumerate(columns)))


def _columns(table: Any, names: tuple[str, ...]) -> tuple[Column, ...]:
    opened = open_frame(table)
    if opened is None:  # a table of pyarrow is one of the frames
        raise TypeError(f"{type(table).__name__} is no table of pyarrow.")
    return columns_of_frame(opened, names)
