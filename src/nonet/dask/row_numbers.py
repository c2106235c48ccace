"""Numbers of rows in the whole dataset, and where they are in the partitions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nonet._base.aliases import Array


class RowNumbers:
    """Which rows of the whole each partition holds.

    Parameters
    ----------
    n_rows : sequence of int
        Number of rows of each partition.

    Examples
    --------
    >>> numbers = RowNumbers([2, 3])
    >>> [rows.tolist() for rows in numbers.by_part(np.array([4, 0, 2]))]
    [[0], [2, 0]]
    """

    def __init__(self, n_rows: Sequence[int]) -> None:
        self._ends = np.cumsum(n_rows)
        self._begins = self._ends - np.asarray(n_rows)

    def part_of(self, rows: Array) -> Array:
        """Return the partition of each row."""
        parts: Array = np.searchsorted(self._ends, rows, side="right")
        return parts

    def by_part(self, rows: Array) -> list[Array]:
        """Return the rows as positions in each partition, in the order in which they are given."""
        parts = self.part_of(rows)
        in_order = np.argsort(parts, kind="stable")
        bounds = np.searchsorted(parts[in_order], np.arange(len(self._ends) + 1))
        return [
            rows[in_order[bounds[p] : bounds[p + 1]]] - begin
            for p, begin in enumerate(self._begins)
        ]
