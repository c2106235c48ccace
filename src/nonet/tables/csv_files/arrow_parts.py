"""Rows of a CSV file by pyarrow's reader in parts, after a pass over all rows.

The first pass finds which columns are numbers in the whole file, so that all parts have the
columns that `arrow_rows` reads from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from nonet.tables.column_names import Notes
from nonet.tables.csv_files.arrow_checks import ArrowChecks, NeedsPython
from nonet.tables.csv_files.arrow_rows import (
    NUMBERS,
    cast_cells,
    read_cells,
    text_column,
    trim_start,
)
from nonet.tables.csv_files.dialect import Dialect
from nonet.tables.csv_files.record_parts import whole_records
from nonet.tables.csv_files.utf8_content import Utf8Content
from nonet.tables.pieces import BrokenFile, gather, skip_bytes
from nonet.tables.table import Column

_PART = 1 << 21  # bytes


class ArrowParts:
    r"""The rows of a file in parts that have the columns of the whole file.

    Parameters
    ----------
    content : Utf8Content
        The file.
    dialect : Dialect
        How its rows are written. There must be a header.

    Attributes
    ----------
    header : list of str
        The names of the columns.

    Examples
    --------
    >>> content = Utf8Content(lambda: iter([b"a,b\n1,x\n2,y\n"]), "a.csv")
    >>> parts = ArrowParts(content, Dialect(",", ("a", "b"), 4))
    >>> [columns[0] for columns in parts.columns()]
    [array([1, 2])]
    """

    def __init__(self, content: Utf8Content, dialect: Dialect) -> None:
        self.header = list(dialect.header or ())
        self._content, self._dialect = content, dialect
        self._checks = ArrowChecks(dialect.delimiter)
        self._cells = [_Cells() for _ in self.header]
        self._survey()
        self._types = [cells.type for cells in self._cells]

    def note(self, notes: Notes) -> None:
        """Append nothing: rows that are repaired are read by `RowParts`."""

    # ---- The first pass ------------------------------------------------------------------------

    def _survey(self) -> None:
        """Find the types of the columns; a file for Python's reader raises `NeedsPython`."""
        n_rows = 0
        pieces = gather(self._checked_pieces(), _PART)
        try:
            for part in whole_records(pieces, self._dialect.delimiter):
                n_rows += self._look_at(part)
        except BrokenFile:
            pass  # what stands before it can be read
        if not n_rows:
            raise NeedsPython

    def _checked_pieces(self) -> Iterator[bytes]:
        start = self._dialect.start
        for piece in self._content.pieces():
            data, start = piece[start:], max(0, start - len(piece))
            self._checks.add(piece, data)
            if data:
                yield data
        self._checks.finish()

    def _look_at(self, part: bytes) -> int:
        from pyarrow import ArrowInvalid, string

        open_ones = [j for j, cells in enumerate(self._cells) if cells.kinds]
        types = [string()] * len(self.header)
        try:
            table = self._read(part, types, open_ones or [0])
        except ArrowInvalid as why:  # a row of another length
            raise NeedsPython from why
        for j, column in zip(open_ones, table.columns, strict=False):
            self._cells[j].add(column)
        n_rows: int = table.num_rows
        return n_rows

    def _read(self, part: bytes, types: list[Any], include: list[int] | None = None) -> Any:
        delimiter, has_quotes = self._dialect.delimiter, b'"' in part
        return read_cells(part, delimiter, types, include, has_quotes=has_quotes)

    # ---- The second pass -----------------------------------------------------------------------

    def columns(self) -> Iterator[list[Column]]:
        """Yield the columns of each part."""
        pieces = gather(skip_bytes(self._content.pieces(), self._dialect.start), _PART)
        for part in whole_records(pieces, self._dialect.delimiter):
            table = self._read_types(part)
            if table.num_rows:
                yield [self._column(j, column) for j, column in enumerate(table.columns)]

    def _read_types(self, part: bytes) -> Any:
        """Return a part as numbers and strings, by cells if pyarrow cannot read it at once."""
        from pyarrow import ArrowInvalid, string, type_for_alias

        try:
            return self._read(part, [type_for_alias(kind) for kind in self._types])
        except ArrowInvalid:  # marks of missing values with space around them
            table = self._read(part, [string()] * len(self.header))
        for j, kind in enumerate(self._types):
            if kind != "string":
                numbers = cast_cells(table.column(j), (kind,), may_have_codes=False)
                if numbers is None:
                    raise ValueError(f"{self._content.name} changed while it was read.")
                table = table.set_column(j, table.field(j).name, numbers)
        return table

    def _column(self, j: int, column: Any) -> Column:
        if self._types[j] == "string":
            return text_column(trim_start(column) if self._checks.has_space else column)
        numbers = column.to_numpy()
        if self._cells[j].has_missing:  # integers, too
            numbers = numbers.astype(np.float64, copy=False)
        plain: Column = numbers
        return plain


class _Cells:
    """Which types of numbers all cells of a column fit, as `cast_cells` finds out for the whole."""

    def __init__(self) -> None:
        self.kinds: tuple[str, ...] = NUMBERS
        self.has_missing = self._has_value = False

    @property
    def type(self) -> str:
        return self.kinds[0] if self.kinds and self._has_value else "string"

    def add(self, cells: Any) -> None:
        numbers = cast_cells(cells, self.kinds)
        if numbers is None:
            self.kinds = ()
            return
        self.has_missing = self.has_missing or numbers.null_count > 0
        if numbers.null_count < len(numbers):
            self._has_value = True
            self.kinds = self.kinds[self.kinds.index(str(numbers.type)) :]
