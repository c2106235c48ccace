"""Thresholds of libraries that round X to single precision, for rows of double precision.

``float32(x) <= t`` holds up to a point between two numbers of single precision, which double
precision can represent. With that point as the threshold, ``x <= point`` sends every x where the
library sends it, without rounding X.
"""

from __future__ import annotations

import numpy as np

from nonet._base.aliases import Floats

_BEYOND = 2.0**128  # the power of two that follows the largest number of single precision


def thresholds_without_rounding(thresholds: Floats, *, is_strict: bool = False) -> Floats:
    """Return thresholds t' such that ``x <= t'`` where ``float32(x) <= t``, for every x.

    Parameters
    ----------
    thresholds : ndarray of shape (n,)
        The thresholds t, in single or double precision.
    is_strict : bool, default=False
        Whether the library compares by ``float32(x) < t``.

    Returns
    -------
    thresholds : ndarray of shape (n,)

    Examples
    --------
    >>> point = thresholds_without_rounding(np.array([0.1]))[0]
    >>> [float(np.float32(x)) <= 0.1 for x in (point, np.nextafter(point, 1))]
    [True, False]
    """
    given = np.asarray(thresholds, dtype=np.float64)
    with np.errstate(over="ignore"):  # to infinity, as of x
        last = given.astype(np.float32)
        is_above = last >= given if is_strict else last > given
        last = np.where(is_above, np.nextafter(last, np.float32(-np.inf)), last)
        after = np.nextafter(last, np.float32(np.inf))
    middle = (_limited(last) + _limited(after)) / 2
    # A number halfway between two is rounded to the even one.
    is_even = (last.view(np.uint32) & 1) == 0
    points = np.where(is_even, middle, np.nextafter(middle, -np.inf))
    found: Floats = np.where(np.isposinf(last), np.inf, points)
    return found


def _limited(numbers: np.ndarray) -> Floats:
    """Return numbers of single precision, infinity as the first one beyond the largest."""
    limited: Floats = np.clip(numbers.astype(np.float64), -_BEYOND, _BEYOND)
    return limited
