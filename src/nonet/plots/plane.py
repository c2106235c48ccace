"""The plane of decision regions: grid, filled regions and dots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nonet._base.params import Integer, bad_parameter
from nonet.plots import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARKERS = "osD^vPX*"  # shapes as well as colours, for colour-blind readers


class Grid:
    """Points that cover the plane around some rows."""

    def __init__(self, rows: NDArray[Any], resolution: int) -> None:
        low, high = rows.min(axis=0), rows.max(axis=0)
        room = 0.08 * np.where(high > low, high - low, 1.0)
        self.rows = rows
        self.x = np.linspace(low[0] - room[0], high[0] + room[0], resolution)
        self.y = np.linspace(low[1] - room[1], high[1] + room[1], resolution)
        self.points = np.stack(np.meshgrid(self.x, self.y), axis=-1).reshape(-1, 2)

    @classmethod
    def around(cls, X: Any, resolution: int) -> Grid:
        """Return points that cover the rows of a two-column table, with a margin."""
        rows = np.asarray(X, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != 2 or not len(rows):
            raise ValueError(
                f"decision regions are drawn over two columns, but X has shape {rows.shape}."
            )
        if not Integer(2).allows(resolution):
            raise bad_parameter("regions", "resolution", Integer(2).describe(), resolution)
        return cls(rows, resolution)


def like_table(X: Any, points: NDArray[Any]) -> Any:
    """Return the points with the column names that the classifier saw in fit."""
    return type(X)(points, columns=X.columns) if hasattr(X, "iloc") else points


def encode_predictions(predictions: NDArray[Any], classes: NDArray[Any]) -> NDArray[Any]:
    """Return class codes; -1 where the classifier abstains."""
    matches = predictions[:, np.newaxis] == classes
    return np.where(matches.any(axis=1), matches.argmax(axis=1), -1)


def shade_regions(ax: Axes, grid: Grid, codes: NDArray[Any], n_classes: int, fill: bool) -> None:
    """Fill the regions of the classes, and draw the lines between them."""
    from matplotlib.colors import ListedColormap

    height = codes.reshape(len(grid.y), len(grid.x))
    if fill:
        colours = ["white", *(canvas.colour_of(code) for code in range(n_classes))]
        levels = np.arange(-1.5, n_classes)
        ax.contourf(grid.x, grid.y, height, levels=levels, cmap=ListedColormap(colours), alpha=0.25)
    for code in range(n_classes - 1):  # lines between regions, each class against those before
        if np.any(height > code) and np.any(height <= code):
            ax.contour(grid.x, grid.y, height, levels=[code + 0.5], colors=canvas.INK, linewidths=1)


def draw_rows(
    ax: Axes, rows: NDArray[Any], y: NDArray[Any], classes: NDArray[Any], legend: bool = True
) -> None:
    """Draw the rows as dots, a colour and a shape for each class."""
    for code, label in enumerate(classes.tolist()):
        mine = rows[y == label]
        ax.plot(
            mine[:, 0],
            mine[:, 1],
            _MARKERS[code % len(_MARKERS)],
            color=canvas.colour_of(code),
            ms=4,
            mec="white",
            mew=0.4,
            label=str(label),
        )
    if legend:
        ax.legend(frameon=False, fontsize="small")


def name_axes(ax: Axes, X: Any) -> None:
    """Name the axes after the columns."""
    names = [str(name) for name in getattr(X, "columns", ["first column", "second column"])]
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])
