"""Bindings of sums and logarithms with the same bits on all machines, in any order of the terms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonet import _core
from nonet._core import ExactSum
from nonet._native.runtime import get_num_threads, native_array

Floats = NDArray[Any]  # of float64

# Below this many terms another thread costs more than it saves.
_TERMS_PER_THREAD = 1 << 15
_NONE = np.empty(0)


def exact_sum(terms: Floats, weights: Floats | None = None) -> ExactSum:
    """Add up terms, or their products with weights, without rounding.

    Parameters
    ----------
    terms : float64 array of shape (n_terms,)
    weights : float64 array of shape (n_terms,), optional
        1 each if not given. A whole weight adds exactly what so many terms add.

    Returns
    -------
    ExactSum
        Its `value` is the nearest double; sums of parts of the terms, which may come from other
        processes, are joined by ``add``.

    Examples
    --------
    >>> exact_sum(np.array([1e100, 1.0, -1e100])).value
    1.0
    >>> first, second = exact_sum(np.array([0.1])), exact_sum(np.array([0.2]), np.array([2.0]))
    >>> first.add(second)
    >>> first.value
    0.5
    """
    known = native_array(terms, np.float64)
    n_useful = len(known) // _TERMS_PER_THREAD
    return _core.exact_sum(
        known,
        _NONE if weights is None else native_array(weights, np.float64),
        min(get_num_threads(), n_useful) if n_useful > 1 else 1,
    )


def exact_mean(terms: Floats, weights: Floats | None = None) -> float:
    """Average terms by the exact sums of the terms and of their weights.

    Parameters
    ----------
    terms, weights
        As in `exact_sum`.

    Returns
    -------
    float

    Examples
    --------
    >>> exact_mean(np.array([1.0, 4.0]), np.array([2.0, 1.0]))
    2.0
    """
    total = len(terms) if weights is None else exact_sum(weights).value
    return exact_sum(terms, weights).value / total


def sums_by_group(terms: Floats, groups: NDArray[Any], n_groups: int) -> Floats:
    """Add up the terms of each group; the same in any order of the terms.

    Terms are cut into parts that add up without rounding (`cpp/base/parted_terms.hpp`).

    Parameters
    ----------
    terms : float64 array of shape (n_terms,)
    groups : int array of shape (n_terms,)
        Groups 0 to n_groups - 1 of the terms.
    n_groups : int

    Returns
    -------
    float64 array of shape (n_groups,)

    Examples
    --------
    >>> sums_by_group(np.array([0.1, 0.5, 0.2, 0.25]), np.array([0, 1, 0, 1]), 2).round(9)
    array([0.3 , 0.75])
    """
    with np.errstate(invalid="ignore"):  # infinite terms make infinite sums
        largest = float(np.max(np.abs(terms), initial=0.0, where=np.isfinite(terms)))
        term_bits = 1 + len(terms).bit_length()
        high_unit = min(math.frexp(largest)[1] + term_bits, 1021) - 52
        high_rounder, low_rounder = (
            math.ldexp(1.5, high_unit + 52),
            math.ldexp(1.5, high_unit + term_bits),
        )
        high = (terms + high_rounder) - high_rounder
        low = np.where(np.isfinite(high), terms - high, 0.0)
        low = (low + low_rounder) - low_rounder
        sums = [np.bincount(groups, weights=part, minlength=n_groups) for part in (high, low)]
        return np.asarray(sums[0] + sums[1])


def log_of(x: float) -> float:
    """Return the logarithm of a number above 0, with the same bits on all machines.

    Examples
    --------
    >>> round(log_of(10.0), 12)
    2.302585092994
    """
    return _core.log_of(x)


__all__ = ["ExactSum", "exact_mean", "exact_sum", "log_of", "sums_by_group"]
