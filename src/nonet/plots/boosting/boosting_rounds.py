"""Plot of AdaBoost rounds: each round's member, and points sized by their weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nonet._base.arrays import encode_labels
from nonet._base.params import Integer, bad_parameter
from nonet.diagnostics.ensemble_predictions import open_panel
from nonet.plots import canvas
from nonet.plots.plane import Grid, like_table, name_axes, shade_regions
from nonet.plots.subject import check_subject

_AREA = 60.0  # of a point of mean weight, in square points


def plot_boosting_rounds(
    ensemble: Any,
    X: Any,
    y: ArrayLike,
    *,
    rounds: Sequence[int] = (1, 2, 3),
    resolution: int = 120,
) -> NDArray[Any]:
    """Draw rounds of AdaBoost: the regions of the round's member, the weights it was fitted on.

    Parameters
    ----------
    ensemble : fitted AdaBoost classifier
        One of this library or scikit-learn's, fitted on two columns; its ``estimator_weights_``
        are read.
    X : array-like of shape (n_rows, 2)
        The training rows.
    y : array-like of shape (n_rows,)
        Their labels.
    rounds : sequence of int, default=(1, 2, 3)
        Which rounds to draw, counted from 1.
    resolution : int, default=120
        Points of the grid along each side.

    Returns
    -------
    axes : ndarray of matplotlib Axes of shape (n_rounds,)

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.ensemble import AdaBoostClassifier
    >>> from nonet.plots import plot_boosting_rounds
    >>> X, y = make_moons(40, noise=0.2, random_state=0)
    >>> boosted = AdaBoostClassifier(n_estimators=4).fit(X, y)
    >>> [ax.get_title() for ax in plot_boosting_rounds(boosted, X, y, resolution=9)]
    ['round 1', 'round 2', 'round 3']
    """
    check_subject("plot_boosting_rounds", ensemble)
    panel = open_panel(ensemble)
    assert panel.classes is not None
    rule = Integer(1, len(panel.members))
    for number in rounds:
        if not rule.allows(number):
            raise bad_parameter("plot_boosting_rounds", "rounds", rule.describe(), number)
    grid, codes = Grid.around(X, resolution), encode_labels(y, panel.classes)
    predictions = panel.predict(X, "labels")
    weights = row_weights(predictions != codes[:, np.newaxis], ensemble.estimator_weights_)
    regions = panel.predict(like_table(X, grid.points), "labels")
    axes = canvas.prepare_row(len(rounds), sharex=True, sharey=True)
    for ax, number in zip(axes, rounds, strict=True):
        shade_regions(ax, grid, regions[:, number - 1], len(panel.classes), fill=True)
        sizes = _AREA * len(codes) * weights[:, number - 1]
        colours = [canvas.colour_of(code) for code in codes]
        ax.scatter(*grid.rows.T, s=sizes, c=colours, edgecolors="white", linewidths=0.5)
        name_axes(ax, X)
        ax.set_title(f"round {number}")
    return axes


def row_weights(wrong: NDArray[Any], alphas: ArrayLike) -> NDArray[np.float64]:
    """Return the weights of the rows at the start of each round: wrong rows gain exp(alpha)."""
    n_rows, n_rounds = wrong.shape
    gains = np.asarray(alphas, dtype=np.float64)[:n_rounds] * wrong
    logs = np.column_stack([np.zeros(n_rows), np.cumsum(gains, axis=1)[:, :-1]])
    weights = np.exp(logs - logs.max(axis=0))
    return np.asarray(weights / weights.sum(axis=0))
