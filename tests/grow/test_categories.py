"""Splits of categories as sets, against a search of all sets."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grow.naive_tree import score
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, grow_tree


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


def sides_of(left, codes):
    """Return the categories of both sides."""
    return [np.unique(codes[side]).tolist() for side in (left, ~left)]


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
def test_categories_that_come_later_follow_the_larger_child(classes):
    codes = np.array([0.0, 1.0, 2.0, 5.0])  # 3 and 4 are unknown
    dataset = BinnedDataset(codes[:, np.newaxis], categories=[0])
    tree = grow_tree(dataset, classes, GrowParams(max_depth=1), criterion="gini")
    arrays = tree.arrays()
    left = np.array(tree.category_set(arrays["category_set"][0]))
    assert arrays["n_rows"][arrays["left"][0]] == 1
    assert not left[[3, 4]].any()
    assert not arrays["missing_left"][0]


def test_missing_rows_that_come_later_go_where_most_rows_are_not_most_hessian():
    # Issue 17, item 1: the larger child was the one of more hessian.
    codes = np.repeat([0.0, 1.0], [60, 40])
    hessians = np.repeat([0.1, 1.0], [60, 40])
    dataset = BinnedDataset(codes[:, np.newaxis], categories=[0])
    tree = grow_tree(dataset, 1 - 2 * codes, criterion="newton", hessians=hessians)
    arrays = tree.arrays()
    left_is_larger = arrays["n_rows"][arrays["left"][0]] == 60
    assert bool(arrays["missing_left"][0]) == left_is_larger


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


# ---- Few rows per category (issue 17, item 1) ---------------------------------------------------


def naive_best_set(codes, gradients, hessians, params):
    """Return the best gain over sets from both ends of the order, by scikit-learn's rule."""
    n, total = len(codes), (gradients.sum(), hessians.sum())
    levels = np.where(np.isnan(codes), -1, codes)

    def sums(rows):
        return gradients[rows].sum(), hessians[rows].sum(), rows.sum()

    cells = {level: sums(levels == level) for level in np.unique(levels)}
    order = sorted(
        (g / (h + params.category_smoothing), level)
        for level, (g, h, _) in cells.items()
        if h * n / total[1] >= params.min_category_support
    )
    ordered = [level for _, level in order]
    middle = (len(ordered) + 1) // 2
    best = -np.inf
    for front, limit in ((ordered, middle), (ordered[::-1], middle - 1)):
        before = 0
        for size in range(1, min(limit, params.max_categories_left or limit) + 1):
            g, h, rows = np.sum([cells[level] for level in front[:size]], axis=0)
            if n - rows < params.min_rows_group:
                break
            if rows < params.min_rows_leaf or rows - before < params.min_rows_group:
                continue
            before = rows
            if n - rows >= params.min_rows_leaf:
                l2 = params.l2 + params.category_l2
                right_g, right_h = total[0] - g, total[1] - h
                best = max(best, g**2 / (h + l2) + right_g**2 / (right_h + l2))
    return best / 2 - total[0] ** 2 / (total[1] + params.l2) / 2


@pytest.mark.parametrize(
    "limits",
    [
        {"min_category_support": 10.0},
        {"min_category_support": 5.0, "category_smoothing": 10.0},
        {"category_l2": 10.0, "l2": 1.0},
        {"min_rows_group": 25, "category_smoothing": 3.0},
        {"max_categories_left": 2, "min_rows_leaf": 20},
    ],
)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_sets_of_supported_categories_against_naive(limits, seed):
    rng = np.random.default_rng(seed)
    codes = rng.choice(12, size=150, p=rng.dirichlet(np.ones(12)))
    codes = np.where(rng.random(150) < 0.1, np.nan, codes)
    gradients, hessians = rng.normal(size=150), rng.uniform(0.5, 1, size=150)
    params = GrowParams(max_depth=1, **limits)
    dataset = BinnedDataset(codes[:, np.newaxis], categories=[0])
    tree = grow_tree(dataset, gradients, params, criterion="newton", hessians=hessians)
    best = naive_best_set(codes, gradients, hessians, params)
    assert (tree.n_leaves == 2) == (best > 0)
    if best <= 0:
        return
    l2 = params.l2 + params.category_l2
    left = root_part(tree, codes)
    sides = [(gradients[side].sum(), hessians[side].sum()) for side in (left, ~left)]
    parent = gradients.sum() ** 2 / (hessians.sum() + params.l2)
    gain = (sum(g**2 / (h + l2) for g, h in sides) - parent) / 2
    assert gain == pytest.approx(best)
    # The values of both leaves have the penalty that the split was chosen with.
    arrays = tree.arrays()
    values = arrays["values"][[arrays["left"][0], arrays["right"][0]]].ravel()
    np.testing.assert_allclose(values, [-g / (h + l2) for g, h in sides])


