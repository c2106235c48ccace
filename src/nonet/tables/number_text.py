"""Numbers written as text: signs, thousands, decimal points or commas, percent, currencies.

A column is written with a decimal point ("1,234.5") or with a decimal comma ("1.234,5"). A text
such as "1,234" fits both. Which of the two is meant, other values decide.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_CURRENCY = "$€£¥₹"
_GAPS = "'\u2019 \u00a0\u202f\u2009"  # between groups of three digits
_PATTERN = (
    rf"(?P<sign>[+-]?)\s*[{_CURRENCY}]?\s*(?P<second>[+-]?)"
    r"(?P<whole>[1-9][0-9]{{0,2}}(?:[{thousands}][0-9]{{3}})+|[0-9]*)"
    r"(?:[{decimal}](?P<fraction>[0-9]*))?(?P<exponent>[eE][+-]?[0-9]+)?"
)
_END = rf"\s*(?:%|[{_CURRENCY}])?"
_POINT = re.compile(_PATTERN.format(thousands=f",{_GAPS}", decimal=".") + _END)
_COMMA = re.compile(_PATTERN.format(thousands=f".{_GAPS}", decimal=",") + _END)
_INFINITY = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)
_CODE = re.compile(r"[+-]?0[0-9]+")
_NOT_DIGITS = re.compile(r"[^0-9]")


def parse_number(text: str, *, decimal_comma: bool = False) -> float:
    """Return the number that a text is, NaN if it is none.

    Examples
    --------
    >>> parse_number("$1,234.5"), parse_number("12 %"), parse_number("1.234,5", decimal_comma=True)
    (1234.5, 12.0, 1234.5)
    >>> parse_number("one")
    nan
    """
    text = text.strip().replace("\u2212", "-")
    found = (_COMMA if decimal_comma else _POINT).fullmatch(text)
    if found is None:
        return float(text) if _INFINITY.fullmatch(text) else math.nan
    sign, second = found["sign"], found["second"]
    whole, fraction = _NOT_DIGITS.sub("", found["whole"]), found["fraction"] or ""
    if not (whole or fraction) or (sign and second):
        return math.nan
    return float(f"{sign or second}{whole or 0}.{fraction or 0}{found['exponent'] or ''}")


def parse_numbers(levels: Sequence[str], *, decimal_comma: bool = False) -> NDArray[np.float64]:
    """Return the number that each text is, NaN where it is none."""
    if not decimal_comma:
        plain = plain_numbers(levels)
        if plain is not None:
            return plain
    numbers = (parse_number(level, decimal_comma=decimal_comma) for level in levels)
    return np.fromiter(numbers, dtype=np.float64, count=len(levels))


def plain_numbers(levels: Sequence[str]) -> NDArray[np.float64] | None:
    """Return numbers as Python itself reads them; None if it cannot, or reads too much."""
    try:
        numbers = np.fromiter(map(float, levels), dtype=np.float64, count=len(levels))
    except ValueError:
        return None
    # Python also reads 1_000 and the digits of other scripts.
    is_plain = all(level.isascii() and "_" not in level for level in levels)
    return numbers if is_plain and not np.isnan(numbers).any() else None


def has_leading_zeros(levels: Sequence[str]) -> bool:
    """Return whether a text is digits after a zero, as in postal codes: no number then.

    Examples
    --------
    >>> has_leading_zeros(["10115", "04109"]), has_leading_zeros(["0", "0.5"])
    (True, False)
    """
    return any(_CODE.fullmatch(level) for level in levels)


def fits_both_ways(levels: Sequence[str]) -> bool:
    """Return whether all strings are numbers with a decimal point and with a decimal comma.

    Examples
    --------
    >>> fits_both_ways(["1,234", "5"]), fits_both_ways(["1,234", "5.5"])
    (True, False)
    """
    return all(
        not math.isnan(parse_number(level, decimal_comma=comma))
        for level in levels
        for comma in (False, True)
    )
