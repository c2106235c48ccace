"""A table in memory: named columns of equal length, whatever library or file it came from.

A column is one of three things: an array of numbers or booleans (NaN where a float is missing), an
array of ``datetime64[us]`` (NaT where missing), or `LeveledColumn`, text stored as codes of its
distinct values. What can be learned from text (is it a number, a date, a category?) is then
computed once per distinct value, not once per row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nonet._base.aliases import Array

MISSING = -1
"""The code of a missing value."""


@dataclass(frozen=True, eq=False)
class LeveledColumn:
    """A column of text: distinct values, and the position of each row's value among them.

    Attributes
    ----------
    codes : ndarray of int32 of shape (n_rows,)
        Positions in ``levels``; -1 where the value is missing.
    levels : ndarray of str objects of shape (n_levels,)
        The distinct values; some may have no row, after rows were taken.
    is_categorical : bool, default=False
        Whether the source declares categories, so that "1" is a category and not a number.

    Examples
    --------
    >>> column = LeveledColumn.from_values(["b", None, "a", "b"])
    >>> column.codes, column.levels
    (array([ 0, -1,  1,  0], dtype=int32), array(['b', 'a'], dtype=object))
    >>> len(column.take(np.array([0, 1])))
    2
    """

    codes: NDArray[np.int32]
    levels: Array
    is_categorical: bool = False

    @classmethod
    def from_values(cls, values: Sequence[str | None]) -> LeveledColumn:
        """Return the column of some values, with levels in the order in which they appear."""
        positions: dict[str, int] = {}
        codes = np.fromiter(
            (MISSING if v is None else positions.setdefault(v, len(positions)) for v in values),
            dtype=np.int32,
            count=len(values),
        )
        return cls(codes, np.array([*positions], dtype=object))

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, rows: Array) -> LeveledColumn:
        """Return the column of some rows; levels stay as they are."""
        return replace(self, codes=self.codes[rows])

    def counts(self) -> NDArray[np.int64]:
        """Return the number of rows of each level."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.levels))

    def values(self) -> Array:
        """Return the value of each row, None where it is missing."""
        with_missing = np.empty(len(self.levels) + 1, dtype=object)
        with_missing[:-1] = self.levels  # the last, which the code -1 reads, stays None
        values: Array = with_missing[self.codes]
        return values


Column = Array | LeveledColumn


@dataclass(frozen=True, eq=False)
class Table:
    """Named columns of equal length.

    Attributes
    ----------
    names : tuple of str
        The names of the columns, all different.
    columns : tuple of ndarray or LeveledColumn
        The columns, in the same order.

    Examples
    --------
    >>> table = Table(("size", "city"), (np.array([1.0, 2.0]), LeveledColumn.from_values("ab")))
    >>> table.n_rows, table["city"].levels
    (2, array(['a', 'b'], dtype=object))
    >>> table.take(np.array([1])).select(["size"]).columns
    (array([2.]),)
    """

    names: tuple[str, ...]
    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        if len(self.names) != len(self.columns):
            raise ValueError(
                f"a table needs a name for each of its {len(self.columns)} columns, "
                f"but got {len(self.names)} names."
            )
        if len(set(self.names)) < len(self.names):
            twice = next(name for name in self.names if self.names.count(name) > 1)
            raise ValueError(f"a table needs different names, but {twice!r} names two columns.")
        if len({len(column) for column in self.columns}) > 1:
            raise ValueError("the columns of a table must have the same number of rows.")

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.columns[0]) if self.columns else 0

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and of columns."""
        return self.n_rows, len(self.columns)

    @property
    def column_names(self) -> list[str]:
        """The names, where the names of any frame are looked for."""
        return list(self.names)

    def __getitem__(self, name: str) -> Column:
        return self.columns[self.names.index(name)]

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def take(self, rows: Array) -> Table:
        """Return some rows."""
        columns = tuple(
            column.take(rows) if isinstance(column, LeveledColumn) else column[rows]
            for column in self.columns
        )
        return Table(self.names, columns)

    def select(self, names: Sequence[str]) -> Table:
        """Return some columns, in the given order."""
        return Table(tuple(names), tuple(self[name] for name in names))

    def without(self, name: str) -> Table:
        """Return the table without one of its columns."""
        return self.select([other for other in self.names if other != name])
