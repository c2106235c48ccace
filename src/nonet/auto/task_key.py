"""Keys of tasks: hashes of all that a result depends on, equal in every process."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from importlib.metadata import version
from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet._base.errors import show

_DIGEST_BYTES = 16
_BYTES_PER_BLOCK = 2**24  # so that a table in Fortran order is not copied as a whole


def task_key(
    data_hash: str, folds_hash: str, configuration: Mapping[str, Any], fold: int, seed: int
) -> str:
    """Return the key of a task.

    Parameters
    ----------
    data_hash, folds_hash : str
        Hashes of the data and of the folds.
    configuration : mapping
        The parameters of the configuration: values of JSON, tuples and NumPy's numbers, in any
        order.
    fold, seed : int
        The number of the fold, and the seed of the run.

    Returns
    -------
    str
        Hexadecimal digits. The version of nonet is part of what is hashed, because another version
        may fit another model.

    Examples
    --------
    >>> one = task_key("d", "f", {"depth": 3, "rate": 0.1}, fold=0, seed=1)
    >>> one == task_key("d", "f", {"rate": 0.1, "depth": np.int64(3)}, fold=0, seed=1)
    True
    >>> one == task_key("d", "f", {"depth": 3, "rate": 0.1}, fold=1, seed=1)
    False
    """
    content = [version("nonet"), data_hash, folds_hash, dict(configuration), int(fold), int(seed)]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), default=_plain_value)
    return blake2b(text.encode(), digest_size=_DIGEST_BYTES).hexdigest()


def hash_arrays(*arrays: Array | None) -> str:
    """Return a hash of arrays: their values, dtypes and shapes, in any memory order.

    Parameters
    ----------
    *arrays : ndarray or None
        Numbers, booleans, dates or text; an array of objects counts by the type and the ``repr`` of
        each. None stands for an array that was not given.

    Returns
    -------
    str
        Hexadecimal digits.

    Examples
    --------
    >>> X = np.arange(6.0).reshape(2, 3)
    >>> hash_arrays(X) == hash_arrays(np.asfortranarray(X))
    True
    >>> hash_arrays(X) == hash_arrays(X.astype(np.float32))
    False
    """
    hashed = blake2b(digest_size=_DIGEST_BYTES)
    for array in arrays:
        if array is None:
            hashed.update(b"none;")
            continue
        dtype = array.dtype.newbyteorder("<")
        hashed.update(f"{dtype.str}{array.shape};".encode())
        for block in _blocks(array, dtype):
            hashed.update(block)
    return hashed.hexdigest()


def _blocks(array: Array, dtype: np.dtype) -> Iterator[bytes]:
    """Yield the bytes of an array in C order, some rows at a time."""
    rows = np.atleast_1d(array)
    if array.dtype.kind == "O":
        for value in rows.ravel().tolist():
            text = f"{type(value).__name__}:{value!r}".encode("utf-8", "surrogatepass")
            yield len(text).to_bytes(8, "little") + text
        return
    bytes_per_row = max(1, dtype.itemsize * int(np.prod(rows.shape[1:])))
    step = max(1, _BYTES_PER_BLOCK // bytes_per_row)
    for start in range(0, len(rows), step):
        yield rows[start : start + step].astype(dtype, copy=False).tobytes()


def _plain_value(value: Any) -> Any:
    """Return a value that JSON has no form for as one that it has."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(
        f"a configuration must consist of numbers, text, None, lists and dictionaries, but has "
        f"{show(value)}; describe it by its name and its parameters."
    )
