"""Plot of errors of models by complexity, with the one-standard-error rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class CrossValidatedErrors(Protocol):
    """The attributes of a curve that are read."""

    @property
    def names(self) -> tuple[Any, ...]:
        """Complexity or name of each model, simplest first."""

    @property
    def errors(self) -> NDArray[Any]:
        """Error of each model."""

    @property
    def standard_errors(self) -> NDArray[Any]:
        """Their standard errors."""

    @property
    def best(self) -> int:
        """Position of the lowest error."""

    def one_standard_error(self) -> int:
        """Return the position that the rule chooses."""


def plot_cv_curve(
    curve: CrossValidatedErrors,
    ax: Axes | None = None,
    *,
    label: str = "complexity",
    color: str = canvas.ENSEMBLE,
) -> Axes:
    """Draw errors with one standard error to either side, and what the rule chooses.

    Parameters
    ----------
    curve : CVCurve or RidgePath
        What `cv_curve` or `ridge_path` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    label : str, default='complexity'
        The name of the horizontal axis.
    color : str, default=teal
        Any colour matplotlib knows.

    Returns
    -------
    ax : matplotlib Axes
        The axes with the picture.

    Examples
    --------
    >>> from nonet.plots import plot_cv_curve
    >>> from nonet.resampling import ridge_path
    >>> x = np.arange(8.0)[:, None]
    >>> ax = plot_cv_curve(ridge_path(x, [0.0, 1, 2, 3, 4, 5, 6, 8]), label="penalty")
    >>> ax.get_xlabel()
    'penalty'
    """
    check_subject("plot_cv_curve", curve)
    errors, spreads = np.asarray(curve.errors), np.asarray(curve.standard_errors)
    positions = np.arange(len(errors))
    best, chosen = curve.best, curve.one_standard_error()
    ax = canvas.prepare(ax)
    ax.errorbar(
        positions, errors, yerr=spreads, color=color, ecolor=canvas.MEMBER, capsize=3, lw=1.5
    )
    ax.axhline(
        errors[best] + spreads[best], color=canvas.INK, ls="--", lw=1, label="minimum + 1 SE"
    )
    _mark(ax, best, errors, "lowest error", color, curve.names[best])
    _mark(ax, chosen, errors, "one-SE rule", canvas.ACCENT, curve.names[chosen])
    _name_models(ax, curve.names)
    ax.set_xlabel(label)
    ax.set_ylabel("cross-validated error")
    ax.legend(frameon=False)
    return ax


def _mark(ax: Axes, position: int, errors: NDArray[Any], what: str, color: str, name: Any) -> None:
    ax.plot(
        [position], [errors[position]], "o", color=color, ms=8, label=f"{what}: {_in_words(name)}"
    )


def _name_models(ax: Axes, names: tuple[Any, ...]) -> None:
    """Name each model, or about ten of many."""
    step = -(-len(names) // 10) if len(names) > 12 else 1
    positions = range(0, len(names), step)
    ax.set_xticks(list(positions), labels=[_in_words(names[position]) for position in positions])


def _in_words(name: Any) -> str:
    return f"{name:.3g}" if isinstance(name, float) else str(name)
