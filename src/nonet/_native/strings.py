"""Bindings of the distinct strings of columns that other libraries lend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonet import _core


def distinct_strings(
    columns: Sequence[Any], n_threads: int
) -> list[tuple[list[str], NDArray[np.int32]]]:
    """Find the distinct strings of columns.

    Parameters
    ----------
    columns : sequence of objects with ``__arrow_c_stream__``
        Columns of strings of polars or Arrow, of any number of chunks; nothing is copied.
    n_threads : int
        Threads at most; a thread takes whole columns.

    Returns
    -------
    list of (values, positions)
        For each column, the distinct strings in the order in which they are met, and the position
        of each row's string among these, -1 where it is missing.

    Raises
    ------
    ValueError
        If a column does not hold strings.

    Examples
    --------
    >>> import pyarrow
    >>> distinct_strings([pyarrow.chunked_array([["b", "a", None], ["b"]])], 1)
    [(['b', 'a'], array([ 0,  1, -1,  0], dtype=int32))]
    """
    lent = [_core.ArrowStrings(column.__arrow_c_stream__()) for column in columns]
    if not all(column.is_known for column in lent):
        raise ValueError("columns must hold strings.")
    positions = [np.empty(column.n_rows, dtype=np.int32) for column in lent]
    values = _core.find_distinct_strings(lent, positions, n_threads)
    return list(zip(values, positions, strict=True))
