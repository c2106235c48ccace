"""Facts as JSON holds them: plain numbers, text, lists and dictionaries, and None for NaN."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

import numpy as np

_N_DIGITS = 6  # of numbers in long lists, which are drawn and not read


def plain(value: Any) -> Any:
    """Return a value as JSON holds it.

    Parameters
    ----------
    value : object
        Numbers and arrays of NumPy, dates, text, lists, dictionaries.

    Returns
    -------
    value : object
        The same, made of Python's own types; NaN and infinities are None, what JSON does not know
        is text.

    Examples
    --------
    >>> plain({"score": np.float64("nan"), "counts": np.array([1, 2])})
    {'score': None, 'counts': [1, 2]}
    """
    if value is None or isinstance(value, str | bool | int):
        return str(value) if isinstance(value, np.str_) else value
    if isinstance(value, np.datetime64):
        return shown_date(value)
    if isinstance(value, np.ndarray):
        return [plain(item) for item in value.tolist()] if value.dtype.kind != "M" else dates(value)
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset | range):
        return [plain(item) for item in value]
    return str(value)


def missing(sentence: str) -> dict[str, str]:
    """Return a part of the facts that cannot be computed, with the reason.

    Examples
    --------
    >>> missing("There is one member.")
    {'missing': 'There is one member.'}
    """
    return {"missing": sentence}


def is_missing(part: Any) -> bool:
    """Return whether a part of the facts is one that could not be computed."""
    return isinstance(part, Mapping) and "missing" in part


def shortened(values: Iterable[Any]) -> list[float | None]:
    """Return numbers with six digits, which is enough for a picture; None for NaN.

    Examples
    --------
    >>> shortened([1 / 3, float("nan")])
    [0.333333, None]
    """
    numbers = (float(value) for value in values)
    return [float(f"{n:.{_N_DIGITS}g}") if isfinite(n) else None for n in numbers]


def dates(values: Any) -> list[str | None]:
    """Return dates as text."""
    return [shown_date(value) for value in values]


def shown_date(value: Any) -> str | None:
    """Return a date as text, with the time of day if it has one; None for a missing date.

    Examples
    --------
    >>> shown_date(np.datetime64("2024-03-01T00:00")), shown_date(np.datetime64("2024-03-01T09:30"))
    ('2024-03-01', '2024-03-01T09:30:00')
    """
    if np.isnat(value):
        return None
    day = value.astype("datetime64[D]")
    return str(day) if day == value else str(value.astype("datetime64[s]"))
