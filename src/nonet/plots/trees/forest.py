"""Plot of some trees of a forest side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from nonet._base.params import Integer, bad_parameter
from nonet.plots import canvas
from nonet.plots.subject import check_subject
from nonet.plots.trees.tree import plot_tree


def plot_forest(
    forest: Any,
    *,
    trees: Sequence[int] = (0, 1, 2),
    max_depth: int | None = 2,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
) -> NDArray[Any]:
    """Draw some trees of a fitted forest side by side.

    Parameters
    ----------
    forest : fitted ensemble of trees
        Any with ``estimators_`` that are trees.
    trees : sequence of int, default=(0, 1, 2)
        Positions of the trees.
    max_depth : int, default=2
        How deep the pictures go; None draws all.
    feature_names : sequence of str, default=None
        Names of the columns.
    class_names : sequence of str, default=None
        Names of the classes.

    Returns
    -------
    axes : ndarray of matplotlib Axes of shape (n_trees,)

    Examples
    --------
    >>> from nonet import BaggingClassifier
    >>> from nonet.plots import plot_forest
    >>> X, y = [[0], [1], [2], [3]], ["no", "no", "yes", "yes"]
    >>> from nonet import DecisionTreeClassifier
    >>> forest = BaggingClassifier(DecisionTreeClassifier(), 3, random_state=0).fit(X, y)
    >>> [ax.get_title() for ax in plot_forest(forest, trees=[0, 2])]
    ['tree 0', 'tree 2']
    """
    check_subject("plot_forest", forest)
    models = list(forest.estimators_)
    rule = Integer(0, len(models) - 1)
    for position in trees:
        if not rule.allows(position):
            raise bad_parameter("plot_forest", "trees", rule.describe(), position)
    axes = canvas.prepare_row(len(trees))
    for ax, position in zip(axes, trees, strict=True):
        plot_tree(
            models[position],
            ax,
            max_depth=max_depth,
            feature_names=feature_names,
            class_names=class_names,
        )
        ax.set_title(f"tree {position}")
    return axes
