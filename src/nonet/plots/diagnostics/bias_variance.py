"""Plots of bias, variance and noise: as bars, or against the complexity of a learner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PARTS = {"bias": canvas.CLASSES[0], "variance": canvas.CLASSES[1], "noise": canvas.CLASSES[7]}
_SOURCES = {
    "bias": canvas.CLASSES[0],
    "sample": canvas.CLASSES[1],
    "seed": canvas.CLASSES[2],
    "noise": canvas.CLASSES[7],
}


class _Parts(Protocol):
    @property
    def loss(self) -> str: ...
    @property
    def error(self) -> float: ...
    @property
    def standard_errors(self) -> dict[str, float]: ...


def plot_bias_variance(results: _Parts | Mapping[str, _Parts], ax: Axes | None = None) -> Axes:
    """Draw the parts of an error as bars, for one learner or several.

    Parameters
    ----------
    results : BiasVariance, or mapping of str to BiasVariance
        What `nonet.bias_variance` returned, by the name of the learner if there are several.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.

    Returns
    -------
    ax : matplotlib Axes
        Parts stand on each other; a negative part (net variance) hangs below 0. The variance is
        drawn as the parts of sample and seed if all results have them (``by='source'``).

    Examples
    --------
    >>> from nonet.diagnostics import decompose_loss
    >>> from nonet.plots import plot_bias_variance
    >>> ax = plot_bias_variance({"a": decompose_loss([[1.0, 3.0]], [1.0])})
    >>> [text.get_text() for text in ax.get_xticklabels()]
    ['a']
    """
    named = results if isinstance(results, Mapping) else {"": results}
    _check_results(named)
    ax = canvas.prepare(ax)
    positions = np.arange(len(named))
    top, bottom = np.zeros(len(named)), np.zeros(len(named))
    have_sources = all("seed" in result.standard_errors for result in named.values())
    for part, colour in (_SOURCES if have_sources else _PARTS).items():
        heights = np.array([getattr(result, part) for result in named.values()])
        start = np.where(heights >= 0, top, bottom)
        ax.bar(positions, heights, 0.6, bottom=start, color=colour, label=part)
        top, bottom = top + np.maximum(heights, 0), bottom + np.minimum(heights, 0)
    errors = [result.error for result in named.values()]
    spread = [result.standard_errors["error"] for result in named.values()]
    shown = np.where(np.isfinite(spread), spread, 0.0)
    ax.errorbar(positions, errors, yerr=shown, fmt="o", color=canvas.INK, ms=5, label="error")
    ax.axhline(0, color=canvas.INK, lw=1)
    ax.set_xticks(positions, labels=list(named))
    ax.set_ylabel(_loss_in_words(next(iter(named.values()))))
    ax.legend(frameon=False)
    return ax


def plot_complexity(
    results: Mapping[float, _Parts], ax: Axes | None = None, *, label: str = "complexity"
) -> Axes:
    """Draw bias, variance and error against the complexity of a learner.

    Parameters
    ----------
    results : mapping of float to BiasVariance
        For each complexity (depth, degree, number of neighbours) what `nonet.bias_variance`
        returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    label : str, default='complexity'
        The name of the horizontal axis.

    Returns
    -------
    ax : matplotlib Axes
        The axes with the picture.

    Examples
    --------
    >>> from nonet.diagnostics import decompose_loss
    >>> from nonet.plots import plot_complexity
    >>> results = {1: decompose_loss([[1.0, 1.0]], [2.0]), 2: decompose_loss([[1.0, 3.0]], [2.0])}
    >>> plot_complexity(results, label="depth").get_xlabel()
    'depth'
    """
    check_subject("plot_complexity", results)
    _check_results(results)
    ax = canvas.prepare(ax)
    levels = sorted(results)
    for part, colour in {"error": canvas.INK, **_PARTS}.items():
        heights: list[Any] = [getattr(results[level], part) for level in levels]
        if part != "noise" or any(heights):
            ax.plot(levels, heights, "o-", color=colour, lw=2, ms=5, mec="white", label=part)
    ax.set_xlabel(label)
    ax.set_ylabel(_loss_in_words(results[levels[0]]))
    ax.legend(frameon=False)
    return ax


def _check_results(results: Mapping[Any, _Parts]) -> None:
    if not results:
        raise ValueError("results is empty; give at least one result of nonet.bias_variance.")
    for result in results.values():
        check_subject("plot_bias_variance", result)


def _loss_in_words(result: _Parts) -> str:
    words = {"kohavi_wolpert": "0-1", "domingos": "0-1"}
    return f"expected {words.get(result.loss, result.loss)} loss"
