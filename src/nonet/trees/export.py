"""Export of a tree as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nonet._base.params import Boolean, Integer, bad_parameter
from nonet.trees.tree_view import TreeView


def export_text(
    decision_tree: Any,
    *,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    max_depth: int = 10,
    spacing: int = 3,
    decimals: int = 2,
    show_weights: bool = False,
) -> str:
    """Return the rules of a tree as text, one line per rule, as scikit-learn's function does.

    Parameters
    ----------
    decision_tree : estimator
        A fitted tree.
    feature_names : sequence of str, default=None
        Names of columns; those seen during fit, or feature_0, feature_1, ... if None.
    class_names : sequence of str, default=None
        Names of classes, in the order of ``classes_``; these themselves if None.
    max_depth : int, default=10
        Splits below this depth are summarised in one line.
    spacing : int, default=3
        Width of an indent.
    decimals : int, default=2
        Digits after the point.
    show_weights : bool, default=False
        Whether leaves show the weight of each class.

    Returns
    -------
    text : str
        Lines that end with a newline.

    Examples
    --------
    >>> from nonet import DecisionTreeClassifier
    >>> from nonet.trees import export_text
    >>> tree = DecisionTreeClassifier().fit([[0], [1], [2], [3]], ["no", "no", "yes", "yes"])
    >>> print(export_text(tree, feature_names=["age"]), end="")
    |--- age <= 1.50
    |   |--- class: no
    |--- age >  1.50
    |   |--- class: yes
    """
    check_one_target(decision_tree, "export_text")
    for name, value, rule in (
        ("max_depth", max_depth, Integer(0)),
        ("spacing", spacing, Integer(1)),
        ("decimals", decimals, Integer(0)),
        ("show_weights", show_weights, Boolean()),
    ):
        if not rule.allows(value):
            raise bad_parameter("export_text", name, rule.describe(), value)
    writer = _RuleWriter(
        tree=decision_tree.tree_,
        columns=resolve_column_names(decision_tree, feature_names),
        classes=class_labels(decision_tree, class_names),
        max_depth=max_depth,
        spacing=spacing,
        decimals=decimals,
        show_weights=show_weights,
    )
    return "".join(f"{line}\n" for line in writer.lines())


def check_one_target(decision_tree: Any, caller: str) -> None:
    """Raise unless the tree is fitted and has one target."""
    check_is_fitted(decision_tree)
    if decision_tree.n_outputs_ > 1:
        raise ValueError(
            f"{caller} shows trees of one target, but this one has {decision_tree.n_outputs_}."
        )


def resolve_column_names(model: Any, given: Sequence[str] | None) -> list[str]:
    """Return the given names of columns, those seen during fit, or made-up ones."""
    n_columns = model.n_features_in_
    if given is None:
        given = getattr(model, "feature_names_in_", [f"feature_{i}" for i in range(n_columns)])
    if len(given) != n_columns:
        raise ValueError(
            f"feature_names must hold a name for each of the {n_columns} columns, but has "
            f"{len(given)}."
        )
    return [str(name) for name in given]


def class_labels(decision_tree: Any, given: Sequence[str] | None) -> list[str] | None:
    """Return the given names of classes or the classes themselves; None for a regressor."""
    classes = getattr(decision_tree, "classes_", None)
    if classes is None:
        return None
    if given is not None and len(given) != len(classes):
        raise ValueError(
            f"class_names must hold a name for each of the {len(classes)} classes, but has "
            f"{len(given)}."
        )
    return [str(label) for label in (classes if given is None else given)]


def split_conditions(
    tree: TreeView, node: int, columns: Sequence[str], decimals: int
) -> tuple[str, str]:
    """Return the conditions for rows to go left and to go right at a node."""
    name = columns[tree.feature[node]]
    # scikit-learn's own trees, which are accepted as well, have no categories.
    if hasattr(tree, "is_category_split") and tree.is_category_split[node]:
        left = ", ".join(str(category) for category in tree.categories_left(node))
        return f"{name} in {{{left}}}", f"{name} not in {{{left}}}"
    threshold = f"{tree.threshold[node]:.{decimals}f}"
    return f"{name} <= {threshold}", f"{name} >  {threshold}"


@dataclass(frozen=True)
class _RuleWriter:
    tree: TreeView
    columns: list[str]
    classes: list[str] | None
    max_depth: int
    spacing: int
    decimals: int
    show_weights: bool

    def lines(self) -> Iterator[str]:
        # A stack of lines and of nodes still to be written, as trees may be deeper than Python's.
        waiting: list[str | tuple[int, int]] = [(0, 0)]
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                yield item
                continue
            node, depth = item
            if self.tree.children_left[node] < 0:
                yield self._indent(depth) + self._leaf(node)
            elif depth > self.max_depth:
                yield self._truncated(node, depth)
            else:
                waiting += reversed(self._split(node, depth))

    def _split(self, node: int, depth: int) -> list[str | tuple[int, int]]:
        tree = self.tree
        yes, no = split_conditions(tree, node, self.columns, self.decimals)
        return [
            f"{self._indent(depth)} {yes}",
            (int(tree.children_left[node]), depth + 1),
            f"{self._indent(depth)} {no}",
            (int(tree.children_right[node]), depth + 1),
        ]

    def _indent(self, depth: int) -> str:
        return ("|" + " " * self.spacing) * depth + "|" + "-" * self.spacing

    def _leaf(self, node: int) -> str:
        values = self.tree.value[node, 0]
        if self.classes is None:
            return f" value: {self._numbers(values)}"
        weights = self._numbers(values * self.tree.weighted_n_node_samples[node])
        shown = f" weights: {weights}" if self.show_weights else ""
        return f"{shown} class: {self.classes[int(np.argmax(values))]}"

    def _numbers(self, values: Any) -> str:
        return "[" + ", ".join(f"{value:.{self.decimals}f}" for value in values) + "]"

    def _truncated(self, node: int, depth: int) -> str:
        below = depth_of_branch(self.tree, node)
        return f"{self._indent(depth)} truncated branch of depth {below + 1}"


def depth_of_branch(tree: TreeView, node: int) -> int:
    """Return the maximum number of splits between a node and a leaf below it."""
    depths = {node: 0}
    for inner in range(node, tree.node_count):  # in preorder, a branch is a run of nodes
        if inner not in depths:
            break
        if tree.children_left[inner] >= 0:
            for child in (tree.children_left[inner], tree.children_right[inner]):
                depths[int(child)] = depths[inner] + 1
    return max(depths.values())
