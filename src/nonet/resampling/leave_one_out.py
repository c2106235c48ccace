"""The jackknife's bias and variance from sums over the rows, without an array of partial estimates.

A gap is the statistic without a row less the statistic of all rows. With d the distance of a row
from the mean, the gap of a mean or central moment is a polynomial of d, that of a variance is
quadratic, and those of a root, a correlation and a ratio are quotients of such; least squares has
its gaps by leverage. Their sum and sum of squares need one or two passes over the rows. A function
returns None where its formula would divide by zero or lose digits: the row-by-row way decides then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import comb, hypot, isfinite, sqrt
from typing import NamedTuple

import numpy as np

from nonet import _native_resample as native
from nonet._base.aliases import Array, Floats
from nonet._native_resample import Column

# Rows of a least-squares design that are worked on together: they stay in the cache.
_ROWS_AT_A_TIME = 1 << 12
# The powers of a longer polynomial overflow too soon.
_HIGHEST_ORDER = 8
# Least eigenvalue of the correlations among the columns with which normal equations keep 12 digits.
_LEAST_EIGENVALUE = 1e-3
# A row of more leverage nearly determines a coefficient alone.
_MOST_LEVERAGE = 1 - 1e-6


class Gaps(NamedTuple):
    """The statistic of all rows, and sum and sum of squares of the gaps."""

    estimate: float | Floats
    total: float | Floats
    squares: float | Floats

    @property
    def is_finite(self) -> bool:
        """Whether all numbers are finite."""
        if isinstance(self.estimate, float):
            return all(map(isfinite, self))
        return all(np.isfinite(numbers).all() for numbers in self)

    def agrees_with(self, other: Gaps | None) -> bool:
        """Whether these may be gaps of the same data; matrix products may round anew each time."""
        if other is None:
            return False
        nothing = 1e-9 * np.sqrt(self.squares)
        rounding = (1e-12 * np.asarray(self.estimate)) ** 2
        same = np.isclose(other.estimate, self.estimate, rtol=1e-9, atol=nothing)
        return bool(
            np.all(same & np.isclose(other.squares, self.squares, rtol=1e-9, atol=rounding))
        )


def by_column(x: Array, gaps_of: Callable[[Column], Gaps | None]) -> Gaps | None:
    """Return the gaps of one column, or of each column of a table."""
    if x.ndim == 1:
        return gaps_of(_as_column(x))
    if x.ndim != 2 or x.shape[1] == 0:
        return None
    each = [gaps_of(_as_column(column)) for column in x.T]
    found = [gaps for gaps in each if gaps is not None]
    if len(found) < len(each):
        return None
    return Gaps(*(np.array(numbers) for numbers in zip(*found, strict=True)))


def mean_gaps(x: Column) -> Gaps:
    """Gaps -d / (n - 1) of the mean; they sum to zero."""
    base, rest, squares = native.column_spread(x)
    return Gaps(base + rest, 0.0, squares / (len(x) - 1) ** 2)


def variance_gaps(x: Column, *, ddof: int, root: bool) -> Gaps | None:
    """Gaps of the variance, divided by the number of rows less ddof, or of its root."""
    n = len(x)
    if n - ddof < 2:
        return None
    base, rest, squares = native.column_spread(x)
    variance, per_row = squares / (n - ddof), 1 / (n - 1 - ddof)
    constant, quadratic = variance * per_row, -n / (n - 1) * per_row
    if root:
        deviation = sqrt(variance)
        if deviation == 0:
            return None
        sums = native.root_gaps(x, base, rest, constant, quadratic, deviation)
        return Gaps(deviation, *sums)
    total = n * (ddof - 1) * constant / (n - 1)
    return Gaps(
        variance, total, native.polynomial_gaps(x, base, rest, [constant, 0.0, quadratic])[1]
    )


def central_moment_gaps(x: Column, order: int) -> Gaps | None:
    """Gaps of mean((x - mean)**order)."""
    if order > _HIGHEST_ORDER:
        return None
    n = float(len(x))
    base, rest, squares = native.column_spread(x)
    powers = [n, 0.0, squares]
    for power in range(3, order + 1):
        unit = [0.0] * power + [1.0]
        powers.append(native.polynomial_gaps(x, base, rest, unit)[0])
    # Without the row the mean moves by -d / (n - 1): the binomial expansion about the new mean.
    gaps = [comb(order, i) * powers[order - i] / (n - 1) ** (i + 1) for i in range(order + 1)]
    gaps[0] = powers[order] / (n * (n - 1))
    gaps[order] -= (n / (n - 1)) ** order / (n - 1)
    return Gaps(powers[order] / n, *native.polynomial_gaps(x, base, rest, gaps))


def correlation_gaps(x: Array, y: Array) -> Gaps | None:
    """Gaps of Pearson's correlation."""
    if x.ndim != 1 or y.ndim != 1:
        return None
    x, y = _as_column(x), _as_column(y)
    products = native.column_products(x, y)
    *_, xx, yy, xy = products
    if not (xx > 0 and yy > 0):
        return None
    estimate = min(max(xy / (sqrt(xx) * sqrt(yy)), -1.0), 1.0)
    return Gaps(estimate, *native.correlation_gaps(x, y, products))


