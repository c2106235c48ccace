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
    >>> from nonet.tables.encoder import TableEncoder
    >>> encoder = TableEncoder().fit({"price": [7.25, 3.5, 8.0, 1.5, 9.0, 2.25]})
    >>> counts = UnreadCounts()
    >>> for block in ({"price": ["cheap"]}, {"price": ["3.5", "dear"]}):
    ...     encoded = encoder.transform(block, counts)
    >>> dict(counts.n_rows)
    {('price', 'values that are no numbers'): 2}
    """

    def __init__(self) -> None:
        super().__init__()
        self.n_rows = Counter[tuple[str, str]]()
