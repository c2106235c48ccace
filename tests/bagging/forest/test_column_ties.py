"""Issue 17, item 12: columns that gain exactly the same share the splits of a forest."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from nonet import (
    DecisionTreeClassifier,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    limit_threads,
)

N_COPIES = 6
RNG = np.random.default_rng(0)
BASE = RNG.normal(size=(300, 2))
X = np.repeat(BASE, N_COPIES, axis=1)  # columns 0 to 5 are copies of one, 6 to 11 of another
Y = (BASE[:, 0] + 0.3 * BASE[:, 1] + 0.3 * RNG.normal(size=300) > 0).astype(int)
NUMBERS = BASE[:, 0] + 0.1 * BASE[:, 1]
EVERY_COLUMN = {"max_features": None, "random_state": 0}


def root_columns(forest):
    return np.array([tree.tree_.feature[0] for tree in forest.estimators_])


FORESTS = {
    "histograms": lambda: RandomForestClassifier(200, max_depth=3, **EVERY_COLUMN).fit(X, Y),
    "drawn columns": lambda: RandomForestClassifier(
        200, max_depth=3, max_features=9, random_state=0
    ).fit(X, Y),
    "wide bins": lambda: RandomForestClassifier(
        200, max_depth=3, max_bins=1000, **EVERY_COLUMN
    ).fit(X, Y),
    "few rows": lambda: RandomForestClassifier(200, **EVERY_COLUMN).fit(X[:24], Y[:24]),
    "numbers": lambda: RandomForestRegressor(200, max_depth=3, **EVERY_COLUMN).fit(X, NUMBERS),
    "medians": lambda: RandomForestRegressor(
        200, max_depth=1, criterion="absolute_error", **EVERY_COLUMN
    ).fit(X[:60], NUMBERS[:60]),
}


@pytest.mark.parametrize("name", FORESTS)
def test_copies_of_a_column_are_roots_equally_often(name):
    columns = root_columns(FORESTS[name]())
    counts = np.bincount(columns, minlength=2 * N_COPIES)[:N_COPIES]
    assert counts.sum() > 100
    assert stats.chisquare(counts).pvalue > 1e-4


@pytest.mark.parametrize("kind", [ExtraTreesClassifier, ExtraTreesRegressor])
def test_random_thresholds_that_split_alike_are_roots_equally_often(kind):
    signs = np.where(X[:40] > 0, 1.0, -1.0)  # of two values: every threshold is the same split
    forest = kind(200, max_depth=2, **EVERY_COLUMN).fit(signs, Y[:40])
    counts = np.bincount(root_columns(forest), minlength=2 * N_COPIES)[:N_COPIES]
    assert counts.sum() > 100
    assert stats.chisquare(counts).pvalue > 1e-4


def test_importances_of_copies_are_about_equal():
    importances = RandomForestClassifier(200, **EVERY_COLUMN).fit(X, Y).feature_importances_
    for copies in np.split(importances, 2):
        assert copies.min() > 0.7 * copies.max()


def test_another_seed_is_another_order():
    first, second = (
        RandomForestClassifier(50, max_depth=1, max_features=None, bootstrap=False, random_state=s)
        for s in (0, 1)
    )
    one, other = root_columns(first.fit(X, Y)), root_columns(second.fit(X, Y))
    assert len(set(one)) > 1
    assert (one != other).any()


@pytest.mark.parametrize("kind", [RandomForestClassifier, ExtraTreesClassifier])
@pytest.mark.parametrize("max_bins", [255, 1000])
def test_ties_are_the_same_on_any_number_of_threads(kind, max_bins):
    def trees(n_threads):
        with limit_threads(n_threads):
            forest = kind(7, n_jobs=n_threads, max_bins=max_bins, **EVERY_COLUMN).fit(X, Y)
        return [tree.to_bytes() for tree in forest._trees.trees]

    assert trees(1) == trees(3)


def test_ties_are_the_same_whichever_path_searches_the_node():
    """Histograms, rows that are counted, and few rows sorted at once break ties alike."""

    def columns(table, **params):
        forest = RandomForestClassifier(20, bootstrap=False, max_depth=2, random_state=3, **params)
        return [tree.tree_.feature.tolist() for tree in forest.fit(table, Y).estimators_]

    coarse = X.round(1)
    by_histogram = columns(coarse, max_features=None)
    assert columns(coarse, max_features=None, max_bins=1000) == by_histogram
    # A leaf limit that does not bind: nodes are taken in another order.
    assert [sorted(c) for c in columns(coarse, max_features=None, max_leaf_nodes=50)] == [
        sorted(c) for c in by_histogram
    ]


def test_a_single_tree_keeps_the_lowest_column_at_its_root():
    for seed in range(5):
        assert DecisionTreeClassifier(random_state=seed).fit(X, Y).tree_.feature[0] == 0