def test_categories_without_support_go_with_the_rest():
    # Category 2 is extreme, but has 9 rows; 0 and 1 can be told apart.
    codes = np.repeat([0.0, 1.0, 2.0], [40, 60, 9])
    target = np.repeat([0.0, 1.0, 50.0], [40, 60, 9])
    dataset = BinnedDataset(codes[:, np.newaxis], categories=[0])
    for support, alone in ((9.0, 2.0), (10.0, 0.0)):
        params = GrowParams(max_depth=1, min_category_support=support)
        left = root_part(grow_tree(dataset, target, params, criterion="squared_error"), codes)
        assert [alone] in sides_of(left, codes)


def test_order_of_codes_is_tried_where_categories_lack_support():
    codes = np.repeat(np.arange(6.0), 5)
    target = (codes >= 2).astype(int)
    dataset = BinnedDataset(codes[:, np.newaxis], categories=[0])
    for columns, n_leaves in (([], 1), ([0], 2)):
        params = GrowParams(min_category_support=10, code_order_columns=columns)
        assert grow_tree(dataset, target, params, criterion="gini").n_leaves == n_leaves


def test_columns_tried_in_the_order_of_codes_may_need_another_support():
    # Category 1 is extreme and has 15 rows; in the order of codes it is never alone.
    codes = np.repeat([0.0, 1.0, 2.0], [40, 15, 60])
    target = np.repeat([0.0, 50.0, 1.0], [40, 15, 60])
    dataset = BinnedDataset(codes[:, np.newaxis], categories=[0])
    for columns, support, is_alone in (([0], None, True), ([0], 30.0, False), ([], 30.0, True)):
        params = GrowParams(
            max_depth=1,
            min_category_support=10,
            code_order_columns=columns,
            code_order_support=support,
        )
        left = root_part(grow_tree(dataset, target, params, criterion="squared_error"), codes)
        assert ([1.0] in sides_of(left, codes)) == is_alone


def test_support_is_measured_in_rows_of_mean_weight():
    codes = np.repeat([0.0, 1.0, 2.0], 10)
    target = np.repeat([0.0, 1.0, 50.0], 10)
    dataset = BinnedDataset(codes[:, np.newaxis], categories=[0])
    params = GrowParams(max_depth=1, min_category_support=10)
    for factor in (1.0, 0.37):
        tree = grow_tree(
            dataset, target, params, criterion="squared_error", weights=np.full(30, factor)
        )
        assert [2.0] in sides_of(root_part(tree, codes), codes)


def test_a_column_of_few_categories_splits_off_one_without_support():
    codes = np.repeat([0.0, 1.0, 2.0], [40, 60, 2])
    target = np.repeat([0.0, 1.0, 50.0], [40, 60, 2])
    dataset = BinnedDataset(codes[:, np.newaxis], categories=[0])
    params = GrowParams(max_depth=1, min_category_support=10, max_one_vs_rest=3)
    left = root_part(grow_tree(dataset, target, params, criterion="squared_error"), codes)
    np.testing.assert_array_equal(np.unique(codes[left]), [2.0])


def test_many_categories_have_wide_bins_whatever_max_bins_is():
    codes = np.repeat(np.arange(1000.0), 3)
    dataset = BinnedDataset(codes[:, np.newaxis], max_bins=10, categories=[0])
    assert (dataset.n_bins(0), dataset.bytes_per_bin) == (1000, 2)
    tree = grow_tree(dataset, codes % 2, criterion="squared_error")
    assert tree.n_leaves == 2
