"""Plot of scores of members and ensembles, one line per model with dots or a box."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Floats
from nonet._base.arrays import as_numbers
from nonet._base.frames import column_names
from nonet._base.params import Choice, bad_parameter
from nonet.plots import canvas
from nonet.plots.subject import check_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_KINDS = Choice("dots", "box")


def plot_scores(
    scores: Any,
    ax: Axes | None = None,
    *,
    ensembles: Collection[str] = (),
    label: str = "score",
    kind: str = "dots",
) -> Axes:
    """Draw the scores of members and ensembles, the best on top.

    Parameters
    ----------
    scores : mapping of str to float or array-like of shape (n_scores,), or frame
        The score, or the scores over several splits, of each model by its name; a frame has a
        column per model.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    ensembles : collection of str, default=()
        Which of the names are ensembles; the others are members. A dashed line marks the best
        member's mean.
    label : str, default="score"
        The name of the score, on the horizontal axis.
    kind : {'dots', 'box'}, default='dots'
        A dot for each score and one for the mean, or a box plot: quartiles, whiskers up to 1.5
        times their distance, and the scores beyond them as dots. A mark shows the mean.

    Returns
    -------
    ax : matplotlib Axes
        The axes with the picture.

    Examples
    --------
    >>> from nonet.plots import plot_scores
    >>> ax = plot_scores({"tree": [0.90, 0.92], "vote": [0.95, 0.96]}, ensembles=["vote"])
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['tree', 'vote']
    """
    names = column_names(scores)
    scores = scores if names is None else {name: scores[name] for name in names}
    check_subject("plot_scores", scores)
    if not _KINDS.allows(kind):
        raise bad_parameter("plot_scores", "kind", _KINDS.describe(), kind)
    rows = _sorted_rows(scores, ensembles)
    ax = canvas.prepare(ax)
    colors = [canvas.ENSEMBLE if name in ensembles else canvas.MEMBER for name in rows]
    for height, (values, color) in enumerate(zip(rows.values(), colors, strict=True)):
        (_draw_box if kind == "box" else _draw_row)(ax, height, values, color)
    _mark_best_member(ax, [values.mean() for name, values in rows.items() if name not in ensembles])
    _name_rows(ax, list(rows), colors)
    ax.set_xlabel(label)
    ax.margins(x=0.12, y=0.04)
    return ax


def _sorted_rows(scores: Mapping[str, ArrayLike], ensembles: Collection[str]) -> dict[str, Floats]:
    if not scores:
        raise ValueError("scores is empty; give at least one name with its score.")
    strangers = sorted(set(ensembles) - set(scores))
    if strangers:
        raise ValueError(f"ensembles must be names in scores {list(scores)}, but got {strangers}.")
    rows = {
        name: np.atleast_1d(as_numbers(values, f"plot_scores: the scores of {name!r}"))
        for name, values in scores.items()
    }
    for name, values in rows.items():
        if values.ndim != 1 or not values.size or not np.isfinite(values).all():
            raise ValueError(f"scores[{name!r}] must be finite numbers, but got {scores[name]!r}.")
    return dict(sorted(rows.items(), key=lambda row: row[1].mean()))


def _draw_row(ax: Axes, height: int, values: Floats, color: str) -> None:
    if values.size > 1:
        ax.plot([values.min(), values.max()], [height, height], color=color, alpha=0.35, lw=2)
        ax.plot(values, np.full(values.size, height), "o", color=color, alpha=0.25, ms=4, mew=0)
    ax.plot([values.mean()], [height], "o", color=color, ms=9, mec="white", mew=1.2)
    _write_mean(ax, height, values, color)


def _draw_box(ax: Axes, height: int, values: Floats, color: str) -> None:
    # By hand: matplotlib's own horizontal box plot has another parameter in each version.
    low, middle, high = np.quantile(values, [0.25, 0.5, 0.75])
    inside = values[(values >= low - 1.5 * (high - low)) & (values <= high + 1.5 * (high - low))]
    beyond = np.setdiff1d(values, inside)
    bottom, top = height - 0.25, height + 0.25
    corners = [low, high, high, low, low], [bottom, bottom, top, top, bottom]
    ax.plot(*corners, color=color, lw=1.5)
    ax.plot([middle, middle], [bottom, top], color=color, lw=2.5)
    for end, quartile in ((inside.min(), low), (inside.max(), high)):
        ax.plot([end, quartile], [height, height], color=color, lw=1.5)
        ax.plot([end, end], [height - 0.12, height + 0.12], color=color, lw=1.5)
    ax.plot(beyond, np.full(beyond.size, height), "o", color=color, ms=4, mew=0)
    ax.plot([values.mean()], [height], "D", color=color, ms=6, mec="white", mew=1)
    _write_mean(ax, height, values, color)


def _write_mean(ax: Axes, height: int, values: Floats, color: str) -> None:
    ax.annotate(
        f"{values.mean():.3f}",
        (float(values.max()), height),
        xytext=(9, 0),
        textcoords="offset points",
        va="center",
        color=color,
        fontsize="small",
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
    )


def _mark_best_member(ax: Axes, means: list[np.float64]) -> None:
    if means:
        ax.axvline(max(means), color=canvas.ACCENT, ls="--", lw=1, zorder=0.5, label="best member")
        # The best are on top and to the right, so the upper left corner is free.
        ax.legend(loc="upper left", frameon=False, labelcolor=canvas.ACCENT)


def _name_rows(ax: Axes, names: list[str], colors: list[str]) -> None:
    ax.set_yticks(range(len(names)), labels=names)
    for text, color in zip(ax.get_yticklabels(), colors, strict=True):
        text.set_color(color)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", color=canvas.GRID)
    ax.spines["left"].set_visible(False)
