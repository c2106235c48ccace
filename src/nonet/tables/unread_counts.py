"""Notes about values that were read as missing, as numbers of rows that blocks add to."""

from __future__ import annotations

from collections import Counter


class UnreadCounts(list[str]):
    """Notes that count such rows in place of writing a sentence for each block.

    Attributes
    ----------
    n_rows : Counter
        The number of rows by column and by what they have.

    Examples
    --------
    >>> from nonet.tables.column_encoders import learn_column
    >>> from nonet.tables.column_kind import ColumnKind
    >>> from nonet.tables.table import LeveledColumn
    >>> counts, column = UnreadCounts(), LeveledColumn.from_values(["3.5", "cheap", "dear"])
    >>> encoded = learn_column("price", column, ColumnKind("number", "")).encode(column, counts)
    >>> dict(counts.n_rows)
    {('price', 'values that are no numbers'): 2}
    """

    def __init__(self) -> None:
        super().__init__()
        self.n_rows = Counter[tuple[str, str]]()
