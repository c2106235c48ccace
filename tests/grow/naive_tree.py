"""Slow check of a tree: every node is checked against all splits of its rows."""

from __future__ import annotations

import numpy as np


def class_score(y, w, n_classes, criterion):
    probabilities = np.bincount(y, w, n_classes)
    total = probabilities.sum()
    if criterion == "gini":
        return (probabilities**2).sum() / total
    known = probabilities[probabilities > 0]
    return (known * np.log2(known)).sum() - total * np.log2(total)


def score(target, w, criterion, n_classes, l2=0.0):
    if criterion in ("gini", "entropy"):
        return class_score(target, w, n_classes, criterion)
    if criterion == "squared_error":
        return (w * target).sum() ** 2 / w.sum()
    gradient, hessian = (w[:, np.newaxis] * target).sum(axis=0)
    return 0.5 * gradient**2 / (hessian + l2)


def ways_to_part(x):
    """All distinct parts that go left: x <= threshold with missing ones right, then left."""
    known = np.unique(x[~np.isnan(x)])
    missing = np.isnan(x)
    for threshold in known if missing.any() else known[:-1]:
        yield x <= threshold
        if missing.any() and threshold < known[-1]:
            yield (x <= threshold) | missing


def best_gain(X, target, w, criterion, n_classes, min_rows_leaf=1, min_weight_leaf=0.0, l2=0.0):
    parent = score(target, w, criterion, n_classes, l2)
    best = -np.inf
    for x in X.T:
        for left in ways_to_part(x):
            if min(left.sum(), (~left).sum()) < min_rows_leaf:
                continue
            if min(w[left].sum(), w[~left].sum()) < min_weight_leaf:
                continue
            gain = sum(
                score(target[side], w[side], criterion, n_classes, l2) for side in (left, ~left)
            )
            best = max(best, gain - parent)
    return best


def rows_of_nodes(arrays, X):
    """Send the rows down a tree in preorder arrays; give the rows of each node."""
    members = {0: np.arange(len(X))}
    for node in range(len(arrays["left"])):
        rows = members[node]
        if arrays["left"][node] < 0:
            continue
        x = X[rows, arrays["column"][node]]
        left = x <= arrays["threshold"][node]
        left |= np.isnan(x) & bool(arrays["missing_left"][node])
        members[arrays["left"][node]] = rows[left]
        members[arrays["right"][node]] = rows[~left]
    return [members[node] for node in range(len(arrays["left"]))]


def gain_of(arrays, node, rows, target, w, criterion, n_classes, l2=0.0):
    """Gain of a split from the rows of its node and of its children."""
    sides = (rows[arrays["left"][node]], rows[arrays["right"][node]])
    whole = score(target[rows[node]], w[rows[node]], criterion, n_classes, l2)
    return sum(score(target[side], w[side], criterion, n_classes, l2) for side in sides) - whole
