"""Native trees as nodes of ONNX's TreeEnsembleRegressor.

Thresholds are doubles and so are the rows, so that every row reaches the leaf that it reaches
here, on a threshold or beside it. The operator computes in double precision but returns single
precision. Leaf values are therefore split in two parts that are summed separately: the first, a
multiple of a power of two that single precision can hold the sum of, and the rest.

The newer operator TreeEnsemble returns doubles, but has one number per leaf, and no nodes with a
common child, which splits of categories need.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.tree import Tree
from nonet.persist.onnx.category_splits import CategorySplit, bisect_codes
from nonet.persist.onnx.graph import Graph

_FIRST_BITS = 22  # of the first part of a sum: two fewer than single precision has
_MAX_LEAVES = 1 << 24  # whose numbers single precision can hold


def sum_of_groups(
    graph: Graph, X: str, groups: Sequence[Sequence[Tree]], n_codes: Mapping[int, int]
) -> str:
    """Add the sums of groups of trees with one output each, side by side.

    Parameters
    ----------
    graph : Graph
    X : str
        Doubles; categories as codes, -1 for those that are missing or unknown.
    groups : sequence of sequences of Tree
    n_codes : mapping of int to int
        For each column of categories, the number of its codes.

    Returns
    -------
    sums : str
        Doubles of shape (n, n_groups).
    """
    trees = [tree for group in groups for tree in group]
    values = [
        _in_column(leaf_values(tree), target, len(groups))
        for target, group in enumerate(groups)
        for tree in group
    ]
    return sum_of_values(graph, X, trees, values, n_codes)


def _in_column(values: Floats, column: int, n_columns: int) -> Floats:
    """Return values of one output as one of several columns; the others do not count."""
    if n_columns == 1:
        return values
    placed = np.full((len(values), n_columns), np.nan)
    placed[:, column] = values[:, 0]
    return placed


def sum_of_trees(graph: Graph, X: str, trees: Sequence[Tree], n_codes: Mapping[int, int]) -> str:
    """Add the sum of trees with any number of outputs: doubles of shape (n, n_outputs)."""
    return sum_of_values(graph, X, trees, [leaf_values(tree) for tree in trees], n_codes)


def sum_of_values(
    graph: Graph,
    X: str,
    trees: Sequence[Tree],
    values: Sequence[Floats],
    n_codes: Mapping[int, int],
) -> str:
    """Add the sum of trees whose nodes have the given values.

    Parameters
    ----------
    graph, X, trees, n_codes
        As in ``sum_of_groups``.
    values : sequence of ndarray of shape (n_nodes, n_outputs)
        NaN for outputs that a tree does not add to.

    Returns
    -------
    sums : str
        Doubles of shape (n, n_outputs).
    """
    n_outputs = values[0].shape[1]
    sizes = sum(np.nan_to_num(np.abs(of_tree)).max(axis=0) for of_tree in values)
    grid = np.exp2(np.ceil(np.log2(np.where(sizes > 0, sizes, 1.0))) - _FIRST_BITS)
    firsts = [np.round(of_tree / grid) * grid for of_tree in values]
    parts = [np.hstack([a, of_tree - a]) for a, of_tree in zip(firsts, values, strict=True)]
    both = graph.cast(_regress(graph, X, trees, parts, n_codes), "double")
    first = graph.columns(both, np.arange(n_outputs))
    rest = graph.columns(both, np.arange(n_outputs, 2 * n_outputs))
    return graph.add("Add", first, rest)


def values_of_trees(
    graph: Graph,
    X: str,
    trees: Sequence[Tree],
    values: Sequence[Floats],
    n_codes: Mapping[int, int],
) -> str:
    """Add the value of the leaf in each tree: doubles of shape (n, n_trees, n_outputs)."""
    leaves = leaf_numbers(graph, X, trees, n_codes)
    starts = np.cumsum([0, *(len(of_tree) for of_tree in values)])[:-1]
    positions = graph.add("Add", leaves, graph.constant(starts.astype(np.int64)))
    return graph.add("Gather", graph.constant(np.concatenate(values)), positions, axis=0)


def leaf_numbers(graph: Graph, X: str, trees: Sequence[Tree], n_codes: Mapping[int, int]) -> str:
    """Add the number of the leaf that a row reaches in each tree: int64 of shape (n, n_trees).

    Leaves are numbered as the nodes of their tree.
    """
    if max(tree.n_nodes for tree in trees) >= _MAX_LEAVES:
        raise graph.refusal("has a tree of too many nodes", "limit their depth")
    numbers = [
        _in_column(np.arange(float(tree.n_nodes))[:, np.newaxis], position, len(trees))
        for position, tree in enumerate(trees)
    ]
    return graph.cast(_regress(graph, X, trees, numbers, n_codes), "int64")


def leaf_values(tree: Tree) -> Floats:
    """Return the values of all nodes, shape (n_nodes, n_outputs)."""
    values: Floats = tree.arrays()["values"].reshape(tree.n_nodes, -1)
    return values


# ---- The operator --------------------------------------------------------------------------------


def _regress(
    graph: Graph,
    X: str,
    trees: Sequence[Tree],
    values: Sequence[Floats],
    n_codes: Mapping[int, int],
) -> str:
    """Add the operator: the sums of the values, single precision of shape (n, n_outputs)."""
    from onnx import numpy_helper

    nodes = [_node_arrays(tree, n_codes) for tree in trees]
    leaves = [_leaf_arrays(tree, of_tree) for tree, of_tree in zip(trees, values, strict=True)]
    joined = {name: np.concatenate([arrays[name] for arrays in nodes]) for name in nodes[0]}
    weights = {name: np.concatenate([arrays[name] for arrays in leaves]) for name in leaves[0]}
    return graph.add(
        "TreeEnsembleRegressor",
        X,
        domain="ai.onnx.ml",
        n_targets=values[0].shape[1],
        nodes_treeids=_tree_numbers(nodes, "left").tolist(),
        nodes_nodeids=joined["number"].tolist(),
        nodes_featureids=joined["column"].tolist(),
        nodes_modes=np.where(joined["left"] < 0, "LEAF", "BRANCH_LEQ").tolist(),
        nodes_values_as_tensor=numpy_helper.from_array(joined["threshold"]),
        nodes_truenodeids=np.maximum(joined["left"], 0).tolist(),
        nodes_falsenodeids=np.maximum(joined["right"], 0).tolist(),
        nodes_missing_value_tracks_true=joined["missing_left"].tolist(),
        target_treeids=_tree_numbers(leaves, "node").tolist(),
        target_nodeids=weights["node"].tolist(),
        target_ids=weights["target"].tolist(),
        target_weights_as_tensor=numpy_helper.from_array(weights["value"]),
    )


def _tree_numbers(of_trees: Sequence[Mapping[str, Array]], name: str) -> Array:
    return np.repeat(np.arange(len(of_trees)), [len(arrays[name]) for arrays in of_trees])


def _leaf_arrays(tree: Tree, values: Floats) -> dict[str, Array]:
    """Return a number per leaf and target that is no NaN."""
    is_leaf = tree.arrays()["left"] < 0
    counts = is_leaf[:, np.newaxis] & ~np.isnan(values)
    node, target = np.nonzero(counts)
    return {"node": node, "target": target, "value": values[counts].astype(np.float64)}


def _node_arrays(tree: Tree, n_codes: Mapping[int, int]) -> dict[str, Array]:
    """Return the nodes of a tree, those that splits of categories need at the end."""
    arrays = tree.arrays()
    names = ("left", "right", "column", "threshold", "missing_left")
    nodes: dict[str, Array] = {name: arrays[name].copy() for name in names}
    nodes["number"] = np.arange(tree.n_nodes)
    nodes["column"][nodes["left"] < 0] = 0
    nodes["threshold"][nodes["left"] < 0] = 0.0
    free = count(tree.n_nodes)
    for node in np.flatnonzero(arrays["category_set"] >= 0).tolist():
        column = int(arrays["column"][node])
        goes_left = np.zeros(n_codes[column], dtype=bool)
        known = tree.category_set(int(arrays["category_set"][node]))[: len(goes_left)]
        goes_left[: len(known)] = known
        children = (int(arrays["left"][node]), int(arrays["right"][node]))
        missing_left = bool(arrays["missing_left"][node])
        _insert(nodes, bisect_codes(goes_left, missing_left, node, children, free), column)
    return nodes


def _insert(nodes: dict[str, Array], split: CategorySplit, column: int) -> None:
    """Replace a node by the comparisons of a split of categories."""
    first, *others = split.comparisons
    position = first.number
    nodes["threshold"][position], nodes["missing_left"][position] = first.threshold, 0
    nodes["left"][position], nodes["right"][position] = first.true, first.false
    ends = split.dead_ends
    rest = [0] * len(ends)
    added = {
        "left": [one.true for one in others] + [-1] * len(ends),
        "right": [one.false for one in others] + [-1] * len(ends),
        "column": [column] * len(others) + rest,
        "threshold": [one.threshold for one in others] + rest,
        "missing_left": [0] * (len(others) + len(ends)),
        "number": [one.number for one in others] + ends,
    }
    for name, more in added.items():
        nodes[name] = np.append(nodes[name], np.asarray(more, dtype=nodes[name].dtype))
