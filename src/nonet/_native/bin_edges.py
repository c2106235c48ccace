"""Bindings of bin edges: as arrays, found in blocks of rows, equal to those of the whole table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nonet import _core
from nonet._native.runtime import get_num_threads, native_array

# A sample of so many rows puts a quantile within 0.3 % of the rows from its position; finer bins
# get a larger sample, so that a bin still holds a handful of its rows.
_SAMPLED_ROWS = 200_000
_SAMPLED_ROWS_PER_BIN = 16


def count_sampled_rows(max_bins: int) -> int:
    """Return the number of rows from which edges are found, if there are more.

    Examples
    --------
    >>> count_sampled_rows(255), count_sampled_rows(65_535)
    (200000, 1048560)
    """
    return max(_SAMPLED_ROWS, _SAMPLED_ROWS_PER_BIN * max_bins)


@dataclass(frozen=True, eq=False)
class BinEdges:
    """The bins of all columns, as arrays that can be stored and sent.

    Parameters
    ----------
    n_bins : int64 array of shape (n_columns,)
        Number of bins of each column, without that of missing values.
    edges : array
        The ``n_bins - 1`` upper edges of each column of numbers, one column after another.
    minimum, maximum : array
        The smallest and the largest value seen in each bin, one column after another.
    is_category : uint8 array of shape (n_columns,)
        1 for columns of codes.
    has_missing : uint8 array of shape (n_columns,)
        1 for columns in which some row has no value.

    Examples
    --------
    >>> sample = EdgeSample(1)
    >>> sample.add(np.array([[1.0], [3.0]]))
    >>> BinEdges.join([sample.find(), BinEdges.of_codes(3, has_missing=True)]).n_bins.tolist()
    [2, 3]
    """

    n_bins: NDArray[np.int64]
    edges: NDArray[np.float64]
    minimum: NDArray[np.float64]
    maximum: NDArray[np.float64]
    is_category: NDArray[np.uint8]
    has_missing: NDArray[np.uint8]

    @classmethod
    def of_codes(cls, n_codes: int, *, has_missing: bool) -> BinEdges:
        """Return the bins of a column of codes 0, 1, ..., n_codes - 1."""
        codes, none = np.arange(n_codes, dtype=np.float64), np.empty(0)
        flags = np.array([1], np.uint8), np.array([has_missing], np.uint8)
        return cls(np.array([n_codes], np.int64), none, codes, codes, *flags)

    @classmethod
    def join(cls, parts: Sequence[BinEdges]) -> BinEdges:
        """Return the columns of several side by side."""
        return cls(*(np.concatenate(same) for same in zip(*(p.arrays for p in parts), strict=True)))

    @property
    def arrays(self) -> tuple[Any, Any, Any, Any, Any, Any]:
        """The arrays, in the order of the parameters."""
        values = self.n_bins, self.edges, self.minimum, self.maximum
        return *values, self.is_category, self.has_missing

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.n_bins)

    @property
    def bytes_per_bin(self) -> int:
        """Bytes that a bin takes: 1, or 2 if some column has more than 255."""
        return 1 if self.n_bins.max() <= 255 else 2

    def column(self, j: int) -> BinEdges:
        """Return the bins of one column."""
        n_edges = np.where(self.is_category == 1, 0, np.maximum(self.n_bins - 1, 0))
        edge, value = int(n_edges[:j].sum()), int(self.n_bins[:j].sum())
        values = slice(value, value + int(self.n_bins[j]))
        return BinEdges(
            self.n_bins[j : j + 1],
            self.edges[edge : edge + int(n_edges[j])],
            self.minimum[values],
            self.maximum[values],
            self.is_category[j : j + 1],
            self.has_missing[j : j + 1],
        )


class EdgeSample:
    """Finds the edges of columns of numbers whose rows come in blocks.

    They are those that a `BinnedDataset` of all rows finds: from the same sample if there are many
    rows, and one bin per value in columns of few distinct values. Memory depends on the size of the
    sample, not on the number of rows.

    Parameters
    ----------
    n_columns : int
        Number of columns.
    max_bins, seed : int
        As in `BinnedDataset`.

    Examples
    --------
    >>> sample = EdgeSample(1, max_bins=2)
    >>> for block in ([[1.0], [2.0]], [[3.0], [4.0]]):
    ...     sample.add(np.array(block))
    >>> sample.n_rows, sample.find().edges
    (4, array([2.5]))
    """

    def __init__(self, n_columns: int, *, max_bins: int = 255, seed: int = 0) -> None:
        n_sampled = count_sampled_rows(max_bins)
        self._native = _core.EdgeSample(n_columns, max_bins, n_sampled, seed)

    @property
    def n_rows(self) -> int:
        """Number of rows so far."""
        return self._native.n_rows

    def add(self, values: NDArray[Any], weights: ArrayLike | None = None) -> None:
        """Add the next rows, a float32 or float64 matrix, and their base weights."""
        base = np.empty(0) if weights is None else native_array(weights, np.float64)
        self._native.add(values, base, get_num_threads())

    def find(self) -> BinEdges:
        """Return the bins of all rows so far."""
        return BinEdges(*self._native.find(get_num_threads()))
