"""Boosting round by round: errors and the bound above them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from nonet.plots import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Log(Protocol):
    """What is read of a round log."""

    @property
    def training_error(self) -> NDArray[np.float64]:
        """Error on the training rows, one number a round."""

    @property
    def held_out_error(self) -> NDArray[np.float64] | None:
        """Error on the rows held out, if there are some."""

    @property
    def product_bound(self) -> NDArray[np.float64]:
        """Product of Z."""


def plot_rounds(log: Log, ax: Axes | None = None, *, color: str = canvas.ENSEMBLE) -> Axes:
    """Draw the errors of a boosted classifier against its rounds.

    Parameters
    ----------
    log : RoundLog
        ``round_log_`` of a boosted classifier.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    color : str, default=teal
        Colour of the training error; any that matplotlib knows.

    Returns
    -------
    ax : matplotlib Axes
        The axes with the picture.

    Examples
    --------
    >>> from nonet import AdaBoostClassifier
    >>> from nonet.plots import plot_rounds
    >>> model = AdaBoostClassifier(n_estimators=3).fit([[1], [2], [3]], [0, 1, 0])
    >>> plot_rounds(model.round_log_).get_xlabel()
    'rounds'
    """
    ax = canvas.prepare(ax)
    rounds = np.arange(1, len(log.training_error) + 1)
    ax.plot(rounds, log.product_bound, color=canvas.MEMBER, ls="--", label="bound: product of Z")
    ax.plot(rounds, log.training_error, color=color, lw=2, label="training error")
    if log.held_out_error is not None:
        ax.plot(rounds, log.held_out_error, color=canvas.ACCENT, lw=2, label="held-out error")
    ax.grid(color=canvas.GRID)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("rounds")
    ax.set_ylabel("share of rows answered wrong")
    ax.legend(frameon=False)
    return ax
