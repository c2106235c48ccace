"""scikit-learn's fitted trees, carried over node by node."""

from __future__ import annotations

from nonet._native.tree import tree_from_arrays


def from_sklearn(estimator):
    theirs = estimator.tree_
    return tree_from_arrays(
        theirs.n_features,
        theirs.children_left,
        theirs.children_right,
        theirs.feature,
        theirs.threshold,
        theirs.value.reshape(theirs.node_count, -1),
        missing_left=theirs.missing_go_to_left,
        impurity=theirs.impurity,
        weight=theirs.weighted_n_node_samples,
        n_rows=theirs.n_node_samples,
    )
