"""Checks of support, and properties of its rows: ties, emptiness, the gap at the top.

Support is F's output, (n, c): one number for each class, higher for the likelier one. A row
without any support (all zero) is F's "no decision", a tie of all classes.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Array, Floats
from nonet._base.params import Rule, bad_parameter
from nonet._base.warn import warn_caller

# A sum of a few dozen weights is off by a few of its last digits: 0.1 + 0.2 is not 0.3.
# Such differences must not decide whether a row is a tie or reaches a threshold.
_ROUNDING_STEPS = 64


def check_class_support(support: ArrayLike) -> Floats:
    """Return support as finite float32 or float64 numbers of shape (rows, classes)."""
    checked = check_support(support)
    if checked.ndim != 2 or checked.shape[1] == 0:
        _refuse_shape("(rows, classes)", checked)
    return checked


def check_two_class_support(support: ArrayLike) -> Floats:
    """Return support as finite numbers of shape (rows, 2), or (rows,) for a signed score."""
    checked = check_support(support)
    if checked.ndim != 1 and (checked.ndim != 2 or checked.shape[1] != 2):
        _refuse_shape("(rows, 2) or (rows,), as the rule is for two classes,", checked)
    return checked


def warn_above_one(name: str, threshold: float | None, support: Floats) -> None:
    """Warn if no row can reach a threshold, because the support is a probability."""
    if threshold is None or threshold <= 1 or support.ndim != 2 or not len(support):
        return
    if np.all(np.abs(support.sum(axis=1) - 1) < 1e-6) and np.all(support >= 0):
        warn_caller(
            f"{name}={threshold:g} is above 1, but the support is a probability: no row reaches "
            "it; give a number between 0 and 1."
        )


def _refuse_shape(allowed: str, support: Array) -> NoReturn:
    raise ValueError(f"support must have shape {allowed} but has shape {support.shape}.")


def check_support(support: ArrayLike) -> Floats:
    """Return support as finite float32 or float64 numbers of any shape."""
    checked = np.asarray(support)
    if checked.dtype.kind in "biu" or checked.dtype == np.float16:
        checked = checked.astype(np.float64)
    if checked.dtype not in (np.float32, np.float64):
        raise TypeError(f"support must be real numbers, but has dtype {checked.dtype}.")
    # The minimum and the maximum suffice, without a mask as large as the input.
    if checked.size and not (np.isfinite(checked.min()) and np.isfinite(checked.max())):
        row = np.argwhere(~np.isfinite(checked))[0][0]
        raise ValueError(f"support must be finite, but row {row} is {checked[row]}.")
    return checked


def check_argument(function: str, name: str, rule: Rule, value: Any) -> None:
    """Check one argument of a function on arrays, with the usual error message."""
    if not rule.allows(value):
        raise bad_parameter(function, name, rule.describe(), value)


def rounding_of(support: Floats) -> float:
    """Return the relative difference that counts as rounding for this dtype."""
    return _ROUNDING_STEPS * float(np.finfo(support.dtype).eps)


def reaches(values: Floats, threshold: float) -> Array:
    """Return which values are at least the threshold, up to rounding."""
    return np.asarray(values >= threshold - rounding_of(values) * abs(threshold))


def is_empty(support: Floats) -> Array:
    """Return which rows of (n, c) support are all zero."""
    return np.asarray(~support.any(axis=1))


def gap_at_top(support: Floats) -> Floats:
    """Return the highest minus the second-highest support per row; infinite for one class."""
    if support.shape[1] == 1:
        return np.full(len(support), np.inf)
    top_two = np.partition(support, -2, axis=1)[:, -2:]
    return np.subtract(top_two[:, 1], top_two[:, 0])
