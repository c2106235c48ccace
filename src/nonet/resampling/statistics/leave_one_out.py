"""The jackknife's bias and variance from sums over the rows, without an array of partial estimates.

A gap is the statistic without a row less the statistic of all rows. With d the distance of a row
from the mean, the gap of a mean or central moment is a polynomial of d, that of a variance is
quadratic, and those of a root, a correlation and a ratio are quotients of such; least squares has
its gaps by leverage. Their sum and sum of squares need one or two passes over the rows. A function
returns None where its formula would divide by zero or lose digits: the row-by-row way decides then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import comb, isfinite, sqrt
from typing import NamedTuple

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native import resample as native
from nonet._native.resample import Column

# Rows of a least-squares design that are worked on together: they stay in the cache.
_ROWS_AT_A_TIME = 1 << 12
# The mean of so many rows is a guess at the mean of all.
_ROWS_OF_GUESS = 256
# The powers of a longer polynomial overflow too soon.
_HIGHEST_ORDER = 8
# Minimum eigenvalue of the column correlations with which normal equations keep 12 digits.
_MIN_EIGENVALUE = 1e-3
# A row of more leverage nearly determines a coefficient alone.
_MAX_LEVERAGE = 1 - 1e-6


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
    return Gaps(*native.correlation_gaps(_as_column(x), _as_column(y)))


def ratio_gaps(y: Array, x: Array) -> Gaps | None:
    """Gaps of mean(y) / mean(x)."""
    if x.ndim != 1 or y.ndim != 1:
        return None
    return Gaps(*native.ratio_gaps(_as_column(y), _as_column(x)))


def coefficient_gaps(X: Array, y: Array) -> Gaps | None:
    """Gaps -(D'D)^-1 d e / (1 - h) of least squares, with residual e and leverage h."""
    table = X[:, None] if X.ndim == 1 else X
    if table.ndim != 2 or y.shape != (len(table),) or len(table) <= table.shape[1] + 1:
        return None
    with np.errstate(all="ignore"):  # what is not finite is found out below
        blocks = _Blocks(table, y)
        products = blocks.find_products()
        inverse = _invert(products[:-1, :-1])
        if inverse is None:
            return None
        return _summed_leverages(blocks, inverse, inverse @ products[:-1, -1])


def _invert(products: Floats) -> Floats | None:
    """Return the inverse, if it keeps its digits."""
    scale = np.sqrt(products.diagonal())
    both = scale[:, None] * scale
    try:
        inverse = np.linalg.inv(products / both)
    except np.linalg.LinAlgError:
        return None
    # The root of the sum of its squares is at least 1 / minimum eigenvalue.
    if not np.vdot(inverse, inverse) < _MIN_EIGENVALUE**-2:
        return None
    return np.asarray(inverse / both)


def _summed_leverages(blocks: _Blocks, inverse: Floats, slopes: Floats) -> Gaps | None:
    """Sum the gaps; ``inverse`` is that of the products of the columns about their means."""
    n, width = blocks.n_rows, len(slopes)
    means, rest = blocks.base + blocks.rest, blocks.rest
    # From a block to (D'D)^-1 d, the intercept first, with the residual after it.
    way = np.zeros((width + 2, width + 2))
    way[1:-1, 0], way[1:-1, 1:-1] = -inverse @ rest[:-1], inverse
    way[0] = -means[:-1] @ way[1:-1]
    way[0, 0] += 1 / n
    way[-1, 0], way[-1, 1:-1], way[-1, -1] = slopes @ rest[:-1] - rest[-1], -slopes, 1
    total, squares = np.zeros(width + 1), np.zeros(width + 1)
    for block in blocks:
        found = way @ block
        pulls, own = found[:-1], found[1:-1]
        leverage = np.einsum("ij,ij->j", block[1:-1], own)
        leverage += 1 / n - rest[:-1] @ own
        if not leverage.max() <= _MAX_LEVERAGE:
            return None
        stretched = found[-1] / (1 - leverage)
        # Pulls times residuals sum to zero, so that only what leverage adds to them is left.
        total -= pulls @ (stretched * leverage)
        squares += np.square(pulls) @ np.square(stretched)
    return Gaps(np.append(means[-1] - means[:-1] @ slopes, slopes), total, squares)


class _Blocks:
    """Some rows of (1, X, y) at a time, less a base near the means, in memory that is used again.

    A column of the table is a row of a block, as sums along the last axis are the fast ones. The
    means are base + rest, so that rows far from zero keep their digits.
    """

    def __init__(self, table: Array, y: Array) -> None:
        self.n_rows, width = len(table), table.shape[1] + 1
        self._table, self._y = table, y
        self._memory = np.ones((width + 1, min(self.n_rows, _ROWS_AT_A_TIME)))
        self._is_read = False  # whether the memory holds all rows
        self.base, self.rest = np.empty(width), np.zeros(width)
        n_guess = min(self.n_rows, _ROWS_OF_GUESS)
        self.base[:-1] = table[:n_guess].sum(axis=0) / n_guess
        self.base[-1] = y[:n_guess].sum() / n_guess

    def __iter__(self) -> Iterator[Floats]:
        if self._is_read:
            yield self._memory
            return
        for first in range(0, self.n_rows, _ROWS_AT_A_TIME):
            rows = slice(first, first + _ROWS_AT_A_TIME)
            block = self._memory[:, : self.n_rows - first]
            np.subtract(self._table[rows].T, self.base[:-1, None], out=block[1:-1])
            np.subtract(self._y[rows], self.base[-1], out=block[-1])
            yield block
        self._is_read = self.n_rows <= _ROWS_AT_A_TIME

    def find_products(self) -> Floats:
        """Find the means, and return the sums of products about them."""
        products = self._sum_products()
        # A base that lies further from a mean than the rows do costs digits: a better one is known.
        if (self.n_rows * self.rest**2 > 4 * products.diagonal()).any():
            self.base += self.rest
            self._is_read = False
            products = self._sum_products()
        return products

    def _sum_products(self) -> Floats:
        sums = np.zeros((len(self.base), len(self._memory)))
        for block in self:
            sums += block[1:] @ block.T
        self.rest = sums[:, 0] / self.n_rows
        return np.asarray(sums[:, 1:] - sums[:, :1] * self.rest)


def _as_column(x: Array) -> Column:
    return np.ascontiguousarray(x, dtype=np.float64)
