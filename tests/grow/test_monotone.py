"""Monotone constraints, against scikit-learn and by what they promise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from grow.naive_tree import rows_of_nodes, ways_to_part
from grow.sklearn_trees import assert_like_sklearn
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, grow_tree

SIGNS = [1, -1, 0]


def make_data(seed, n_rows=2000):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 3)).astype(np.float32)
    noisy = X[:, 0] - X[:, 1] + np.sin(3 * X[:, 2]) + rng.normal(size=n_rows)
    return X, noisy + np.sin(4 * X[:, 0])


def predictions(arrays, X, n_outputs):
    values = arrays["values"].reshape(-1, n_outputs)[:, -1]
    result = np.empty(len(X))
    for node, rows in enumerate(rows_of_nodes(arrays, X)):
        if arrays["left"][node] < 0:
            result[rows] = values[node]
    return result


def grow(criterion, X, numbers, params, max_bins=255):
    target = (numbers > 0).astype(int) if criterion in ("gini", "entropy") else numbers
    more = {"hessians": np.ones(len(X))} if criterion == "newton" else {}
    if criterion == "newton":
        target = -numbers
    dataset = BinnedDataset(X, max_bins=max_bins)
    return grow_tree(dataset, target, params, criterion=criterion, **more)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "newton"])
@pytest.mark.parametrize("max_bins", [255, 65_535])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=4, deadline=None)
def test_predictions_keep_the_order_everywhere(criterion, max_bins, seed):
    X, numbers = make_data(seed)
    rng = np.random.default_rng(seed)
    params = GrowParams(monotone=SIGNS, min_rows_leaf=2)
    tree = grow(criterion, X, numbers, params, max_bins)
    arrays = tree.arrays()
    n_outputs = 2 if criterion in ("gini", "entropy") else 1
    assert tree.n_leaves > 10
    for column in (0, 1):
        low = rng.normal(size=(3000, 3))
        high = low.copy()
        high[:, column] += rng.exponential(size=3000)
        rise = predictions(arrays, high, n_outputs) - predictions(arrays, low, n_outputs)
        assert (SIGNS[column] * rise >= 0).all()
    free = grow(criterion, X, numbers, GrowParams(min_rows_leaf=2), max_bins).arrays()
    low = rng.normal(size=(3000, 3))
    high = low + np.array([1.0, 0, 0])
    assert (predictions(free, high, n_outputs) < predictions(free, low, n_outputs)).any()


def naive_best_gain(X, y, signs):
    """Largest decrease of the squared error over all splits whose means are in order."""
    best = -np.inf
    for x, sign in zip(X.T, signs, strict=True):
        for left in ways_to_part(x):
            if sign * (y[~left].mean() - y[left].mean()) >= 0:
                best = max(best, sum(y[side].sum() ** 2 / side.sum() for side in (left, ~left)))
    return best - y.sum() ** 2 / len(y)


@given(seed=st.integers(0, 10_000), missing=st.sampled_from([0.0, 0.2]))
@settings(max_examples=40)
def test_first_split_against_naive_is_the_best_that_keeps_the_order(seed, missing):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 8, size=(50, 3)).astype(float)
    X[rng.uniform(size=X.shape) < missing] = np.nan
    y = rng.normal(size=50)
    tree = grow("squared_error", X, y, GrowParams(monotone=SIGNS, max_depth=1)).arrays()
    costs = tree["impurity"] * tree["weight"]
    assert costs[0] - costs[1:].sum() == pytest.approx(naive_best_gain(X, y, SIGNS))


@pytest.mark.parametrize("limit", [{"max_depth": 6}, {"max_leaf_nodes": 20}])
def test_constrained_numbers_against_sklearn(limit):
    X, numbers = make_data(0)
    peer = DecisionTreeRegressor(monotonic_cst=SIGNS, min_samples_leaf=20, **limit).fit(X, numbers)
    params = GrowParams(monotone=SIGNS, min_rows_leaf=20, **limit)
    tree = grow("squared_error", X, numbers, params, max_bins=65_535)
    assert_like_sklearn(tree.arrays(), peer.tree_, n_outputs=1)


def test_constrained_classes_against_sklearn():
    X, numbers = make_data(1)
    peer = DecisionTreeClassifier(monotonic_cst=SIGNS, min_samples_leaf=60, max_depth=4)
    peer.fit(X, numbers > 0)
    params = GrowParams(monotone=SIGNS, min_rows_leaf=60, max_depth=4)
    tree = grow("gini", X, numbers, params, max_bins=65_535)
    assert_like_sklearn(tree.arrays(), peer.tree_, n_outputs=2)


@pytest.mark.parametrize(
    ("monotone", "target", "criterion", "sentence"),
    [
        ([1, 0], [0, 1, 1], "gini", "all columns or for none"),
        ([2], [0, 1, 1], "gini", "-1, 0 or 1"),
        ([1], [0, 1, 2], "gini", "two classes"),
        ([1], np.ones((3, 2)), "squared_error", "one output"),
    ],
)
def test_monotone_rejects_what_has_no_order(monotone, target, criterion, sentence):
    dataset = BinnedDataset(np.arange(3.0)[:, np.newaxis])
    with pytest.raises(ValueError, match=sentence):
        grow_tree(dataset, target, GrowParams(monotone=monotone), criterion=criterion)
