"""Plot of the loss against the number of members: training, out-of-bag and new rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from numpy.typing import NDArray

from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = {"train": canvas.MEMBER, "out of bag": canvas.ACCENT, "test": canvas.ENSEMBLE}


class _Curves(Protocol):
    @property
    def sizes(self) -> NDArray[Any]: ...
    @property
    def errors(self) -> dict[str, NDArray[Any]]: ...
    @property
    def loss(self) -> str: ...


def plot_error_curve(curve: _Curves, ax: Axes | None = None) -> Axes:
    """Draw the error of the first t members against t.

    Parameters
    ----------
    curve : ErrorCurve
        What `nonet.diagnostics.error_curve` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.

    Returns
    -------
    ax : matplotlib Axes
        The axes with the picture.

    Examples
    --------
    >>> from nonet.diagnostics import error_curve, record_predictions
    >>> from nonet.plots import plot_error_curve
    >>> curve = error_curve(record_predictions([[1.0, 3.0], [2.0, 4.0]], [2.0, 3.0]))
    >>> plot_error_curve(curve).get_ylabel()
    'squared loss'
    """
    check_subject("plot_error_curve", curve)
    ax = canvas.prepare(ax)
    for name, errors in curve.errors.items():
        ax.plot(curve.sizes, errors, color=_COLOURS.get(name, canvas.INK), lw=2, label=name)
    ax.grid(color=canvas.GRID)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("members")
    ax.set_ylabel({"zero_one": "0-1 loss"}.get(curve.loss, f"{curve.loss} loss"))
    ax.legend(frameon=False)
    return ax
