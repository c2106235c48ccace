"""Grown trees against a naive search of all splits and against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from grow.naive_tree import best_gain, gain_of, rows_of_nodes
from grow.sklearn_trees import assert_like_sklearn
from grow.targets import grow, make_target
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, grow_tree
from nonet._native.runtime import limit_threads
from nonet._native.tree import find_leaves

CRITERIA = ["gini", "entropy", "squared_error", "newton"]


def assert_same_trees(tree, other):
    one, two = tree.arrays(), other.arrays()
    for name in one:
        np.testing.assert_array_equal(one[name], two[name], err_msg=name)


def few_values(n_rows, rng, missing=0.0):
    X = rng.integers(-3, 4, size=(n_rows, 3)).astype(float)
    X[rng.random(X.shape) < missing] = np.nan
    return X


def check_all_nodes(tree, X, target, w, criterion, params):
    """Every split is as good as the best there is, every leaf has a reason."""
    arrays = tree.arrays()
    rows = rows_of_nodes(arrays, X)
    limits = {
        "min_rows_leaf": params.min_rows_leaf,
        "min_weight_leaf": params.min_weight_leaf,
        "l2": params.l2,
    }
    for node, members in enumerate(rows):
        assert arrays["n_rows"][node] == len(members)
        best = best_gain(X[members], target[members], w[members], criterion, 3, **limits)
        if arrays["left"][node] >= 0:
            gain = gain_of(arrays, node, rows, target, w, criterion, 3, params.l2)
            assert gain == pytest.approx(best, rel=1e-9, abs=1e-9)
        elif criterion == "newton":
            assert best <= params.min_gain + 1e-9
        else:
            pure = len(np.unique(target[members], axis=0)) == 1
            assert pure or best == -np.inf or len(members) < params.min_rows_split


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("missing", [0.0, 0.2])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_every_split_is_the_best_against_naive(criterion, missing, seed):
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(2, 60))
    X = few_values(n_rows, rng, missing)
    target = make_target(criterion, n_rows, rng)
    params = GrowParams(
        min_rows_leaf=int(rng.integers(1, 4)),
        min_rows_split=int(rng.integers(2, 6)),
        min_weight_leaf=float(rng.choice([0.0, 1.5])),
        l2=1.0 if criterion == "newton" else 0.0,
    )
    if criterion == "newton":
        params = GrowParams(min_rows_leaf=params.min_rows_leaf, l2=1.0)
    tree = grow(BinnedDataset(X), target, params, criterion=criterion)
    check_all_nodes(tree, X, target, np.ones(n_rows), criterion, params)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_every_weighted_split_is_the_best_against_naive(criterion, seed):
    rng = np.random.default_rng(seed)
    X = few_values(40, rng, 0.1)
    target = make_target(criterion, 40, rng)
    weights = rng.uniform(0.1, 2, size=40)
    params = GrowParams(min_rows_leaf=2, min_weight_leaf=2.5)
    tree = grow(BinnedDataset(X), target, params, criterion=criterion, weights=weights)
    check_all_nodes(tree, X, target, weights, criterion, params)


@pytest.mark.parametrize("max_bins", [255, 65_535])
@pytest.mark.parametrize("limit", [{"max_depth": 6}, {"max_leaf_nodes": 25}])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_classes_against_sklearn(max_bins, limit, criterion):
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(3000, 5)), 1).astype(np.float32)
    y = make_target("gini", 3000, rng, X)
    peer = DecisionTreeClassifier(criterion=criterion, min_samples_leaf=40, **limit).fit(X, y)
    params = GrowParams(min_rows_leaf=40, **limit)
    dataset = BinnedDataset(X, max_bins=max_bins)
    tree = grow_tree(dataset, y, params, criterion=criterion)
    assert_like_sklearn(tree.arrays(), peer.tree_, n_outputs=3)


@pytest.mark.parametrize("limit", [{"max_depth": 6}, {"max_leaf_nodes": 25}])
def test_numbers_against_sklearn(limit):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 5)).astype(np.float32)
    y = make_target("squared_error", 3000, rng, X) + 1000
    weights = rng.uniform(0.5, 2, size=3000)
    peer = DecisionTreeRegressor(min_samples_leaf=15, **limit).fit(X, y, sample_weight=weights)
    params = GrowParams(min_rows_leaf=15, **limit)
    dataset = BinnedDataset(X, max_bins=65_535)
    tree = grow_tree(dataset, y, params, criterion="squared_error", weights=weights)
    assert_like_sklearn(tree.arrays(), peer.tree_, n_outputs=1)


@pytest.mark.parametrize("limit", [{"max_depth": 6}, {"max_leaf_nodes": 25}])
@pytest.mark.parametrize("max_bins", [255, 65_535])
def test_several_outputs_against_sklearn(limit, max_bins):
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(3000, 5)), 1).astype(np.float32)
    noise = rng.normal(size=(3000, 2))
    y = np.column_stack([X[:, 0] + X[:, 1] ** 2, 10 * X[:, 2]]) + noise
    weights = rng.uniform(0.5, 2, size=3000)
    peer = DecisionTreeRegressor(min_samples_leaf=15, **limit).fit(X, y, sample_weight=weights)
    params = GrowParams(min_rows_leaf=15, **limit)
    dataset = BinnedDataset(X, max_bins=max_bins)
    tree = grow_tree(dataset, y, params, criterion="squared_error", weights=weights)
    assert_like_sklearn(tree.arrays(), peer.tree_, n_outputs=2)


@pytest.mark.parametrize("limit", [{"max_depth": 5}, {"max_leaf_nodes": 20}])
def test_poisson_against_sklearn(limit):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 4)).astype(np.float32)
    y = rng.poisson(np.exp(X[:, 0] - 0.5 * X[:, 1])).astype(float)
    weights = rng.uniform(0.5, 2, size=3000)
    peer = DecisionTreeRegressor(criterion="poisson", min_samples_leaf=20, **limit)
    peer.fit(X, y, sample_weight=weights)
    params = GrowParams(min_rows_leaf=20, **limit)
    dataset = BinnedDataset(X, max_bins=65_535)
    tree = grow_tree(dataset, y, params, criterion="poisson", weights=weights)
    assert_like_sklearn(tree.arrays(), peer.tree_, n_outputs=1)


def test_poisson_leaves_have_rates_above_zero():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(500, 3))
    y = rng.poisson(0.3, size=500)
    arrays = grow_tree(BinnedDataset(X), y, criterion="poisson").arrays()
    assert len(arrays["left"]) > 50
    assert (arrays["values"] > 0).all()


@pytest.mark.parametrize(
    ("target", "sentence"), [([1, -1, 0], "fails in row 1"), ([0, 0, 0], "a target above 0")]
)
def test_poisson_rejects_targets_without_a_rate(target, sentence):
    dataset = BinnedDataset(np.arange(3.0)[:, np.newaxis])
    with pytest.raises(ValueError, match=sentence):
        grow_tree(dataset, target, criterion="poisson")


def test_two_equal_outputs_grow_the_tree_of_one():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(500, 3))
    y = make_target("squared_error", 500, rng, X)
    dataset = BinnedDataset(X, max_bins=65_535)
    one = grow_tree(dataset, y, criterion="squared_error").arrays()
    two = grow_tree(dataset, np.column_stack([y, y]), criterion="squared_error").arrays()
    for fact in ("left", "column", "threshold", "n_rows"):
        np.testing.assert_array_equal(one[fact], two[fact])


@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_full_trees_fit_distinct_rows_exactly(criterion):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(5000, 4)).astype(np.float32)
    target = make_target(criterion, 5000, rng)
    tree = grow(BinnedDataset(X, max_bins=65_535), target, criterion=criterion)
    arrays = tree.arrays()
    assert (arrays["impurity"][arrays["left"] < 0] == 0).all()
    rows = rows_of_nodes(arrays, X)
    values = arrays["values"].reshape(len(rows), -1)
    for node in np.flatnonzero(arrays["left"] < 0):
        if criterion == "gini":
            assert (values[node].argmax() == target[rows[node]]).all()
        else:
            assert (values[node, 0] == target[rows[node]]).all()


def test_a_split_without_gain_may_open_the_way():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]])
    tree = grow_tree(BinnedDataset(X), [0, 1, 1, 0], criterion="gini")
    assert tree.n_leaves == 4


def test_targets_a_hair_apart_are_told_apart():
    X = np.arange(4.0)[:, np.newaxis]
    y = np.array([1e6, 1e6 + 1e-6, -1e6, -1e6 + 1e-6])
    tree = grow_tree(BinnedDataset(X), y, criterion="squared_error")
    assert tree.n_leaves == 4


@pytest.mark.parametrize("criterion", CRITERIA)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_whole_weights_and_counts_mean_repetition(criterion, seed):
    rng = np.random.default_rng(seed)
    X = few_values(50, rng, 0.1)
    target = make_target(criterion, 50, rng)
    if criterion in ("squared_error", "newton"):
        target = np.round(target * 8) / 8
    times = rng.integers(0, 4, size=50)
    times[0] = 1
    dataset = BinnedDataset(X)
    params = GrowParams(max_depth=4, l2=float(criterion == "newton"))
    repeated = grow(
        BinnedDataset(np.repeat(X, times, axis=0)),
        np.repeat(target, times, axis=0),
        params,
        criterion=criterion,
    ).arrays()
    for name in ("counts", "weights"):
        tree = grow(dataset, target, params, criterion=criterion, **{name: times}).arrays()
        for fact in ("left", "right", "column", "weight"):
            np.testing.assert_allclose(tree[fact], repeated[fact], rtol=1e-12, err_msg=fact)
        np.testing.assert_allclose(tree["values"], repeated["values"], rtol=1e-9, atol=1e-9)
        assert tree["n_rows"][0] == (times > 0).sum()


@pytest.mark.parametrize("criterion", CRITERIA)
def test_number_of_threads_changes_nothing(criterion):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(70_000, 4))
    X[rng.random(X.shape) < 0.02] = np.nan
    target = make_target(criterion, 70_000, rng, X)
    weights = rng.uniform(0, 2, size=70_000)
    for max_bins, params in [
        (255, GrowParams(max_leaf_nodes=31, min_rows_leaf=20)),
        (65_535, GrowParams(columns_per_split=2, seed=3)),
        (255, GrowParams(columns_per_split=3, threshold_draw="uniform", max_depth=12)),
    ]:
        dataset = BinnedDataset(X, max_bins=max_bins)
        trees = []
        for n_threads in (1, 2, 3, 8):
            with limit_threads(n_threads):
                trees.append(grow(dataset, target, params, criterion=criterion, weights=weights))
        for tree in trees[1:]:
            assert_same_trees(tree, trees[0])


@pytest.mark.parametrize("max_bins", [255, 65_535])
@pytest.mark.parametrize("limit", [{}, {"max_leaf_nodes": 20}])
def test_leaves_are_those_the_rows_reach(max_bins, limit):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(5000, 3))
    X[rng.random(X.shape) < 0.1] = np.nan
    y = make_target("squared_error", 5000, rng, X)
    counts = rng.integers(0, 3, size=5000)
    leaves = np.full(5000, -1, dtype=np.int32)
    dataset = BinnedDataset(X, max_bins=max_bins)
    tree = grow_tree(
        dataset, y, GrowParams(**limit), criterion="squared_error", counts=counts, leaves=leaves
    )
    reached = find_leaves([tree], X)[:, 0]
    np.testing.assert_array_equal(leaves, np.where(counts > 0, reached, -1))


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("n_classes", [2, 7])
@pytest.mark.parametrize("limit", [{}, {"max_depth": 6}, {"min_rows_leaf": 3}])
@pytest.mark.parametrize("is_bag", [True, False])
def test_trees_written_while_they_grow_are_those_finished_later(
    criterion, n_classes, limit, is_bag
):
    """A call that requests the leaves of rows gets a tree that is finished from its rows."""
    rng = np.random.default_rng(11)
    X = rng.normal(size=(1500, 4)).round(1)
    target = rng.integers(0, n_classes, size=1500)
    facts = {"criterion": criterion, "n_classes": n_classes}
    counts = rng.integers(0, 4, size=1500) if is_bag else np.ones(1500, dtype=int)
    if is_bag:
        facts["counts"] = counts
    params = GrowParams(columns_per_split=2, threshold_draw="uniform", **limit)
    dataset = BinnedDataset(X)
    leaves = np.full(1500, -1, dtype=np.int32)
    with limit_threads(1):
        finished_later = grow_tree(dataset, target, params, leaves=leaves, **facts)
        tree = grow_tree(dataset, target, params, **facts)
    assert_same_trees(tree, finished_later)
    reached = find_leaves([tree], X)[:, 0]
    np.testing.assert_array_equal(leaves, np.where(counts > 0, reached, -1))


def test_order_of_rows_changes_no_split():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(4000, 4))
    y = make_target("gini", 4000, rng, X)
    order = rng.permutation(4000)
    params = GrowParams(columns_per_split=2, seed=9)
    tree = grow_tree(BinnedDataset(X), y, params, criterion="gini")
    shuffled = grow_tree(BinnedDataset(X[order]), y[order], params, criterion="gini")
    assert_same_trees(tree, shuffled)


def test_ties_go_to_the_lower_column_and_threshold():
    x = np.array([0.0, 1, 2, 3])
    X = np.column_stack([np.zeros(4), x, x])
    arrays = grow_tree(
        BinnedDataset(X), [0, 1, 1, 0], GrowParams(max_depth=1), criterion="gini"
    ).arrays()
    assert (arrays["column"][0], arrays["threshold"][0]) == (1, 0.5)


def test_missing_rows_go_where_they_belong():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [np.nan], [np.nan]])
    for classes, missing_left in ([[0, 0, 1, 1, 0, 0], 1], [[0, 0, 1, 1, 1, 1], 0]):
        arrays = grow_tree(BinnedDataset(X), classes, criterion="gini").arrays()
        assert (arrays["threshold"][0], arrays["missing_left"][0]) == (1.5, missing_left)


def first_best_beside_missing(x, gradients):
    """Try thresholds in order, missing rows on the right, then on the left; the first best wins."""
    missing = np.isnan(x)
    values = np.unique(x[~missing])
    best = (-np.inf, None)
    for last, value in enumerate(values):
        for missing_left in (False, True):
            left = np.where(missing, missing_left, x <= value)
            if left.all() or not left.any():
                continue
            (g, h), (right_g, right_h) = ((gradients[s].sum(), s.sum()) for s in (left, ~left))
            gain = (g * right_h - right_g * h) ** 2 / (h * right_h * (h + right_h))
            if missing_left and last == len(values) - 1:
                continue
            if gain > best[0]:
                best = (gain, (last, missing_left))
    return best


@pytest.mark.parametrize("n_values", [2, 5, 300])
@pytest.mark.parametrize("seed", range(20))
def test_ties_beside_missing_rows_against_naive(n_values, seed):
    rng = np.random.default_rng(seed)
    n_rows = 40 if n_values < 10 else 3000
    x = rng.integers(0, n_values, n_rows).astype(float)
    x[rng.random(n_rows) < 0.2] = np.nan
    gradients = rng.choice([-1.0, 1.0, 1.0, 3.0], n_rows)
    dataset = BinnedDataset(x[:, np.newaxis], max_bins=65_535 if n_values > 255 else 255)
    params = GrowParams(max_leaf_nodes=2, threshold_policy="edge")
    tree = grow_tree(dataset, gradients, params, criterion="newton", hessians=np.ones(n_rows))
    gain, (last, missing_left) = first_best_beside_missing(x, gradients)
    assert gain > 0
    values = np.unique(x[~np.isnan(x)])
    arrays = tree.arrays()
    assert bool(arrays["missing_left"][0]) == missing_left
    assert values[last] <= arrays["threshold"][0]
    assert last + 1 == len(values) or arrays["threshold"][0] < values[last + 1]


def test_missing_against_known_is_a_split():
    X = np.array([[0.0], [1.0], [2.0], [np.nan], [np.nan]])
    arrays = grow_tree(BinnedDataset(X), [0, 0, 0, 1, 1], criterion="gini").arrays()
    assert (arrays["threshold"][0], arrays["missing_left"][0]) == (np.inf, 0)
    assert len(arrays["left"]) == 3


def test_missing_rows_that_come_later_follow_the_larger_child():
    X = np.arange(5.0)[:, np.newaxis]
    for classes, missing_left in ([[0, 1, 1, 1, 1], 0], [[0, 0, 0, 0, 1], 1]):
        arrays = grow_tree(BinnedDataset(X), classes, criterion="gini").arrays()
        assert arrays["missing_left"][0] == missing_left


def test_edge_policy_puts_thresholds_on_bin_edges():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(500, 3))
    dataset = BinnedDataset(X, max_bins=16)
    y = make_target("squared_error", 500, rng, X)
    arrays = grow_tree(
        dataset, y, GrowParams(threshold_policy="edge"), criterion="squared_error"
    ).arrays()
    inner = arrays["left"] >= 0
    assert inner.sum() > 100
    for column, threshold in zip(arrays["column"][inner], arrays["threshold"][inner], strict=True):
        assert threshold in dataset.edges(column)


def test_newton_values_against_theory():
    rng = np.random.default_rng(6)
    X = few_values(300, rng)
    gradients, hessians = rng.normal(size=300), rng.uniform(0.1, 1, size=300)
    params = GrowParams(max_depth=3, l2=2.0, l1=1.5, min_gain=0.2)
    tree = grow_tree(BinnedDataset(X), gradients, params, criterion="newton", hessians=hessians)
    arrays = tree.arrays()
    assert tree.n_leaves > 2
    for value, rows in zip(arrays["values"].ravel(), rows_of_nodes(arrays, X), strict=True):
        gradient = gradients[rows].sum()
        shrunk = np.sign(gradient) * max(abs(gradient) - 1.5, 0)
        assert value == pytest.approx(-shrunk / (hessians[rows].sum() + 2.0))


def test_min_impurity_decrease_against_sklearn():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(1000, 4)).astype(np.float32)
    y = make_target("gini", 1000, rng, X)
    peer = DecisionTreeClassifier(min_impurity_decrease=0.004, min_samples_leaf=3).fit(X, y)
    params = GrowParams(min_impurity_decrease=0.004, min_rows_leaf=3)
    tree = grow_tree(BinnedDataset(X, max_bins=65_535), y, params, criterion="gini")
    assert 5 < tree.n_leaves == peer.get_n_leaves()


@pytest.mark.parametrize("draw", ["uniform", "all"])
def test_rates_of_poisson_leaves_stay_above_zero(draw):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(400, 3))
    target = rng.poisson(0.7, size=400).astype(float)
    params = GrowParams(threshold_draw=draw, columns_per_split=2)
    arrays = grow_tree(BinnedDataset(X), target, params, criterion="poisson").arrays()
    assert arrays["values"].min() > 0


@pytest.mark.parametrize(
    ("arrays", "params", "sentence"),
    [
        ({"weights": [1, 1, -1]}, {}, "not negative, which fails in row 2"),
        ({"weights": [1, np.nan, 1]}, {}, "finite and not negative, which fails in row 1"),
        ({"weights": [0, 0, 0]}, {}, "at least one row of positive weight"),
        ({"counts": [1, 1]}, {}, "one number for each row"),
        ({"n_classes": 1}, {}, "between 0 and n_classes - 1, which fails in row 1"),
        ({}, {"columns": [1, 0]}, "in order, each once"),
        ({}, {"columns": [2]}, "columns of its dataset"),
        ({}, {"min_rows_leaf": 0}, "at least one row"),
        ({}, {"max_leaf_nodes": 0}, "at least 1"),
        ({}, {"columns_per_split": 0}, "at least one column"),
    ],
)
def test_grow_tree_rejects_unfit_arguments(arrays, params, sentence):
    dataset = BinnedDataset(np.arange(6.0).reshape(3, 2))
    with pytest.raises(ValueError, match=sentence):
        grow_tree(dataset, [0, 1, 1], GrowParams(**params), criterion="gini", **arrays)


def test_grow_tree_rejects_targets_that_are_not_finite():
    dataset = BinnedDataset(np.arange(3.0)[:, np.newaxis])
    with pytest.raises(ValueError, match="finite, which fails in row 1"):
        grow_tree(dataset, [0, np.inf, 1], criterion="squared_error")
    with pytest.raises(ValueError, match="a hessian for every row and output"):
        grow_tree(dataset, [0.0, 1, 1], criterion="newton")
