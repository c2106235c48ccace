"""Plots of the distribution of margins and of their growth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class _Margins(Protocol):
    @property
    def values(self) -> NDArray[Any]: ...


class _Growth(Protocol):
    @property
    def rounds(self) -> NDArray[Any]: ...
    @property
    def minimum(self) -> NDArray[Any]: ...
    @property
    def quantiles(self) -> NDArray[Any]: ...
    @property
    def error(self) -> NDArray[Any]: ...


def plot_margins(
    margins: _Margins,
    ax: Axes | None = None,
    *,
    label: str | None = None,
    color: str = canvas.ENSEMBLE,
) -> Axes:
    """Draw the cumulative distribution of margins.

    Parameters
    ----------
    margins : Margins
        What `nonet.margins` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes. Call again with the same axes to compare.
    label : str, default=None
        The name of the curve in the legend; None leaves the legend out.
    color : str, default=teal
        Any colour matplotlib knows.

    Returns
    -------
    ax : matplotlib Axes
        The height of the curve at 0 is the error.

    Examples
    --------
    >>> import nonet
    >>> from nonet.diagnostics import record_predictions
    >>> from nonet.plots import plot_margins
    >>> ax = plot_margins(nonet.margins(record_predictions([[1, 1, 0], [1, 1, 1]], [1, 1])))
    >>> ax.get_xlabel()
    'margin'
    """
    check_subject("plot_margins", margins)
    values = np.sort(np.asarray(margins.values))
    ax = canvas.prepare(ax)
    fractions = np.arange(1, len(values) + 1) / len(values)
    ax.step([-1, *values, 1], [0, *fractions, 1], where="post", color=color, lw=2, label=label)
    ax.axvline(0, color=canvas.MEMBER, lw=1, ls="--", zorder=0.5)
    ax.set_xlim(-1, 1)
    ax.set_ylim(0, 1.02)
    ax.set_xlabel("margin")
    ax.set_ylabel("fraction of rows with at most this margin")
    if label is not None:
        ax.legend(frameon=False, loc="upper left")
    return ax


def plot_margin_growth(growth: _Growth, ax: Axes | None = None) -> Axes:
    """Draw how margins grow from round to round, and the error beside them.

    Parameters
    ----------
    growth : MarginGrowth
        What `nonet.diagnostics.margin_growth` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.

    Returns
    -------
    ax : matplotlib Axes
        The axes with the picture.

    Examples
    --------
    >>> from nonet.diagnostics import margin_growth, record_predictions
    >>> from nonet.plots import plot_margin_growth
    >>> growth = margin_growth(record_predictions([[1, 1, 0], [1, 1, 1]], [1, 1]))
    >>> [line.get_label() for line in plot_margin_growth(growth).lines][:2]
    ['minimum margin', '5 % of rows below']
    """
    check_subject("plot_margin_growth", growth)
    ax = canvas.prepare(ax)
    rounds = growth.rounds
    ax.plot(rounds, growth.minimum, color=canvas.ACCENT, lw=2, label="minimum margin")
    for column, (fraction, width) in enumerate((("5 %", 1.0), ("25 %", 1.5), ("50 %", 2.0))):
        label = f"{fraction} of rows below"
        ax.plot(rounds, growth.quantiles[:, column], color=canvas.ENSEMBLE, lw=width, label=label)
    ax.plot(rounds, growth.error, color=canvas.INK, ls=":", lw=2, label="error")
    ax.axhline(0, color=canvas.MEMBER, lw=1, zorder=0.5)
    ax.set_xlabel("rounds")
    ax.set_ylabel("margin")
    ax.legend(frameon=False, fontsize="small")
    return ax
