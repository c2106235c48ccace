"""Functions of one number in pieces, with trees that find the piece by bisection."""

from __future__ import annotations

import numpy as np

from nonet._base.aliases import Floats
from nonet._native.tree import Tree, tree_from_arrays
from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.trees import sum_of_trees


def rank_in(graph: Graph, x: str, known: Floats) -> str:
    """Return the fraction of sorted numbers below each x, equal ones counted half: (n, 1).

    Parameters
    ----------
    graph : Graph
    x : str
        Doubles of shape (n, 1).
    known : ndarray
        Sorted.
    """
    points = np.unique(known)
    # Between two points the rank is constant, and at a point it has a value of its own.
    ends = np.column_stack([np.nextafter(points, -np.inf), points]).ravel()
    below = np.searchsorted(known, points, side="left")
    up_to = np.searchsorted(known, points, side="right")
    steps = np.append(np.column_stack([below, (below + up_to) / 2]).ravel(), len(known))
    return sum_of_trees(graph, x, [_bisecting_tree(ends, steps / len(known))], {})


def piece_of(graph: Graph, x: str, ends: Floats) -> str:
    """Return the number of the piece (ends[i - 1], ends[i]] that each x is in: int64, (n, 1)."""
    tree = _bisecting_tree(ends, np.arange(len(ends) + 1.0))
    return graph.cast(sum_of_trees(graph, x, [tree], {}), "int64")


def at_pieces(graph: Graph, values: Floats, pieces: str) -> str:
    """Return the value of each piece: doubles of shape (n, 1, ...)."""
    return graph.add("Gather", graph.constant(values), pieces, axis=0)


def _bisecting_tree(ends: Floats, steps: Floats) -> Tree:
    """Return the tree whose value is steps[i] for x in (ends[i - 1], ends[i]]."""
    left: list[int] = []
    right: list[int] = []
    threshold: list[float] = []
    value: list[list[float]] = []
    waiting = [(0, len(ends), -1, False)]  # steps first, ..., last; the parent, on its right
    while waiting:
        first, last, parent, is_right = waiting.pop()
        node = len(left)
        if parent >= 0:
            (right if is_right else left)[parent] = node
        middle = (first + last) // 2
        is_leaf = first == last
        left.append(-1)
        right.append(-1)
        threshold.append(0.0 if is_leaf else ends[middle])
        value.append([steps[first] if is_leaf else 0.0])
        if not is_leaf:
            waiting += [(middle + 1, last, node, True), (first, middle, node, False)]
    return tree_from_arrays(1, left, right, np.zeros(len(left)), threshold, value)
