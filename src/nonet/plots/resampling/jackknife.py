"""Plot of the jackknife's influence values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Influences(Protocol):
    """The attributes of a jackknife result that are read."""

    @property
    def influence(self) -> NDArray[Any]:
        """Influence of each row (group, subset) on the estimate."""


def plot_jackknife(
    result: Influences,
    ax: Axes | None = None,
    *,
    component: int = 0,
    n_named: int = 3,
    color: str = canvas.ENSEMBLE,
) -> Axes:
    """Draw the influence of each row, and label the most influential rows.

    Parameters
    ----------
    result : JackknifeResult
        What `nonet.jackknife` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    component : int, default=0
        Which component of a vector statistic to draw.
    n_named : int, default=3
        How many of the most influential rows get their number.
    color : str, default=teal
        Any colour matplotlib knows.

    Returns
    -------
    ax : matplotlib Axes
        The axes with the picture.

    Examples
    --------
    >>> from nonet import jackknife
    >>> from nonet.plots import plot_jackknife
    >>> ax = plot_jackknife(jackknife([1, 4, 7, 9], "mean"), n_named=1)
    >>> [text.get_text() for text in ax.texts]
    ['0']
    """
    check_subject("plot_jackknife", result)
    influence = np.asarray(result.influence)
    values = influence if influence.ndim == 1 else influence[:, component]
    positions = np.arange(len(values))
    ax = canvas.prepare(ax)
    ax.vlines(positions, 0, values, color=color, lw=1.5)
    ax.plot(positions, values, "o", color=color, ms=4, mew=0)
    ax.axhline(0, color=canvas.INK, lw=1)
    for row in np.argsort(-np.abs(values), kind="stable")[:n_named]:
        _name_row(ax, int(row), float(values[row]))
    ax.set_xlabel("what is left out")
    ax.set_ylabel("influence on the estimate")
    return ax


def _name_row(ax: Axes, row: int, value: float) -> None:
    ax.annotate(
        str(row),
        (row, value),
        xytext=(0, 6 if value >= 0 else -6),
        textcoords="offset points",
        ha="center",
        va="bottom" if value >= 0 else "top",
        color=canvas.ACCENT,
    )
