"""Interaction constraints: which columns meet on the way to a leaf."""

from __future__ import annotations

import numpy as np
import pytest

from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, grow_tree


def columns_on_paths(arrays):
    """Set of columns above each leaf."""
    used = {0: frozenset()}
    paths = set()
    for node, left in enumerate(arrays["left"]):
        if left < 0:
            paths.add(used[node])
            continue
        below = used[node] | {int(arrays["column"][node])}
        used[left] = used[arrays["right"][node]] = below
    return paths


def make_tree(max_bins=255, **params):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 6))
    y = X[:, 0] * X[:, 1] + X[:, 2] * X[:, 3] + X[:, 4] + X[:, 0] * X[:, 4]
    dataset = BinnedDataset(X, max_bins=max_bins)
    return grow_tree(dataset, y, GrowParams(**params), criterion="squared_error").arrays()


@pytest.mark.parametrize("max_bins", [255, 65_535])
@pytest.mark.parametrize("more", [{}, {"max_leaf_nodes": 60}, {"columns_per_split": 2, "seed": 2}])
def test_columns_on_a_path_share_a_group(max_bins, more):
    groups = [{0, 1}, {1, 2, 3}, {4, 5}]  # the last one is what the first two leave
    arrays = make_tree(max_bins, interactions=[[0, 1], [1, 2, 3]], **more)
    paths = columns_on_paths(arrays)
    assert all(any(path <= group for group in groups) for path in paths)
    assert {frozenset({0, 1}), frozenset({4, 5})} & paths
    free = columns_on_paths(make_tree(max_bins, **more))
    assert not all(any(path <= group for group in groups) for path in free)


def test_one_group_of_all_columns_changes_nothing():
    free, same = make_tree(), make_tree(interactions=[range(6)])
    for fact, values in free.items():
        np.testing.assert_array_equal(values, same[fact])


def test_interactions_reject_unknown_columns():
    with pytest.raises(ValueError, match="must name columns of the dataset"):
        make_tree(interactions=[[0, 6]])
