"""Reliability diagram: observed frequency against predicted probability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class _Curve(Protocol):
    @property
    def predicted(self) -> NDArray[Any]: ...
    @property
    def observed(self) -> NDArray[Any]: ...
    @property
    def n_rows(self) -> NDArray[Any]: ...
    @property
    def calibration_error(self) -> float: ...


def plot_reliability(
    curve: _Curve,
    ax: Axes | None = None,
    *,
    label: str | None = None,
    color: str = canvas.ENSEMBLE,
) -> Axes:
    """Draw how often an event happened against its predicted probability.

    Parameters
    ----------
    curve : Reliability
        What `nonet.diagnostics.reliability_curve` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes. Call again with the same axes to compare.
    label : str, default=None
        The name of the curve in the legend; its calibration error is added. None leaves the
        legend out.
    color : str, default=teal
        Any colour matplotlib knows.

    Returns
    -------
    ax : matplotlib Axes
        On the diagonal probabilities are calibrated; larger dots stand for more rows.

    Examples
    --------
    >>> from nonet.diagnostics import reliability_curve
    >>> from nonet.plots import plot_reliability
    >>> ax = plot_reliability(reliability_curve([0, 1, 1], [0.2, 0.4, 0.9]))
    >>> ax.get_xlabel()
    'predicted probability'
    """
    check_subject("plot_reliability", curve)
    ax = canvas.prepare(ax)
    ax.plot([0, 1], [0, 1], ls="--", lw=1, color=canvas.MEMBER)
    name = None if label is None else f"{label} (off by {curve.calibration_error:.3f})"
    ax.plot(curve.predicted, curve.observed, color=color, lw=2, label=name)
    rows = np.asarray(curve.n_rows)
    ax.scatter(
        curve.predicted, curve.observed, s=20 + 120 * rows / rows.max(), color=color, zorder=3
    )
    ax.set_xlim(-0.03, 1.03)
    ax.set_ylim(-0.03, 1.03)
    ax.set_xlabel("predicted probability")
    ax.set_ylabel("observed fraction")
    if name is not None:
        ax.legend(frameon=False)
    return ax
