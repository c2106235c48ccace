"""Statistics that are functions of sums over rows: mean, variance, correlation, ratio, ...

Each gives a table of terms, one row per observation, and a way to finish: ``finish(sums, mass)``
turns the sums of the terms over some rows, and the number (or weight) of these rows, into the
statistic. Leaving a row out is then a subtraction, a resample a sum, and a weighting a product.
Terms are centred, so that sums of squares do not cancel; what has no value becomes NaN. A column of
terms is one run of memory, as statistics are finished column by column.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats

Finish = Callable[[Floats, Floats], Floats]

# A variance below this fraction of the mean square about the centre is rounding, not spread.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Terms:
    """The terms of a statistic and how to finish their sums."""

    table: Floats
    finish: Finish

    def total(self) -> Floats:
        """Return the sums over all rows."""
        # Along the last axis NumPy adds pairwise and fast, down a single column one by one.
        return np.asarray(self.table.T.sum(axis=-1))

    def of_all(self, weights: Floats | None = None) -> Floats:
        """Return the statistic of all rows."""
        if weights is None:
            return self.finish(self.total(), np.asarray(float(len(self.table))))
        return self.finish(weights @ self.table, np.asarray(weights.sum()))


def mean_terms(x: Array) -> Terms:
    """Terms of the mean (of each column)."""
    return Terms(_columns(x), lambda sums, mass: _as_shaped(x, _divide(sums, mass[..., None])))


def moment_terms(x: Array, order: int, central: bool) -> Terms:
    """Terms of the mean of x**order, or of (x - mean)**order."""
    if not central:
        return mean_terms(np.asarray(x, dtype=np.float64) ** order)
    centred = _centre(_columns(x))

    def finish(sums: Floats, mass: Floats) -> Floats:
        means = np.split(_divide(sums, mass[..., None]), order, axis=-1)
        powers = [np.ones_like(means[0]), *means]
        terms = [comb(order, j) * powers[j] * (-powers[1]) ** (order - j) for j in range(order + 1)]
        return _as_shaped(x, sum(terms[1:], terms[0]))

    return Terms(np.vstack([centred**j for j in range(1, order + 1)]).T, finish)


def variance_terms(x: Array, *, ddof: int, root: bool) -> Terms:
    """Terms of the variance, or of its root, divided by the number of rows less ddof."""
    columns = _columns(x)
    width = columns.shape[1]
    rows = np.empty((2 * width, len(columns)))
    centred = _centre(columns, out=rows[:width])
    np.multiply(centred, centred, out=rows[width:])

    def finish(sums: Floats, mass: Floats) -> Floats:
        first, second = sums[..., :width], sums[..., width:]
        spread = np.maximum(second - _divide(first**2, mass[..., None]), 0)
        variance = _divide(spread, mass[..., None] - ddof)
        return _as_shaped(x, np.sqrt(variance) if root else variance)

    return Terms(rows.T, finish)


def ratio_terms(y: Array, x: Array) -> Terms:
    """Terms of the ratio of two means."""
    rows = np.vstack([_one_column(y, "ratio"), _one_column(x, "ratio")])
    return Terms(rows.T, lambda sums, mass: _divide(sums[..., 0], sums[..., 1]))


def weighted_mean_terms(x: Array, weights: Array) -> Terms:
    """Terms of the mean of x with weights that belong to the rows."""
    values, w = _one_column(x, "weighted_mean"), _one_column(weights, "weighted_mean")
    if (w < 0).any():
        raise ValueError(
            f"weights of the weighted mean must be at least 0, but row {int(np.argmin(w))} has "
            f"{w.min()}."
        )
    return ratio_terms(w * values, w)


def correlation_terms(x: Array, y: Array) -> Terms:
    """Terms of Pearson's correlation."""
    columns = [_one_column(part, "correlation") for part in (x, y)]
    rows = np.empty((5, len(columns[0])))
    for own, column in zip(rows[:2], columns, strict=True):
        _centre(column[:, None], out=own[None])
    for own, (i, j) in zip(rows[2:], ((0, 0), (1, 1), (0, 1)), strict=True):
        np.multiply(rows[i], rows[j], out=own)

    def finish(sums: Floats, mass: Floats) -> Floats:
        sx, sy, sxx, syy, sxy = np.moveaxis(sums, -1, 0)
        vx, vy = _spread(sx, sxx, mass), _spread(sy, syy, mass)
        return np.clip(_divide(sxy - _divide(sx * sy, mass), np.sqrt(vx * vy)), -1, 1)

    return Terms(rows.T, finish)


def mean_difference_terms(x: Array, y: Array) -> Terms:
    """Terms of the mean of one sample less that of another; rows of y follow those of x."""
    first, second = _columns(x), _columns(y)
    if first.shape[1] != second.shape[1]:
        raise ValueError(
            f"the samples of a difference must have as many columns, but have {first.shape[1]} "
            f"and {second.shape[1]}."
        )
    width = first.shape[1]
    ones, zeros = np.ones((len(first), 1)), np.zeros((len(second), width + 1))
    upper = np.hstack([first, ones, np.zeros((len(first), width + 1))])
    lower = np.hstack([zeros, second, np.ones((len(second), 1))])

    def finish(sums: Floats, mass: Floats) -> Floats:
        own, other = sums[..., : width + 1], sums[..., width + 1 :]
        means = [_divide(half[..., :-1], half[..., -1:]) for half in (own, other)]
        return _as_shaped(x, means[0] - means[1])

    return Terms(np.vstack([upper, lower]), finish)


def split_pair(parts: tuple[Array, ...], what: str) -> tuple[Array, Array]:
    """Return two columns, given as two parts or as one table of two columns."""
    if len(parts) == 2:
        return parts[0], parts[1]
    if len(parts) == 1 and parts[0].ndim == 2 and parts[0].shape[1] == 2:
        return parts[0][:, 0], parts[0][:, 1]
    raise ValueError(
        f"{what} needs two columns: a tuple of two arrays, or one array of shape (n, 2), but got "
        f"shapes {[part.shape for part in parts]}."
    )


def _columns(x: Array) -> Floats:
    table = np.asarray(x, dtype=np.float64)
    if table.ndim > 2:
        raise ValueError(f"data must have one or two axes, but have shape {table.shape}.")
    return table[:, None] if table.ndim == 1 else table


def _one_column(x: Array, what: str) -> Floats:
    table = _columns(x)
    if table.shape[1] != 1:
        raise ValueError(f"each part of {what} must be one column, but has shape {table.shape}.")
    return table[:, 0]


def _centre(columns: Floats, out: Floats | None = None) -> Floats:
    """Return the columns less their means, each as a row of ``out``."""
    rows = columns.T
    return np.asarray(np.subtract(rows, rows.mean(axis=-1, keepdims=True), out=out))


def _as_shaped(x: Array, values: Floats) -> Floats:
    """Drop the axis of columns if the data had none."""
    return values[..., 0] if np.ndim(x) == 1 else values


def _spread(first: Floats, second: Floats, mass: Floats) -> Floats:
    """Sum of squares about the mean; 0 where it is nothing but rounding."""
    spread = second - _divide(first**2, mass)
    return np.where(spread > _ROUNDING * second, spread, 0.0)


def _divide(above: Any, below: Any) -> Floats:
    """Divide; what is divided by 0 has no value."""
    if np.all(below):
        return np.asarray(above / below)
    above, below = np.broadcast_arrays(above, below)
    out: Floats = np.full(above.shape, np.nan)
    np.divide(above, below, out=out, where=below != 0)
    return out
