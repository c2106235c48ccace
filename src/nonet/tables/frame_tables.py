"""Tables from frames of pandas, polars and Arrow.

Numbers and text are read in bulk (`nonet._base.frame_columns`). Here are the types that NumPy
lacks: dates with time zones, durations, times of day, decimals, declared categories. Dates become
``datetime64[us]`` in UTC, durations and times of day become seconds. No library is imported here:
a frame of it has done that.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet._base.frame_columns import ArrowReader, FrameColumns
from nonet._base.frames import as_objects_of, find_missing
from nonet.tables.column_names import Notes
from nonet.tables.object_columns import as_text, column_of_objects, leveled, nested_column
from nonet.tables.table import Column, LeveledColumn

_MICROSECONDS = "datetime64[us]"
_UNITS_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_NESTED = ("list", "large_list", "fixed_size_list", "struct", "map", "union", "dense_union")


def columns_of_frame(
    opened: FrameColumns, names: tuple[str, ...], notes: Notes = None
) -> tuple[Column, ...]:
    """Return the columns of a frame, as those of a table.

    Parameters
    ----------
    opened : FrameColumns
        The frame.
    names : tuple of str
        The names of its columns, for messages.
    notes : list of str, optional
        Gets sentences about columns of mixed types.

    Returns
    -------
    tuple of ndarray or LeveledColumn

    Examples
    --------
    >>> import pandas as pd
    >>> from nonet._base.frame_columns import open_frame
    >>> frame = pd.DataFrame({"paid": pd.to_datetime(["2024-05-01"]).tz_localize("Europe/Oslo")})
    >>> columns_of_frame(open_frame(frame), ("paid",))
    (array(['2024-04-30T22:00:00.000000'], dtype='datetime64[us]'),)
    """
    library = type(opened.frame).__module__.partition(".")[0]
    read = _READERS[library]
    return tuple(read(opened, j, name, notes) for j, name in enumerate(names))


def _plain_column(opened: FrameColumns, j: int, name: str, notes: Notes) -> Column | None:
    """Return a column of numbers, text or objects; None if the library's reader cannot read it."""
    numbers = opened.numbers(j)
    if numbers is not None:
        return numbers
    found = opened.categories(j)
    if found is None:
        return None
    values, positions = found
    return column_of_objects(np.asarray(values, dtype=object), positions, name, notes)


def _as_booleans(values: Array) -> Array:
    """Return zeros and ones as booleans, if none is missing."""
    return values.astype(bool) if not find_missing(values).any() else values


def _of_objects(values: list[Any], name: str, notes: Notes) -> Column:
    return column_of_objects(as_objects_of(values), None, name, notes)


def _categories(levels: Any, positions: Any) -> LeveledColumn:
    strings = as_objects_of([as_text(level) for level in levels])
    return leveled(strings, np.asarray(positions), is_categorical=True)


# ---- pandas ------------------------------------------------------------------------------------


def _pandas_column(opened: FrameColumns, j: int, name: str, notes: Notes) -> Column:
    series = opened.frame.iloc[:, j]
    dtype = series.dtype
    pandas = sys.modules["pandas"]
    if isinstance(dtype, pandas.CategoricalDtype):
        return _categories(series.cat.categories, series.cat.codes)
    if isinstance(dtype, pandas.ArrowDtype):
        return _arrow_values(series.array.__arrow_array__(), name, notes)
    if isinstance(dtype, pandas.SparseDtype):
        dense: Array = series.sparse.to_dense().to_numpy()
        return dense
    if isinstance(dtype, pandas.PeriodDtype):
        series = series.dt.to_timestamp()
    if series.dtype.kind in "mM":
        return _pandas_dates(series)
    if isinstance(dtype, pandas.BooleanDtype):
        return _as_booleans(series.to_numpy(dtype=np.float64, na_value=np.nan))
    column = _plain_column(opened, j, name, notes)
    return _of_objects(series.tolist(), name, notes) if column is None else column


