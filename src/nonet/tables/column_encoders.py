"""Encoders of single columns: what is learned from a column in fit, and how it becomes numbers.

An encoder has ``names`` and ``is_categorical``, and ``encode`` returns an array per name. Values
that cannot be read, and levels that fit did not see, become NaN and are counted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from nonet._base.aliases import Array
from nonet.tables.column_kind import ColumnKind
from nonet.tables.column_names import Notes, add_note, count_rows
from nonet.tables.date_text import parse_dates
from nonet.tables.missing_marks import is_missing_mark
from nonet.tables.number_text import parse_numbers
from nonet.tables.object_columns import as_text
from nonet.tables.table import Column, LeveledColumn
from nonet.tables.unread_counts import UnreadCounts

_PLAIN_NUMBER = re.compile(r"[+-]?(?:[1-9][0-9]*|0)(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,2})?")
_MICROSECONDS = 1e6


class ColumnEncoder(Protocol):
    """What the encoders of all kinds have in common."""

    @property
    def name(self) -> str:
        """The name of the column."""

    @property
    def kind(self) -> ColumnKind:
        """Its kind."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the encoded columns."""

    @property
    def is_categorical(self) -> bool:
        """Whether the encoded column holds codes."""

    def encode(self, column: Column, notes: Notes) -> list[Array]:
        """Return the encoded columns."""


def learn_column(name: str, column: Column, kind: ColumnKind) -> ColumnEncoder | None:
    """Return the encoder of a column, None if it is not used, or is text.

    Examples
    --------
    >>> column = LeveledColumn.from_values(["b", "a", "b"])
    >>> encoder = learn_column("city", column, ColumnKind("category", ""))
    >>> encoder.encode(column, None)
    [array([0., 1., 0.])]
    """
    if kind.kind == "number":
        return NumberEncoder(name, kind)
    if kind.kind == "boolean":
        return BooleanEncoder(name, kind)
    if kind.kind == "category":
        return CategoryEncoder(name, kind, _levels_in_rows(column, kind))
    if kind.kind == "date":
        return DateEncoder.learn(name, kind, column)
    return None


def _note_unread(notes: Notes, name: str, is_lost: Array, what: str) -> None:
    n_lost = int(is_lost.sum())
    if n_lost and isinstance(notes, UnreadCounts):
        notes.n_rows[name, what] += n_lost
    elif n_lost:
        add_note(notes, f"Column {name!r}: {count_rows(n_lost)} with {what} read as missing.")


def _row_values(column: LeveledColumn, by_level: Array) -> Array:
    """Return the value of each row from those of the levels, NaN where a row has none."""
    values: Array = np.append(by_level.astype(np.float64), np.nan)[column.codes]
    return values


def _is_lost(column: LeveledColumn, values: Array, missing: tuple[str, ...]) -> Array:
    """Return the rows that have a value, which was not read and does not stand for missing."""
    marks = frozenset(missing)
    is_mark = [level.strip() in marks or is_missing_mark(level) for level in column.levels]
    lost: Array = np.isnan(values) & ~np.array([*is_mark, True])[column.codes]
    return lost


