"""Plot of a risk-coverage curve: error of predicted rows against their fraction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class RiskCurve(Protocol):
    """The attributes of a risk-coverage curve that are read."""

    @property
    def coverage(self) -> NDArray[np.float64]:
        """Fraction of rows that get a prediction, one for each threshold."""

    @property
    def risk(self) -> NDArray[np.float64]:
        """Mean loss among those rows."""

    @property
    def area(self) -> float:
        """Area under the curve."""


def plot_risk_coverage(
    curve: RiskCurve,
    ax: Axes | None = None,
    *,
    label: str | None = None,
    color: str = canvas.ENSEMBLE,
) -> Axes:
    """Draw a risk-coverage curve.

    Parameters
    ----------
    curve : RiskCoverageCurve
        What `nonet.risk_coverage_curve` returned: ``coverage``, ``risk`` and ``area`` are read.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes. Call again with the same axes to compare rules.
    label : str, default=None
        The name of the curve in the legend; its area is added. None leaves the legend out.
    color : str, default=teal
        Any colour matplotlib knows.

    Returns
    -------
    ax : matplotlib Axes
        The axes with the picture.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import numpy as np
    >>> from nonet.plots import plot_risk_coverage
    >>> curve = SimpleNamespace(
    ...     coverage=np.array([0.5, 1.0]), risk=np.array([0.0, 0.1]), area=0.05
    ... )
    >>> ax = plot_risk_coverage(curve)
    >>> ax.get_xlabel()
    'coverage: fraction of rows predicted'
    """
    check_subject("plot_risk_coverage", curve)
    coverage, risk = np.asarray(curve.coverage), np.asarray(curve.risk)
    ax = canvas.prepare(ax)
    name = None if label is None else f"{label} (area {curve.area:.4f})"
    ax.plot(coverage, risk, color=color, lw=2, label=name)
    ax.fill_between(coverage, risk, color=color, alpha=0.08, lw=0)
    ax.grid(color=canvas.GRID)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1.05 * (_highest(ax) or 1.0))
    ax.set_xlabel("coverage: fraction of rows predicted")
    ax.set_ylabel("risk: error among the predictions")
    if name is not None:
        ax.legend(frameon=False, loc="upper left")
    return ax


def _highest(ax: Axes) -> float:
    """Return the top of all curves so far, so that a higher second curve is not cut off."""
    return float(max(np.max(np.asarray(line.get_ydata())) for line in ax.lines))
