"""Plots of diversity: a heat map of all pairs, and the kappa-error diagram."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nonet._base.params import Choice, bad_parameter
from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MAX_NAMES = 20  # more names than this would cover each other


class _Matrices(Protocol):
    @property
    def matrices(self) -> dict[str, NDArray[Any]]: ...
    @property
    def names(self) -> tuple[str, ...]: ...


class _Cloud(Protocol):
    @property
    def kappa(self) -> NDArray[Any]: ...
    @property
    def error(self) -> NDArray[Any]: ...


def plot_diversity(
    result: _Matrices, ax: Axes | None = None, *, measure: str = "disagreement"
) -> Axes:
    """Draw a pairwise measure of diversity as a heat map.

    Parameters
    ----------
    result : Diversity
        What `nonet.diversity` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    measure : str, default='disagreement'
        One of the pairwise measures of the result.

    Returns
    -------
    ax : matplotlib Axes
        The axes with the picture; the diagonal is left out.

    Examples
    --------
    >>> from nonet.diagnostics import measure_diversity
    >>> from nonet.plots import plot_diversity
    >>> plot_diversity(measure_diversity([[1, 0], [1, 1], [0, 1]])).get_title()
    'disagreement of pairs'
    """
    check_subject("plot_diversity", result)
    rule = Choice(*result.matrices)
    if not rule.allows(measure):
        raise bad_parameter("plot_diversity", "measure", rule.describe(), measure)
    ax = canvas.prepare(ax)
    matrix = result.matrices[measure].astype(float)
    np.fill_diagonal(matrix, np.nan)
    image = ax.imshow(matrix, cmap=canvas.SHADES)
    ax.figure.colorbar(image, ax=ax, label=measure.replace("_", " "))
    if len(result.names) <= _MAX_NAMES:
        positions = range(len(result.names))
        ax.set_xticks(positions, labels=result.names, rotation=90)
        ax.set_yticks(positions, labels=result.names)
    else:
        ax.set_xlabel("member")
        ax.set_ylabel("member")
    ax.set_title(f"{measure.replace('_', ' ')} of pairs")
    return ax


def plot_kappa_error(
    result: _Cloud,
    ax: Axes | None = None,
    *,
    label: str | None = None,
    color: str = canvas.ENSEMBLE,
) -> Axes:
    """Draw the kappa-error diagram: a dot for each pair of members.

    Parameters
    ----------
    result : KappaError
        What `nonet.diagnostics.kappa_error` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes. Call again with the same axes to compare ensembles.
    label : str, default=None
        The name of the cloud in the legend; None leaves the legend out.
    color : str, default=teal
        Any colour matplotlib knows.

    Returns
    -------
    ax : matplotlib Axes
        Diverse pairs are on the left, accurate ones at the bottom; a cross marks the centre.

    Examples
    --------
    >>> from nonet.diagnostics import kappa_error, record_predictions
    >>> from nonet.plots import plot_kappa_error
    >>> pairs = kappa_error(record_predictions([[0, 0], [1, 1], [1, 0]], [0, 1, 1]))
    >>> plot_kappa_error(pairs).get_ylabel()
    'mean error of the pair'
    """
    check_subject("plot_kappa_error", result)
    ax = canvas.prepare(ax)
    kappa, error = np.asarray(result.kappa), np.asarray(result.error)
    ax.plot(kappa, error, "o", color=color, alpha=0.35, ms=4, mew=0, label=label)
    ax.plot([kappa.mean()], [error.mean()], "X", color=color, ms=10, mec="white")
    ax.set_xlabel("kappa: chance-corrected agreement of the pair")
    ax.set_ylabel("mean error of the pair")
    if label is not None:
        ax.legend(frameon=False)
    return ax