def ratio_gaps(y: Array, x: Array) -> Gaps | None:
    """Gaps of mean(y) / mean(x)."""
    if x.ndim != 1 or y.ndim != 1:
        return None
    y, x = _as_column(y), _as_column(x)
    products = native.column_products(x, y)
    mean_x, mean_y = products[0] + products[1], products[2] + products[3]
    # A mean that has cancelled would leave the ratio without digits.
    if not abs(mean_x) > 1e-6 * hypot(abs(products[0]), sqrt(products[4] / len(x))):
        return None
    return Gaps(mean_y / mean_x, *native.ratio_gaps(y, x, products))


def coefficient_gaps(X: Array, y: Array) -> Gaps | None:
    """Gaps -(D'D)^-1 d e / (1 - h) of least squares, with residual e and leverage h."""
    table = X[:, None] if X.ndim == 1 else X
    if table.ndim != 2 or y.shape != (len(table),) or len(table) <= table.shape[1] + 1:
        return None
    with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is found out below
        centre, products = _centred_products(table, y)
    scale = np.sqrt(np.diag(products)[:-1])
    if not (np.isfinite(products).all() and (scale > 0).all()):
        return None
    correlations = products[:-1, :-1] / np.outer(scale, scale)
    if np.linalg.eigvalsh(correlations)[0] < _LEAST_EIGENVALUE:
        return None
    inverse = np.linalg.inv(np.linalg.cholesky(correlations)).T / scale[:, None]
    return _summed_leverages(table, y, centre, inverse, inverse @ (inverse.T @ products[:-1, -1]))


def _summed_leverages(
    table: Array, y: Array, centre: _Centre, inverse: Floats, slopes: Floats
) -> Gaps | None:
    """Sum the gaps; ``inverse`` makes the centred columns orthonormal."""
    width, constant = len(slopes) + 1, 1 / sqrt(len(table))
    total, squares = np.zeros(width), np.zeros((width, width))
    for block in _blocks(table, y, centre):
        q = np.empty((width, block.shape[1]))
        q[0] = constant
        np.matmul(inverse.T, block[:-1], out=q[1:])
        leverage = np.einsum("ij,ij->j", q, q)
        if leverage.max() > _MOST_LEVERAGE:
            return None
        q *= (block[-1] - slopes @ block[:-1]) / (1 - leverage)
        # q (1 - h) sums to zero, as residuals are orthogonal to the columns: so q sums to q h.
        total += q @ leverage
        squares += q @ q.T
    means, middle = np.split(centre.base + centre.rest, [-1])
    upper = np.append(constant, -means @ inverse)
    back = np.vstack([upper, np.column_stack([np.zeros(len(slopes)), inverse])])
    estimate = np.append(middle - means @ slopes, slopes)
    return Gaps(estimate, -back @ total, np.einsum("ij,jk,ik->i", back, squares, back))


class _Centre(NamedTuple):
    """Means in two parts, so that rows far from zero keep their digits."""

    base: Floats
    rest: Floats


def _centred_products(table: Array, y: Array) -> tuple[_Centre, Floats]:
    """Return the means of the columns of (X, y), and the sums of their products about them."""
    first = slice(_ROWS_AT_A_TIME)
    base = np.append(table[first].mean(axis=0), y[first].mean())
    sums, products = np.zeros(len(base)), np.zeros((len(base), len(base)))
    for block in _blocks(table, y, _Centre(base, np.zeros(len(base)))):
        sums += block.sum(axis=1)
        products += block @ block.T
    rest = sums / len(table)
    return _Centre(base, rest), products - np.outer(sums, rest)


def _blocks(table: Array, y: Array, centre: _Centre) -> Iterator[Floats]:
    """Yield some rows of (X, y) at a time, less their means, in memory that is used again.

    A column of the table is a row of the block, as sums along the last axis are the fast ones.
    """
    memory = np.empty((len(centre.base), min(len(table), _ROWS_AT_A_TIME)))
    for first in range(0, len(table), _ROWS_AT_A_TIME):
        rows = slice(first, first + _ROWS_AT_A_TIME)
        block = memory[:, : len(table) - first]
        np.subtract(table[rows].T, centre.base[:-1, None], out=block[:-1])
        np.subtract(y[rows], centre.base[-1], out=block[-1])
        block -= centre.rest[:, None]
        yield block


def _as_column(x: Array) -> Column:
    return np.ascontiguousarray(x, dtype=np.float64)
