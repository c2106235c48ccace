"""Plots of decision regions of a classifier, or of members beside their ensemble."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nonet._base.params import Integer, bad_parameter
from nonet.diagnostics.ensemble_predictions import open_panel
from nonet.plots import canvas
from nonet.plots.plane import (
    Grid,
    draw_rows,
    encode_predictions,
    like_table,
    name_axes,
    shade_regions,
)
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_decision_regions(
    classifier: Any,
    X: Any,
    y: ArrayLike | None = None,
    ax: Axes | None = None,
    *,
    fill: bool = True,
    resolution: int = 200,
    title: str | None = None,
) -> Axes:
    """Draw the decision regions of a classifier in two dimensions.

    Parameters
    ----------
    classifier : fitted classifier
        Any with ``predict`` and ``classes_``, fitted on two columns. Where it abstains the plane
        stays white.
    X : array-like of shape (n_rows, 2)
        The rows that give the limits of the picture, and its dots.
    y : array-like of shape (n_rows,), default=None
        Their labels; None draws no dots.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    fill : bool, default=True
        Shade the regions; False draws only the lines that separate them.
    resolution : int, default=200
        Points of the grid along each side.
    title : str, default=None
        Written above.

    Returns
    -------
    ax : matplotlib Axes
        The axes with the picture.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from nonet.plots import plot_decision_regions
    >>> X, y = [[0, 0], [1, 1], [0, 1], [3, 3]], ["a", "b", "a", "b"]
    >>> ax = plot_decision_regions(GaussianNB().fit(X, y), X, y, resolution=20)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['a', 'b']
    """
    check_subject("plot_decision_regions", classifier)
    grid = Grid.around(X, resolution)
    classes = np.asarray(classifier.classes_)
    predictions = np.asarray(classifier.predict(like_table(X, grid.points)))
    ax = canvas.prepare(ax)
    shade_regions(ax, grid, encode_predictions(predictions, classes), len(classes), fill)
    if y is not None:
        draw_rows(ax, grid.rows, np.asarray(y), classes)
    name_axes(ax, X)
    ax.set_title(title or "")
    return ax


def plot_member_regions(
    ensemble: Any,
    X: Any,
    y: ArrayLike | None = None,
    *,
    members: Sequence[int] = (0, 1, 2),
    fill: bool = True,
    resolution: int = 120,
) -> NDArray[Any]:
    """Draw the regions of some members, and of their ensemble beside them.

    Parameters
    ----------
    ensemble : fitted ensemble
        A classification ensemble of this library or scikit-learn's voting, bagging, forests or
        AdaBoost, fitted on two columns.
    X : array-like of shape (n_rows, 2)
        The rows that give the limits of the picture, and its dots.
    y : array-like of shape (n_rows,), default=None
        Their labels; None draws no dots.
    members : sequence of int, default=(0, 1, 2)
        Positions of the members to draw.
    fill : bool, default=True
        Shade the regions; False draws only the lines that separate them.
    resolution : int, default=120
        Points of the grid along each side.

    Returns
    -------
    axes : ndarray of matplotlib Axes of shape (n_members + 1,)
        The ensemble is the last.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from nonet.plots import plot_member_regions
    >>> X, y = make_moons(random_state=0)
    >>> forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    >>> [ax.get_title() for ax in plot_member_regions(forest, X, y, members=[0], resolution=9)]
    ['DecisionTreeClassifier[0]', 'RandomForestClassifier']
    """
    check_subject("plot_member_regions", ensemble)
    panel = open_panel(ensemble)
    assert panel.classes is not None
    rule = Integer(0, len(panel.members) - 1)
    strangers = [position for position in members if not rule.allows(position)]
    if strangers:
        raise bad_parameter("plot_member_regions", "members", rule.describe(), strangers[0])
    grid = Grid.around(X, resolution)
    predictions = panel.predict(like_table(X, grid.points), "labels")
    axes = canvas.prepare_row(len(members) + 1, sharex=True, sharey=True)
    for ax, position in zip(axes[:-1], members, strict=True):
        shade_regions(ax, grid, predictions[:, position], len(panel.classes), fill)
        if y is not None:
            draw_rows(ax, grid.rows, np.asarray(y), panel.classes, legend=False)
        name_axes(ax, X)
        ax.set_title(panel.members[position].name)
    plot_decision_regions(
        ensemble,
        X,
        y,
        axes[-1],
        fill=fill,
        resolution=resolution,
        title=type(ensemble).__name__,
    )
    return axes
