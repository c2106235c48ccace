"""Numbers and names as HTML: what the filters of the templates and the tables of figures write.

A number is a ``<data>`` element whose value is the number of the facts, unrounded. So a reader,
a program and a test find what was rounded for the eye.
"""

from __future__ import annotations

import json
from typing import Any

from markupsafe import Markup

from nonet._base.pictures.labels import LONGEST_NAME, clean, shorten
from nonet._base.pictures.number_format import (
    MISSING,
    format_bytes,
    format_fraction,
    format_number,
    format_seconds,
    format_value,
    format_with_error,
)

LONGEST_SENTENCE = 600
_ABSENT = Markup('<span class="absent">{}</span>').format(MISSING)


def number(value: Any, digits: int = 4) -> Markup:
    """Return a number with significant digits."""
    return _data(value, format_number(value, digits))


def percent(value: Any, digits: int = 3) -> Markup:
    """Return a fraction in percent."""
    return _data(value, format_fraction(value, digits))


def seconds(value: Any) -> Markup:
    """Return a duration."""
    return _data(value, format_seconds(value))


def size(value: Any) -> Markup:
    """Return a number of bytes."""
    return _data(value, format_bytes(value))


def microseconds(value: Any) -> Markup:
    """Return a duration that is given in microseconds."""
    return _data(value, format_seconds(None if value is None else value * 1e-6))


def with_error(value: Any, error: Any) -> Markup:
    """Return a number with its standard error."""
    first, *rest = format_with_error(value, error).split(" ± ")
    if not rest:
        return _data(value, first)
    return _data(value, first) + Markup(" ± ") + _data(error, rest[0])


def interval(low: Any, high: Any, digits: int = 3) -> Markup:
    """Return the ends of an interval."""
    return number(low, digits) + Markup(" to ") + number(high, digits)


def name(text: Any, longest: int = LONGEST_NAME) -> Markup:
    """Return a name that comes from the user's table, shortened, with all of it as its title.

    The element keeps text that runs from right to left from turning around its neighbours.
    """
    if text is None:
        return _ABSENT
    full, shown = clean(_as_text(text)), shorten(_as_text(text), longest)
    if full == shown:
        return Markup("<bdi>{}</bdi>").format(shown or "(empty)")
    return Markup('<bdi title="{}">{}</bdi>').format(full, shown)


def sentence(text: Any, longest: int = LONGEST_SENTENCE) -> Markup:
    """Return a sentence of the facts, shortened only if a name in it is very long."""
    full, shown = clean(text), shorten(text, longest)
    if full == shown:
        return Markup("<span>{}</span>").format(shown)
    return Markup('<span title="{}">{}</span>').format(full, shown)


def cell(value: Any) -> Markup:
    """Return a value of the user's table: text, or a number, without a comma in 2024."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _data(value, format_value(value))
    return name(value)


def _data(value: Any, text: str) -> Markup:
    if text == MISSING:
        return _ABSENT
    return Markup('<data value="{}">{}</data>').format(json.dumps(value), text)


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value)
    return format_number(value, 6) if isinstance(value, (int, float)) else str(value)
