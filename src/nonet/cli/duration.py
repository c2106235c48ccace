"""Durations as people write them: 90s, 10m, 1h30m."""

from __future__ import annotations

import math
import re
from argparse import ArgumentTypeError

from nonet._base.progress_display import duration as in_words
from nonet.tables.column_names import count_of

_SECONDS = {"d": 86_400, "h": 3600, "m": 60, "min": 60, "s": 1, "": 1}
_PART = re.compile(r"(\d+(?:\.\d+)?) *(d|h|min|m|s|)(?![a-z.])", re.IGNORECASE)
_NO_LIMIT = "none"


def parse_duration(text: str) -> float:
    """Return the seconds of a duration; infinity for 'none'.

    Parameters
    ----------
    text : str
        Numbers with d, h, m or min, s; a number alone is seconds.

    Returns
    -------
    seconds : float

    Examples
    --------
    >>> parse_duration("10m"), parse_duration("1h30m"), parse_duration("45"), parse_duration("none")
    (600.0, 5400.0, 45.0, inf)
    """
    plain = text.strip().lower()
    if plain == _NO_LIMIT:
        return math.inf
    rest = _PART.sub("", plain).strip()
    seconds = sum(float(n) * _SECONDS[unit.lower()] for n, unit in _PART.findall(plain))
    if rest or not plain or not 0 < seconds < math.inf:
        raise ArgumentTypeError(
            f"{text!r} is no duration; write one such as 90s, 10m or 1h30m, or none for no limit"
        )
    return float(seconds)


def duration_in_words(seconds: float | None) -> str:
    """Return a time limit in words.

    Examples
    --------
    >>> duration_in_words(600), duration_in_words(5.25), duration_in_words(None)
    ('10 min', '5.2 s', 'no limit')
    """
    if seconds is None or math.isinf(seconds):
        return "no limit"
    words = in_words(seconds)
    return words.removesuffix(" 0 s").removesuffix(" 0 min")


def limits_in_words(time_limit: float | None, max_tasks: int | None) -> str:
    """Return the limits of a run in words.

    Examples
    --------
    >>> limits_in_words(600, None), limits_in_words(None, 8), limits_in_words(60, 1)
    ('10 min', 'no limit, at most 8 tasks', '1 min, at most 1 task')
    """
    tasks = "" if max_tasks is None else f", at most {count_of(max_tasks, 'task')}"
    return f"{duration_in_words(time_limit)}{tasks}"


def duration_as_text(seconds: float) -> str:
    """Return a duration as `parse_duration` reads it.

    Examples
    --------
    >>> duration_as_text(600.0), duration_as_text(1.5), duration_as_text(float("inf"))
    ('10m', '1.5s', 'none')
    """
    if math.isinf(seconds):
        return _NO_LIMIT
    for unit in ("h", "m"):
        if seconds % _SECONDS[unit] == 0:
            return f"{seconds / _SECONDS[unit]:.0f}{unit}"
    return f"{seconds:g}s"
