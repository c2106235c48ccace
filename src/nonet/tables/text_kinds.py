"""Kinds of columns of text: numbers, booleans and dates in writing, categories, text, identifiers.

Only distinct values are read. A column is one of numbers if all values are numbers, or stand for
missing; a few other words among many numbers are taken for missing, and named in the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from nonet._base.aliases import Array
from nonet._base.errors import show
from nonet.tables.array_kinds import ENOUGH_ROWS, find_array_kind
from nonet.tables.column_kind import ColumnKind
from nonet.tables.date_text import find_date_form, parse_dates
from nonet.tables.missing_marks import MORE_MARKS, is_missing_mark
from nonet.tables.number_text import fits_both_ways, has_leading_zeros, parse_numbers
from nonet.tables.table import LeveledColumn

_BOOLEAN_WORDS = (
    ("true", "false"),
    ("yes", "no"),
    ("y", "n"),
    ("t", "f"),
    ("on", "off"),
    ("1", "0"),
)
_MANY_LEVELS = 2_000  # of these a sample is looked at first
_N_SAMPLED = 500
_MOST_ROWS = 0.9  # must be numbers, if some words among them are taken for missing
_MAX_STRAYS = 5
_MIN_READ = 10  # distinct numbers or dates beside such words
_WORDS_OF_TEXT = 3
_DISTINCT_FRACTION_OF_TEXT = 0.2
_DISTINCT_FRACTION_OF_IDENTIFIERS = 0.99
_RUNS = re.compile(r"[0-9]+|[^\W\d_]+")


@dataclass(frozen=True, eq=False)
class TextValues:
    """The distinct values of a column of text, without the space around them.

    Attributes
    ----------
    levels : list of str
        Those that some row has, and that do not stand for missing.
    counts : ndarray of int
        The number of rows of each.
    missing : tuple of str
        Those that stand for missing.
    n_rows : int
        The number of all rows.
    """

    levels: list[str]
    counts: Array
    missing: tuple[str, ...]
    n_rows: int

    @classmethod
    def of(cls, column: LeveledColumn) -> TextValues:
        """Return the distinct values of a column."""
        counts = column.counts()
        merged: dict[str, int] = {}
        for level, count in zip(column.levels.tolist(), counts.tolist(), strict=True):
            if count:
                level = level.strip()
                merged[level] = merged.get(level, 0) + count
        missing = tuple(level for level in merged if is_missing_mark(level))
        for level in missing:
            del merged[level]
        present = np.fromiter(merged.values(), dtype=np.int64, count=len(merged))
        return cls(list(merged), present, missing, len(column))

    @property
    def n_present(self) -> int:
        """The number of rows that have a value."""
        return int(self.counts.sum())

    def sample(self) -> list[str]:
        """Return some of the levels, evenly spaced, if there are many."""
        if len(self.levels) <= _MANY_LEVELS:
            return self.levels
        return self.levels[:: len(self.levels) // _N_SAMPLED]


def find_text_kind(name: str, column: LeveledColumn) -> ColumnKind:
    """Return the kind of a column of text.

    Parameters
    ----------
    name : str
        Its name, which matters for integers in writing only.
    column : LeveledColumn
        Its values.

    Returns
    -------
    ColumnKind

    Examples
    --------
    >>> column = LeveledColumn.from_values(["1.234,5", "7,25", "n/a"])
    >>> find_text_kind("price", column).reason
    "Numbers written as text, with a decimal comma; 'n/a' stands for missing."
    """
    values = TextValues.of(column)
    if not values.levels:
        return ColumnKind("empty", "All values are missing.", missing=values.missing)
    if len(values.levels) == 1 and values.n_present == values.n_rows:
        return ColumnKind("constant", f"The only value is {show(values.levels[0], 40)}.")
    if column.is_categorical:  # frames declare so whatever repeats: dates and codes, too
        found = find_date_kind(values) or _identifier_kind(values)
        return found or _category_kind(values, "categories by their type")
    return (
        _boolean_kind(values)
        or find_number_kind(name, values)
        or find_date_kind(values)
        or _identifier_kind(values)
        or _text_kind(values)
        or _category_kind(values, "categories")
    )


def _with_missing(reason: str, missing: tuple[str, ...]) -> str:
    if not missing:
        return f"{reason}."
    named = " and ".join(show(mark, 40) for mark in missing[:_MAX_STRAYS])
    return f"{reason}; {named} {'stands' if len(missing) == 1 else 'stand'} for missing."


# ---- Booleans ----------------------------------------------------------------------------------


def _boolean_kind(values: TextValues) -> ColumnKind | None:
    if len(values.levels) > 16:
        return None
    words = {level.lower() for level in values.levels} - MORE_MARKS
    for true, false in _BOOLEAN_WORDS:
        if words == {true, false}:
            strays = tuple(level for level in values.levels if level.lower() in MORE_MARKS)
            missing = values.missing + strays
            return ColumnKind(
                "boolean",
                _with_missing(f"The values are {true!r} and {false!r}", missing),
                missing=missing,
                true_values=(true,),
                false_values=(false,),
            )
    return None


# ---- Numbers and dates -------------------------------------------------------------------------


def find_number_kind(name: str, values: TextValues, *, is_set: bool = False) -> ColumnKind | None:
    """Return the kind of numbers in writing, None if values are no numbers.

    With ``is_set``, whatever is no number is taken for missing.
    """
    if not is_set and has_leading_zeros(values.levels):
        return None
    best: tuple[int, bool, Array] | None = None
    for comma in (False, True):
        if not is_set and not _may_read(values, partial(_is_number, decimal_comma=comma)):
            continue
        numbers = parse_numbers(values.levels, decimal_comma=comma)
        n_read = int(values.counts[~np.isnan(numbers)].sum())
        if best is None or n_read > best[0]:
            best = (n_read, comma, numbers)
    if best is None:
        return None
    _, comma, numbers = best
    strays = _strays(values, ~np.isnan(numbers), is_set)
    return None if strays is None else _number_kind(name, values, numbers, comma, strays)


def _is_number(levels: list[str], decimal_comma: bool) -> Array:
    return ~np.isnan(parse_numbers(levels, decimal_comma=decimal_comma))


def _number_kind(
    name: str, values: TextValues, numbers: Array, comma: bool, strays: tuple[str, ...]
) -> ColumnKind:
    missing = values.missing + strays
    is_complete = values.n_present == values.n_rows and not strays
    if is_complete and len(numbers) == values.n_rows:  # may count the rows
        found = find_array_kind(name, numbers)
        if found.kind == "identifier":
            return found
    how = ", with a decimal comma" if comma else ""
    found = find_array_kind("", np.repeat(numbers, np.minimum(values.counts, 1_000)))
    reason = _with_missing(f"Numbers written as text{how}", missing)
    return replace(
        found, kind="number", reason=reason, missing=missing, decimal_comma=comma, same_as=None
    )


def fits_decimal_comma(values: TextValues) -> bool:
    """Return whether numbers such as 1,234 may have a decimal comma as well as thousands."""
    marked = [level for level in values.levels if "," in level or "." in level]
    return bool(marked) and fits_both_ways(values.levels)


def find_date_kind(values: TextValues, *, is_set: bool = False) -> ColumnKind | None:
    """Return the kind of dates in writing, None if values are no dates.

    With ``is_set``, whatever is no date is taken for missing, and the day comes first where there
    is no way to find out.
    """
    if not is_set and not _may_read(values, lambda levels: ~np.isnat(parse_dates(levels))):
        form = find_date_form(values.sample())
        if form.day_first is not False:  # dates with the month first do not read as above
            return None
    form = find_date_form(values.levels)
    if form.day_first is None and not is_set:
        return None
    day_first = form.day_first is not False
    strays = _strays(values, ~np.isnat(parse_dates(values.levels, day_first=day_first)), is_set)
    if strays is None:
        return None
    missing, written = values.missing + strays, " and ".join(form.names)
    return ColumnKind(
        "date",
        _with_missing(f"Dates written as {written}", missing),
        missing=missing,
        date_format=written,
        day_first=day_first,
    )


def _may_read(values: TextValues, is_read: Callable[[list[str]], Array]) -> bool:
    """Return whether most of a sample can be read; all levels are read then."""
    sample = values.sample()
    if len(sample) == len(values.levels):
        return True
    return bool(is_read(sample).mean() > 0.5)


def _strays(values: TextValues, is_read: Array, is_set: bool) -> tuple[str, ...] | None:
    """Return the values that are taken for missing, None if there are too many others."""
    if not is_read.any():
        return None
    strays = tuple(values.levels[position] for position in np.flatnonzero(~is_read))
    if is_set or all(stray.lower() in MORE_MARKS for stray in strays):
        return strays
    n_read = values.counts[is_read].sum()
    is_few = n_read >= _MOST_ROWS * values.n_present and len(strays) <= _MAX_STRAYS
    return strays if is_few and is_read.sum() >= _MIN_READ else None


# ---- Identifiers, text, categories -------------------------------------------------------------


def _identifier_kind(values: TextValues) -> ColumnKind | None:
    n_levels = len(values.levels)
    if n_levels < ENOUGH_ROWS or n_levels < _DISTINCT_FRACTION_OF_IDENTIFIERS * values.n_present:
        return None
    if not _have_one_shape(values.sample()) or not _have_one_shape(values.levels):
        return None
    return ColumnKind(
        "identifier",
        f"{n_levels} different values of one shape, such as {show(values.levels[0], 40)}.",
    )


def _have_one_shape(levels: list[str]) -> bool:
    """Return whether strings are alike: lengths and marks, or runs of digits and letters."""
    if any(" " in level for level in levels):
        return False
    return (
        len({re.sub(r"[^\W_]", "a", level) for level in levels}) == 1
        or len({_RUNS.sub(lambda run: "9" if run[0].isdigit() else "a", v) for v in levels}) == 1
    )


def _text_kind(values: TextValues) -> ColumnKind | None:
    n_levels = len(values.levels)
    if n_levels < ENOUGH_ROWS or n_levels < _DISTINCT_FRACTION_OF_TEXT * values.n_present:
        return None
    sample = values.sample()
    n_words = float(np.mean([len(level.split()) for level in sample]))
    if n_words < _WORDS_OF_TEXT and n_levels < _DISTINCT_FRACTION_OF_IDENTIFIERS * values.n_present:
        return None
    return ColumnKind(
        "text",
        f"{n_levels} different values of {n_words:.1f} words on average.",
        missing=values.missing,
    )


def _category_kind(values: TextValues, what: str) -> ColumnKind:
    n_levels = len(values.levels)
    counted = "one level" if n_levels == 1 else f"{n_levels} levels"
    reason = f"{what[0].upper()}{what[1:]}: {counted}"
    if _are_open_dates(values.levels[:_N_SAMPLED]):
        reason += " that look like dates, with no way to find out where day and month are"
    return ColumnKind("category", _with_missing(reason, values.missing), missing=values.missing)


def _are_open_dates(levels: list[str]) -> bool:
    """Return whether all are dates in which day and month cannot be told apart."""
    is_open = find_date_form(levels).day_first is None
    return is_open and not np.isnat(parse_dates(levels)).any()
