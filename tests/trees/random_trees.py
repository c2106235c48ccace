"""Trees made of random numbers, and ten lines that read them the slow way."""

from __future__ import annotations

import numpy as np

from nonet._native.tree import tree_from_arrays


def random_arrays(seed, *, n_columns=3, n_outputs=1, n_splits=6, categories=False):
    """Arrays of a tree of random splits; odd columns hold categories."""
    rng = np.random.default_rng(seed)
    n_nodes = 2 * n_splits + 1
    arrays = {
        "left": np.full(n_nodes, -1),
        "right": np.full(n_nodes, -1),
        "column": np.full(n_nodes, -2),
        "threshold": np.full(n_nodes, -2.0),
        "values": rng.normal(size=(n_nodes, n_outputs)),
        "missing_left": np.zeros(n_nodes, dtype=bool),
        "category_set": np.full(n_nodes, -1),
        "impurity": rng.uniform(size=n_nodes),
        "weight": np.ones(n_nodes),
        "n_rows": np.ones(n_nodes, dtype=int),
    }
    sets = [list(rng.integers(2, size=5).astype(bool)) for _ in range(n_splits)]
    leaves = [0]
    for split in range(n_splits):
        node = leaves.pop(rng.integers(len(leaves)))
        left, right = 2 * split + 1, 2 * split + 2
        leaves += [left, right]
        arrays["left"][node], arrays["right"][node] = left, right
        arrays["column"][node] = rng.integers(n_columns)
        arrays["threshold"][node] = np.round(rng.normal(), 1)
        arrays["missing_left"][node] = rng.integers(2)
        if categories and arrays["column"][node] % 2:
            arrays["category_set"][node] = split
    for node in range(n_nodes - 1, -1, -1):
        if arrays["left"][node] < 0:
            arrays["n_rows"][node] = rng.integers(1, 9)
        else:
            children = arrays["left"][node], arrays["right"][node]
            arrays["n_rows"][node] = sum(arrays["n_rows"][child] for child in children)
    arrays["weight"] = arrays["n_rows"] * 1.5
    return {"n_columns": n_columns, **arrays, "category_sets": sets if categories else []}


def random_tree(seed, **options):
    return tree_from_arrays(**random_arrays(seed, **options))


def random_rows(seed, n_rows, n_columns=3, *, missing=0.1):
    """Rows that often hit a threshold exactly, with codes of categories and gaps among them."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n_rows, n_columns)) * 2, 1)
    coded = rng.uniform(size=X.shape) < 0.4
    X[coded] = rng.integers(-1, 8, size=coded.sum())
    X[rng.uniform(size=X.shape) < missing] = np.nan
    return X


def goes_left(arrays, node, x):
    if arrays["category_set"][node] >= 0:
        codes = arrays["category_sets"][arrays["category_set"][node]]
        known = not np.isnan(x) and 0 <= x < len(codes)
        return codes[int(x)] if known else arrays["missing_left"][node]
    return arrays["missing_left"][node] if np.isnan(x) else x <= arrays["threshold"][node]


def naive_path(arrays, row):
    path = [0]
    while arrays["left"][path[-1]] >= 0:
        node = path[-1]
        side = "left" if goes_left(arrays, node, row[arrays["column"][node]]) else "right"
        path.append(arrays[side][node])
    return path
