"""A digest of the rows of X, by which a ledger recognises the rows that it was made on.

Equal values have equal digests whether they are in a list, an array or a frame, and in any numeric
type that represents them exactly. Sparse tables have digests of their own kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import _safe_indexing

from nonet._base.aliases import Array
from nonet._base.frames import column_names, count_rows, take_rows

_ROWS_PER_BLOCK = 1 << 14
_DENSE, _SPARSE = "dense", "sparse"


def digest_rows(X: Any) -> str | None:
    """Return the digest of a table; None if its values have no stable form, such as own objects."""
    try:
        return _digest_sparse(X) if issparse(X) else _digest_dense(X)
    except (TypeError, ValueError):  # whatever X is, the members may know what to do with it
        return None


def are_other_rows(noted: str | None, X: Any) -> bool:
    """Return whether X certainly differs from the table of a digest."""
    now = digest_rows(X) if noted is not None else None
    if noted is None or now is None or noted.partition(":")[0] != now.partition(":")[0]:
        return False
    return noted != now


def _digest_sparse(X: Any) -> str:
    rows = X.tocsr(copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    parts = (_number_bytes(rows.data), *(a.astype(np.int64) for a in (rows.indices, rows.indptr)))
    return _join(_SPARSE, rows.shape, (part.tobytes() for part in parts))


def _digest_dense(X: Any) -> str | None:
    table = X if hasattr(X, "shape") else _array_of(X)
    n_rows = count_rows(table)
    blocks = (np.arange(n_rows)[i : i + _ROWS_PER_BLOCK] for i in range(0, n_rows, _ROWS_PER_BLOCK))
    parts = (part for rows in blocks for part in _block_bytes(take_rows(table, rows)))
    return _join(_DENSE, table.shape, parts)


def _array_of(X: Any) -> Array:
    """Return a list as an array; NumPy alone would turn numbers beside text into text."""
    numbers = np.asarray(X)
    return numbers if numbers.dtype.kind in "biuf" else np.array(X, dtype=object)


def _join(kind: str, shape: tuple[int, ...], parts: Iterator[bytes]) -> str:
    digest = blake2b(repr(tuple(map(int, shape))).encode(), digest_size=16)
    for part in parts:
        digest.update(part)
    return f"{kind}:{digest.hexdigest()}"


def _block_bytes(block: Any) -> Iterator[bytes]:
    """Yield the bytes of the columns of a block of rows."""
    if column_names(block) is not None:
        columns = (np.asarray(_safe_indexing(block, j, axis=1)) for j in range(block.shape[1]))
        yield from map(_column_bytes, columns)
        return
    values = np.asarray(block)
    columns_first = values.reshape(len(values), -1).T
    if values.dtype.kind in "biuf":
        yield _number_bytes(columns_first).tobytes()
    else:
        yield from map(_column_bytes, columns_first)


def _column_bytes(column: Array) -> bytes:
    try:
        return _number_bytes(column).tobytes()
    except (TypeError, ValueError):  # not all of them are numbers
        return "\0".join(map(_text_of, column.tolist())).encode(errors="surrogatepass")


def _number_bytes(values: Array) -> Array:
    numbers = np.array(values, dtype=np.float64, order="C")
    numbers += 0.0  # -0.0 becomes 0.0
    numbers[np.isnan(numbers)] = np.nan
    return numbers


def _text_of(value: Any) -> str:
    if getattr(type(value), "__repr__", None) is object.__repr__:
        raise TypeError("the text of the object has its address, which differs from run to run")
    return str(value)
