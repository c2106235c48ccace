"""Rows of a CSV file by Python's reader: any row is read, and what does not fit is repaired."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Iterator

import numpy as np

from nonet.tables.column_names import Notes
from nonet.tables.csv_files.dialect import Dialect
from nonet.tables.csv_files.row_form import RowLengths
from nonet.tables.missing_marks import is_missing_mark
from nonet.tables.number_text import has_leading_zeros, plain_numbers
from nonet.tables.table import Column, LeveledColumn


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
    text = io.StringIO(content[dialect.start :].decode(), newline="")
    lengths = RowLengths(dialect.header)
    rows = lengths.add(list(iterate_rows(text, dialect.delimiter, name)))
    lengths.note(name, notes)
    columns = zip(*lengths.repair(rows), strict=True)
    return lengths.header, [column_of_cells(list(cells)) for cells in columns]


def iterate_rows(lines: Iterable[str], delimiter: str, name: str) -> Iterator[list[str]]:
    r"""Yield the rows of a file as they are.

    Parameters
    ----------
    lines : iterable of str
        The lines with their ends.
    delimiter : str
        What stands between values.
    name : str
        The name of the file, for messages.

    Yields
    ------
    list of str

    Examples
    --------
    >>> list(iterate_rows(["1, a\n", '2,"b\n', 'c"\n'], ",", "a.csv"))
    [['1', 'a'], ['2', 'b\nc']]
    """
    csv.field_size_limit(sys.maxsize)  # a value may be an essay
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    try:
        yield from reader
    except csv.Error as why:
        raise ValueError(f"{name} cannot be read near line {reader.line_num}: {why}.") from why


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
