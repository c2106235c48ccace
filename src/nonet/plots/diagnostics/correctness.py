"""Plot of the sorted correctness matrix with the means of its rows and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class _Matrix(Protocol):
    @property
    def matrix(self) -> NDArray[Any]: ...
    @property
    def present(self) -> NDArray[Any] | None: ...
    @property
    def row_profile(self) -> NDArray[Any]: ...
    @property
    def member_profile(self) -> NDArray[Any]: ...


def plot_correctness(result: _Matrix, ax: Axes | None = None) -> Axes:
    """Draw the matrix of right predictions, rows and members sorted by how often they are right.

    Parameters
    ----------
    result : Correctness
        What `nonet.correctness` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes. The profiles are drawn on axes above and beside it.

    Returns
    -------
    ax : matplotlib Axes
        The axes of the matrix; its ``child_axes`` are the profiles of members and rows.

    Examples
    --------
    >>> import nonet
    >>> from nonet.diagnostics import record_predictions
    >>> from nonet.plots import plot_correctness
    >>> result = nonet.correctness(record_predictions([[1, 1, 0], [0, 1, 0]], [1, 1]))
    >>> plot_correctness(result).get_xlabel()
    'members, best first'
    """
    check_subject("plot_correctness", result)
    from matplotlib.colors import ListedColormap

    rows = np.argsort(-result.row_profile, kind="stable")
    members = np.argsort(-result.member_profile, kind="stable")
    shown = result.matrix[np.ix_(rows, members)].astype(float)
    if result.present is not None:
        shown[~result.present[np.ix_(rows, members)]] = 2.0
    ax = canvas.prepare(ax)
    colours = ListedColormap([canvas.CLASSES[1], canvas.CLASSES[0], "white"])
    ax.imshow(shown, cmap=colours, vmin=-0.5, vmax=2.5, aspect="auto", interpolation="none")
    ax.set_xlabel("members, best first")
    ax.set_ylabel("rows, easiest first (dark: right)")
    _profile_above(ax, result.member_profile[members])
    _profile_beside(ax, result.row_profile[rows])
    return ax


def _profile_above(ax: Axes, accuracies: NDArray[Any]) -> None:
    above = canvas.prepare(ax.inset_axes((0.0, 1.03, 1.0, 0.22), sharex=ax))
    above.plot(accuracies, drawstyle="steps-mid", color=canvas.INK, lw=1.5)
    above.tick_params(labelbottom=False)
    above.set_ylabel("accuracy", fontsize="small")


def _profile_beside(ax: Axes, fractions: NDArray[Any]) -> None:
    beside = canvas.prepare(ax.inset_axes((1.03, 0.0, 0.22, 1.0), sharey=ax))
    beside.plot(fractions, np.arange(len(fractions)), color=canvas.INK, lw=1.5)
    beside.axvline(0.5, color=canvas.ACCENT, ls="--", lw=1)
    beside.set_xlim(0, 1)
    beside.tick_params(labelleft=False)
    beside.set_xlabel("fraction right", fontsize="small")
