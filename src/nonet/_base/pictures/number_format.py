"""How reports and diagrams write numbers: the one module that rounds them.

Every number of a page passes through one of these functions, so that the same number looks
the same in a sentence, a table and a figure.
"""

from __future__ import annotations

from math import floor, isfinite, isnan, log10
from typing import Any

MISSING = "n/a"
_MINUS = "\N{MINUS SIGN}"
_TIMES = " \N{MULTIPLICATION SIGN} "
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_BYTE_UNITS = ("bytes", "kB", "MB", "GB", "TB")
_UNITS_OF_A_SECOND = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def format_number(value: Any, digits: int = 4) -> str:
    """Return a number with significant digits and commas between thousands.

    Parameters
    ----------
    value : number, bool or None
    digits : int, default=4
        The significant digits; all digits before the decimal point are kept up to a billion.

    Returns
    -------
    text : str
        'n/a' for None and NaN.

    Examples
    --------
    >>> [format_number(v) for v in (1234567, 0.123456, 2.0, 0.000012345, None)]
    ['1,234,567', '0.1235', '2', '1.234 × 10⁻⁵', 'n/a']
    """
    if value is None or isinstance(value, bool):
        return MISSING if value is None else ("yes" if value else "no")
    number = float(value)
    if not isfinite(number):
        return MISSING if isnan(number) else _signed(number, "∞")
    if number == 0:
        return "0"
    if isinstance(value, int) and abs(value) < 10**12:
        return _signed(number, f"{abs(value):,}")
    return _signed(number, _rounded(abs(number), digits))


def format_value(value: Any) -> str:
    """Return a number of the user's table: four digits have no comma, as they may be a year.

    Examples
    --------
    >>> [format_value(v) for v in (2024, 12345, 0.123456)]
    ['2024', '12,345', '0.1235']
    """
    text = format_number(value)
    return text.replace(",", "") if value is not None and abs(value) < 10_000 else text


def format_fixed(value: float, decimals: int) -> str:
    """Return a number with a fixed number of decimals, for numbers below each other.

    Examples
    --------
    >>> format_fixed(0.1, 2), format_fixed(-0.001, 2)
    ('0.10', '0.00')
    """
    text = f"{abs(value):,.{decimals}f}"
    return text if not text.strip("0.,") else _signed(value, text)


def format_fraction(value: Any, digits: int = 3) -> str:
    """Return a fraction in percent.

    Examples
    --------
    >>> [format_fraction(v) for v in (0.1234, 1.0, 0.00004)]
    ['12.3 %', '100 %', '0.004 %']
    """
    return MISSING if _is_missing(value) else f"{format_number(100 * float(value), digits)} %"


def format_with_error(value: Any, error: Any) -> str:
    """Return a number with its standard error, both with the decimals that the error allows.

    Examples
    --------
    >>> format_with_error(0.123456, 0.01234), format_with_error(1234.5, 67.8)
    ('0.123 ± 0.012', '1,234 ± 68')
    """
    if _is_missing(value) or _is_missing(error) or float(error) <= 0:
        return format_number(value)
    decimals = min(max(1 - _exponent(float(error)), 0), 12)
    if abs(float(value)) < 1e-4 or abs(float(value)) >= 1e9:
        return f"{format_number(value)} ± {format_number(error, 2)}"
    body = f"{abs(float(value)):,.{decimals}f} ± {float(error):,.{decimals}f}"
    return _signed(float(value), body)


def format_seconds(value: Any) -> str:
    """Return a duration in the unit that suits it.

    Examples
    --------
    >>> [format_seconds(v) for v in (0.0000123, 2.5, 200, 7260)]
    ['12.3 µs', '2.5 s', '3 min 20 s', '2 h 1 min']
    """
    if _is_missing(value):
        return MISSING
    seconds = float(value)
    if seconds >= 3600:
        return f"{int(seconds // 3600):,} h {int(seconds % 3600 // 60)} min"
    if seconds >= 60:
        return f"{int(seconds // 60)} min {int(seconds % 60)} s"
    size, unit = next(
        (pair for pair in _UNITS_OF_A_SECOND if seconds >= pair[0]), _UNITS_OF_A_SECOND[-1]
    )
    return f"{format_number(seconds / size if seconds else 0.0, 3)} {unit}"


def format_bytes(value: Any) -> str:
    """Return a number of bytes in the unit that suits it.

    Examples
    --------
    >>> [format_bytes(v) for v in (512, 20_480, 3_500_000)]
    ['512 bytes', '20.5 kB', '3.5 MB']
    """
    if _is_missing(value):
        return MISSING
    power = min(int(max(log10(max(float(value), 1.0)), 0) // 3), len(_BYTE_UNITS) - 1)
    return f"{format_number(float(value) / 1000**power, 3)} {_BYTE_UNITS[power]}"


def tick_label(value: float, step: float) -> str:
    """Return the label of a tick, with the decimals that its step needs.

    Examples
    --------
    >>> [tick_label(v, 0.25) for v in (0.0, 0.25, 0.5)], tick_label(20000.0, 10000.0)
    (['0', '0.25', '0.5'], '20,000')
    """
    if abs(value) < step * 1e-9:
        return "0"
    if abs(value) >= 1e6 or abs(value) < 1e-4:
        return format_number(value, 3).replace(_TIMES, "·")
    decimals = min(max(-_exponent(step) + 1, 0), 8)
    return _signed(value, _without_zeros(f"{abs(value):,.{decimals}f}"))


def _rounded(size: float, digits: int) -> str:
    exponent = _exponent(size)
    if exponent < -4 or exponent >= 9:
        return _scientific(size, digits)
    return _without_zeros(f"{size:,.{max(digits - 1 - exponent, 0)}f}")


def _scientific(size: float, digits: int) -> str:
    mantissa, exponent = f"{size:.{digits - 1}e}".split("e")
    return f"{_without_zeros(mantissa)}{_TIMES}10{str(int(exponent)).translate(_SUPERSCRIPTS)}"


def _exponent(size: float) -> int:
    return floor(log10(size))


def _without_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _signed(value: float, text: str) -> str:
    return (_MINUS if value < 0 else "") + text


def _is_missing(value: Any) -> bool:
    return value is None or not isfinite(float(value))
