"""Plot of held-out scores of boosting after each round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nonet.boosting import BoostCV


def plot_boost_cv(result: BoostCV, ax: Axes | None = None, *, color: str = canvas.ENSEMBLE) -> Axes:
    """Draw the mean score after each round, one standard error to either side, and the choices.

    Parameters
    ----------
    result : BoostCV
        What `boost_cv` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    color : str, default=teal
        Of the mean; any colour matplotlib knows.

    Returns
    -------
    ax : matplotlib Axes

    Examples
    --------
    >>> from nonet.boosting import BoostCV
    >>> from nonet.plots import plot_boost_cv
    >>> scores = np.array([[-3.0, -1.0, -0.9], [-5.0, -2.0, -1.9]])
    >>> result = BoostCV(scores, np.array([0.5, 0.5]), np.empty(0), "minus the loss", None)
    >>> plot_boost_cv(result).get_ylabel()
    'minus the loss'
    """
    check_subject("plot_boost_cv", result)
    ax = canvas.prepare(ax)
    rounds, mean = np.arange(1, result.n_rounds + 1), result.scores
    for scores in result.fold_scores:
        ax.plot(rounds, scores, color=canvas.MEMBER, lw=0.8, alpha=0.6)
    ax.plot(rounds, mean, color=color, lw=2)
    _mark(ax, result.best_round, mean, f"best: {result.best_round}", color)
    if len(result.fold_scores) > 1:
        spread = result.standard_errors
        ax.fill_between(rounds, mean - spread, mean + spread, color=color, alpha=0.15, lw=0)
        chosen = result.one_standard_error_round
        _mark(ax, chosen, mean, f"one standard error: {chosen}", canvas.ACCENT)
    ax.set_xlabel("rounds")
    ax.set_ylabel(result.scoring)
    ax.legend(frameon=False)
    return ax


def _mark(ax: Axes, n_rounds: int, mean: NDArray[Any], label: str, color: str) -> None:
    ax.plot([n_rounds], [mean[n_rounds - 1]], "o", color=color, ms=8, label=label)
