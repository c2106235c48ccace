"""Names that come from a user's table, made safe to read on a page and in a figure.

A column may be called anything: markup, ten thousand characters, several lines, text that runs
from right to left. Escaping is the work of whoever writes the markup (``svg.element`` and the
templates); here names lose what would disturb the lines around them, and are shortened.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from unicodedata import combining, east_asian_width

LONGEST_NAME = 40
_ELLIPSIS = "…"
# Letters are as wide as in DejaVu Sans, which is wider than most: text that fits there fits.
_SYMBOLS = "\u2100"  # Arrows, emoji and other signs are wide, and begin here.
_NARROW = frozenset("iljtfrI.,:;'|!()[]-/ ")
_LINE_ENDS = re.compile(r"\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+\s*")
# Control characters, marks that turn the direction of what follows, halves of surrogate pairs
# (which no file in UTF-8 can hold), and code points that are no characters.
_UNSAFE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff"
    "\ufdd0-\ufdef\ufeff\ufffe\uffff]"
)


def clean(text: Any) -> str:
    r"""Return text on one line, without control characters.

    Examples
    --------
    >>> clean("total\nprice"), clean("a\x00b\u202e")
    ('total ⏎ price', 'a�b�')
    """
    return _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", _LINE_ENDS.sub(" ⏎ ", str(text))).strip()


def shorten(text: Any, longest: int = LONGEST_NAME) -> str:
    """Return clean text of at most ``longest`` characters, with an ellipsis if it was longer.

    Examples
    --------
    >>> shorten("a very long name of a column", 12)
    'a very long…'
    """
    cleaned = clean(text)
    if len(cleaned) <= longest:
        return cleaned
    return cleaned[: longest - 1].rstrip() + _ELLIPSIS


def fit_width(text: Any, width: float, size: float = 12.0) -> str:
    """Return clean text that is at most about ``width`` wide in letters of ``size``.

    Examples
    --------
    >>> fit_width("income", 100), fit_width("household income per year", 80)
    ('income', 'household…')
    """
    cleaned = clean(text)
    if text_width(cleaned, size) <= width:
        return cleaned
    kept = 0
    room = width - size * 0.8
    while kept < len(cleaned) and room >= (step := _letter_width(cleaned[kept]) * size):
        room -= step
        kept += 1
    return cleaned[:kept].rstrip() + _ELLIPSIS


def text_width(text: str, size: float = 12.0) -> float:
    """Return about how wide text is in letters of ``size``; the font is the reader's own."""
    return sum(map(_letter_width, text)) * size


def clip_strings(value: Any, longest: int) -> Any:
    """Return facts in which no string, and no key, has more than ``longest`` characters.

    Examples
    --------
    >>> clip_strings({"name": ["abcdef", 3]}, 4)
    {'name': ['abc…', 3]}
    """
    if isinstance(value, str):
        return value if len(value) <= longest else value[: longest - 1] + _ELLIPSIS
    if isinstance(value, Mapping):
        return {clip_strings(k, longest): clip_strings(v, longest) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [clip_strings(item, longest) for item in value]
    return value


def _letter_width(letter: str) -> float:
    if combining(letter):
        return 0.0
    if east_asian_width(letter) in "WF" or letter > _SYMBOLS:
        return 1.15
    if letter in _NARROW:
        return 0.38
    return 0.9 if letter in "mwMW@%<>=+~^#&" else (0.7 if letter.isupper() else 0.61)
