"""The form of rows that Python's reader reads: their lengths, and what becomes of odd ones.

Short rows are filled with missing values. Rows with more values than the header has names are left
out, as nobody knows which of their values are the wrong ones; a file of mostly such rows is
refused.
"""

from __future__ import annotations

from collections import Counter

from nonet.tables.column_names import Notes, add_note

Rows = list[list[str]]
_MAX_LONG = 0.1  # fraction of rows that may be too long


class RowLengths:
    """The lengths of the rows of a file, which may come in any number of parts.

    Parameters
    ----------
    header : tuple of str or None
        The names in the first row, None if it is one of data.

    Attributes
    ----------
    n_rows : int
        The number of rows that are not empty.

    Examples
    --------
    >>> lengths, notes = RowLengths(("size", "city")), []
    >>> rows = lengths.add([["1", "a"], [], ["2"]])
    >>> lengths.note("a.csv", notes)
    >>> notes[0]
    'a.csv has empty lines, 1 in all: they were left out.'
    >>> lengths.repair(rows)
    [['1', 'a'], ['2', '']]
    """

    def __init__(self, header: tuple[str, ...] | None) -> None:
        self._header = header
        self._counts: Counter[int] = Counter()
        self._n_empty = self._n_empty_since = 0
        self._n_long = self._first_long = 0
        self.n_rows = 0

    def add(self, rows: Rows) -> Rows:
        """Count more rows, and return those that are not empty."""
        kept = drop_blank(rows)
        self._count_empty(rows, kept)
        self._counts.update(map(len, kept))
        if self._header is not None:
            n_names = len(self._header)
            for position, row in enumerate(kept, self.n_rows + 1):
                if len(row) > n_names and not _is_empty_end(row, n_names):
                    self._n_long += 1
                    self._first_long = self._first_long or position
        self.n_rows += len(kept)
        return kept

    def _count_empty(self, rows: Rows, kept: Rows) -> None:
        """Count empty lines, but for those at the end of the file."""
        n_empty = len(rows) - len(kept)
        if not kept:
            self._n_empty_since += n_empty
        elif n_empty or self._n_empty_since:
            n_after = next(n for n, row in enumerate(reversed(rows)) if not _is_blank(row))
            self._n_empty += self._n_empty_since + n_empty - n_after
            self._n_empty_since = n_after

    @property
    def is_shifted(self) -> bool:
        """Whether the header has no name for the first column: all rows are longer by one value."""
        if self._header is None:
            return False
        return set(self._counts) == {len(self._header) + 1} and self._n_long > 0

    @property
    def n_kept(self) -> int:
        """The number of rows that are not left out."""
        return self.n_rows if self.is_shifted else self.n_rows - self._n_long

    @property
    def header(self) -> list[str]:
        """As many names as there are columns."""
        if self._header is None:
            return [f"x{j}" for j in range(max(self._counts, default=0))]
        return ["", *self._header] if self.is_shifted else [*self._header]

    def note(self, name: str, notes: Notes) -> None:
        """Append a sentence for each kind of repair; raise if most rows are too long."""
        if self._n_empty:
            add_note(notes, f"{name} has empty lines, {self._n_empty} in all: they were left out.")
        if self.is_shifted:
            add_note(notes, f"{name}: the header has no name for the first column.")
            return
        n_columns = len(self.header)
        self._note_long(name, n_columns, notes)
        n_short = sum(count for length, count in self._counts.items() if length < n_columns)
        if n_short:
            have = "row has" if n_short == 1 else "rows have"
            add_note(
                notes,
                f"{name}: {n_short} {have} fewer values than the header; the others are read as "
                "missing.",
            )

    def _note_long(self, name: str, n_columns: int, notes: Notes) -> None:
        if self._n_long > max(1, _MAX_LONG * self.n_rows):
            raise ValueError(
                f"{name}: {self._n_long} of {self.n_rows} rows have more values than the header, "
                f"which has {n_columns}, the first of them row {self._first_long}; put quotes "
                "around values with the delimiter in them, or repair the header."
            )
        if self._n_long:
            have, are = ("row has", "is") if self._n_long == 1 else ("rows have", "are")
            add_note(
                notes,
                f"{name}: {self._n_long} {have} more values than the header and {are} left out; "
                f"the first is row {self._first_long}.",
            )

    def repair(self, rows: Rows, n_columns: int | None = None) -> Rows:
        """Return rows that are not empty with as many values as there are columns."""
        n_columns = len(self.header) if n_columns is None else n_columns
        if all(len(row) == n_columns for row in rows):
            return rows
        return [
            row[:n_columns] + [""] * (n_columns - len(row))
            for row in rows
            if len(row) <= n_columns or _is_empty_end(row, n_columns)
        ]


def drop_blank(rows: Rows) -> Rows:
    """Return the rows that are not empty.

    Examples
    --------
    >>> drop_blank([["1", "a"], [" "], []])
    [['1', 'a']]
    """
    return [row for row in rows if not _is_blank(row)]


def _is_blank(row: list[str]) -> bool:
    return not row or (len(row) == 1 and not row[0].strip())


def _is_empty_end(row: list[str], n_columns: int) -> bool:
    """Return whether values beyond the columns are empty, as delimiters at line ends make them."""
    return not any(cell.strip() for cell in row[n_columns:])
