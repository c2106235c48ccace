"""Rows and columns of any table: NumPy, SciPy sparse, pandas, polars, Arrow, lists.

scikit-learn already indexes all of these; narwhals would be one more dependency
for the same three lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils.validation import _get_feature_names, _num_samples

from nonet._base.aliases import Array

_OWN_FRAMES = ("numpy", "pandas", "polars", "scipy")  # read as what they are


def as_frame(table: Any) -> Any:
    """Return a table of an unknown library as one of Arrow; any other as it is.

    Record batches of Arrow, and whatever offers its columns by Arrow's interface of capsules
    (``__arrow_c_stream__`` or ``__arrow_c_array__``), become an Arrow table without a copy.
    """
    kind = type(table)
    library = kind.__module__.partition(".")[0]
    if library in _OWN_FRAMES or library == "builtins":
        return table
    is_batch = library == "pyarrow" and kind.__name__ == "RecordBatch"
    is_offered = hasattr(kind, "__arrow_c_stream__") or hasattr(kind, "__arrow_c_array__")
    if not is_batch and (library == "pyarrow" or not is_offered):
        return table
    return _arrow_table(table)


def _arrow_table(table: Any) -> Any:
    name = type(table).__name__
    try:
        import pyarrow
    except ImportError as why:
        raise TypeError(
            f"X is of type {name}, which offers its columns by the Arrow interface; reading them "
            "needs pyarrow: pip install pyarrow."
        ) from why
    try:
        return pyarrow.table(table)
    except (TypeError, ValueError, NotImplementedError) as why:
        raise TypeError(
            f"X is of type {name}, which offers no table of columns by the Arrow interface; give "
            "an array, a frame, or an Arrow table."
        ) from why


def as_objects_of(values: list[Any]) -> Array:
    """Return an array of the values themselves, also where these are lists."""
    return np.fromiter(values, dtype=object, count=len(values))


def count_rows(table: Any) -> int:
    """Return the number of rows."""
    return int(_num_samples(table))


def make_indexable(table: Any) -> Any:
    """Return the table in a form whose rows can be taken.

    CSR and CSC stay what they are, as a learner may be written for one of them; other sparse
    formats become CSR, and objects without an index become arrays.
    """
    if issparse(table) and table.format == "csc":
        return table
    return indexable(table)[0]


def take_rows(table: Any, rows: Array | None) -> Any:
    """Return the named rows, in the same kind of table; None means all."""
    if rows is None:
        return table
    if type(table) is np.ndarray:  # as below, without looking for the library of a frame
        return table[rows]
    return _safe_indexing(make_indexable(table), rows, axis=0)


def take_columns(table: Any, columns: Array | None) -> Any:
    """Return the columns at the given positions, in the same kind of table; None means all."""
    return table if columns is None else _safe_indexing(make_indexable(table), columns, axis=1)


def column_names(table: Any) -> list[Any] | None:
    """Return the names of the columns of a frame of pandas, polars or Arrow; None for others."""
    names = getattr(table, "column_names", None)  # Arrow's `columns` are the values themselves
    if names is None:
        names = getattr(table, "columns", None)
    return None if names is None else list(names)


def column_name(table: Any, j: int) -> str:
    """Return a column for a message: its name in quotes, or its position."""
    names = column_names(table)
    return str(j) if names is None else repr(names[j])


def column_dtypes(table: Any) -> list[Any]:
    """Return the dtypes of the columns of a frame of pandas, polars or Arrow; none for others."""
    of_arrow = getattr(getattr(table, "schema", None), "types", None)
    found = getattr(table, "dtypes", ()) if of_arrow is None else of_arrow
    return list(found) if hasattr(found, "__iter__") else []  # a series has one, not several


def is_missing(value: Any) -> bool:
    """Return whether it is None, pandas' NA, or not equal to itself: NaN, NaT."""
    if value is None or type(value).__name__ == "NAType":
        return True
    same = value == value
    return isinstance(same, (bool, np.bool_)) and not same


def are_strings(values: Array) -> bool:
    """Return whether an array of objects holds nothing but strings, at least one."""
    return values.dtype.kind == "O" and set(map(type, values.ravel().tolist())) == {str}


def find_missing(values: Array) -> Array:
    """Return which of many values are missing."""
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind in "biuSU" or are_strings(values):
        return np.zeros(len(values), dtype=bool)
    return np.array([is_missing(value) for value in values], dtype=bool)


def check_columns_have_values(owner: Any, table: Any) -> None:
    """Raise if a column has no value in any row: nothing can be learned from it."""
    if count_rows(table) == 0:  # other checks raise for it
        return
    for j in _empty_columns(table):
        names = getattr(owner, "feature_names_in_", None)
        name = f"at position {j}" if names is None else repr(str(names[j]))
        raise ValueError(
            f"{type(owner).__name__}: column {name} of X is missing in every row, so nothing "
            "can be learned from it; drop the column, or fill it."
        )


def _empty_columns(table: Any) -> Iterator[int]:
    if hasattr(table, "empty_columns"):  # a bins file, which keeps no values
        yield from table.empty_columns()
        return
    yield from (int(j) for j in _missing_in_first_row(table) if _is_empty(table, int(j)))


def _missing_in_first_row(table: Any) -> Array:
    """Return the only columns that can be empty, without a look at all values."""
    if issparse(table):
        first = table[:1].tocoo()
        return np.unique(first.col[np.isnan(first.data)])
    values = np.asarray(take_rows(table, np.array([0])))[0]
    return np.flatnonzero(find_missing(values))


def _is_empty(table: Any, j: int) -> bool:
    column = _safe_indexing(table, j, axis=1)
    if issparse(column):
        return bool(column.nnz == column.shape[0] and np.isnan(column.data).all())
    return bool(find_missing(np.asarray(column)).all())


def check_same_columns(owner: Any, X: Any) -> None:
    """Raise unless X has the columns of the earlier fit that another one is to go on from."""
    shape = X.shape if hasattr(X, "shape") else np.shape(X)
    known, now = owner.n_features_in_, shape[1] if len(shape) == 2 else None
    if now is not None and known != now:
        raise ValueError(
            f"{type(owner).__name__} goes on from an earlier fit with {known} columns, but X has "
            f"{now} columns now; fit a new model, without warm_start."
        )
    names, names_now = getattr(owner, "feature_names_in_", None), _get_feature_names(X)
    if names is not None and names_now is not None and not np.array_equal(names, names_now):
        raise ValueError(
            f"{type(owner).__name__} goes on from an earlier fit with the columns {list(names)}, "
            f"but X has the columns {list(names_now)} now; fit a new model, without warm_start."
        )
