"""Plot of training and held-out error against the number of training rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Sizes(Protocol):
    """The attributes of a curve over sizes that are read."""

    @property
    def sizes(self) -> NDArray[Any]:
        """Training rows."""

    @property
    def training_errors(self) -> NDArray[Any]:
        """Errors on the training rows, (n_folds, n_sizes)."""

    @property
    def held_out_errors(self) -> NDArray[Any]:
        """Errors on the held-out rows, (n_folds, n_sizes)."""


def plot_size_curve(curve: Sizes, ax: Axes | None = None, *, color: str = canvas.ENSEMBLE) -> Axes:
    """Draw both errors, shaded by one standard error over the folds.

    Parameters
    ----------
    curve : SizeCurve
        What `size_curve` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    color : str, default=teal
        Any colour matplotlib knows, for the held-out error.

    Returns
    -------
    ax : matplotlib Axes
        The axes with the picture.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> from nonet.plots import plot_size_curve
    >>> from nonet.resampling import size_curve
    >>> X = np.linspace(0, 1, 60)[:, None]
    >>> curve = size_curve(DecisionTreeRegressor(), X, X[:, 0], random_state=0)
    >>> plot_size_curve(curve).get_xlabel()
    'training rows'
    """
    check_subject("plot_size_curve", curve)
    ax = canvas.prepare(ax)
    for errors, own, name in (
        (curve.held_out_errors, color, "held-out rows"),
        (curve.training_errors, canvas.MEMBER, "training rows"),
    ):
        mean = errors.mean(axis=0)
        spread = errors.std(axis=0, ddof=1) / np.sqrt(len(errors))
        ax.plot(curve.sizes, mean, "o-", color=own, lw=2, ms=5, label=name)
        ax.fill_between(curve.sizes, mean - spread, mean + spread, color=own, alpha=0.15, lw=0)
    ax.set_xlabel("training rows")
    ax.set_ylabel("error")
    ax.legend(frameon=False)
    return ax
