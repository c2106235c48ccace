"""Splits of categories as sets, against a search of all sets."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grow.naive_tree import score
from nonet._native_data import BinnedDataset
from nonet._native_grow import GrowParams, grow_tree


def all_sets(codes):
    """Parts that go left: all sets of present categories, with and without the missing rows."""
    present = np.unique(codes[~np.isnan(codes)])
    missing = np.isnan(codes)
    for size in range(len(present) + 1):
        for chosen in itertools.combinations(present, size):
            for left in (np.isin(codes, chosen), np.isin(codes, chosen) | missing):
                if 0 < left.sum() < len(codes):
                    yield left


def single_categories(codes):
    return [codes == code for code in np.unique(codes)]


def best_gain(codes, target, criterion, n_classes, sets=all_sets):
    w = np.ones(len(codes))
    parent = score(target, w, criterion, n_classes)
    return max(
        sum(score(target[side], w[side], criterion, n_classes) for side in (left, ~left)) - parent
        for left in sets(codes)
    )


def root_part(tree, codes):
    """Rows that go left at the root."""
    arrays = tree.arrays()
    left = np.array(tree.category_set(arrays["category_set"][0]))
    known = ~np.isnan(codes)
    goes_left = np.full(len(codes), bool(arrays["missing_left"][0]))
    goes_left[known] = left[codes[known].astype(int)]
    assert arrays["n_rows"][arrays["left"][0]] == goes_left.sum()
    return goes_left


def gain_of_part(left, target, criterion, n_classes):
    w = np.ones(len(left))
    return sum(
        score(target[side], w[side], criterion, n_classes) for side in (left, ~left)
    ) - score(target, w, criterion, n_classes)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
@pytest.mark.parametrize("missing", [0.0, 0.15])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_cut_of_the_order_is_the_best_set_against_naive(criterion, missing, seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 6, size=40).astype(float)
    codes[rng.random(40) < missing] = np.nan
    target = rng.normal(size=40) if criterion == "squared_error" else rng.integers(0, 2, size=40)
    target[:2] = (0, 1)
    dataset = BinnedDataset(codes[:, np.newaxis], categories=[0])
    tree = grow_tree(dataset, target, GrowParams(max_depth=1), criterion=criterion)
    gain = gain_of_part(root_part(tree, codes), target, criterion, 2)
    assert gain == pytest.approx(best_gain(codes, target, criterion, 2), rel=1e-9, abs=1e-9)


def test_one_vs_rest_splits_off_the_best_category_against_naive():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 5, size=200).astype(float)
    target = rng.integers(0, 3, size=200)
    dataset = BinnedDataset(codes[:, np.newaxis], categories=[0])
    params = GrowParams(max_depth=1, max_one_vs_rest=5)
    left = root_part(grow_tree(dataset, target, params, criterion="gini"), codes)
    assert len(np.unique(codes[left])) == 1
    gain = gain_of_part(left, target, "gini", 3)
    assert gain == pytest.approx(best_gain(codes, target, "gini", 3, single_categories))


def test_three_classes_are_told_apart():
    codes = np.repeat(np.arange(9.0), 20)
    target = np.repeat(np.arange(9) % 3, 20)
    dataset = BinnedDataset(codes[:, np.newaxis], categories=[0])
    assert grow_tree(dataset, target, criterion="gini").n_leaves == 3


def test_newton_orders_categories_by_gradient_over_hessian():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 6, size=300).astype(float)
    gradients, hessians = rng.normal(size=300) + codes % 3, rng.uniform(0.1, 1, size=300)
    dataset = BinnedDataset(codes[:, np.newaxis], categories=[0])
    tree = grow_tree(
        dataset, gradients, GrowParams(max_depth=1), criterion="newton", hessians=hessians
    )
    left = root_part(tree, codes)
    gain = gain_of_part(left, np.column_stack([gradients, hessians]), "newton", 0)
    best = best_gain(codes, np.column_stack([gradients, hessians]), "newton", 0)
    assert gain == pytest.approx(best)


def test_smoothing_moves_rare_categories_to_the_middle():
    # One row of category 2 is extreme: means are 0, 1 and 8. Smoothed by 50 rows of the mean 0.574
    # they are 0.287, 0.787 and 0.720, and category 2 cannot be split off by itself.
    codes = np.array([0.0] * 50 + [1.0] * 50 + [2.0])
    target = np.array([0.0] * 50 + [1.0] * 50 + [8.0])
    dataset = BinnedDataset(codes[:, np.newaxis], categories=[0])
    for smoothing, alone in ((0.0, 2.0), (50.0, 0.0)):
        params = GrowParams(max_depth=1, category_smoothing=smoothing)
        left = root_part(grow_tree(dataset, target, params, criterion="squared_error"), codes)
        small = left if left.sum() < 51 else ~left
        np.testing.assert_array_equal(np.unique(codes[small]), [alone])


@pytest.mark.parametrize("classes", [[0, 1, 1, 1], [0, 0, 0, 1]])
def test_categories_that_come_later_follow_the_missing_side(classes):
    codes = np.array([0.0, 1.0, 2.0, 5.0])  # 3 and 4 are unknown
    dataset = BinnedDataset(codes[:, np.newaxis], categories=[0])
    tree = grow_tree(dataset, classes, GrowParams(max_depth=1), criterion="gini")
    arrays = tree.arrays()
    left = np.array(tree.category_set(arrays["category_set"][0]))
    side = bool(arrays["missing_left"][0])
    assert (left[[3, 4]] == side).all()
    larger_is_left = arrays["n_rows"][arrays["left"][0]] > 2
    assert side == larger_is_left


@pytest.mark.parametrize("draw", ["uniform", "distinct"])
def test_random_sets_part_the_categories(draw):
    codes = np.repeat(np.arange(4.0), 10)
    target = np.tile([0, 1], 20)
    dataset = BinnedDataset(codes[:, np.newaxis], categories=[0])
    sets = set()
    for number in range(100):
        params = GrowParams(max_depth=1, threshold_draw=draw, tree=number)
        left = root_part(grow_tree(dataset, target, params, criterion="gini"), codes)
        sets.add(tuple(np.unique(codes[left])))
    assert len(sets) == 14  # all but the empty and the full one
