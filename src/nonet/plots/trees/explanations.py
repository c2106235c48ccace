"""Plots of explanations of tree models: partial dependence and mean Shapley values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nonet.trees import ShapValues, TreeDependence


def plot_tree_dependence(
    result: TreeDependence,
    ax: Axes | None = None,
    *,
    score: int = 0,
    color: str = canvas.ENSEMBLE,
) -> Axes:
    """Draw the mean score over one column as a curve, over two as a map.

    Parameters
    ----------
    result : TreeDependence
        What `tree_dependence` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    score : int, default=0
        Which of several scores is drawn.
    color : str, default=teal
        Of the curve; any colour matplotlib knows.

    Returns
    -------
    ax : matplotlib Axes

    Examples
    --------
    >>> from nonet import DecisionTreeRegressor, tree_dependence
    >>> from nonet.plots import plot_tree_dependence
    >>> X = [[0, 0], [1, 0], [0, 1], [1, 1]]
    >>> result = tree_dependence(DecisionTreeRegressor().fit(X, [0, 2, 4, 6]), X, 1)
    >>> plot_tree_dependence(result).get_xlabel()
    'feature_1'
    """
    check_subject("plot_tree_dependence", result)
    ax = canvas.prepare(ax)
    values = result.values if result.values.ndim == len(result.grid) else result.values[..., score]
    ax.set_xlabel(result.names[0])
    if len(result.grid) == 1:
        _draw_curve(ax, result.grid[0], values, color)
        ax.set_ylabel("mean score")
        return ax
    positions = [np.arange(len(axis)) if axis.dtype.kind == "O" else axis for axis in result.grid]
    shades = ax.pcolormesh(
        positions[0], positions[1], values.T, cmap=canvas.SHADES, shading="nearest"
    )
    for axis, known in zip((ax.xaxis, ax.yaxis), result.grid, strict=True):
        if known.dtype.kind == "O":
            axis.set_ticks(np.arange(len(known)), labels=[str(value) for value in known])
    ax.figure.colorbar(shades, ax=ax, label="mean score")
    ax.set_ylabel(result.names[1])
    return ax


def _draw_curve(ax: Axes, grid: NDArray[Any], values: NDArray[Any], color: str) -> None:
    if grid.dtype.kind == "O":  # categories have no order
        ax.bar([str(category) for category in grid], values, color=color)
    else:
        ax.plot(grid, values, color=color, lw=2)


def plot_shap_values(
    result: ShapValues,
    ax: Axes | None = None,
    *,
    max_columns: int = 15,
    color: str = canvas.ENSEMBLE,
) -> Axes:
    """Draw the mean absolute Shapley value of each column, in descending order.

    Parameters
    ----------
    result : ShapValues
        What `shap_values` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    max_columns : int, default=15
        Maximum number of columns.
    color : str, default=teal
        Any colour matplotlib knows.

    Returns
    -------
    ax : matplotlib Axes

    Examples
    --------
    >>> from nonet import DecisionTreeRegressor, shap_values
    >>> from nonet.plots import plot_shap_values
    >>> X = [[0, 0], [1, 0], [0, 1], [1, 1]]
    >>> result = shap_values(DecisionTreeRegressor().fit(X, [0, 2, 4, 6]), X)
    >>> [label.get_text() for label in plot_shap_values(result).get_yticklabels()]
    ['feature_0', 'feature_1']
    """
    check_subject("plot_shap_values", result)
    ax = canvas.prepare(ax)
    sizes = result.importances
    drawn = np.argsort(sizes, kind="stable")[-max_columns:]
    ax.barh([result.names[j] for j in drawn], sizes[drawn], color=color)
    ax.set_xlabel("mean absolute Shapley value")
    return ax
