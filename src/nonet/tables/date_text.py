"""Dates written as text: ISO, day or month first, names of months, with times and time zones.

Every text is matched with a few patterns, so that a column may mix them. Whether the day or the
month comes first in dates such as 03/04/2024 is one decision for the whole column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
from numpy.typing import NDArray

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_TIME = (
    r"(?:[T ]\s*(?P<hour>\d{1,2}):(?P<minute>\d{2})"
    r"(?::(?P<second>\d{2})(?:[.,](?P<part>\d{1,9}))?)?"
    r"\s*(?P<half>am|pm)?\s*(?P<zone>z|utc|[+-]\d{2}:?\d{2})?)?"
)
_WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+)?"
# What a pattern is called in reasons, and the pattern.
_ISO_NAME = "yyyy-mm-dd"
_PATTERNS = {
    _ISO_NAME: r"(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})",
    "numeric": r"(?P<one>\d{1,2})(?P<mark>[-/.])(?P<two>\d{1,2})(?P=mark)(?P<year>\d{4}|\d{2})",
    "dd month yyyy": rf"(?P<day>\d{{1,2}})[ -]{_MONTH}[ ,-]\s*(?P<year>\d{{4}}|\d{{2}})",
    "month dd, yyyy": rf"{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})",
}
_COMPILED = {
    name: re.compile(_WEEKDAY + pattern + _TIME, re.IGNORECASE | re.ASCII)
    for name, pattern in _PATTERNS.items()
}
_FIRST_TWO_DIGITS = 69  # of POSIX: 69 is 1969, 68 is 2068
# Year 0 is none for Python's dates, which read whatever is written otherwise.
_ISO = re.compile(
    r"(?!0000)\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)?", re.ASCII
)

Dates = NDArray[np.datetime64]


@dataclass(frozen=True)
class DateForm:
    """How the dates of a column are written.

    Attributes
    ----------
    names : tuple of str
        The forms that occur, for reasons.
    day_first : bool or None
        Whether the day comes first in dates of three numbers; None if there is no way to find out.
    """

    names: tuple[str, ...]
    day_first: bool | None


def find_date_form(levels: Sequence[str]) -> DateForm:
    """Return how dates are written; strings that are no dates are passed over.

    Parameters
    ----------
    levels : sequence of str
        Distinct strings.

    Returns
    -------
    DateForm

    Examples
    --------
    >>> find_date_form(["2024-05-31", "31.05.2024"])
    DateForm(names=('yyyy-mm-dd', 'dd.mm.yyyy'), day_first=True)
    >>> find_date_form(["03/04/2024"]).day_first is None
    True
    """
    if levels and all(_ISO.fullmatch(level) for level in levels):
        return DateForm((_ISO_NAME,), day_first=True)
    found = [match for match in map(_match, levels) if match is not None]
    numeric = [match for name, match in found if name == "numeric"]
    day_first = _find_day_first(numeric)
    names = dict.fromkeys(_name(name, match, day_first) for name, match in found)
    return DateForm(tuple(names), day_first if numeric else True)


def _match(text: str) -> tuple[str, re.Match[str]] | None:
    text = text.strip()
    if not 6 <= len(text) <= 48:
        return None
    matches = ((name, pattern.fullmatch(text)) for name, pattern in _COMPILED.items())
    return next(((name, match) for name, match in matches if match is not None), None)


def _name(name: str, match: re.Match[str], day_first: bool | None) -> str:
    if name != "numeric":
        return name
    mark = match["mark"]
    order = ("mm", "dd") if day_first is False else ("dd", "mm")
    return mark.join((*order, "yyyy" if len(match["year"]) == 4 else "yy"))


def _find_day_first(matches: list[re.Match[str]]) -> bool | None:
    """Return whether the day comes first; None if numbers contradict or leave it open."""
    ones = {int(match["one"]) for match in matches}
    twos = {int(match["two"]) for match in matches}
    if not matches:
        return None
    if max(ones) > 12 or max(twos) > 12:
        return None if max(ones) > 12 and max(twos) > 12 else max(ones) > 12
    if all(match["mark"] == "." for match in matches):
        return True
    # The first of each month: of two numbers, the one that varies is the month.
    if ones == {1} and len(twos) > 2:
        return True
    if twos == {1} and len(ones) > 2:
        return False
    return None


def parse_dates(levels: Sequence[str], *, day_first: bool = True) -> Dates:
    """Return the date of each text in UTC, NaT where it is none.

    Parameters
    ----------
    levels : sequence of str
        Distinct strings.
    day_first : bool, default=True
        Whether 03/04/2024 is the third of April.

    Returns
    -------
    ndarray of datetime64[us]

    Examples
    --------
    >>> parse_dates(["2024-05-31 14:30", "May 31, 2024", "31.05.2024", "soon"])
    array(['2024-05-31T14:30:00.000000', '2024-05-31T00:00:00.000000',
           '2024-05-31T00:00:00.000000',                        'NaT'],
          dtype='datetime64[us]')
    """
    if all(_ISO.fullmatch(level) for level in levels):
        try:
            return np.array(levels, dtype="datetime64[us]")
        except ValueError:  # the 31st of February
            pass
    dates = np.full(len(levels), np.datetime64("NaT"), dtype="datetime64[us]")
    for position, level in enumerate(levels):
        date = _parse_date(level, day_first)
        if date is not None:
            dates[position] = date
    return dates


def _parse_date(text: str, day_first: bool) -> datetime | None:
    found = _match(text)
    if found is None:
        return None
    match = found[1]
    groups = match.groupdict()
    try:
        date = datetime(_year(groups["year"]), *_month_and_day(groups, day_first))
        return _add_time(date, groups)
    except (ValueError, OverflowError):  # no such day or time
        return None


def _year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) == 4 else year + (1900 if year >= _FIRST_TWO_DIGITS else 2000)


def _month_and_day(groups: dict[str, str], day_first: bool) -> tuple[int, int]:
    if "one" in groups:
        one, two = int(groups["one"]), int(groups["two"])
        return (two, one) if day_first else (one, two)
    if "name" in groups:
        return _MONTHS.index(groups["name"].lower()) + 1, int(groups["day"])
    return int(groups["month"]), int(groups["day"])


def _add_time(date: datetime, groups: dict[str, str]) -> datetime:
    """Return the date with its time, in UTC."""
    if not groups["hour"]:
        return date
    hour = int(groups["hour"])
    if groups["half"]:
        if not 1 <= hour <= 12:
            raise ValueError("no such hour")
        hour = hour % 12 + (12 if groups["half"].lower() == "pm" else 0)
    part = (groups["part"] or "").ljust(6, "0")[:6]
    date = date.replace(
        hour=hour,
        minute=int(groups["minute"]),
        second=int(groups["second"] or 0),
        microsecond=int(part),
    )
    return _as_utc(date, groups["zone"])


def _as_utc(date: datetime, zone: str | None) -> datetime:
    if zone is None or zone.lower() in ("z", "utc"):
        return date
    offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
    aware = date.replace(tzinfo=timezone(-offset if zone[0] == "-" else offset))
    return aware.astimezone(UTC).replace(tzinfo=None)