def _pandas_dates(series: Any) -> Array:
    if series.dtype.kind == "m":
        seconds: Array = series.to_numpy() / np.timedelta64(1, "s")
        return seconds
    if getattr(series.dtype, "tz", None) is not None:
        series = series.dt.tz_convert("UTC").dt.tz_localize(None)
    dates: Array = series.to_numpy().astype(_MICROSECONDS)
    return dates


# ---- polars ------------------------------------------------------------------------------------


def _polars_column(opened: FrameColumns, j: int, name: str, notes: Notes) -> Column:
    series = opened.frame.to_series(j)
    kind = type(series.dtype).__name__
    if kind in _POLARS:
        return _POLARS[kind](series)
    if kind in ("List", "Array", "Struct"):
        raise nested_column(name, str(series.dtype))
    if kind in ("Categorical", "Enum"):
        values, positions = opened.categories(j) or (as_objects_of(series.to_list()), None)
        return leveled(values, positions, is_categorical=True)
    column = _plain_column(opened, j, name, notes)
    return _of_objects(series.to_list(), name, notes) if column is None else column


def _polars_dates(series: Any) -> Array:
    polars = sys.modules["polars"]
    if getattr(series.dtype, "time_zone", None):
        series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    dates: Array = series.cast(polars.Datetime("us")).to_numpy()
    return dates


def _as_floats(series: Any) -> Array:
    numbers: Array = series.cast(float).to_numpy()
    return numbers


_POLARS: dict[str, Callable[[Any], Array]] = {
    "Date": _polars_dates,
    "Datetime": _polars_dates,
    "Duration": lambda series: _as_floats(series.dt.total_microseconds()) / 1e6,
    "Time": lambda series: _as_floats(series.to_physical()) / 1e9,
    "Decimal": _as_floats,
    "Null": _as_floats,
    "Boolean": lambda series: _as_booleans(_as_floats(series)),
}


# ---- Arrow -------------------------------------------------------------------------------------


def _arrow_column(opened: FrameColumns, j: int, name: str, notes: Notes) -> Column:
    return _arrow_values(opened.frame.column(j), name, notes)


def _arrow_values(column: Any, name: str, notes: Notes) -> Column:
    kind = str(column.type).partition("[")[0].partition("<")[0].partition("(")[0]
    if kind in _NESTED:
        raise nested_column(name, str(column.type))
    if kind in _ARROW:
        return _ARROW[kind](column)
    reader = ArrowReader()
    numbers = reader.numbers(column)
    if numbers is not None:
        return _as_booleans(numbers) if kind == "bool" else numbers
    found = reader.categories(column)
    if found is None:  # binary data, and types to come
        return _of_objects(column.to_pylist(), name, notes)
    if kind == "dictionary":
        values, positions = found
        return _categories(values, positions)
    return column_of_objects(np.asarray(found[0], dtype=object), found[1], name, notes)


def _arrow_dates(column: Any) -> Array:
    zone = getattr(column.type, "tz", None)
    pyarrow = sys.modules["pyarrow"]
    dates: Array = column.cast(pyarrow.timestamp("us", tz=zone)).to_numpy()
    return dates.astype(_MICROSECONDS, copy=False)


def _arrow_seconds(column: Any) -> Array:
    per_second = _UNITS_PER_SECOND[column.type.unit]
    width = "int32" if str(column.type).startswith("time32") else "int64"
    seconds: Array = column.cast(width).cast("double").to_numpy() / per_second
    return seconds


def _arrow_floats(column: Any) -> Array:
    numbers: Array = column.cast("double").to_numpy()
    return numbers


_ARROW: dict[str, Callable[[Any], Array]] = {
    **dict.fromkeys(("timestamp", "date32", "date64"), _arrow_dates),
    **dict.fromkeys(("duration", "time32", "time64"), _arrow_seconds),
    **dict.fromkeys(("decimal32", "decimal64", "decimal128", "decimal256"), _arrow_floats),
    "halffloat": _arrow_floats,
}

_READERS: dict[str, Callable[[FrameColumns, int, str, Notes], Column]] = {
    "pandas": _pandas_column,
    "polars": _polars_column,
    "pyarrow": _arrow_column,
}
