"""Axes with the common style of all plots; the only import of matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nonet._base.errors import show

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ENSEMBLE = "#0b7285"
MEMBER = "#868e96"
ACCENT = "#e8590c"
INK = "#343a40"
GRID = "#e9ecef"
# Okabe and Ito's colours, distinguishable by the colour-blind; dark and light ones alternate.
CLASSES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#f0e442", "#999999")
SHADES = "cividis"  # of one quantity, from low to high


def prepare(ax: Axes | None) -> Axes:
    """Return ``ax``, or new axes if it is None, in the common style."""
    ax = _new_axes() if ax is None else ax
    if not hasattr(ax, "spines"):
        raise TypeError(
            f"ax must be None or matplotlib Axes, but got {show(ax)}; plt.subplots() makes some."
        )
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(MEMBER)
    ax.tick_params(colors=INK)
    ax.set_axisbelow(True)
    return ax


def prepare_row(n_axes: int, **sharing: bool) -> NDArray[Any]:
    """Return new axes side by side, in the common style."""
    size = (3.6 * n_axes, 3.6)
    row = _pyplot().subplots(
        1, n_axes, figsize=size, squeeze=False, layout="constrained", **sharing
    )
    return np.array([prepare(ax) for ax in row[1][0]])


def colour_of(code: int) -> str:
    """Return the colour of a class; the eight colours repeat."""
    return CLASSES[code % len(CLASSES)]


def _new_axes() -> Axes:
    ax: Axes = _pyplot().subplots(layout="constrained")[1]
    return ax


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError as missing:
        raise ImportError(
            "pictures need matplotlib, which is not installed; run `pip install nonet[plots]`."
        ) from missing
    return pyplot
