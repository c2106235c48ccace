"""Notes about values that were read as missing, whose rows are counted over blocks of a table."""

from __future__ import annotations

from nonet.tables.column_names import count_rows


class UnreadNote(str):
    """A sentence with its parts.

    Parameters
    ----------
    name : str
        The column.
    n_rows : int
    what : str
        What the rows have.

    Examples
    --------
    >>> note = UnreadNote("price", 2, "values that are no numbers")
    >>> note
    "Column 'price': 2 rows with values that are no numbers read as missing."
    >>> note.n_rows
    2
    """

    name: str
    n_rows: int
    what: str

    def __new__(cls, name: str, n_rows: int, what: str) -> UnreadNote:
        """Write the sentence."""
        sentence = f"Column {name!r}: {count_rows(n_rows)} with {what} read as missing."
        note = super().__new__(cls, sentence)
        note.name, note.n_rows, note.what = name, n_rows, what
        return note
