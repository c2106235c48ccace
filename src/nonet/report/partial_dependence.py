"""Partial dependence: the mean prediction of rows that are all given the same value of a column.

Values are those of rows of the table, so that every kind of column has them.

Reference: J. Friedman (2001), Greedy function approximation: a gradient boosting machine, Annals
of Statistics 29, section 8.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonet._base.aliases import Codes, Floats
from nonet.report.explained_models import ExplainedModels
from nonet.report.shown_columns import ShownColumn

_N_POINTS = 12
_MAX_LEVELS = 10
_LOW, _HIGH = 0.02, 0.98


@dataclass(frozen=True, eq=False)
class Grid:
    """Values of a column, each with a row that has it.

    Attributes
    ----------
    sources : ndarray of int of shape (n_points,)
        Rows that have these values.
    density : ndarray of shape (n_points,)
        The fraction of rows that are nearest to each point.
    """

    sources: Codes
    density: Floats


def grid_of(column: ShownColumn) -> Grid:
    """Return points of a column: quantiles of numbers, the most frequent levels.

    Parameters
    ----------
    column : ShownColumn

    Returns
    -------
    grid : Grid
        Without points if no row has a value.

    Examples
    --------
    >>> grid = grid_of(ShownColumn("size", "number", np.array([3.0, 1.0, np.nan, 3.0])))
    >>> grid.sources, grid.density.round(2)
    (array([1, 0]), array([0.33, 0.67]))
    """
    if column.is_ordered and column.kind != "boolean":
        return _of_numbers(column.numbers())
    return _of_levels(column)


def _of_levels(column: ShownColumn) -> Grid:
    codes = column.levels.codes
    counts = column.levels.counts()
    frequent = np.argsort(-counts, kind="stable")[:_MAX_LEVELS]
    frequent = frequent[counts[frequent] > 0]
    if column.kind == "boolean":
        frequent = np.sort(frequent)
    firsts = [int(np.flatnonzero(codes == level)[0]) for level in frequent.tolist()]
    return Grid(np.array(firsts, dtype=np.intp), counts[frequent] / max(counts.sum(), 1))


def _of_numbers(numbers: Floats) -> Grid:
    present = np.flatnonzero(~np.isnan(numbers))
    order = present[np.argsort(numbers[present], kind="stable")]
    if not len(order):
        return Grid(order, np.empty(0))
    ordered = numbers[order]
    firsts: Codes = np.flatnonzero(np.concatenate([[True], np.diff(ordered) > 0]))
    if len(firsts) > _N_POINTS:
        firsts = _chosen_of(ordered, firsts)
    points = ordered[firsts]
    nearest = np.searchsorted((points[1:] + points[:-1]) / 2, ordered)
    return Grid(order[firsts], np.bincount(nearest, minlength=len(points)) / len(order))


def _chosen_of(ordered: Floats, firsts: Codes) -> Codes:
    """Return positions of quantiles; if most rows have one value, of quantiles of the values."""
    quantiles = ordered[_spread_over(len(ordered), _N_POINTS)]
    chosen: Codes = np.unique(np.searchsorted(ordered, quantiles, side="left"))
    n_more = _N_POINTS - len(chosen)
    if n_more <= _N_POINTS // 2:
        return chosen
    return np.unique(np.concatenate([chosen, firsts[_spread_over(len(firsts), n_more)]]))


def _spread_over(n: int, n_points: int) -> Codes:
    at: Codes = (np.linspace(_LOW, _HIGH, n_points) * (n - 1)).round().astype(np.intp)
    return at


def partial_dependence(explained: ExplainedModels, column: int, grid: Grid, rows: Codes) -> Floats:
    """Return the predictions of rows at each point, (n_rows, n_points, t).

    Parameters
    ----------
    explained : ExplainedModels
    column : int
    grid : Grid
    rows : ndarray of int of shape (n_rows,)
    """
    n_points = len(grid.sources)
    others = np.tile(grid.sources, len(rows))
    predictions = explained.predict(np.repeat(rows, n_points), {column: others})
    found: Floats = predictions.reshape(len(rows), n_points, -1)
    return found
