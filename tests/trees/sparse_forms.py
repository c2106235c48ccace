"""Sparse matrices with duplicates, stored zeros, unsorted and 64-bit indices."""

from __future__ import annotations

import numpy as np
from scipy import sparse


def with_duplicates(table, kind):
    """Return every entry as two, of a quarter and of three quarters."""
    entries = sparse.coo_array(table)
    parts = np.concatenate([entries.data * 0.25, entries.data * 0.75])
    rows, columns = (np.tile(index, 2) for index in entries.coords)
    if kind is sparse.coo_array:
        return kind((parts, (rows, columns)), shape=table.shape)
    major, minor = (rows, columns) if kind is sparse.csr_array else (columns, rows)
    order = np.argsort(major, kind="stable")
    n_major = table.shape[0 if kind is sparse.csr_array else 1]
    starts = np.concatenate([[0], np.cumsum(np.bincount(major, minlength=n_major))])
    return kind((parts[order], minor[order], starts), shape=table.shape)


def with_zeros(table, kind):
    full = sparse.coo_array(np.ones(table.shape))
    full.data[:] = table.ravel()
    return kind(full)


def unsorted(table, kind):
    found = kind(table)
    for start, end in zip(found.indptr[:-1], found.indptr[1:], strict=True):
        for part in (found.indices, found.data):
            part[start:end] = part[start:end][::-1].copy()
    found.has_sorted_indices = False
    return found


def with_long_indices(table, kind):
    found = kind(table)
    found.indices, found.indptr = found.indices.astype(np.int64), found.indptr.astype(np.int64)
    return found


BY_ROW_OR_COLUMN = [sparse.csr_array, sparse.csc_array]
SPARSE = [
    (with_duplicates, sparse.coo_array),
    *(
        (change, kind)
        for change in (with_duplicates, with_zeros, unsorted, with_long_indices)
        for kind in BY_ROW_OR_COLUMN
    ),
]
