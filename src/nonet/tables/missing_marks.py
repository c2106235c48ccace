"""Text that stands for a missing value, and numbers that may do so."""

from __future__ import annotations

import numpy as np

from nonet._base.aliases import Array

# In any column, whatever its case.
MISSING_MARKS = frozenset(["", "na", "n/a", "#n/a", "nan", "null", "<na>", "?"])
# Where all other values are numbers, dates or booleans; "-" and "none" may name a category.
MORE_MARKS = MISSING_MARKS | frozenset(
    [
        *("-", "--", ".", "none", "nil", "nat", "missing", "unknown", "n.a."),
        *("#value!", "#div/0!", "#ref!", "#num!", "#null!", "#name?"),
    ]
)
_CODES = tuple(sign * int("9" * n_digits) for n_digits in range(2, 7) for sign in (-1, 1))
_ROWS_OF_A_CODE = 0.002  # fraction of the rows that a code must have


def is_missing_mark(text: str) -> bool:
    """Return whether a text stands for a missing value in any column.

    Examples
    --------
    >>> is_missing_mark("N/A"), is_missing_mark("none")
    (True, False)
    """
    return text.strip().lower() in MISSING_MARKS


def suspect_codes(values: Array) -> tuple[float, ...]:
    """Return numbers such as -999 that may stand for missing values.

    They stand in several rows, and farther from all other values than these are from each other.

    Parameters
    ----------
    values : ndarray of numbers
        The values that are not missing.

    Returns
    -------
    tuple of float

    Examples
    --------
    >>> ages = np.array([20, 31, -999, 45, 62, -999])
    >>> suspect_codes(ages)
    (-999.0,)
    """
    return tuple(float(code) for code in _CODES if _is_apart(values, code))


def _is_apart(values: Array, code: int) -> bool:
    is_code = values == code
    n_rows = int(is_code.sum())
    if n_rows < max(2, _ROWS_OF_A_CODE * len(values)) or n_rows == len(values):
        return False
    others = values[~is_code].astype(np.float64)
    low, high = float(others.min()), float(others.max())
    gap = low - code if code < low else code - high
    return high > low and gap > high - low
