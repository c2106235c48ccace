"""Thresholds that are drawn: where they lie, and that trees share them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, grow_tree
from nonet._native.tree import find_leaves


def test_uniform_thresholds_against_theory():
    X = np.array([0.0, 1, 2, 10])[:, np.newaxis]
    dataset = BinnedDataset(X)
    thresholds = np.array(
        [
            grow_tree(
                dataset,
                [0, 1, 0, 1],
                GrowParams(threshold_draw="uniform", max_depth=1, tree=tree),
                criterion="gini",
            ).arrays()["threshold"][0]
            for tree in range(2000)
        ]
    )
    assert (thresholds >= 0).all()
    assert (thresholds < 10).all()
    # A fraction of 0.1 in each of (0, 1) and (1, 2), give or take 5 standard errors.
    for low in (0, 1):
        fraction = ((thresholds >= low) & (thresholds < low + 1)).mean()
        assert abs(fraction - 0.1) < 5 * np.sqrt(0.1 * 0.9 / 2000)


@pytest.mark.parametrize("spread", [1.0, 1e9])
def test_drawn_thresholds_are_shared_by_trees(spread):
    """Forests predict by ranks of 16 bits, however far out the last value is."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 8))
    X[0] = 10 * spread
    dataset = BinnedDataset(X)
    labels = rng.integers(0, 2, size=2000)
    thresholds = []
    for tree in range(200):
        params = GrowParams(threshold_draw="uniform", columns_per_split=2, tree=tree)
        arrays = grow_tree(dataset, labels, params, criterion="gini").arrays()
        thresholds.append(arrays["threshold"][arrays["column"] == 0])
    n_drawn, n_distinct = sum(map(len, thresholds)), len(np.unique(np.concatenate(thresholds)))
    assert n_distinct < 2**14 < n_drawn
    assert n_distinct > 8 * 255  # much finer than the bins


def test_thresholds_on_the_grid_are_still_uniform():
    dataset = BinnedDataset(np.array([[0.0], [1.0]]))
    thresholds = [
        grow_tree(
            dataset, [0, 1], GrowParams(threshold_draw="uniform", tree=tree), criterion="gini"
        ).arrays()["threshold"][0]
        for tree in range(4000)
    ]
    assert stats.kstest(thresholds, "uniform").pvalue > 1e-3


def test_distinct_thresholds_against_theory():
    X = np.array([0.0, 1, 2, 10])[:, np.newaxis]
    dataset = BinnedDataset(X)
    thresholds = [
        grow_tree(
            dataset,
            [0, 1, 0, 1],
            GrowParams(threshold_draw="distinct", max_depth=1, tree=tree),
            criterion="gini",
        ).arrays()["threshold"][0]
        for tree in range(1500)
    ]
    values, counts = np.unique(thresholds, return_counts=True)
    np.testing.assert_array_equal(values, [0.5, 1.5, 6.0])
    assert np.abs(counts - 500).max() < 5 * np.sqrt(1500 * 2 / 9)


@pytest.mark.parametrize("value", [-3.0, 0.0, 1e300])
def test_drawn_threshold_between_missing_and_one_value_is_that_value(value):
    """Issue 19, part 3: it was infinite; scikit-learn draws it from [value, value]."""
    X = np.array([np.nan, value, np.nan])[:, np.newaxis]
    params = GrowParams(threshold_draw="uniform")
    tree = grow_tree(BinnedDataset(X), [0, 1, 0], params, criterion="gini")
    assert tree.arrays()["threshold"][0] == value
    leaves = tree.arrays()["left"][0], tree.arrays()["right"][0]
    assert [find_leaves([tree], X)[row, 0] for row in (0, 1)] == [leaves[1], leaves[0]]


def test_searched_threshold_between_missing_and_known_values_is_infinite():
    X = np.array([np.nan, 1.0, np.nan])[:, np.newaxis]
    tree = grow_tree(BinnedDataset(X), [0, 1, 0], criterion="gini")
    assert tree.arrays()["threshold"][0] == np.inf
