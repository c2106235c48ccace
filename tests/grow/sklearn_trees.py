"""Comparison of our trees with scikit-learn's, node by node."""

from __future__ import annotations

import numpy as np


def sklearn_preorder(tree):
    """Best-first trees of scikit-learn number their nodes as they come."""
    order, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        order.append(node)
        if tree.children_left[node] >= 0:
            waiting += [tree.children_right[node], tree.children_left[node]]
    return np.array(order)


def assert_like_sklearn(arrays, peer, n_outputs):
    order = sklearn_preorder(peer)
    inner = peer.children_left[order] >= 0
    assert len(arrays["left"]) == peer.node_count
    np.testing.assert_array_equal(arrays["left"] >= 0, inner)
    np.testing.assert_array_equal(arrays["column"][inner], peer.feature[order][inner])
    np.testing.assert_allclose(arrays["threshold"][inner], peer.threshold[order][inner])
    np.testing.assert_array_equal(arrays["n_rows"], peer.n_node_samples[order])
    np.testing.assert_allclose(arrays["weight"], peer.weighted_n_node_samples[order])
    np.testing.assert_allclose(arrays["impurity"], peer.impurity[order], rtol=1e-6)
    values = arrays["values"].reshape(-1, n_outputs)
    np.testing.assert_allclose(values, peer.value[order].reshape(-1, n_outputs), atol=1e-9)
