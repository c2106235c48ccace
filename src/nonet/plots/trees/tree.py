"""Plot of a tree: one box per node, the root on top, leaves side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nonet._base.params import Integer, Nothing, bad_parameter
from nonet.plots import canvas
from nonet.plots.subject import check_subject
from nonet.trees.export import (
    check_one_target,
    class_labels,
    resolve_column_names,
    split_conditions,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nonet.trees import TreeView

_DEPTH_RULE = Nothing() | Integer(0)
_LONGEST = 40  # letters in a box
_FAINTEST, _STRONGEST = 0.06, 0.75  # fraction of colour in a box of no and of full certainty


def plot_tree(
    decision_tree: Any,
    ax: Axes | None = None,
    *,
    max_depth: int | None = None,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    decimals: int = 2,
) -> Axes:
    r"""Draw a fitted tree.

    Inner boxes show the condition for going left; leaves show the prediction. Below it is the
    number of training rows. The box of a classifier has the colour of its most frequent class and
    is darker if the fraction of that class is higher; the box of a regressor is darker if its value
    is higher.

    Parameters
    ----------
    decision_tree : estimator
        A fitted tree.
    ax : matplotlib Axes, default=None
        Where to draw; None makes new axes.
    max_depth : int, default=None
        Splits below this depth are left out, and their branch is drawn as "..."; None draws all.
    feature_names : sequence of str, default=None
        Names of columns; those seen during fit, or feature_0, feature_1, ... if None.
    class_names : sequence of str, default=None
        Names of classes, in the order of ``classes_``; these themselves if None.
    decimals : int, default=2
        Digits after the point.

    Returns
    -------
    ax : matplotlib Axes
        The axes with the picture.

    Examples
    --------
    >>> from nonet import DecisionTreeClassifier
    >>> from nonet.plots import plot_tree
    >>> tree = DecisionTreeClassifier().fit([[0], [1], [2], [3]], ["no", "no", "yes", "yes"])
    >>> ax = plot_tree(tree, feature_names=["age"])
    >>> ax.texts[0].get_text()
    'age <= 1.50\n4 rows'
    """
    check_subject("plot_tree", decision_tree)
    check_one_target(decision_tree, "plot_tree")
    if not _DEPTH_RULE.allows(max_depth):
        raise bad_parameter("plot_tree", "max_depth", _DEPTH_RULE.describe(), max_depth)
    view: TreeView = decision_tree.tree_
    columns = resolve_column_names(decision_tree, feature_names)
    classes = class_labels(decision_tree, class_names)
    positions = _positions(view, view.max_depth if max_depth is None else max_depth)
    colours = _colours(view, is_classifier=classes is not None)
    ax = canvas.prepare(ax)
    for node, (x, y) in positions.items():
        text = _text(
            view,
            node,
            columns,
            classes,
            decimals,
            is_truncated=_is_truncated(view, node, positions),
        )
        _draw_box(ax, x, y, text, colours[node])
        _draw_links(ax, view, node, positions)
    _clear_frame(ax, positions)
    return ax


def _is_truncated(view: TreeView, node: int, positions: dict[int, tuple[float, float]]) -> bool:
    return view.children_left[node] >= 0 and int(view.children_left[node]) not in positions


def _positions(view: TreeView, max_depth: int) -> dict[int, tuple[float, float]]:
    """Return the position of every node: leaves at 0, 1, 2, ..., parents above their children."""
    depths, shown = {0: 0}, []
    for node in range(view.node_count):  # preorder: parents come first, leaves from left to right
        if node not in depths:
            continue
        shown.append(node)
        if view.children_left[node] >= 0 and depths[node] < max_depth:
            for child in (view.children_left[node], view.children_right[node]):
                depths[int(child)] = depths[node] + 1
    across: dict[int, float] = {}
    ends = [node for node in shown if int(view.children_left[node]) not in depths]
    across.update({node: float(position) for position, node in enumerate(ends)})
    for node in reversed(shown):
        if node not in across:
            left, right = int(view.children_left[node]), int(view.children_right[node])
            across[node] = (across[left] + across[right]) / 2
    return {node: (across[node], float(-depths[node])) for node in shown}


def _text(
    view: TreeView,
    node: int,
    columns: list[str],
    classes: list[str] | None,
    decimals: int,
    *,
    is_truncated: bool,
) -> str:
    rows = f"{view.n_node_samples[node]} rows"
    if is_truncated:
        return f"...\n{rows}"
    if view.children_left[node] >= 0:
        condition, _ = split_conditions(view, node, columns, decimals)
        return f"{_short(condition)}\n{rows}"
    values = view.value[node, 0]
    prediction = f"{values[0]:.{decimals}f}" if classes is None else classes[int(np.argmax(values))]
    return f"{prediction}\n{rows}"


def _short(condition: str) -> str:
    """Return the condition, truncated if a set of many categories does not fit its box."""
    return condition if len(condition) <= _LONGEST else condition[: _LONGEST - 5] + " ...}"


def _colours(view: TreeView, *, is_classifier: bool) -> NDArray[np.float64]:
    from matplotlib.colors import to_rgb

    values = view.value[:, 0]
    if is_classifier:
        pure = np.array([to_rgb(canvas.colour_of(code)) for code in np.argmax(values, axis=1)])
        certainty = _stretch(values.max(axis=1), 1.0 / values.shape[1], 1.0)
    else:
        pure = np.array(to_rgb(canvas.ENSEMBLE))
        certainty = _stretch(values[:, 0], values.min(), values.max())
    # Mixed with white rather than transparent, so that links do not shine through.
    fraction = (_FAINTEST + (_STRONGEST - _FAINTEST) * certainty)[:, np.newaxis]
    mixed: NDArray[np.float64] = fraction * pure + (1.0 - fraction)
    return mixed


def _stretch(numbers: NDArray[Any], low: float, high: float) -> NDArray[Any]:
    if high <= low:
        return np.ones_like(numbers)
    return np.clip((numbers - low) / (high - low), 0.0, 1.0)


def _draw_box(ax: Axes, x: float, y: float, text: str, colour: NDArray[np.float64]) -> None:
    box = {"boxstyle": "round", "facecolor": colour, "edgecolor": canvas.MEMBER}
    ax.text(x, y, text, ha="center", va="center", color=canvas.INK, zorder=3, bbox=box)


def _draw_links(
    ax: Axes, view: TreeView, node: int, positions: dict[int, tuple[float, float]]
) -> None:
    for child in (int(view.children_left[node]), int(view.children_right[node])):
        if child in positions:
            (x0, y0), (x1, y1) = positions[node], positions[child]
            ax.plot([x0, x1], [y0, y1], color=canvas.MEMBER, lw=1, zorder=1)


def _clear_frame(ax: Axes, positions: dict[int, tuple[float, float]]) -> None:
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.set_xticks([])
    ax.set_yticks([])
    widths = [x for x, _ in positions.values()]
    heights = [y for _, y in positions.values()]
    ax.set_xlim(min(widths) - 0.6, max(widths) + 0.6)
    ax.set_ylim(min(heights) - 0.4, max(heights) + 0.4)
