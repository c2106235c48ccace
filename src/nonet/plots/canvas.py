"""The sheet every picture is drawn on: one look, one door to matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ENSEMBLE = "#0b7285"
MEMBER = "#868e96"
ACCENT = "#e8590c"
INK = "#343a40"
GRID = "#e9ecef"


def prepare(ax: Axes | None) -> Axes:
    """Give back ``ax``, or new axes if there are none, dressed in the common look."""
    ax = _new_axes() if ax is None else ax
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(MEMBER)
    ax.tick_params(colors=INK)
    ax.set_axisbelow(True)
    return ax


def _new_axes() -> Axes:
    try:
        from matplotlib import pyplot
    except ImportError as missing:
        raise ImportError(
            "pictures need matplotlib, which is not installed; run `pip install nonet[plots]`."
        ) from missing
    return pyplot.subplots(layout="constrained")[1]
