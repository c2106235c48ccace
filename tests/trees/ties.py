"""Two trees on the same rows are the same up to ties if they part only where gains are equal."""

from __future__ import annotations

import math

import numpy as np


def _gains(tree):
    cost = tree.impurity * tree.weighted_n_node_samples
    inner = tree.children_left >= 0
    gains = cost.copy()
    gains[inner] -= cost[tree.children_left[inner]] + cost[tree.children_right[inner]]
    return gains, cost[0]


def _question(tree, node):
    return tree.feature[node], tree.threshold[node], bool(tree.missing_go_to_left[node])


def parting_gains(ours, theirs, *, threshold_tolerance=1e-12):
    """Yield both gains, as fractions of the root's cost, of the first differing nodes on each path.

    A node that is a leaf in one tree has the gain 0 there.
    """
    (our_gains, cost), (their_gains, _) = _gains(ours), _gains(theirs)
    waiting = [(0, 0)]
    while waiting:
        a, b = waiting.pop()
        leaves = ours.children_left[a] < 0, theirs.children_left[b] < 0
        if all(leaves):
            continue
        column, threshold, side = _question(ours, a)
        their_column, their_threshold, their_side = _question(theirs, b)
        close = math.isclose(threshold, their_threshold, rel_tol=threshold_tolerance)
        if not any(leaves) and column == their_column and close and side == their_side:
            waiting.append((ours.children_left[a], theirs.children_left[b]))
            waiting.append((ours.children_right[a], theirs.children_right[b]))
            continue
        gains = (0.0 if leaves[0] else our_gains[a], 0.0 if leaves[1] else their_gains[b])
        yield tuple(gain / cost for gain in gains)


def same_up_to_ties(ours, theirs, tolerance=1e-9):
    return all(abs(a - b) <= tolerance for a, b in parting_gains(ours, theirs))


def assert_equal_arrays(ours, theirs):
    for exact in ("children_left", "children_right", "feature", "n_node_samples"):
        np.testing.assert_array_equal(getattr(ours, exact), getattr(theirs, exact))
    for close in ("threshold", "impurity", "weighted_n_node_samples", "value"):
        np.testing.assert_allclose(
            getattr(ours, close), getattr(theirs, close), rtol=1e-9, atol=1e-12
        )
