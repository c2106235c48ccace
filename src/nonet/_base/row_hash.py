"""Hashes of the rows of a table, for random choices that depend on nothing but the row.

Equal rows have equal hashes in any table and order, in any number type, dense or sparse, in an
array or a frame, and in every process, unlike Python's own hashes of text.

Reference: G. Steele, D. Lea & C. Flood (2014), Fast splittable pseudorandom number generators,
OOPSLA (the mixing function of SplitMix64).
"""

from __future__ import annotations

from hashlib import blake2b
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import _safe_indexing

from nonet._base.aliases import Array
from nonet._base.frames import as_frame, count_rows, take_rows

Words = NDArray[np.uint64]

_CELLS_PER_BLOCK = 2**20  # so that a large table is not copied as a whole
_NAN = np.uint64(0x7FF8000000000000)


def hash_rows(X: Any) -> Words:
    """Return a 64-bit hash of each row.

    It is the sum, modulo 2**64, of the hashes of the row's nonzero cells with their columns.
    Text and other objects count by their ``repr``.
    """
    X = as_frame(X)
    if issparse(X):
        return _hash_sparse(X)
    table = X if hasattr(X, "columns") else _as_matrix(X)
    n_rows, step = count_rows(table), max(1, _CELLS_PER_BLOCK // max(1, table.shape[1]))
    hashes = np.zeros(n_rows, dtype=np.uint64)
    for start in range(0, n_rows, step):
        rows = np.arange(start, min(start + step, n_rows))
        hashes[rows] = _hash_block(take_rows(table, rows))
    return hashes


def mix_words(words: Words) -> Words:
    """Scramble 64-bit words: one step of SplitMix64."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(words ^ (words >> np.uint64(31)))


def _as_matrix(X: Any) -> Array:
    """Return anything with rows, a list of strings for example, as an array of two axes."""
    try:
        array = np.asarray(X)
    except ValueError:  # rows of unequal lengths
        array = np.empty(len(X), dtype=object)
        array[:] = X
    return array.reshape(len(array), int(np.prod(array.shape[1:])))


def _hash_block(table: Any) -> Words:
    if hasattr(table, "columns"):
        columns = [_cell_bits(_safe_indexing(table, j, axis=1)) for j in range(table.shape[1])]
        bits = np.column_stack(columns) if columns else np.zeros((count_rows(table), 0), np.uint64)
    else:
        bits = _cell_bits(table)
    return np.asarray(_hash_cells(bits, np.arange(bits.shape[1])).sum(axis=1, dtype=np.uint64))


def _hash_sparse(X: Any) -> Words:
    csr = X.tocsr().copy()
    csr.sum_duplicates()
    cells = csr.tocoo()
    hashes = np.zeros(csr.shape[0], dtype=np.uint64)
    np.add.at(hashes, cells.row, _hash_cells(_cell_bits(cells.data), cells.col))
    return hashes


def _hash_cells(bits: Words, columns: Array) -> Words:
    """Return a hash of each cell and its column; 0 for a zero, which sparse tables leave out."""
    return np.where(bits == 0, np.uint64(0), mix_words(bits ^ mix_words(columns.astype(np.uint64))))


def _cell_bits(values: Any) -> Words:
    array = np.asarray(values)
    if array.dtype.kind in "biuf":
        return _number_bits(array)
    if array.dtype.kind in "mM":
        return array.astype(np.int64).view(np.uint64)
    known: dict[Any, np.uint64] = {}
    bits = [_object_bits(value, known) for value in array.ravel().tolist()]
    return np.array(bits, dtype=np.uint64).reshape(array.shape)


def _number_bits(values: Any) -> Words:
    # Adding 0.0 turns -0.0 into 0.0: equal numbers must have equal bits.
    numbers = np.asarray(values, dtype=np.float64) + 0.0
    return np.where(np.isnan(numbers), _NAN, numbers.view(np.uint64))


def _object_bits(value: Any, known: dict[Any, np.uint64]) -> np.uint64:
    if isinstance(value, (bool, Real)):
        return np.uint64(_number_bits(float(value)))
    text = value if isinstance(value, str) else repr(value)
    if text not in known:
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        known[text] = np.uint64(int.from_bytes(digest, "little"))
    return known[text]
