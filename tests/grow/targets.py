"""Targets of every criterion, and trees on them."""

from __future__ import annotations

import numpy as np

from nonet._native.grow import grow_tree


def make_target(criterion, n_rows, rng, X=None):
    """Classes, numbers, or columns of gradient and hessian."""
    signal = rng.normal(size=n_rows) if X is None else np.nan_to_num(X[:, 0]) + 0.5 * (X[:, 1] > 0)
    noisy = signal + rng.normal(size=n_rows)
    if criterion in ("gini", "entropy"):
        return np.digitize(noisy, [-0.5, 0.8])
    if criterion == "squared_error":
        return noisy
    return np.column_stack([noisy, rng.uniform(0.1, 1, size=n_rows)])


def grow(dataset, target, params=None, *, criterion, **arrays):
    if criterion == "newton":
        arrays["hessians"] = target[:, 1]
        target = target[:, 0]
    elif criterion in ("gini", "entropy"):
        arrays["n_classes"] = 3
    return grow_tree(dataset, target, params, criterion=criterion, **arrays)
