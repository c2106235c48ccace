"""Rows of a CSV file by Python's reader in parts, after a pass over all rows."""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np

from nonet._base.aliases import Floats
from nonet.tables.column_names import Notes
from nonet.tables.csv_files.dialect import Dialect
from nonet.tables.csv_files.row_form import RowLengths, Rows, drop_blank
from nonet.tables.csv_files.rows import iterate_rows
from nonet.tables.csv_files.utf8_content import Utf8Content
from nonet.tables.missing_marks import is_missing_mark
from nonet.tables.number_text import has_leading_zeros, plain_numbers
from nonet.tables.pieces import BrokenFile, batches, open_pieces, skip_bytes
from nonet.tables.table import Column, LeveledColumn

_ROWS = 1_000  # of a part; a row of strings is many times larger than one of a table


class RowParts:
    r"""The rows of a file in parts that have the columns of the whole file.

    Parameters
    ----------
    content : Utf8Content
        The file.
    dialect : Dialect
        How its rows are written.

    Attributes
    ----------
    header : list of str
        As many names as there are columns.

    Examples
    --------
    >>> content = Utf8Content(lambda: iter([b"a,b\n1,x\n2\n"]), "a.csv")
    >>> parts = RowParts(content, Dialect(",", ("a", "b"), 4))
    >>> [columns[0] for columns in parts.columns()]
    [array([1., 2.])]
    """

    def __init__(self, content: Utf8Content, dialect: Dialect) -> None:
        self._content, self._dialect = content, dialect
        self._survey(None)
        if self._is_shifted != self._lengths.is_shifted:  # the first rows misled
            self._survey(self._lengths.is_shifted)
        self.header = self._lengths.header

    def note(self, notes: Notes) -> None:
        """Append a sentence for each kind of repair; raise if no rows are left."""
        self._lengths.note(self._content.name, notes)
        if not self._lengths.n_kept:
            raise self._broken or ValueError(f"{self._content.name} has a header, but no rows.")

    def columns(self) -> Iterator[list[Column]]:
        """Yield the columns of each part."""
        kinds = [cells.kind for cells in self._cells]
        for rows in batches(self._rows(), _ROWS):
            repaired = self._lengths.repair(drop_blank(rows))
            if repaired:
                pairs = zip(zip(*repaired, strict=True), kinds, strict=True)
                yield [_column([*cells], kind) for cells, kind in pairs]

    def _rows(self) -> Iterator[list[str]]:
        body = open_pieces(skip_bytes(self._content.pieces(), self._dialect.start))
        lines = io.TextIOWrapper(body, encoding="utf-8", newline="")
        return iterate_rows(lines, self._dialect.delimiter, self._content.name)

    def _survey(self, is_shifted: bool | None) -> None:
        """Find the lengths of all rows, and what the cells of each column are."""
        self._lengths = RowLengths(self._dialect.header)
        self._cells: list[_Cells] = []
        self._broken: BrokenFile | None = None
        self._is_shifted = bool(is_shifted)
        try:
            for rows in batches(self._rows(), _ROWS):
                kept = self._lengths.add(rows)
                if is_shifted is None and kept:
                    self._is_shifted = is_shifted = self._lengths.is_shifted
                self._look_at(kept)
        except BrokenFile as why:
            self._broken = why

    def _look_at(self, rows: Rows) -> None:
        n_columns = None
        if self._dialect.header is not None:
            n_columns = len(self._dialect.header) + self._is_shifted
        columns = list(zip(*self._lengths.repair(rows, n_columns), strict=True))
        self._cells += (_Cells() for _ in range(len(columns) - len(self._cells)))
        for cells, column in zip(self._cells, columns, strict=False):
            cells.add([*column])


class _Cells:
    """Whether the cells of a column are plain numbers, as `column_of_cells` finds out."""

    def __init__(self) -> None:
        self._are_numbers, self._has_value = True, False

    @property
    def kind(self) -> str:
        return "number" if self._are_numbers and self._has_value else "text"

    def add(self, cells: list[str]) -> None:
        if not self._are_numbers or self._are_plain(cells):
            return
        present = [cell for cell in cells if not is_missing_mark(cell)]
        self._are_numbers = not present or self._are_plain(present)

    def _are_plain(self, cells: list[str]) -> bool:
        is_plain = plain_numbers(cells) is not None and not has_leading_zeros(cells)
        self._has_value |= is_plain
        return is_plain


def _column(cells: list[str], kind: str) -> Column:
    if kind == "text":
        return LeveledColumn.from_values([cell if cell else None for cell in cells])
    numbers = plain_numbers(cells)
    return _with_missing(cells) if numbers is None else numbers


def _with_missing(cells: list[str]) -> Floats:
    numbers = (np.nan if is_missing_mark(cell) else float(cell) for cell in cells)
    return np.fromiter(numbers, dtype=np.float64, count=len(cells))