# ---- Numbers and booleans ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class NumberEncoder:
    """Numbers, as they are or in writing; infinities become NaN."""

    name: str
    kind: ColumnKind

    is_categorical = False

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the column."""
        return (self.name,)

    def encode(self, column: Column, notes: Notes) -> list[Array]:
        """Return the numbers."""
        values = read_numbers(column, self.kind.decimal_comma)
        if isinstance(column, LeveledColumn):
            is_lost = _is_lost(column, values, self.kind.missing)
            _note_unread(notes, self.name, is_lost, "values that are no numbers")
        elif column.dtype.kind == "M":
            _note_unread(notes, self.name, ~np.isnat(column), "dates instead of numbers")
        is_infinite = np.isinf(values)
        if is_infinite.any():
            _note_unread(notes, self.name, is_infinite, "infinite numbers")
            values = np.where(is_infinite, np.nan, values)
        return [values]


def read_numbers(column: Column, decimal_comma: bool = False) -> Array:
    """Return a column as floats, NaN where a value is missing or no number."""
    if isinstance(column, LeveledColumn):
        levels = column.levels.tolist()
        return _row_values(column, parse_numbers(levels, decimal_comma=decimal_comma))
    if column.dtype.kind == "M":
        return np.full(len(column), np.nan)
    return column.astype(np.float64)


@dataclass(frozen=True, eq=False)
class BooleanEncoder:
    """Two values as 0 and 1: the two words of fit, words for true and false, or numbers."""

    name: str
    kind: ColumnKind

    is_categorical = False

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the column."""
        return (self.name,)

    def encode(self, column: Column, notes: Notes) -> list[Array]:
        """Return zeros and ones."""
        if not isinstance(column, LeveledColumn):
            return [read_numbers(column)]
        values = _row_values(column, np.array([self._code(level) for level in column.levels]))
        is_lost = _is_lost(column, values, self.kind.missing)
        _note_unread(notes, self.name, is_lost, "values that are neither true nor false")
        return [values]

    def _code(self, level: str) -> float:
        word = level.strip().lower()
        if word in (*self.kind.true_values, "true", "1"):
            return 1.0
        return 0.0 if word in (*self.kind.false_values, "false", "0") else np.nan


# ---- Categories --------------------------------------------------------------------------------


def canonical_level(text: str) -> str:
    """Return a level without space around it; of numbers, all ways to write them are one level.

    A file whose column "1", "2", "x" has no "x" in other rows is read as numbers there.

    Examples
    --------
    >>> canonical_level(" 1.0"), canonical_level("007")
    ('1', '007')
    """
    text = text.strip()
    return as_text(float(text)) if _PLAIN_NUMBER.fullmatch(text) else text


def as_levels(column: Column) -> LeveledColumn:
    """Return a column of any type as one of levels; numbers as they would be written."""
    if isinstance(column, LeveledColumn):
        return column
    if column.dtype.kind == "f":
        is_missing = np.isnan(column)
    elif column.dtype.kind == "M":
        is_missing = np.isnat(column)
    else:
        is_missing = np.zeros(len(column), dtype=bool)
    values, positions = np.unique(column, return_inverse=True)
    levels = np.array([as_text(value) for value in values.tolist()], dtype=object)
    return LeveledColumn(np.where(is_missing, -1, positions).astype(np.int32), levels)


def _levels_in_rows(column: Column, kind: ColumnKind) -> tuple[str, ...]:
    """Return the levels that some row has, in their order, without those for missing."""
    column = as_levels(column)
    used = column.levels[column.counts() > 0]
    return tuple(
        dict.fromkeys(canonical_level(level) for level in used if level.strip() not in kind.missing)
    )


