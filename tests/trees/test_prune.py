from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from nonet._native.tree import predict_values, tree_from_arrays
from trees.random_trees import random_rows, random_tree
from trees.sklearn_trees import from_sklearn

CASES = [
    pytest.param(load_breast_cancer, DecisionTreeClassifier(random_state=0), id="gini"),
    pytest.param(
        load_wine, DecisionTreeClassifier(random_state=0, criterion="entropy"), id="entropy"
    ),
    pytest.param(
        load_diabetes, DecisionTreeRegressor(random_state=0, min_samples_leaf=3), id="squared"
    ),
]


@pytest.mark.parametrize(("load", "model"), CASES)
def test_path_against_sklearn(load, model):
    X, y = load(return_X_y=True)
    alphas, impurities = from_sklearn(model.fit(X, y)).pruning_path()
    expected = model.cost_complexity_pruning_path(X, y)
    np.testing.assert_allclose(alphas, expected.ccp_alphas, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(impurities, expected.impurities, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("load", "model"), CASES)
def test_pruned_tree_against_sklearn(load, model):
    X, y = load(return_X_y=True)
    X = X.astype(np.float32)
    tree = from_sklearn(model.fit(X, y))
    alphas, _ = tree.pruning_path()
    between = (alphas[1:] + alphas[:-1])[np.diff(alphas) > 1e-9] / 2
    for alpha in between[:: max(1, len(between) // 10)]:
        theirs = from_sklearn(type(model)(**{**model.get_params(), "ccp_alpha": alpha}).fit(X, y))
        ours, expected = tree.prune(alpha).arrays(), theirs.arrays()
        assert all(np.array_equal(ours[name], expected[name]) for name in expected)


@given(seed=st.integers(0, 10_000), n_splits=st.integers(0, 30), n_outputs=st.integers(1, 2))
def test_pruning_is_monotone_and_ends_at_the_root(seed, n_splits, n_outputs):
    tree = random_tree(seed, n_splits=n_splits, n_outputs=n_outputs, categories=True)
    alphas, impurities = tree.pruning_path()
    assert len(alphas) == len(impurities) <= n_splits + 1
    sizes = [tree.prune(alpha).n_leaves for alpha in np.sort(alphas)]
    assert sizes == sorted(sizes, reverse=True)
    assert tree.prune(np.inf).n_nodes == 1
    root = tree.arrays()
    assert impurities[-1] == pytest.approx(root["impurity"][0])


def test_pruned_tree_predicts_the_values_of_its_nodes():
    tree = random_tree(4, n_splits=20, n_outputs=2, categories=True)
    pruned = tree.prune(0.0)
    assert 1 < pruned.n_nodes < tree.n_nodes
    known = {tuple(row) for row in tree.arrays()["values"].reshape(-1, 2)}
    assert {tuple(row) for row in predict_values([pruned], random_rows(0, 200))} <= known


def test_pruning_rejects_a_tree_without_statistics():
    bare = tree_from_arrays(1, [-1], [-1], [-2], [-2], [[0.0]])
    with pytest.raises(ValueError, match="made without"):
        bare.prune(0.0)
    with pytest.raises(ValueError, match="made without"):
        bare.pruning_path()
