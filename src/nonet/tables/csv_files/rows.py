"""Rows of a CSV file by Python's reader: any row is read, and what does not fit is repaired.

Short rows are filled with missing values. Rows with more values than the header has names are left
out, as nobody knows which of their values are the wrong ones; a file of mostly such rows is
refused.
"""

from __future__ import annotations

import csv
import io
import sys
from collections import Counter

import numpy as np

from nonet.tables.column_names import Notes, add_note
from nonet.tables.csv_files.dialect import Dialect
from nonet.tables.missing_marks import is_missing_mark
from nonet.tables.number_text import has_leading_zeros, plain_numbers
from nonet.tables.table import Column, LeveledColumn

Rows = list[list[str]]
_MAX_LONG = 0.1  # fraction of rows that may be too long


def read_rows(
    content: bytes, dialect: Dialect, name: str, notes: Notes
) -> tuple[list[str], list[Column]]:
    r"""Return the header and the columns of a file in UTF-8.

    Parameters
    ----------
    content : bytes
        The file.
    dialect : Dialect
        How its rows are written.
    name : str
        Its name, for messages.
    notes : list of str, optional
        Gets a sentence for each kind of repair.

    Returns
    -------
    header : list of str
        As many names as there are columns.
    columns : list of ndarray or LeveledColumn

    Examples
    --------
    >>> dialect, notes = Dialect(",", ("size", "city"), 0), []
    >>> header, columns = read_rows(b"1,a\n2\n", dialect, "a.csv", notes)
    >>> columns[1].values()
    array(['a', None], dtype=object)
    >>> notes
    ['a.csv: 1 row has fewer values than the header; the others are read as missing.']
    """
    rows = _split(content[dialect.start :].decode(), dialect.delimiter, name, notes)
    header = list(dialect.header or [f"x{j}" for j in range(max(map(len, rows), default=0))])
    header, rows = _repair_lengths(header, rows, name, notes)
    return header, [column_of_cells(list(cells)) for cells in zip(*rows, strict=True)]


def _split(text: str, delimiter: str, name: str, notes: Notes) -> Rows:
    csv.field_size_limit(sys.maxsize)  # a value may be an essay
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    try:
        rows = list(reader)
    except csv.Error as why:
        raise ValueError(f"{name} cannot be read near line {reader.line_num}: {why}.") from why
    while rows and _is_blank(rows[-1]):
        rows.pop()
    kept = [row for row in rows if not _is_blank(row)]
    if len(kept) < len(rows):
        n_empty = len(rows) - len(kept)
        add_note(notes, f"{name} has empty lines, {n_empty} in all: they were left out.")
    return kept


def _is_blank(row: list[str]) -> bool:
    return not row or (len(row) == 1 and not row[0].strip())


# ---- Rows of other lengths ---------------------------------------------------------------------


def _repair_lengths(
    header: list[str], rows: Rows, name: str, notes: Notes
) -> tuple[list[str], Rows]:
    n_columns, lengths = len(header), Counter(map(len, rows))
    if set(lengths) <= {n_columns}:
        return header, rows
    if set(lengths) == {n_columns + 1} and any(row[-1].strip() for row in rows):
        add_note(notes, f"{name}: the header has no name for the first column.")
        return ["", *header], rows
    rows = [_without_empty_end(row, n_columns) for row in rows]
    rows = _drop_long(rows, n_columns, name, notes)
    n_short = sum(len(row) < n_columns for row in rows)
    if n_short:
        have = "row has" if n_short == 1 else "rows have"
        add_note(
            notes,
            f"{name}: {n_short} {have} fewer values than the header; the others are read as "
            "missing.",
        )
    return header, [row + [""] * (n_columns - len(row)) for row in rows]


def _without_empty_end(row: list[str], n_columns: int) -> list[str]:
    """Return a row without the empty values that delimiters at its end make."""
    is_empty = not any(cell.strip() for cell in row[n_columns:])
    return row[:n_columns] if is_empty else row


def _drop_long(rows: Rows, n_columns: int, name: str, notes: Notes) -> Rows:
    long = [position for position, row in enumerate(rows, 1) if len(row) > n_columns]
    if len(long) > max(1, _MAX_LONG * len(rows)):
        raise ValueError(
            f"{name}: {len(long)} of {len(rows)} rows have more values than the header, which has "
            f"{n_columns}, the first of them row {long[0]}; put quotes around values with the "
            "delimiter in them, or repair the header."
        )
    if long:
        have = "row has" if len(long) == 1 else "rows have"
        add_note(
            notes,
            f"{name}: {len(long)} {have} more values than the header and {_are(long)} left out; "
            f"the first is row {long[0]}.",
        )
    return [row for row in rows if len(row) <= n_columns]


def _are(things: list[int]) -> str:
    return "is" if len(things) == 1 else "are"


# ---- Columns -----------------------------------------------------------------------------------


def column_of_cells(cells: list[str]) -> Column:
    """Return a column of numbers, if all cells are plain numbers or missing, or of text.

    Postal codes such as 04109 stay text.

    Examples
    --------
    >>> column_of_cells(["1.5", "NA"])
    array([1.5, nan])
    """
    present = [cell for cell in cells if not is_missing_mark(cell)]
    numbers = plain_numbers(present) if present else None
    if numbers is None or has_leading_zeros(present):
        return LeveledColumn.from_values([cell if cell else None for cell in cells])
    if len(present) == len(cells):
        return numbers
    values = np.full(len(cells), np.nan)
    values[[not is_missing_mark(cell) for cell in cells]] = numbers
    return values
