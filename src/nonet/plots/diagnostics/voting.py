"""Plots of the theory of votes: the majority-error curve and the curves pi_T."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nonet.plots import canvas
from nonet.theory import majority_accuracy, majority_error

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_majority_error(
    n_voters: int = 11,
    ax: Axes | None = None,
    *,
    correlations: Sequence[float] = (0.0,),
) -> Axes:
    """Draw the error of a majority against the error of its voters.

    Parameters
    ----------
    n_voters : int, default=11
        The number of voters.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    correlations : sequence of float, default=(0.0,)
        A curve for each correlation of the voters.

    Returns
    -------
    ax : matplotlib Axes
        All curves cross the diagonal of a single voter at 1/2.

    Examples
    --------
    >>> from nonet.plots import plot_majority_error
    >>> [line.get_label() for line in plot_majority_error(11, correlations=[0, 0.5]).lines[:3]]
    ['one voter', '11 voters, independent', '11 voters, correlation 0.5']
    """
    errors = np.linspace(0, 1, 201)
    ax = canvas.prepare(ax)
    ax.plot(errors, errors, "--", color=canvas.MEMBER, label="one voter")
    for position, rho in enumerate(correlations):
        words = "independent" if rho == 0 else f"correlation {rho:g}"
        curve = majority_error(errors, n_voters, correlation=rho)
        label = f"{n_voters} voters, {words}"
        ax.plot(errors, curve, color=canvas.colour_of(position), lw=2, label=label)
    ax.axvline(0.5, color=canvas.GRID, zorder=0)
    ax.set_xlabel("error of one voter")
    ax.set_ylabel("error of the majority")
    ax.legend(frameon=False)
    return ax


def plot_vote_probabilities(
    sizes: Sequence[int] = (1, 3, 11, 101, 1001), ax: Axes | None = None
) -> Axes:
    """Draw the probability pi_T that a vote is right on a row, against that of one prediction.

    Parameters
    ----------
    sizes : sequence of int, default=(1, 3, 11, 101, 1001)
        Numbers T of voters, a curve for each.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.

    Returns
    -------
    ax : matplotlib Axes
        The more voters, the closer the curve is to a step at 1/2.

    Examples
    --------
    >>> from nonet.plots import plot_vote_probabilities
    >>> [line.get_label() for line in plot_vote_probabilities([1, 11]).lines]
    ['T = 1', 'T = 11']
    """
    if not isinstance(sizes, Sequence | np.ndarray) or not len(sizes):
        raise ValueError(f"sizes must be a sequence of numbers of voters, got {sizes!r}.")
    from matplotlib import colormaps

    probabilities = np.linspace(0, 1, 401)
    ax = canvas.prepare(ax)
    shades = colormaps[canvas.SHADES](np.linspace(0.85, 0, len(sizes)))
    for size, shade in zip(sizes, shades, strict=True):
        ax.plot(
            probabilities,
            majority_accuracy(probabilities, size),
            color=shade,
            lw=2,
            label=f"T = {size}",
        )
    ax.grid(color=canvas.GRID)
    ax.set_xlabel("p(x): probability that one prediction is right")
    ax.set_ylabel("probability that the vote is right")
    ax.legend(frameon=False)
    return ax
