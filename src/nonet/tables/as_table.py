"""Any table in memory as a `Table`: frames, arrays, dictionaries of columns, lists of rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.sparse import issparse

from nonet._base.aliases import Array
from nonet._base.errors import show
from nonet._base.frame_columns import FrameColumns, open_frame
from nonet._base.frames import as_frame, as_objects_of
from nonet._base.number_tables import wrong_dimensions
from nonet.tables.column_names import Notes, repair_names
from nonet.tables.frame_tables import columns_of_frame
from nonet.tables.object_columns import column_of_objects
from nonet.tables.table import Column, LeveledColumn, Table


def as_table(X: Any, *, notes: Notes = None) -> Table:
    """Return a table, whatever library its columns are from.

    Parameters
    ----------
    X : table
        A frame of pandas or polars, a table of Arrow or what offers one by Arrow's interface of
        capsules, a dictionary of columns, a list of dictionaries, an array of two dimensions or a
        list of rows (columns "x0", "x1", ...), or a `Table`.
    notes : list of str, optional
        Gets a sentence for each repair: of names that stand twice, of columns of mixed types.

    Returns
    -------
    Table
        Dates in UTC; durations and times of day in seconds; decimals as floats.

    Examples
    --------
    >>> table = as_table({"size": [1, None, 3], "city": ["Oslo", "Rome", "Oslo"]})
    >>> table["size"]
    array([ 1., nan,  3.])
    >>> table["city"].levels
    array(['Oslo', 'Rome'], dtype=object)
    >>> as_table([[1, "a"], [2, "b"]]).names
    ('x0', 'x1')
    """
    if isinstance(X, Table):
        return X
    if issparse(X):
        raise TypeError(
            "X is a sparse matrix, which has no named columns; give it to an estimator as it is, "
            "or X.toarray() as a table."
        )
    X = as_frame(X)
    opened = open_frame(X)
    if opened is not None:
        return _table_of_frame(opened, notes)
    if isinstance(X, Mapping):
        return _table_of_mapping(X, notes)
    if isinstance(X, list | tuple) and X and all(isinstance(row, Mapping) for row in X):
        return _table_of_records(X, notes)
    if isinstance(X, str | bytes) or not (hasattr(X, "__len__") or hasattr(X, "__array__")):
        raise TypeError(
            "A table must be a frame, a dictionary of columns, an array or a list of rows, but "
            f"got {show(X)}."
        )
    return _table_of_matrix(_as_matrix(X), notes)


def _table_of_frame(opened: FrameColumns, notes: Notes) -> Table:
    names = repair_names(opened.names, notes)
    return Table(names, columns_of_frame(opened, names, notes))


def _table_of_mapping(X: Mapping[Any, Any], notes: Notes) -> Table:
    names = repair_names(list(X), notes)
    pairs = zip(names, X.values(), strict=True)
    columns = {name: as_column(values, name, notes=notes) for name, values in pairs}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        (one, n_one), *rest = lengths.items()
        other, n_other = next(pair for pair in rest if pair[1] != n_one)
        raise ValueError(
            f"Columns must have the same number of rows, but {one!r} has {n_one} and {other!r} "
            f"has {n_other}."
        )
    return Table(names, tuple(columns.values()))


def _table_of_records(X: Any, notes: Notes) -> Table:
    """Return the table of rows that are dictionaries; what a row does not have is missing."""
    keys = dict.fromkeys(key for row in X for key in row)
    return _table_of_mapping({key: [row.get(key) for row in X] for key in keys}, notes)


def as_column(values: Any, name: str, *, notes: Notes = None) -> Column:
    """Return the values of one column: a series, an array or a list.

    Parameters
    ----------
    values : array-like
    name : str
        The column, for messages.
    notes : list of str, optional
        Gets a sentence if types are mixed.

    Returns
    -------
    ndarray or LeveledColumn

    Examples
    --------
    >>> as_column([True, False], "sold")
    array([ True, False])
    """
    if isinstance(values, LeveledColumn):
        return values
    frame = _frame_of_series(values)
    opened = None if frame is None else open_frame(frame)
    if opened is not None:
        return columns_of_frame(opened, (name,), notes)[0]
    if isinstance(values, str | bytes) or not hasattr(values, "__len__"):
        raise TypeError(f"Column {name!r} must be a list or an array, but got {show(values)}.")
    array = values if isinstance(values, np.ndarray) else as_objects_of(list(values))
    if array.ndim != 1:
        raise ValueError(
            f"Column {name!r} must have one dimension, but has shape {array.shape}; make a column "
            "of each part."
        )
    return _column_of_array(array, name, notes)


def _frame_of_series(values: Any) -> Any:
    """Return a series of pandas or polars, or an array of Arrow, as a frame of one column."""
    library = type(values).__module__.partition(".")[0]
    if library in ("pandas", "polars") and hasattr(values, "to_frame"):
        return values.to_frame()
    if library == "pandas" and hasattr(values, "dtype"):  # pandas' arrays
        import pandas

        return pandas.DataFrame({0: values})
    if library == "pyarrow" and hasattr(values, "type"):
        import pyarrow

        return pyarrow.table({"0": values})
    return None


def _column_of_array(array: Array, name: str, notes: Notes) -> Column:
    if isinstance(array, np.ma.MaskedArray):
        array = as_objects_of(array.tolist())  # None behind the mask
    if array.dtype.kind in "biuf":
        return np.asarray(array)
    if array.dtype.kind == "M":
        return array.astype("datetime64[us]")
    if array.dtype.kind == "m":
        seconds: Array = array / np.timedelta64(1, "s")
        return seconds
    return column_of_objects(array.astype(object), None, name, notes)


def _as_matrix(X: Any) -> Array:
    """Return an array of two dimensions; of objects, if values are not all numbers."""
    if isinstance(X, np.ndarray):
        matrix = X
    else:
        try:
            matrix = np.asarray(X)
            if matrix.dtype.kind not in "biufO":  # numbers would have become strings
                matrix = np.array([[*row] for row in X], dtype=object)
        except (TypeError, ValueError) as why:
            raise ValueError(
                f"The rows of a table must have the same number of values, but got {show(X)}."
            ) from why
    if matrix.ndim != 2 and matrix.dtype.names is None:
        raise wrong_dimensions("", matrix.shape)
    return matrix


def _table_of_matrix(matrix: Array, notes: Notes) -> Table:
    if matrix.dtype.names is not None:  # a structured array
        return _table_of_mapping({name: matrix[name] for name in matrix.dtype.names}, notes)
    names = tuple(f"x{j}" for j in range(matrix.shape[1]))
    columns = tuple(_column_of_array(matrix[:, j], name, notes) for j, name in enumerate(names))
    return Table(names, columns)