@dataclass(frozen=True, eq=False)
class CategoryEncoder:
    """Levels as the codes 0, 1, ... of those in fit."""

    name: str
    kind: ColumnKind
    levels: tuple[str, ...]

    is_categorical = True

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the column."""
        return (self.name,)

    def __getstate__(self) -> dict[str, object]:
        return {"name": self.name, "kind": self.kind, "levels": self.levels}

    @cached_property
    def _codes(self) -> dict[str, int]:
        return {level: code for code, level in enumerate(self.levels)}

    def encode(self, column: Column, notes: Notes) -> list[Array]:
        """Return the codes, NaN for levels that fit did not see."""
        column = as_levels(column)
        if notes is not None:
            _note_unread(notes, self.name, self.is_unseen(column), "levels that fit did not see")
        return [self._read(column)]

    def is_unseen(self, column: LeveledColumn) -> Array:
        """Return which rows have a level that fit did not see."""
        return _is_lost(column, self._read(column), self.kind.missing)

    def _read(self, column: LeveledColumn) -> Array:
        codes = (self._codes.get(canonical_level(level), np.nan) for level in column.levels)
        by_level = np.fromiter(codes, dtype=np.float64, count=len(column.levels))
        return _row_values(column, by_level)


# ---- Dates -------------------------------------------------------------------------------------

_CYCLES = {"month": 12, "day": 31, "weekday": 7, "hour": 24}


def read_dates(column: Column, day_first: bool = True) -> Array:
    """Return a column as datetime64[us], NaT where a value is missing or no date."""
    if isinstance(column, LeveledColumn):
        by_level = parse_dates(column.levels.tolist(), day_first=day_first)
        dates: Array = np.append(by_level, np.datetime64("NaT", "us"))[column.codes]
        return dates
    if column.dtype.kind == "M":
        return column
    return np.full(len(column), np.datetime64("NaT", "us"))


def date_parts(dates: Array) -> dict[str, Array]:
    """Return year, month, day, weekday and hour of dates, NaN where one is missing.

    Examples
    --------
    >>> parts = date_parts(np.array(["2024-05-31T14:30"], dtype="datetime64[us]"))
    >>> {name: int(values[0]) for name, values in parts.items()}
    {'year': 2024, 'month': 5, 'day': 31, 'weekday': 4, 'hour': 14}
    """
    days = dates.astype("datetime64[D]")
    months = dates.astype("datetime64[M]")
    parts = {
        "year": dates.astype("datetime64[Y]").astype(np.int64) + 1970,
        "month": months.astype(np.int64) % 12 + 1,
        "day": (days - months.astype("datetime64[D]")).astype(np.int64) + 1,
        "weekday": (days.astype(np.int64) + 3) % 7,  # the first of January 1970 was a Thursday
        "hour": (dates - days).astype("timedelta64[h]").astype(np.int64),
    }
    is_missing = np.isnat(dates)
    return {name: np.where(is_missing, np.nan, values) for name, values in parts.items()}


@dataclass(frozen=True, eq=False)
class DateEncoder:
    """Dates as seconds since the first date of fit, and as the parts that vary in fit.

    Month, day, weekday and hour also become a point on a circle.
    """

    name: str
    kind: ColumnKind
    origin: int
    parts: tuple[str, ...]

    is_categorical = False

    @classmethod
    def learn(cls, name: str, kind: ColumnKind, column: Column) -> DateEncoder:
        """Return the encoder of a column."""
        dates = read_dates(column, kind.day_first)
        dates = dates[~np.isnat(dates)]
        varying = [
            part for part, values in date_parts(dates).items() if (values != values[0]).any()
        ]
        return cls(name, kind, int(dates.min().astype(np.int64)), tuple(varying))

    @property
    def names(self) -> tuple[str, ...]:
        """Names such as date, date_month, date_month_sin, date_month_cos."""
        cycles = [part for part in self.parts if part in _CYCLES]
        ends = [*self.parts, *(f"{part}_{wave}" for part in cycles for wave in ("sin", "cos"))]
        return (self.name, *(f"{self.name}_{end}" for end in ends))

    def encode(self, column: Column, notes: Notes) -> list[Array]:
        """Return seconds, parts, and sines and cosines of cyclic parts."""
        dates = read_dates(column, self.kind.day_first)
        self._note_lost(column, dates, notes)
        moments = np.where(np.isnat(dates), np.nan, dates.astype(np.int64).astype(np.float64))
        parts = date_parts(dates)
        angles = [2 * np.pi * parts[part] / _CYCLES[part] for part in self.parts if part in _CYCLES]
        waves = [wave(angle) for angle in angles for wave in (np.sin, np.cos)]
        seconds = (moments - self.origin) / _MICROSECONDS
        return [seconds, *(parts[part] for part in self.parts), *waves]

    def _note_lost(self, column: Column, dates: Array, notes: Notes) -> None:
        if isinstance(column, LeveledColumn):
            values = np.where(np.isnat(dates), np.nan, 0.0)
            is_lost = _is_lost(column, values, self.kind.missing)
        elif column.dtype.kind != "M":
            is_lost = ~np.isnan(column.astype(np.float64))
        else:
            return
        _note_unread(notes, self.name, is_lost, "values that are no dates")
