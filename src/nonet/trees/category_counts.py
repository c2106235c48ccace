"""Categories of columns that come in blocks of rows, counted until all rows are there."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet._base.frames import is_missing
from nonet.trees.category_codes import (
    NUMERIC_KINDS,
    categories_of,
    check_hashes,
    distinct_values,
)


class CategoryCounts:
    """The categories of a column that comes in blocks, and how many rows each has."""

    def __init__(self) -> None:
        self.n_missing = 0
        self._counts: dict[Any, int] = {}
        self._dtype: Any = None  # of numbers

    def add(self, X: Any, j: int) -> None:
        """Count the rows of a block: an array, or an opened frame."""
        values, positions = categories_of(X, j)
        check_hashes(X, j, values)
        if values.dtype.kind in NUMERIC_KINDS:
            known = self._dtype
            self._dtype = values.dtype if known is None else np.result_type(known, values.dtype)
        if positions is None:
            values, counts = _count_distinct(values)
        else:
            counts = np.bincount(positions[positions >= 0], minlength=len(values))
            self.n_missing += int(np.count_nonzero(positions < 0))
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            if is_missing(value):
                self.n_missing += count
            elif count:
                self._counts[value] = self._counts.get(value, 0) + count

    def in_order(self) -> tuple[Array, Array]:
        """Return the categories, sorted as in `CategoryCodes`, and their numbers of rows."""
        values = np.empty(len(self._counts), dtype=object)
        values[:] = list(self._counts)
        if self._dtype is not None and not any(isinstance(v, str) for v in self._counts):
            values = values.astype(self._dtype)
        ordered = distinct_values(None, 0, values)
        return ordered, np.array([self._counts[value] for value in ordered.tolist()], dtype=np.intp)


def _count_distinct(values: Array) -> tuple[Array, Array]:
    if values.dtype.kind in NUMERIC_KINDS:
        found: tuple[Array, Array] = np.unique(values, return_counts=True)
        return found
    counts: dict[Any, int] = {}
    for value in values.tolist():
        counts[value] = counts.get(value, 0) + 1
    distinct = np.empty(len(counts), dtype=object)
    distinct[:] = list(counts)
    return distinct, np.fromiter(counts.values(), dtype=np.intp, count=len(counts))
