"""Plot of an error estimate over many random splits, one line per split."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Repetitions(Protocol):
    """The attributes of a result over random splits that are read."""

    @property
    def names(self) -> tuple[Any, ...]:
        """Complexity or name of each model."""

    @property
    def errors(self) -> NDArray[Any]:
        """Errors, (n_repeats, n_models)."""


def plot_splits(
    result: Repetitions,
    ax: Axes | None = None,
    *,
    label: str = "complexity",
    color: str = canvas.ENSEMBLE,
) -> Axes:
    """Draw the error of each model in each repetition, and their means.

    Parameters
    ----------
    result : SplitVariability
        What `split_variability` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    label : str, default='complexity'
        The name of the horizontal axis.
    color : str, default=teal
        Any colour matplotlib knows, for the mean.

    Returns
    -------
    ax : matplotlib Axes
        The axes with the picture.

    Examples
    --------
    >>> from nonet.plots import plot_splits
    >>> from nonet.resampling import SplitVariability
    >>> errors = np.array([[3.0, 2.0], [3.5, 1.5]])
    >>> len(plot_splits(SplitVariability(("line", "tree"), errors, "squared")).lines)
    3
    """
    check_subject("plot_splits", result)
    errors = np.asarray(result.errors)
    positions = np.arange(errors.shape[1])
    ax = canvas.prepare(ax)
    for own in errors:
        ax.plot(positions, own, "o-", color=canvas.MEMBER, alpha=0.5, lw=1, ms=3, mew=0)
    mean = f"mean of {len(errors)} splits"
    ax.plot(positions, errors.mean(axis=0), "o-", color=color, lw=2, ms=5, label=mean)
    ax.set_xticks(positions, labels=[str(name) for name in result.names])
    ax.set_xlabel(label)
    ax.set_ylabel("estimated error")
    ax.legend(frameon=False)
    return ax
