"""Partial dependence of tree models: the mean score at given values of one or two columns.

One walk over the nodes per point computes it: splits on other columns send rows both ways, in
proportion to the training rows, so no row of data is predicted.

References
----------
J. Friedman, "Greedy function approximation: a gradient boosting machine", *Annals of Statistics*
29, 2001, section 8.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import issparse

from nonet._base.aliases import Array, Floats
from nonet._base.params import Integer, bad_parameter
from nonet._base.results import PlottableResult
from nonet._native.explain import partial_dependence
from nonet.trees.export import resolve_column_names
from nonet.trees.score_trees import score_trees_of

_N_POINTS = Integer(2)


@dataclass(frozen=True)
class TreeDependence(PlottableResult):
    """Mean scores on a grid of one or two columns.

    Attributes
    ----------
    columns : tuple of int
        Positions of the columns.
    names : tuple of str
        Their names.
    grid : tuple of ndarray
        Values of each column; the categories of a column of categories.
    values : ndarray of shape (n_points[, n_points][, n_scores])
        The mean score at each point; without the last axis for a regressor, or a booster with one
        score.

    Examples
    --------
    >>> from nonet import DecisionTreeRegressor, tree_dependence
    >>> X = [[0, 0], [1, 0], [0, 1], [1, 1]]
    >>> tree_dependence(DecisionTreeRegressor().fit(X, [0, 2, 4, 6]), X, 1).values
    array([1., 5.])
    """

    columns: tuple[int, ...]
    names: tuple[str, ...]
    grid: tuple[Array, ...]
    values: Floats

    _shown: ClassVar[tuple[str, ...]] = ("names", "values")
    _plot: ClassVar[str] = "plot_tree_dependence"


def tree_dependence(model: Any, X: Any, columns: Any, *, n_points: int = 100) -> TreeDependence:
    """Average the scores of a model of trees over all columns but one or two.

    It is the partial dependence that scikit-learn calls "recursion". Scores are those that
    `shap_values` explains. If columns depend on each other it averages over rows that do not
    occur, as every partial dependence does.

    Parameters
    ----------
    model : estimator
        A fitted tree, a forest, or a gradient booster.
    X : array-like of shape (n_samples, n_features)
        Rows from which the grid is taken: all values of a column if they are few, otherwise evenly
        spaced points from its 5 % quantile to its 95 % quantile.
    columns : int, str, or a pair of them
        Positions or names.
    n_points : int, default=100
        Maximum number of points per column, except for categories.

    Returns
    -------
    result : TreeDependence
        Grid and mean scores; ``plot()`` draws a curve, or a map.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from nonet import HistGradientBoostingRegressor, tree_dependence
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> model = HistGradientBoostingRegressor(max_iter=30).fit(X, y)
    >>> curve = tree_dependence(model, X, "bmi", n_points=5)
    >>> bool(curve.values[-1] > curve.values[0])
    True
    """
    parts = score_trees_of(model, "tree_dependence")
    if not _N_POINTS.allows(n_points):
        raise bad_parameter("tree_dependence", "n_points", _N_POINTS.describe(), n_points)
    names = resolve_column_names(model, None)
    positions = _positions(columns, names)
    table = model._check_rows(X)
    known = parts.categories
    axes = [
        np.arange(len(known[position]), dtype=np.float64)
        if position in known
        else _axis(table, position, n_points)
        for position in positions
    ]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes))
    changes = parts.sum_up(
        lambda trees: partial_dependence(trees, points, np.array(positions), parts.cover)
    )
    values = parts.shown(parts.start) + changes
    return TreeDependence(
        tuple(positions),
        tuple(names[position] for position in positions),
        tuple(known.get(position, axis) for position, axis in zip(positions, axes, strict=True)),
        values.reshape(*(len(axis) for axis in axes), *values.shape[1:]),
    )


def _positions(columns: Any, names: Sequence[str]) -> list[int]:
    wanted = [columns] if isinstance(columns, (str, int, np.integer)) else list(columns)
    positions = [names.index(name) if name in names else name for name in wanted]
    known = Integer(0, len(names) - 1)
    if len(positions) not in (1, 2) or not all(known.allows(position) for position in positions):
        allowed = f"one or two names or positions of columns (0 to {len(names) - 1})"
        raise bad_parameter("tree_dependence", "columns", allowed, columns)
    return [int(position) for position in positions]


def _axis(table: Any, position: int, n_points: int) -> Floats:
    column = table[:, [position]].toarray()[:, 0] if issparse(table) else table[:, position]
    present = column[np.isfinite(column)].astype(np.float64)
    if len(present) == 0:
        raise ValueError(f"tree_dependence finds no number in column {position} of X.")
    distinct = np.unique(present)
    if len(distinct) <= n_points:
        return distinct
    low, high = np.quantile(present, [0.05, 0.95])
    return np.linspace(low, high, n_points)
