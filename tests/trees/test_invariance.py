"""What must not change a tree: order, repetition, threads, a way through bytes; in all settings."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nonet import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
    limit_threads,
)
from trees.ties import same_up_to_ties

KINDS = [DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor]
SETTINGS = {
    "gini": DecisionTreeClassifier(categorical_features=[0]),
    "entropy": DecisionTreeClassifier(criterion="entropy", categorical_features=[0]),
    "squared error": DecisionTreeRegressor(categorical_features=[0]),
    "absolute error": DecisionTreeRegressor(criterion="absolute_error", categorical_features=[0]),
    "poisson": DecisionTreeRegressor(criterion="poisson", categorical_features=[0]),
}


@st.composite
def tables(draw, n_rows=40):
    """Draw categories, a number with gaps and another without, targets (one or two), weights."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    X = rng.integers(0, 6, size=(n_rows, 3)).astype(float)
    X[rng.uniform(size=n_rows) < 0.2, draw(st.integers(0, 1))] = np.nan
    n_targets = draw(st.integers(1, 2))
    y = rng.integers(0, 4, size=(n_rows, n_targets)).clip(min=[[1]] + [[0]] * (n_rows - 1))
    weights = rng.integers(0, 4, size=n_rows).clip(min=[1] + [0] * (n_rows - 1))
    return X, y[:, 0] if n_targets == 1 else y, weights


def splits_of(view):
    sets = [
        tuple(view.categories_left(node)) if view.is_category_split[node] else None
        for node in range(view.node_count)
    ]
    return view.feature.tolist(), view.threshold.tolist(), sets, view.missing_go_to_left.tolist()


@settings(max_examples=20)
@given(table=tables())
@pytest.mark.parametrize("model", SETTINGS.values(), ids=SETTINGS)
def test_whole_weights_mean_repetition(model, table):
    X, y, weights = table
    rows = np.repeat(np.arange(len(X)), weights)
    weighted = model.fit(X, y, sample_weight=weights).tree_
    predictions = model.predict(X)
    repeated = model.fit(X[rows], y[rows]).tree_
    np.testing.assert_allclose(weighted.value[0], repeated.value[0])
    assert weighted.weighted_n_node_samples[0] == len(rows)
    if not weighted.is_category_split.any() and not repeated.is_category_split.any():
        assert same_up_to_ties(weighted, repeated)
    known = ~np.isnan(X).any(axis=1) & (weights > 0)  # larger children are counted in rows
    np.testing.assert_allclose(predictions[known], model.predict(X)[known])


@settings(max_examples=20)
@given(table=tables(), seed=st.integers(0, 10_000))
@pytest.mark.parametrize("model", SETTINGS.values(), ids=SETTINGS)
def test_order_of_rows_changes_nothing(model, table, seed):
    X, y, weights = table
    order = np.random.default_rng(seed).permutation(len(X))
    one = model.fit(X, y, sample_weight=weights).tree_
    other = model.fit(X[order], y[order], sample_weight=weights[order]).tree_
    assert repr(splits_of(one)) == repr(splits_of(other))  # as text, NaN is NaN
    np.testing.assert_allclose(one.value, other.value, atol=1e-12)


@settings(max_examples=20)
@given(table=tables())
@pytest.mark.parametrize("model", SETTINGS.values(), ids=SETTINGS)
def test_a_way_through_bytes_changes_nothing(model, table):
    X, y, weights = table
    model.fit(X, y, sample_weight=weights)
    back = pickle.loads(pickle.dumps(model))
    assert back.tree_._native.to_bytes() == model.tree_._native.to_bytes()
    assert repr(splits_of(back.tree_)) == repr(splits_of(model.tree_))
    np.testing.assert_array_equal(back.predict(X), model.predict(X))


@settings(max_examples=20)
@given(table=tables())
@pytest.mark.parametrize("model", SETTINGS.values(), ids=SETTINGS)
def test_pruning_is_monotone_and_ends_at_the_root(model, table):
    X, y, weights = table
    path = model.cost_complexity_pruning_path(X, y, sample_weight=weights)
    assert (np.diff(path.ccp_alphas) >= -1e-12).all()
    assert (np.diff(path.impurities) >= -1e-12).all()
    tree = model.fit(X, y, sample_weight=weights).tree_._native
    sizes = [tree.prune(alpha).n_leaves for alpha in path.ccp_alphas]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


@pytest.mark.parametrize("n_targets", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_any_number_of_threads_is_deterministic(kind, n_targets, monkeypatch):
    monkeypatch.setenv("NONET_NUM_THREADS", "8")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 5)).astype(np.float32)
    X[:, 0] = rng.integers(0, 30, size=20_000)
    X[rng.uniform(size=X.shape) < 0.05] = np.nan
    y = np.nan_to_num(np.sin(X[:, :n_targets]) + X[:, [1]] * X[:, [2]]) > 0.1
    trees = set()
    for n_threads in (1, 2, 3, 8):
        with limit_threads(n_threads):
            model = kind(categorical_features=[0], max_depth=9, random_state=0)
            model.fit(X, y.astype(int))
            trees.add((model.tree_._native.to_bytes(), model.predict(X).tobytes()))
    assert len(trees) == 1


def test_ties_below_the_root_do_not_lean_on_the_first_columns():
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(500, 1)), 4, axis=1)  # four times the same column
    tree = DecisionTreeClassifier().fit(X, rng.integers(2, size=500)).tree_
    counts = np.bincount(tree.feature[tree.feature >= 0], minlength=4)
    assert tree.feature[0] == 0
    assert counts.min() > 0.15 * counts.sum()
