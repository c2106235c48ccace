"""Tables from CSV files in parts, with the columns and the notes of the whole file."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from nonet.tables.column_names import Notes, add_note, repair_names
from nonet.tables.csv_files.arrow_checks import NeedsPython
from nonet.tables.csv_files.arrow_parts import ArrowParts
from nonet.tables.csv_files.dialect import SAMPLE, Dialect, find_dialect
from nonet.tables.csv_files.row_parts import RowParts
from nonet.tables.csv_files.utf8_content import NotUtf8, Utf8Content
from nonet.tables.pieces import read_ahead
from nonet.tables.table import Table

_HEAD = 1 << 20


def csv_parts(
    read: Callable[[], Iterator[bytes]], name: str, notes: Notes = None
) -> Iterator[Table]:
    r"""Return the tables of the rows of a CSV file, part by part.

    The file is read twice: what its columns hold, and how odd rows are repaired, depends on all
    rows. Concatenated, the parts are the table that `read_csv` returns.

    Parameters
    ----------
    read : callable
        Returns the pieces of the file, from its beginning.
    name : str
        Its name, for messages.
    notes : list of str, optional
        Gets a sentence for each kind of repair in the whole file.

    Returns
    -------
    iterator of Table

    Examples
    --------
    >>> parts = csv_parts(lambda: iter([b"size;city\n1,5;Oslo\n2;Rome\n"]), "flats.csv")
    >>> [part.n_rows for part in parts]
    [2]
    """
    try:
        return _find_parts(Utf8Content(read, name), notes)
    except NotUtf8:
        return _find_parts(Utf8Content(read, name, is_cp1252=True), notes)


def _find_parts(content: Utf8Content, notes: Notes) -> Iterator[Table]:
    about_header: list[str] = []
    dialect = _find_dialect(content, about_header)
    parts = _survey(content, dialect)
    content.note(notes)
    for sentence in about_header:
        add_note(notes, sentence)
    parts.note(notes)
    return _tables(parts, repair_names(parts.header, notes))


def _tables(parts: ArrowParts | RowParts, names: tuple[str, ...]) -> Iterator[Table]:
    for columns in parts.columns():
        yield Table(names, tuple(columns))


def _survey(content: Utf8Content, dialect: Dialect) -> ArrowParts | RowParts:
    if dialect.header is not None and _has_arrow():
        try:
            return ArrowParts(content, dialect)
        except NeedsPython:
            # Whether pyarrow reads a file as Python does is known when all of it has been looked
            # at, deep in the loop over its pieces, so that an exception reports it.
            pass
    return RowParts(content, dialect)


def _has_arrow() -> bool:
    try:
        import pyarrow.csv
    except ImportError:
        return False
    return pyarrow.csv is not None


def _find_dialect(content: Utf8Content, notes: list[str], n_bytes: int = _HEAD) -> Dialect:
    """Return the delimiter and the header, from as much of the file as decides it."""
    head, rest = read_ahead(content.pieces(), n_bytes)
    if len(head) < n_bytes:
        if not head.strip():
            next(rest, b"")  # damage is the reason, if there is some
        return find_dialect(head, content.name, notes)
    found: list[str] = []
    if head.strip():
        dialect = find_dialect(head, content.name, found)
        if dialect.start + SAMPLE < len(head):
            notes += found
            return dialect
    return _find_dialect(content, notes, 4 * n_bytes)
