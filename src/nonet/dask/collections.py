"""Dask's collections as partitions of rows: arrays, data frames and lists of delayed objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dask
import dask.array
from dask.delayed import Delayed

from nonet._base.errors import show

Part = tuple[Any, Any, Any]
"""Rows, targets, and weights or None, of one partition."""


def is_array(X: Any) -> bool:
    """Return whether an object is a dask array."""
    return isinstance(X, dask.array.Array)


def is_frame(X: Any) -> bool:
    """Return whether an object is a dask data frame or series."""
    return dask.is_dask_collection(X) and hasattr(X, "map_partitions") and hasattr(X, "_meta")


def is_collection(X: Any) -> bool:
    """Return whether an object is one that a fit on partitions reads."""
    return is_array(X) or is_frame(X) or _is_list_of_delayed(X)


def _is_list_of_delayed(X: Any) -> bool:
    return isinstance(X, list | tuple) and len(X) > 0 and all(isinstance(x, Delayed) for x in X)


def list_parts(X: Any, y: Any, sample_weight: Any = None) -> list[Delayed]:
    """Return the partitions of a dataset as delayed tuples of rows, targets and weights.

    Parameters
    ----------
    X : dask array, dask data frame, or list of delayed tables
    y : dask array, dask series, or list of delayed arrays
        In the partitions of X.
    sample_weight : like y, optional

    Returns
    -------
    parts : list of Delayed
    """
    rows = _delayed_rows(X)
    targets = _delayed_vectors(y, X, "y")
    weights = None if sample_weight is None else _delayed_vectors(sample_weight, X, "sample_weight")
    for name, parts in (("y", targets), ("sample_weight", weights)):
        if parts is not None and len(parts) != len(rows):
            raise ValueError(
                f"X has {len(rows)} partitions, but {name} has {len(parts)}; repartition {name} "
                "like X."
            )
    join = dask.delayed(_join, pure=True)
    return [
        join(x, t, None if weights is None else weights[i])
        for i, (x, t) in enumerate(zip(rows, targets, strict=True))
    ]


def _join(rows: Any, target: Any, weights: Any) -> Part:
    return rows, target, weights


def _delayed_rows(X: Any) -> list[Delayed]:
    if is_array(X):
        if X.ndim != 2:
            raise ValueError(f"X must have 2 dimensions (rows, columns), got {X.ndim}.")
        return list(X.rechunk({1: -1}).to_delayed().ravel())
    if is_frame(X):
        return list(X.to_delayed())
    if _is_list_of_delayed(X):
        return list(X)
    raise TypeError(
        "X must be a dask array, a dask data frame or a list of delayed tables, but got "
        f"{show(X)}; dask.array.from_array makes an array of data in memory, which the class of "
        "the same name outside nonet.dask fits as they are."
    )


def _delayed_vectors(y: Any, X: Any, name: str) -> list[Delayed]:
    if is_array(y):
        return list(_like_rows(y, X, name).to_delayed().ravel())
    if is_frame(y):
        return list(y.to_delayed())
    if _is_list_of_delayed(y):
        return list(y)
    raise TypeError(
        f"{name} must be a dask array, a dask series or a list of delayed arrays, as X is, but "
        f"got {show(y)}."
    )


def _like_rows(y: Any, X: Any, name: str) -> Any:
    """Return a vector in the chunks of X, where these are known."""
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim != 1:
        raise ValueError(f"{name} must have one number per row, got {y.ndim} dimensions.")
    if not is_array(X) or _are_unknown(X.chunks[0]) or _are_unknown(y.chunks[0]):
        return y
    if sum(X.chunks[0]) != sum(y.chunks[0]):
        raise ValueError(f"X has {X.shape[0]} rows, but {name} has {y.shape[0]}.")
    return y if y.chunks[0] == X.chunks[0] else y.rechunk((X.chunks[0],))


def _are_unknown(sizes: Sequence[Any]) -> bool:
    return any(size != size for size in sizes)
