"""Plot of a bootstrap distribution with the estimate and a confidence interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Distribution(Protocol):
    """The attributes of a bootstrap result that are read."""

    @property
    def estimate(self) -> Any:
        """The statistic of the data."""

    @property
    def rescaled(self) -> NDArray[Any]:
        """The statistic of each resample, spread as in samples as large as the data."""

    @property
    def probabilities(self) -> NDArray[Any] | None:
        """The probability of each resample, None if all count alike."""

    def interval(self, method: str, confidence_level: float) -> Any:
        """Return an object with ``low`` and ``high``."""


def plot_bootstrap(
    result: Distribution,
    ax: Axes | None = None,
    *,
    method: str = "percentile",
    confidence_level: float = 0.95,
    component: int = 0,
    bins: int = 50,
    color: str = canvas.ENSEMBLE,
) -> Axes:
    """Draw the distribution of a statistic over resamples.

    Parameters
    ----------
    result : BootstrapResult
        What `nonet.bootstrap` returned.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    method : str, default='percentile'
        The interval that is shaded.
    confidence_level : float, default=0.95
        Its level.
    component : int, default=0
        Which component of a vector statistic to draw.
    bins : int, default=50
        Bars of the histogram.
    color : str, default=teal
        Any colour matplotlib knows.

    Returns
    -------
    ax : matplotlib Axes
        The axes with the picture.

    Examples
    --------
    >>> from nonet import bootstrap
    >>> from nonet.plots import plot_bootstrap
    >>> ax = plot_bootstrap(bootstrap([1, 4, 7, 9, 12], "mean"))
    >>> ax.get_ylabel()
    'fraction of resamples'
    """
    check_subject("plot_bootstrap", result)
    values = _component(result.rescaled, component, 1)
    interval = result.interval(method, confidence_level)
    low, high = (float(_component(end, component, 0)) for end in (interval.low, interval.high))
    ax = canvas.prepare(ax)
    fractions = result.probabilities
    fractions = np.full(len(values), 1 / len(values)) if fractions is None else fractions
    ax.hist(values, bins=bins, weights=fractions, color=color, alpha=0.75)
    ax.axvspan(low, high, color=color, alpha=0.1, lw=0, label=f"{confidence_level:.0%} {method}")
    estimate = float(_component(result.estimate, component, 0))
    ax.axvline(estimate, color=canvas.ACCENT, lw=2, label=f"estimate {estimate:.4g}")
    ax.set_xlabel("statistic of a resample")
    ax.set_ylabel("fraction of resamples")
    ax.legend(frameon=False)
    return ax


def _component(values: Any, component: int, n_axes_of_scalar: int) -> NDArray[Any]:
    array = np.asarray(values)
    return array if array.ndim == n_axes_of_scalar else array[..., component]
