"""Tables from CSV files: any of the usual encodings and delimiters, with stated repairs.

All values are text first; what a column holds is found from its values afterwards (`kinds`).
pyarrow reads files in which all rows fit, if it is installed, and Python's reader all others.
"""

from __future__ import annotations

from nonet.tables.column_names import Notes, repair_names
from nonet.tables.csv_files.arrow_rows import read_with_arrow
from nonet.tables.csv_files.dialect import as_utf8, find_dialect
from nonet.tables.csv_files.rows import read_rows
from nonet.tables.table import Table


def read_csv(content: bytes, name: str, notes: Notes = None) -> Table:
    r"""Return the table of a CSV file.

    The encoding is UTF-8, UTF-16 or, with a note, cp1252. The delimiter is a comma, a semicolon, a
    tab or a pipe. Short rows are filled with missing values, empty lines and rows that are too long
    are left out, and names that are missing or stand twice are made up; each with a note.

    Parameters
    ----------
    content : bytes
        The file.
    name : str
        Its name, for messages.
    notes : list of str, optional
        Gets a sentence for each kind of repair.

    Returns
    -------
    Table

    Examples
    --------
    >>> table = read_csv(b"size;city\n1,5;Oslo\n2;Rome\n", "flats.csv")
    >>> table.names, table["city"].values()
    (('size', 'city'), array(['Oslo', 'Rome'], dtype=object))
    """
    content = as_utf8(content, name, notes)
    dialect = find_dialect(content, name, notes)
    found = read_with_arrow(content, dialect)
    if found is None:
        found = read_rows(content, dialect, name, notes)
    header, columns = found
    if not columns or not len(columns[0]):
        raise ValueError(f"{name} has a header, but no rows.")
    return Table(repair_names(header, notes), tuple(columns))
