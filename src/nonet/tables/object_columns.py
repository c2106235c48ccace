"""Columns of Python objects: numbers, text, dates, durations, or a mixture of them.

Only distinct values are looked at, where these are known. Values of one family become an array of
it; a mixture becomes text, by ``str`` of each value, and a sentence about it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from numbers import Complex, Real
from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet._base.errors import show
from nonet._base.frames import as_objects_of, find_missing
from nonet.tables.column_names import Notes, add_note
from nonet.tables.table import MISSING, Column, LeveledColumn

LARGEST_INTEGER = 2**63 - 1


def column_of_objects(
    values: Array, positions: Array | None, name: str, notes: Notes = None
) -> Column:
    """Return a column of Python objects.

    Parameters
    ----------
    values : ndarray of objects
        The distinct values, or the values of the rows.
    positions : ndarray of int or None
        The position of each row's value, -1 where it is missing; None if the values are those of
        the rows.
    name : str
        The column, for messages.
    notes : list of str, optional
        Gets a sentence if types are mixed.

    Returns
    -------
    ndarray or LeveledColumn

    Examples
    --------
    >>> column_of_objects(np.array([2, None, 1.5], dtype=object), None, "size")
    array([2. , nan, 1.5])
    """
    is_present = ~find_missing(values)
    families = _families(values[is_present], name)
    if families == {"boolean", "number"}:
        families = {"number"}
    if len(families) > 1:
        kinds = sorted({type(value).__name__ for value in values[is_present]})
        add_note(notes, f"Column {name!r} mixes {' and '.join(kinds)}: it is read as text.")
    family = families.pop() if len(families) == 1 else "text" if families else "number"
    if family == "text":
        return leveled(_as_strings(values, is_present), positions)
    return _expand(_MAKERS[family](values, is_present), positions)


def leveled(
    values: Array, positions: Array | None, *, is_categorical: bool = False
) -> LeveledColumn:
    """Return a column of text from strings, None where one is missing, which may be repeated."""
    found = LeveledColumn.from_values(values.tolist())
    codes = found.codes if positions is None else np.append(found.codes, MISSING)[positions]
    return LeveledColumn(codes.astype(np.int32, copy=False), found.levels, is_categorical)


def as_text(value: Any) -> str:
    """Return a value as text: bytes are UTF-8, and whole floats have no decimal point."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, float | np.floating) and math.isfinite(value) and value == int(value):
        return str(int(value))
    return str(value)


def _as_strings(values: Array, is_present: Array) -> Array:
    if all(type(value) is str for value in values[is_present]):
        strings = values.copy()
        strings[~is_present] = None
        return strings
    pairs = zip(values, is_present, strict=True)
    return as_objects_of([as_text(value) if present else None for value, present in pairs])


# ---- Families of values ------------------------------------------------------------------------

_FAMILIES: tuple[tuple[Any, str], ...] = (
    ((bool, np.bool_), "boolean"),
    ((str, bytes), "text"),
    ((np.datetime64, date), "date"),  # a datetime is a date
    ((np.timedelta64, timedelta), "duration"),  # NumPy's is a number, too
    ((time,), "time"),
    ((Real, Decimal), "number"),
    ((Complex,), "complex"),
    ((list, tuple, Mapping, AbstractSet, np.ndarray), "nested"),
)


def _families(values: Array, name: str) -> set[str]:
    """Return the families of some values; those that no column can have raise."""
    family_of = {type(value): value for value in values}  # a value of each type
    families = {_family(value) for value in family_of.values()}
    for value in family_of.values():
        if _family(value) == "nested":
            raise nested_column(name, type(value).__name__, show(value, 40))
        if _family(value) == "complex":
            raise TypeError(
                f"Column {name!r} holds complex numbers such as {value!r}; make columns of their "
                "real and imaginary parts."
            )
    return families


def nested_column(name: str, kind: str, example: str = "") -> TypeError:
    """Return the error for a column whose values have parts."""
    such = f" such as {example}" if example else ""
    return TypeError(
        f"Column {name!r} holds values of type {kind}{such}, but an argument must be a string, "
        "a date or a number; make columns of its parts, or drop it."
    )


def _family(value: Any) -> str:
    return next((family for types, family in _FAMILIES if isinstance(value, types)), "text")


# ---- Arrays of one family ----------------------------------------------------------------------


def _expand(values: Array, positions: Array | None) -> Array:
    """Return the value of each row from distinct values, missing where a position is -1."""
    if positions is None:
        return values
    if (np.asarray(positions) >= 0).all():
        taken: Array = values[positions]
        return taken
    if values.dtype.kind == "M":
        missing: Any = np.datetime64("NaT")
    else:
        missing, values = np.nan, values.astype(np.float64)
    expanded: Array = np.append(values, missing)[positions]
    return expanded


def _booleans(values: Array, is_present: Array) -> Array:
    return values.astype(bool) if is_present.all() else _numbers(values, is_present)


def _numbers(values: Array, is_present: Array) -> Array:
    if is_present.all() and all(_is_integer(value) for value in values):
        return values.astype(np.int64)
    return _filled(values, is_present, _as_float, np.full(len(values), np.nan))


def _is_integer(value: Any) -> bool:
    return isinstance(value, int | np.integer) and abs(int(value)) <= LARGEST_INTEGER


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:  # an integer beyond the range of float
        return math.inf if value > 0 else -math.inf


def _dates(values: Array, is_present: Array) -> Array:
    empty = np.full(len(values), np.datetime64("NaT"), dtype="datetime64[us]")
    return _filled(values, is_present, _as_utc, empty)


def _as_utc(value: Any) -> np.datetime64:
    """Return a date without a time zone: the time in UTC, where it has one."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        value = value.astimezone(UTC).replace(tzinfo=None)
    moment: np.datetime64 = np.datetime64(value).astype("datetime64[us]")
    return moment


def _durations(values: Array, is_present: Array) -> Array:
    return _filled(values, is_present, _seconds, np.full(len(values), np.nan))


def _seconds(value: Any) -> float:
    if isinstance(value, np.timedelta64):
        return float(value / np.timedelta64(1, "s"))
    return float(value.total_seconds())


def _times(values: Array, is_present: Array) -> Array:
    return _filled(values, is_present, _seconds_of_day, np.full(len(values), np.nan))


def _seconds_of_day(value: time) -> float:
    return value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6


def _filled(values: Array, is_present: Array, convert: Callable[[Any], Any], empty: Array) -> Array:
    for row in np.flatnonzero(is_present):
        empty[row] = convert(values[row])
    return empty


_MAKERS: dict[str, Callable[[Array, Array], Array]] = {
    "boolean": _booleans,
    "number": _numbers,
    "date": _dates,
    "duration": _durations,
    "time": _times,
}
