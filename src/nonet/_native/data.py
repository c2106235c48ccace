"""Bindings of the binned datasets of the compiled core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csc_matrix, issparse

from nonet import _core
from nonet._native.runtime import get_num_threads, native_array

# A sample of so many rows puts a quantile within 0.3 % of the rows from its position; finer bins
# get a larger sample, so that a bin still holds a handful of its rows.
SAMPLED_ROWS = 200_000
SAMPLED_ROWS_A_BIN = 16
_MAX_SPARSE_COLUMNS = 100_000


def as_table(X: ArrayLike) -> NDArray[Any]:
    """Return a float32 or float64 matrix, without a copy if it is one in any memory order.

    Parameters
    ----------
    X : array-like of shape (n_rows, n_columns)
        Numbers.

    Returns
    -------
    array of shape (n_rows, n_columns)

    Examples
    --------
    >>> as_table([[1, 2]])
    array([[1., 2.]])
    """
    table = native_array(X, np.float64, np.float32, contiguous=False)
    if table.ndim != 2:
        raise ValueError(f"X must have 2 dimensions (rows, columns), got shape {table.shape}.")
    return table


def _compressed_columns(X: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], int]:
    """Return where columns start, the rows and values of their entries, and the number of rows."""
    _check_width(X)
    columns = csc_matrix(X)
    if not columns.has_canonical_format:
        columns = columns.copy()
        columns.sum_duplicates()
    if columns.shape[0] > np.iinfo(np.int32).max:
        raise ValueError(f"A sparse X has at most 2**31 - 1 rows, got {columns.shape[0]}.")
    starts = native_array(columns.indptr, np.int64)
    rows = native_array(columns.indices, np.int32)
    return starts, rows, native_array(columns.data, np.float64, np.float32), columns.shape[0]


def _check_width(X: Any) -> None:
    """Raise if a sparse table has too many columns for the histograms of a node."""
    n_columns = X.shape[1]
    if n_columns <= _MAX_SPARSE_COLUMNS:
        return
    n_bins = n_columns + min(X.nnz, 255 * n_columns)
    raise ValueError(
        f"A sparse X has at most {_MAX_SPARSE_COLUMNS:,} columns, got {n_columns:,}, for which the "
        f"sums of one node would take up to {16 * n_bins / 1e6:,.0f} MB; select columns (for "
        "example by VarianceThreshold), or hash them into fewer."
    )


class BinnedDataset:
    """Columns as small integers, binned once and shared by all growers.

    With no more distinct values than bins, every value has its own bin and a tree on bins is the
    tree on values; otherwise bins hold about equal fractions of the rows (or of their weights),
    taken from a sample of the rows if these are many. NaN has a bin of its own.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_rows, n_columns)
        Numbers, float32 or float64 (other dtypes become float64), in any memory order. Of
        sparse matrices, of at most 100,000 columns, only the bins of their entries are kept.
    max_bins : int, default=255
        Maximum number of bins per column, without the bin of missing values: at most 255 for bins
        of 8 bits, at most 65535 for bins of 16.
    categories : sequence of int, optional
        Columns that hold codes 0, 1, ... of categories.
    weights : array of shape (n_rows,), optional
        Base weights of the rows, for the bin edges only; rows of weight 0 are ignored.
    seed : int, default=0
        Seed of the sample of rows.
    reference : BinnedDataset, optional
        A dataset of the same columns, such as that of all rows for those of a fold: columns of
        numbers take its bins. What else there is about numbers then has no effect. X is dense.

    Attributes
    ----------
    n_rows, n_columns : int
        Shape of the data.
    bytes_per_bin : int
        1 or 2.

    Examples
    --------
    >>> dataset = BinnedDataset(np.array([[1.0], [3.0], [np.nan], [1.0]]))
    >>> dataset.edges(0), dataset.bins(0)
    (array([2.]), array([0, 1, 2, 0], dtype=uint16))
    """

    _native: _core.BinnedDataset

    def __init__(
        self,
        X: Any,
        *,
        max_bins: int = 255,
        categories: Sequence[int] = (),
        weights: ArrayLike | None = None,
        seed: int = 0,
        reference: BinnedDataset | None = None,
    ) -> None:
        if reference is not None:
            like = reference._native, list(categories), get_num_threads()
            self._native = _core.BinnedDataset(as_table(X), *like)
            return
        base = np.empty(0) if weights is None else native_array(weights, np.float64)
        n_sampled_rows = max(SAMPLED_ROWS, SAMPLED_ROWS_A_BIN * max_bins)
        options = (list(categories), max_bins, n_sampled_rows, seed, get_num_threads())
        if issparse(X):
            starts, rows, values, n_rows = _compressed_columns(X)
            self._native = _core.BinnedDataset(starts, rows, values, n_rows, base, *options)
        else:
            self._native = _core.BinnedDataset(as_table(X), base, *options)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._native.n_rows

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self._native.n_columns

    @property
    def bytes_per_bin(self) -> int:
        """Bytes that a bin takes: 1 or 2."""
        return self._native.bytes_per_bin

    def n_bins(self, column: int) -> int:
        """Count the bins of a column, without the bin of missing values."""
        return self._native.n_bins(column)

    def has_missing(self, column: int) -> bool:
        """Return whether some row is missing in a column."""
        return self._native.has_missing(column)

    def edges(self, column: int) -> NDArray[np.float64]:
        """Return the upper edges of all bins of a column but the last: x <= edge is in the bin."""
        return self._native.edges(column)

    def bins(self, column: int) -> NDArray[np.uint16]:
        """Copy the bins of all rows in a column; missing rows are in bin ``n_bins(column)``."""
        out = np.empty(self.n_rows, dtype=np.uint16)
        self._native.copy_column(column, out)
        return out
