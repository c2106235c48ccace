"""The index of a pandas frame, which pandas stores as a column of Parquet and Arrow files.

An index without a name is the order of the rows before they were sorted or drawn: no feature, and
it may hold what nobody knows later. pandas itself reads it as an index.
"""

from __future__ import annotations

import re

from nonet.tables.column_names import Notes, add_note, list_names
from nonet.tables.table import Table

_NAME = re.compile(r"__index_level_\d+__")


def without_stored_index(table: Table, notes: Notes = None) -> Table:
    """Return a table without the columns in which pandas has stored an index.

    Parameters
    ----------
    table : Table
    notes : list of str, optional
        Gets a sentence if there is such a column.

    Returns
    -------
    table : Table

    Examples
    --------
    >>> import numpy as np
    >>> table = Table(("size", "__index_level_0__"), (np.ones(2), np.array([7, 3])))
    >>> without_stored_index(table).names
    ('size',)
    """
    kept = [name for name in table.names if not _NAME.fullmatch(name)]
    if not kept or len(kept) == len(table.names):
        return table
    left_out = [name for name in table.names if name not in kept]
    add_note(notes, f"The index of a pandas frame is left out: {list_names(left_out)}.")
    return table.select(kept)
