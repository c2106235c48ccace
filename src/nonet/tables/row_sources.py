"""Rows that come in blocks, as often as they are needed: files, arrays on disk, frames.

A source is read twice by what learns from all rows before it writes them. It yields blocks of
columns, targets and weights, and has what is known about all rows: their number, the names of
the columns, and a mark by which it is recognised as the same one later.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import issparse

from nonet._base.aliases import Array
from nonet._base.errors import show
from nonet._base.frame_columns import FrameColumns, open_frame
from nonet._base.frames import as_frame, column_names, count_rows, take_columns
from nonet.tables.blocks import read_blocks
from nonet.tables.column_encoders import read_numbers
from nonet.tables.missing_marks import is_missing_mark
from nonet.tables.table import Column, LeveledColumn, Table
from nonet.tables.table_files import TableFile

ROWS_PER_BLOCK = 1 << 16
_ENDINGS = (".csv", ".tsv", ".txt", ".parquet", ".pq", ".arrow", ".feather", ".ipc", ".jsonl")
_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")


@dataclass(frozen=True, eq=False)
class RowBlock:
    """Some rows: columns as a matrix or a frame, targets and weights if there are any."""

    X: Any
    y: Any
    weights: Any

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return count_rows(self.X.frame if isinstance(self.X, FrameColumns) else self.X)


@dataclass(frozen=True, eq=False)
class RowSource:
    """Where rows come from.

    Parameters
    ----------
    read : callable
        Returns an iterator over all blocks; each call begins anew.
    n_rows : int or None
        Number of rows, if it is known without reading them.
    n_bytes : int or None
        Bytes of the files, if there are any.
    mark : dict or None
        Names, sizes and times of change of files, by which the source is recognised; None if it
        may be another one next time.
    """

    read: Callable[[], Iterator[RowBlock]]
    n_rows: int | None
    n_bytes: int | None
    mark: dict[str, Any] | None


def open_source(source: Any, target: Any, weights: Any) -> RowSource:
    """Return the rows of a source, in blocks.

    Parameters
    ----------
    source : path, list of paths, array, frame, list, or callable
        As in `make_bins`.
    target, weights : str, int, array-like or None
        Names or positions of columns, or values of all rows.

    Examples
    --------
    >>> rows = open_source(np.arange(6.0).reshape(3, 2), 1, None)
    >>> [block.y for block in rows.read()]
    [array([1., 3., 5.])]
    """
    if isinstance(source, str | Path):
        return _open_path(Path(source), target, weights)
    if isinstance(source, list | tuple) and source and _are_paths(source):
        return _open_files([Path(path) for path in source], target, weights)
    if issparse(source):
        raise TypeError(
            "source is a sparse matrix, of which a bins file would keep every zero; fit on it as "
            "it is, or give source.toarray() in blocks."
        )
    if callable(source):
        return RowSource(lambda: _take_apart(source(), target, weights), None, None, None)
    if isinstance(source, np.ndarray):
        return _open_array(source, target, weights)
    frame = as_frame(source)
    if open_frame(frame) is not None:
        return _open_items([frame], target, weights)
    if isinstance(source, list | tuple) and source and _are_tables(source):
        return _open_items(source, target, weights)
    raise TypeError(
        "source must be a path, a list of paths, a matrix, a frame, a list of matrices or frames, "
        f"or a callable that returns an iterator of these, but got {show(source)}."
    )


def _are_paths(items: Sequence[Any]) -> bool:
    return all(isinstance(item, str | Path) for item in items)


def _are_tables(items: Sequence[Any]) -> bool:
    firsts = (item[0] if isinstance(item, tuple) and item else item for item in items)
    return all(len(getattr(first, "shape", ())) == 2 for first in firsts)


# ---- Files ---------------------------------------------------------------------------------------


def _open_path(path: Path, target: Any, weights: Any) -> RowSource:
    if path.is_dir():
        found = sorted(one for one in path.iterdir() if _is_table_file(one))
        if not found:
            raise ValueError(f"{str(path)!r} holds no file of a table; give another folder.")
        return _open_files(found, target, weights)
    if path.suffix == ".npy":
        try:
            return _open_array(np.load(path, mmap_mode="r"), target, weights)
        except OSError as why:
            raise ValueError(f"{str(path)!r} cannot be read: {why.strerror or why}.") from why
    return _open_files([path], target, weights)


def _is_table_file(path: Path) -> bool:
    plain = path.with_suffix("") if path.suffix.lower() in _COMPRESSED else path
    return path.is_file() and plain.suffix.lower() in _ENDINGS


def _open_files(paths: list[Path], target: Any, weights: Any) -> RowSource:
    for path in paths:
        TableFile(path).path_or_file() if path.suffix in (".parquet", ".pq") else _check(path)
    _check_is_name(target, "target")
    _check_is_name(weights, "weights")

    def read() -> Iterator[RowBlock]:
        kinds = None
        for path in paths:
            for table in read_blocks(path, rows_per_block=ROWS_PER_BLOCK):
                kinds = kinds or _Kinds(table)
                yield kinds.block_of(table, path.name, target, weights)

    states = [path.stat() for path in paths]
    mark = {
        "files": [
            [str(path.resolve()), state.st_size, state.st_mtime_ns]
            for path, state in zip(paths, states, strict=True)
        ]
    }
    n_bytes = sum(state.st_size for state in states)
    return RowSource(read, _parquet_rows(paths), n_bytes, mark)


def _check(path: Path) -> None:
    next(TableFile(path).pieces(), b"")  # raises a sentence if it cannot be read


def _check_is_name(value: Any, name: str) -> None:
    if value is not None and not isinstance(value, str):
        raise TypeError(
            f"{name} must be the name of a column if source is a file, but got {show(value)}."
        )


def _parquet_rows(paths: list[Path]) -> int | None:
    if not all(path.suffix in (".parquet", ".pq") for path in paths):
        return None
    from pyarrow.parquet import read_metadata

    return sum(int(read_metadata(path).num_rows) for path in paths)


class _Kinds:
    """Which columns of files are numbers: by the first block, for all blocks."""

    def __init__(self, first: Table) -> None:
        self._names = first.names
        self._are_numbers = {name: _reads_as_numbers(first[name]) for name in first.names}

    def block_of(self, table: Table, file: str, target: Any, weights: Any) -> RowBlock:
        """Return the rows of a table: numbers, and categories as levels."""
        if table.names != self._names:
            raise ValueError(
                f"{file} has the columns {list(table.names)}, but the first file has "
                f"{list(self._names)}; give files of the same columns."
            )
        columns = {name: self._column(table, name, file) for name in table.names}
        y = _pop(columns, target, "target")
        base = _pop(columns, weights, "weights")
        frame = Table(tuple(columns), tuple(columns.values()))
        reader = FrameColumns(frame, list(columns), list(columns.values()), _TableReader())
        return RowBlock(reader, _values_of(y), _values_of(base))

    def _column(self, table: Table, name: str, file: str) -> Column:
        column = table[name]
        if self._are_numbers[name] is None:
            raise ValueError(
                f"column {name!r} of {file} holds dates; give numbers made of them, such as years "
                "or seconds."
            )
        if not self._are_numbers[name]:
            return column if isinstance(column, LeveledColumn) else _as_text(column)
        if not isinstance(column, LeveledColumn):
            return column
        numbers = _numbers_of(column)
        if numbers is None:
            odd = next(str(v) for v in column.levels if _is_text(str(v)))
            raise ValueError(
                f"column {name!r} of {file} holds {odd!r}, but numbers in the first rows; repair "
                "the column, or turn it into text in all rows."
            )
        return numbers


def _pop(columns: dict[str, Column], name: str | None, role: str) -> Column | None:
    if name is None:
        return None
    if name not in columns:
        raise ValueError(f"{role}={name!r} is no column of the table, which has {list(columns)}.")
    return columns.pop(name)


def _values_of(column: Column | None) -> Array | None:
    return column.values() if isinstance(column, LeveledColumn) else column


def _as_text(column: Array) -> LeveledColumn:
    return LeveledColumn.from_values([None if v != v else f"{v:g}" for v in column.tolist()])


def _reads_as_numbers(column: Column) -> bool | None:
    """Return whether a column holds numbers; None if it holds dates."""
    if not isinstance(column, LeveledColumn):
        return None if column.dtype.kind == "M" else True
    return not column.is_categorical and _numbers_of(column) is not None


def _numbers_of(column: LeveledColumn) -> Array | None:
    for decimal_comma in (False, True):
        numbers = read_numbers(column, decimal_comma)
        unread = column.codes[np.isnan(numbers) & (column.codes >= 0)]
        if not any(_is_text(str(column.levels[code])) for code in np.unique(unread)):
            return numbers
    return None


def _is_text(level: str) -> bool:
    return not is_missing_mark(level)


class _TableReader:
    """Reads the columns of tables of files, of which levels are categories."""

    def numbers(self, column: Any) -> Array | None:
        return None if isinstance(column, LeveledColumn) else column

    def categories(self, column: Any) -> tuple[Array, Array | None]:
        return (
            (column.levels, column.codes) if isinstance(column, LeveledColumn) else (column, None)
        )

    def lent_strings(self, column: Any) -> None:
        return None


# ---- In memory, or mapped ------------------------------------------------------------------------


def _open_array(array: Array, target: Any, weights: Any) -> RowSource:
    if array.ndim != 2:
        raise ValueError(f"source must have 2 dimensions (rows, columns), got shape {array.shape}.")
    n_rows = len(array)
    y, base = _per_row(target, n_rows, "target"), _per_row(weights, n_rows, "weights")

    def read() -> Iterator[RowBlock]:
        for first in range(0, n_rows, ROWS_PER_BLOCK):
            some = slice(first, first + ROWS_PER_BLOCK)
            yield _block_of(
                array[some],
                y[some] if isinstance(y, np.ndarray) else target,
                base[some] if isinstance(base, np.ndarray) else weights,
            )

    name = getattr(array, "filename", None)
    mark = None
    if name is not None and y is None and base is None:
        state = os.stat(name)
        offset = getattr(array, "offset", 0)
        files = [[str(name), state.st_size, state.st_mtime_ns]]
        mark = {"files": files, "offset": int(offset), "shape": list(array.shape)}
    return RowSource(read, n_rows, None, mark)


def _per_row(given: Any, n_rows: int, name: str) -> Array | None:
    """Return values of all rows as an array; None if a column is named."""
    if given is None or isinstance(given, str | int | np.integer):
        return None
    values = given if isinstance(given, np.ndarray) else np.asarray(given)
    if values.shape != (n_rows,):
        raise ValueError(
            f"{name} must hold one value per row, {n_rows} in all, but has shape {values.shape}."
        )
    return values


def _open_items(items: Sequence[Any], target: Any, weights: Any) -> RowSource:
    n_rows = sum(count_rows(item[0] if isinstance(item, tuple) else item) for item in items)
    y, base = _per_row(target, n_rows, "target"), _per_row(weights, n_rows, "weights")

    def read() -> Iterator[RowBlock]:
        first = 0
        for item in items:
            rows = slice(first, first + count_rows(item[0] if isinstance(item, tuple) else item))
            first = rows.stop
            own = target if y is None else y[rows], weights if base is None else base[rows]
            yield from _take_apart([item], *own)

    return RowSource(read, n_rows, None, None)


def _take_apart(items: Iterable[Any], target: Any, weights: Any) -> Iterator[RowBlock]:
    """Yield blocks of tables, of pairs (X, y), or of (X, y, weights)."""
    for item in items:
        X, *given = item if isinstance(item, tuple) else (item,)
        if len(given) > 2:
            raise TypeError("blocks must be X, (X, y) or (X, y, weights), but one is longer.")
        y = given[0] if given else target
        base = given[1] if len(given) == 2 else weights
        yield _block_of(as_frame(X), y, base)


def _block_of(X: Any, target: Any, weights: Any) -> RowBlock:
    if len(getattr(X, "shape", ())) != 2:
        raise TypeError(f"a block of rows must be a matrix or a frame, but got {show(X)}.")
    y, at_y = _find_column(X, target, "target")
    base, at_base = _find_column(X, weights, "weights")
    taken = {at for at in (at_y, at_base) if at is not None}
    if taken:
        others = np.array([j for j in range(X.shape[1]) if j not in taken], dtype=np.intp)
        X = take_columns(X, others)
    if isinstance(X, np.ndarray):
        X = np.asarray(X)  # not as a subclass, such as that of mapped files
    return RowBlock(open_frame(X) or X, y, base)


def _find_column(X: Any, given: Any, role: str) -> tuple[Any, int | None]:
    """Return values of rows, and the position of the column that they are from."""
    names = column_names(X)
    if isinstance(given, str):
        if names is None or given not in names:
            raise ValueError(f"{role}={given!r} is no column of the table, which has {names}.")
        position = names.index(given)
    elif isinstance(given, int | np.integer) and not isinstance(given, bool):
        position = int(given) + (X.shape[1] if given < 0 else 0)
        if not 0 <= position < X.shape[1]:
            raise ValueError(f"{role}={given} is no column of a table of {X.shape[1]}.")
    else:
        return given, None
    column = take_columns(X, np.array([position], dtype=np.intp))
    return np.asarray(column)[:, 0], position
