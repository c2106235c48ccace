"""Codes of the levels of one column, or of the pairs of levels of two.

A level is any value of a column, a code of a category or a number of few values; missing values are
a level of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nonet._base.aliases import Array, Floats


@dataclass(frozen=True, eq=False)
class LevelCodes:
    """The levels that some rows have.

    Attributes
    ----------
    columns : ndarray of int of shape (1,) or (2,)
        Whose levels they are.
    values : list of ndarray
        The distinct values of each column, in order.
    known : ndarray of int of shape (n_levels,)
        The pairs of positions of values that some row has, each as one number, in order.

    Examples
    --------
    >>> X = np.array([[0.0, 5.0], [1.0, 5.0], [0.0, np.nan]])
    >>> codes = LevelCodes.learn(X, [0, 1])
    >>> codes.encode(X).tolist(), codes.n_levels
    ([0, 2, 1], 3)
    >>> codes.encode(np.array([[1.0, np.nan], [2.0, 5.0]])).tolist()
    [3, 3]
    """

    columns: Array
    values: list[Floats]
    known: Array

    @classmethod
    def learn(cls, X: Floats, columns: Sequence[int] | Array) -> LevelCodes:
        """Return the levels of the rows of X."""
        values = [np.unique(X[~np.isnan(X[:, j]), j]) for j in columns]
        every = cls(np.array(columns, dtype=np.intp), values, np.array([], dtype=np.int64))
        return cls(every.columns, values, np.unique(every._positions(X)))

    @property
    def n_levels(self) -> int:
        """The number of levels, and the code of rows whose level is not known."""
        return len(self.known)

    def encode(self, X: Floats) -> Array:
        """Return the codes of the levels of rows; ``n_levels`` for one that is not known."""
        positions = self._positions(X)
        if not self.n_levels:
            return np.zeros(len(X), dtype=np.intp)
        codes = np.searchsorted(self.known, positions).clip(max=self.n_levels - 1)
        found: Array = np.where(self.known[codes] == positions, codes, self.n_levels)
        return found

    def _positions(self, X: Floats) -> Array:
        """Return the positions of the values of each row as one number; -1 if one is not known."""
        joined = np.zeros(len(X), dtype=np.int64)
        is_known = np.ones(len(X), dtype=bool)
        for j, values in zip(self.columns, self.values, strict=True):
            column, last = X[:, j], max(0, len(values) - 1)
            is_missing = np.isnan(column)
            at = np.searchsorted(values, column).clip(max=last)
            is_known &= is_missing | (values[at] == column if len(values) else False)
            joined = joined * (len(values) + 1) + np.where(is_missing, len(values), at)
        return np.where(is_known, joined, -1)
