"""Bindings of bootstrap and jackknife kernels: array layout, number of threads.

Resample ``b`` of a pool is a pure function of (seed, b, pool): a call may request any run of
resamples, ``first`` and the following ones, and any number of threads gives equal bits.
``draw_units`` documents the rule by which words become draws.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonet import _core
from nonet._native.runtime import get_num_threads, native_array

Floats = NDArray[np.floating[Any]]
Column = NDArray[np.float64]

# Below this many draws another thread costs more than it saves.
_DRAWS_PER_THREAD = 1 << 16
_ROWS_PER_THREAD = 1 << 18


def _threads_for(n_draws: int) -> int:
    return max(1, min(get_num_threads(), n_draws // _DRAWS_PER_THREAD))


def _threads_for_rows(n_rows: int) -> int:
    if n_rows < 2 * _ROWS_PER_THREAD:  # reading the number takes as long as a thousand rows
        return 1
    return min(get_num_threads(), n_rows // _ROWS_PER_THREAD)


def draw_units(
    n_units: int, n_draws: int, n_resamples: int, *, seed: int, pool: int = 0, first: int = 0
) -> NDArray[np.uint32]:
    """Draw units with replacement, all with the same probability.

    The first block of the Philox4x64-10 stream named (resample, pool) under the seed is the state
    that xoshiro256++ begins with. This gives 64-bit words, and a word w gives k draws: the unit
    ``(w * n_units) >> 64``, then the same with the lower 64 bits of that product in place of w, and
    so on. A word whose last product has lower bits under
    ``2**64 % n_units**k`` is passed over. k is the maximum number, at most 16, with
    ``n_units**k <= 2**56``, or 1.

    Parameters
    ----------
    n_units : int
        Units to draw from, below 2**32.
    n_draws : int
        Draws in a resample.
    n_resamples : int
        How many resamples.
    seed : int
        Below 2**64.
    pool : int, default=0
        Which of several pools the units are; each has its own draws.
    first : int, default=0
        The number of the first resample.

    Returns
    -------
    ndarray of shape (n_resamples, n_draws)

    Examples
    --------
    >>> draw_units(5, 4, 2, seed=1).shape
    (2, 4)
    """
    out = np.empty((n_resamples, n_draws), dtype=np.uint32)
    _core.draw_units(n_units, seed, pool, first, out)
    return out


def resampled_sums(
    terms: Floats, n_draws: int, n_resamples: int, *, seed: int, pool: int = 0, first: int = 0
) -> NDArray[np.float64]:
    """Sum the rows of ``terms`` that each resample draws, without holding the draws.

    Parameters
    ----------
    terms : array of shape (n_units, n_terms)
        One row per unit.
    n_draws, n_resamples, seed, pool, first : int
        As in `draw_units`.

    Returns
    -------
    ndarray of shape (n_resamples, n_terms)

    Examples
    --------
    >>> resampled_sums(np.ones((5, 1)), 4, 2, seed=1)
    array([[4.],
           [4.]])
    """
    table = native_array(terms, np.float64)
    out = np.zeros((n_resamples, table.shape[1]))
    n_threads = _threads_for(n_draws * n_resamples)
    _core.resampled_sums(table, n_draws, seed, pool, first, n_threads, out)
    return out


def resampled_products(
    columns: Floats, n_draws: int, n_resamples: int, *, seed: int, pool: int = 0, first: int = 0
) -> NDArray[np.float64]:
    """Sum the products of every two columns over the rows that each resample draws.

    Parameters
    ----------
    columns : array of shape (n_units, n_columns)
        One row per unit.
    n_draws, n_resamples, seed, pool, first : int
        As in `draw_units`.

    Returns
    -------
    ndarray of shape (n_resamples, n_columns * (n_columns + 1) / 2)
        The lower triangle of the sum of z z', row after row.

    Examples
    --------
    >>> resampled_products(np.array([[1.0, 2.0]]), 3, 1, seed=1)
    array([[ 3.,  6., 12.]])
    """
    table = native_array(columns, np.float64)
    width = table.shape[1]
    out = np.zeros((n_resamples, width * (width + 1) // 2))
    n_threads = _threads_for(n_draws * n_resamples)
    _core.resampled_products(table, n_draws, seed, pool, first, n_threads, out)
    return out


def resampled_order_statistics(
    rank: NDArray[np.uint32],
    n_draws: int,
    lower: int,
    n_resamples: int,
    *,
    seed: int,
    pool: int = 0,
    first: int = 0,
) -> NDArray[np.int64]:
    """Find two neighbouring order statistics of each resample.

    Parameters
    ----------
    rank : array of shape (n_units,)
        The position of each unit's value among the sorted values.
    n_draws : int
        Draws in a resample.
    lower : int
        The order of the first of the two, from 0; the second is the next, or the last.
    n_resamples, seed, pool, first : int
        As in `draw_units`.

    Returns
    -------
    ndarray of shape (n_resamples, 2)
        Positions among the sorted values.

    Examples
    --------
    >>> resampled_order_statistics(np.array([0], dtype=np.uint32), 3, 1, 1, seed=1)
    array([[0, 0]])
    """
    out = np.empty((n_resamples, 2), dtype=np.int64)
    n_threads = _threads_for(n_draws * n_resamples)
    table = native_array(rank, np.uint32)
    _core.resampled_order_statistics(table, n_draws, lower, seed, pool, first, n_threads, out)
    return out


def column_spread(x: Column) -> list[float]:
    """Return the mean of a column in two parts to be added, and the sum of squares about it.

    Parameters
    ----------
    x : float64 array of shape (n,), without gaps in memory

    Returns
    -------
    list of 3 floats

    Examples
    --------
    >>> column_spread(np.array([1.0, 4.0, 7.0]))
    [4.0, 0.0, 18.0]
    """
    return _core.column_spread(x, _threads_for_rows(len(x)))


def polynomial_gaps(
    x: Column, base: float, rest: float, coefficients: list[float]
) -> tuple[float, float]:
    """Sum a polynomial of x - mean, and its square, over the rows.

    Parameters
    ----------
    x : float64 array of shape (n,), without gaps in memory
    base, rest : float
        The mean, in two parts.
    coefficients : list of float
        Lowest power first.

    Returns
    -------
    total, squares : float

    Examples
    --------
    >>> polynomial_gaps(np.array([1.0, 3.0]), 2.0, 0.0, [0.0, 1.0])
    (0.0, 2.0)
    """
    wanted = np.array(coefficients, dtype=np.float64)
    total, squares = _core.polynomial_gaps(x, base, rest, wanted, _threads_for_rows(len(x)))
    return total, squares


def root_gaps(
    x: Column, base: float, rest: float, constant: float, quadratic: float, root: float
) -> tuple[float, float]:
    """Sum sqrt(root**2 + constant + quadratic * (x - mean)**2) - root, and its square.

    Parameters
    ----------
    x : float64 array of shape (n,), without gaps in memory
    base, rest : float
        The mean, in two parts.
    constant, quadratic, root : float

    Returns
    -------
    total, squares : float

    Examples
    --------
    >>> root_gaps(np.array([1.0, 3.0]), 2.0, 0.0, 1.0, 2.0, 1.0)
    (2.0, 2.0)
    """
    n_threads = _threads_for_rows(len(x))
    total, squares = _core.root_gaps(x, base, rest, constant, quadratic, root, n_threads)
    return total, squares


def correlation_gaps(x: Column, y: Column) -> list[float]:
    """Find the correlation, and sum what leaving each row out adds to it, and its square.

    Parameters
    ----------
    x, y : float64 arrays of shape (n,), without gaps in memory

    Returns
    -------
    estimate, total, squares : list of float
        NaN if, perhaps without some row, one of the columns hardly varies.

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 3.0])
    >>> estimate, total, squares = correlation_gaps(x, x)
    >>> round(estimate, 12), abs(total) < 1e-12, squares < 1e-12
    (1.0, True, True)
    """
    return _core.correlation_gaps(x, y, _threads_for_rows(len(x)))


def ratio_gaps(y: Column, x: Column) -> list[float]:
    """Find mean(y) / mean(x), and sum what leaving each row out adds to it, and its square.

    Parameters
    ----------
    y, x : float64 arrays of shape (n,), without gaps in memory

    Returns
    -------
    estimate, total, squares : list of float
        NaN if, perhaps without some row, the sum of x nearly vanishes.

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 3.0])
    >>> ratio_gaps(2 * x, x)
    [2.0, 0.0, 0.0]
    """
    return _core.ratio_gaps(y, x, _threads_for_rows(len(x)))
