"""Many trees in one call: bags, columns, threads, and what each tree is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import make_classification

from nonet._native.bags import ForestBags, Strata
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, grow_forest, grow_tree
from nonet._native.runtime import limit_threads

X, Y = make_classification(400, 6, n_informative=4, random_state=0)
DATASET = BinnedDataset(X)


def grow(bags, trees=range(5), params=None, **options):
    params = params or GrowParams(columns_per_split=2)
    return grow_forest(DATASET, Y, params, bags, trees, criterion="gini", n_classes=2, **options)


def as_bytes(trees):
    return [tree.to_bytes() for tree in trees]


def test_trees_against_single_trees_on_the_same_counts():
    bags = ForestBags(400, 400, seed=7)
    # Leaves of so many rows, and targets that all differ, leave no ties between columns: a forest
    # breaks them in another order than a single tree.
    params = GrowParams(columns_per_split=2, seed=7, min_rows_leaf=20)
    target = np.random.default_rng(0).normal(size=400) + Y
    trees = grow_forest(DATASET, target, params, bags, range(5), criterion="squared_error")
    for number, tree in enumerate(trees):
        alone = grow_tree(
            DATASET,
            target,
            replace(params, tree=number),
            criterion="squared_error",
            counts=bags.counts(number),
        )
        assert tree.to_bytes() == alone.to_bytes()


@pytest.mark.parametrize("n_threads", [2, 3, 8])
def test_forest_is_deterministic_on_any_number_of_threads(n_threads):
    with limit_threads(1):
        alone = as_bytes(grow(ForestBags(400, 400, seed=1), range(7)))
    with limit_threads(n_threads):
        assert as_bytes(grow(ForestBags(400, 400, seed=1), range(7))) == alone


def test_a_tree_depends_on_its_number_alone():
    bags = ForestBags(400, 300, seed=3)
    assert as_bytes(grow(bags, range(6)))[4:] == as_bytes(grow(bags, range(4, 6)))


def test_draws_of_rows_against_theory():
    counts = np.stack([ForestBags(50, 2000, seed=5).counts(tree) for tree in range(20)])
    assert (counts.sum(axis=1) == 2000).all()
    assert stats.chisquare(counts.sum(axis=0)).pvalue > 0.001


def test_draws_by_chances_against_theory():
    weights = np.array([0.0, 1, 2, 3, 4, 0])
    counts = ForestBags(6, 20_000, seed=2, probabilities=np.cumsum(weights)).counts(0)
    assert counts[0] == counts[5] == 0
    expected = weights[1:5] / weights.sum() * 20_000
    assert stats.chisquare(counts[1:5], expected).pvalue > 0.001


def test_whole_groups_are_drawn():
    groups = np.repeat(np.arange(40, dtype=np.int32), 10)
    counts = ForestBags(400, 40, seed=4, rule="groups", groups=groups).counts(0).reshape(40, 10)
    assert (counts == counts[:, :1]).all()
    assert counts[:, 0].sum() == 40


def test_strata_send_their_rows_each_equally_often():
    codes = np.array([2, 0, 1, 0, 2, 2, 0])
    bags = ForestBags(7, 9000, seed=3, rule="strata", strata=Strata.of(codes, [3000, 0, 6000]))
    for tree in range(3):
        counts = bags.counts(tree)
        np.testing.assert_array_equal(np.bincount(codes, weights=counts), [3000, 0, 6000])
        assert stats.chisquare(counts[codes == 0]).pvalue > 0.001
        assert stats.chisquare(counts[codes == 2]).pvalue > 0.001
    assert (bags.counts(0) != bags.counts(1)).any()


def test_strata_by_chances_against_theory():
    codes, weights = np.array([1, 0, 1, 0, 1, 0]), np.array([1.0, 0, 2, 5, 0, 1])
    strata = Strata.of(codes, [12_000, 6000])
    probabilities = np.concatenate([np.cumsum(weights[1::2]), np.cumsum(weights[::2])])
    counts = ForestBags(6, 18_000, 1, "strata", probabilities=probabilities, strata=strata).counts(
        0
    )
    assert counts[1] == counts[4] == 0
    assert stats.chisquare(counts[[3, 5]], [10_000, 2000]).pvalue > 0.001
    assert stats.chisquare(counts[[0, 2]], [2000, 4000]).pvalue > 0.001


@pytest.mark.parametrize(
    ("codes", "draws", "settings", "sentence"),
    [
        ([0, 1], [1, 1], {}, "name all rows"),
        ([0, 1, 5], [1, 1, 0, 1, 0, 0], {}, "that sends rows must have some"),
        ([0, 1, 1], [1, 1], {}, "as many rows as a bag holds"),
        ([0, 1, 1], [4, -1], {}, "that sends rows"),
        ([0, 1, 1], [3], {}, "end one after another"),
        ([0, 1, 1], [1, 2], {"probabilities": np.array([0.0, 1.0, 2.0])}, "that can be drawn"),
        ([0, 1, 1], [1, 2], {"probabilities": np.array([1.0, 2.0, 1.0])}, "that can be drawn"),
        ([0, 1, 1], [1, 2], {"groups": np.zeros(3, dtype=np.int32)}, "no groups"),
        ([0, 1, 1], [1, 2], {"rule": "rows_once"}, "Without replacement"),
    ],
)
def test_strata_reject_what_cannot_be_drawn(codes, draws, settings, sentence):
    rule = {"rule": "strata"}
    with pytest.raises(ValueError, match=sentence):
        ForestBags(3, 3, 0, strata=Strata.of(np.array(codes), draws), **rule | settings).counts(0)


def test_seen_bits_are_those_of_the_counts():
    bags = ForestBags(400, 400, seed=9)
    seen = np.zeros((5, 7), dtype=np.uint64)
    grow(bags, seen=seen)
    bits = np.unpackbits(seen.view(np.uint8), axis=1, bitorder="little")[:, :400]
    np.testing.assert_array_equal(bits, [bags.counts(tree) > 0 for tree in range(5)])


def test_columns_per_tree_are_all_that_it_uses():
    for tree in grow(ForestBags(400, 400, seed=1), params=GrowParams(), columns_per_tree=2):
        columns = tree.arrays()["column"]
        assert len(np.unique(columns[columns >= 0])) <= 2


def test_balanced_bags_give_classes_equal_weight():
    rare = (np.arange(400) % 10 == 0).astype(np.int32)
    bags = ForestBags(400, 400, seed=0)
    trees = grow_forest(
        DATASET,
        rare,
        GrowParams(),
        bags,
        range(3),
        criterion="gini",
        n_classes=2,
        balanced=rare[:, np.newaxis],
    )
    for tree in trees:
        np.testing.assert_allclose(tree.arrays()["values"][:2], 0.5)


def test_forest_rejects_groups_out_of_range():
    with pytest.raises(ValueError, match="n_groups"):
        ForestBags(3, 3, 0, "groups", groups=np.array([0, 1, -1], dtype=np.int32)).counts(0)


def test_forest_rejects_probabilities_that_fall():
    with pytest.raises(ValueError, match="running sums"):
        ForestBags(3, 3, 0, probabilities=np.array([1.0, 0.5, 2.0])).counts(0)


def test_large_nodes_of_numbers_are_split_to_the_end():
    """Rows enough for packed sums: what fixed point rounds must not make a node look pure."""
    random = np.random.default_rng(0)
    table = random.normal(size=(40_000, 6)).astype(np.float32)
    numbers = 5 + table[:, 0] + random.normal(size=40_000)
    tree = grow_tree(BinnedDataset(table), numbers, GrowParams(seed=1), criterion="squared_error")
    assert tree.n_nodes == 2 * 40_000 - 1
