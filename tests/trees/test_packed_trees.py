"""Packed trees predict what plain trees predict, bit for bit."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from nonet import DecisionTreeRegressor, _core
from nonet._native.bags import ForestBags
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, grow_forest, grow_tree
from nonet._native.runtime import limit_threads
from nonet._native.tree import TreeSum, UnseenSum, predict_values, tree_from_arrays

RNG = np.random.default_rng(0)
N = 700


def table(kind):
    X = RNG.normal(size=(N, 6)).round(2)
    if kind == "missing":
        X[RNG.uniform(size=X.shape) < 0.1] = np.nan
    if kind == "categories":
        X[:, 0] = RNG.integers(0, 40, size=N)
        X[RNG.uniform(size=N) < 0.1, 0] = np.nan
    return X


def forest(X, categories=(), **params):
    y = (np.nan_to_num(X[:, 0]) % 3 + np.nan_to_num(X[:, 1]) > 1).astype(np.int32)
    dataset = BinnedDataset(X, categories=categories)
    settings = GrowParams(columns_per_split=3, **params)
    bags = ForestBags(N, N, seed=1)
    return grow_forest(dataset, y, settings, bags, range(12), criterion="gini", n_classes=2)


def packed_values(trees, X, n_threads=1):
    packed = _core.PackedTrees.pack(trees, n_threads)
    out = np.zeros((len(X), trees[0].n_outputs))
    packed.add_predictions(X, n_threads, out)
    return out


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", ["plain", "missing", "categories"])
def test_packed_values_against_plain_walks(kind, dtype):
    X = table(kind)
    trees = forest(X, categories=[0] if kind == "categories" else [])
    rows = table(kind).astype(dtype)
    np.testing.assert_array_equal(packed_values(trees, rows), predict_values(trees, rows))


def test_unknown_categories_and_missing_go_the_same_way():
    X = table("categories")
    trees = forest(X, categories=[0])
    rows = table("plain")
    rows[:, 0] = np.resize([-1.0, 39.0, 40.0, 1e6, np.nan, 3.7], N)
    np.testing.assert_array_equal(packed_values(trees, rows), predict_values(trees, rows))


def test_missing_at_prediction_only_goes_the_same_way():
    trees = forest(table("plain"))
    rows = table("missing")
    np.testing.assert_array_equal(packed_values(trees, rows), predict_values(trees, rows))


@pytest.mark.parametrize("kind", ["plain", "missing", "categories"])
def test_rows_predicted_one_by_one_get_the_same_values(kind):
    X = table(kind)
    trees = forest(X, categories=[0] if kind == "categories" else [])
    rows = table(kind)[:60]
    one_by_one = [predict_values(trees, row[np.newaxis]) for row in rows]
    np.testing.assert_array_equal(np.concatenate(one_by_one), packed_values(trees, rows))


@pytest.mark.parametrize("with_missing", [False, True])
def test_more_ranks_than_fit_16_bits(with_missing):
    rng = np.random.default_rng(3)
    X = rng.permutation(40_000).astype(float)[:, np.newaxis]
    if with_missing:
        X[::50] = np.nan
    dataset = BinnedDataset(X, max_bins=65_535)
    trees = [
        grow_tree(dataset, rng.normal(size=len(X)), GrowParams(), criterion="squared_error")
        for _ in range(2)
    ]
    rows = X + rng.normal(size=X.shape)
    np.testing.assert_array_equal(packed_values(trees, rows), predict_values(trees, rows))


def test_drawn_thresholds_are_ranked_exactly():
    X = table("plain")
    trees = forest(X, threshold_draw="uniform")
    column = trees[0].arrays()
    thresholds = column["threshold"][column["column"] == 0]
    rows = np.repeat(X[:1], 3 * len(thresholds), axis=0)
    rows[:, 0] = np.concatenate(
        [thresholds, np.nextafter(thresholds, -9), np.nextafter(thresholds, 9)]
    )
    np.testing.assert_array_equal(packed_values(trees, rows), predict_values(trees, rows))


@pytest.mark.parametrize("n_threads", [2, 5])
def test_packed_values_are_deterministic(n_threads):
    X = table("missing")
    trees = forest(X)
    np.testing.assert_array_equal(packed_values(trees, X, n_threads), packed_values(trees, X))


@pytest.mark.parametrize("order", ["F", "C"])
def test_any_memory_order_is_read(order):
    X = table("plain")
    trees = forest(X)
    np.testing.assert_array_equal(
        packed_values(trees, np.asarray(X, order=order)), predict_values(trees, X)
    )


def test_tree_of_one_leaf_is_packed():
    leaf = tree_from_arrays(2, [-1], [-1], [-2], [0.0], [[3.5]])
    assert (packed_values([leaf, leaf], np.zeros((9, 2))) == 7).all()


def test_wide_tables_are_not_packed():
    stump = tree_from_arrays(
        50, [1, -1, -1], [2, -1, -1], [7, -2, -2], [0.5, 0, 0], [[0], [1], [2]]
    )
    assert _core.PackedTrees.pack([stump], 1) is None
    rows = np.zeros((500, 50))
    assert (TreeSum([stump]).values(rows) == 1).all()


def test_tree_sum_is_the_same_before_and_after_packing():
    X = table("missing")
    trees = TreeSum(forest(X))
    few, many = trees.values(X[:20]), trees.values(X)
    np.testing.assert_array_equal(few, many[:20])
    assert trees.packed() is not None
    np.testing.assert_array_equal(trees.values(X), many)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(trees)).values(X), many)


def test_tree_sum_packs_when_rows_predicted_outweigh_nodes():
    X = table("plain")
    trees = TreeSum(forest(X))
    n_nodes = np.mean([tree.n_nodes for tree in trees.trees])
    n_plain = 0
    while trees._packed is None:
        trees.values(X)
        n_plain += N
    assert n_plain - N < trees._ROWS_A_NODE * n_nodes <= n_plain


@pytest.mark.parametrize("n_threads", [1, 3])
def test_unseen_sums_against_naive(n_threads):
    X = table("missing")
    bags = ForestBags(N, N, seed=1)
    trees = forest(X)
    counts = np.array([bags.counts(tree) for tree in range(12)])
    padded = np.zeros((12, -(-N // 64) * 64), dtype=np.uint8)
    padded[:, :N] = counts > 0
    seen = np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
    unseen = UnseenSum(X, 2)
    with limit_threads(n_threads):
        assert list(unseen.add(TreeSum(trees), seen, [1, 5, 12])) == [1, 5, 12]
    naive = np.zeros((N, 2))
    for tree, count in zip(trees, counts, strict=True):
        naive[count == 0] += predict_values([tree], X[count == 0])
    np.testing.assert_array_equal(unseen.sums, naive)
    np.testing.assert_array_equal(unseen.coverage, (counts == 0).sum(axis=0))


def test_shallow_trees_are_walked_as_they_are():
    X = np.random.default_rng(0).normal(size=(2000, 3))
    model = DecisionTreeRegressor(max_depth=5).fit(X, X[:, 0] * X[:, 1])
    trees = TreeSum([model.tree_._native])
    trees.values(X)
    assert trees._packed is None


@pytest.mark.parametrize("other", ["columns", "outputs", "categories"])
@pytest.mark.parametrize("swap", [False, True])
def test_pack_rejects_trees_that_do_not_agree(other, swap):
    """Issue 17, item 9: packed walks read all trees as the first one, and left their memory."""
    X, coded = table("plain"), table("categories")
    first = forest(X)
    others = {
        "columns": lambda: [
            grow_tree(BinnedDataset(X[:, :4]), np.arange(N) % 2, criterion="gini", n_classes=2)
        ],
        "outputs": lambda: [grow_tree(BinnedDataset(X), X[:, 0], criterion="squared_error")],
        "categories": lambda: forest(coded, categories=[0]),
    }
    trees = [*first, *others[other]()]
    with pytest.raises(ValueError, match="Trees of a model must"):
        _core.PackedTrees.pack(trees[:: -1 if swap else 1], 1)
