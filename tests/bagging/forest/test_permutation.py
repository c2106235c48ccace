"""Importances by shuffled out-of-bag rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification, make_friedman1

from nonet import ExtraTreesClassifier, RandomForestClassifier, RandomForestRegressor
from nonet.bagging import oob_permutation_importance


def test_useless_columns_have_none_against_theory():
    X, y = make_friedman1(600, 10, noise=0.5, random_state=0)
    forest = RandomForestRegressor(60, max_features=0.5, random_state=0).fit(X, y)
    result = oob_permutation_importance(forest, X, y, random_state=0)
    assert set(np.argsort(result.importances)[-5:]) == {0, 1, 2, 3, 4}
    assert (np.abs(result.importances[5:]) < 0.1 * result.importances[:5].min()).all()
    assert result.by_tree.shape == (60, 10)


def test_importance_against_naive_of_one_tree():
    X, y = make_classification(300, 4, n_informative=2, n_redundant=0, random_state=0)
    names = np.array(["no", "yes"])[y]
    forest = RandomForestClassifier(5, random_state=0).fit(X, names)
    result = oob_permutation_importance(forest, X, names, random_state=3)
    tree, unseen = forest.estimators_[2], forest.members_[2].unseen_rows
    base = np.mean(tree.predict(X[unseen]) != names[unseen])
    losses = []
    for column in range(4):
        worst = X[unseen].copy()
        worst[:, column] = np.random.default_rng(column).permutation(worst[:, column])
        losses.append(np.mean(tree.predict(worst) != names[unseen]) - base)
    np.testing.assert_allclose(result.by_tree[2], losses, atol=0.12)


def test_columns_that_no_tree_uses_cost_nothing():
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(20, random_state=0).fit(np.column_stack([X, np.ones(150)]), y)
    result = oob_permutation_importance(forest, np.column_stack([X, np.ones(150)]), y)
    assert result.importances[4] == 0
    assert result.errors[4] == 0


def test_many_values_are_not_favoured():
    """The decrease of impurity rewards a column of noise with many values; this one does not."""
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 400)
    X = np.column_stack(
        [np.where(random.uniform(size=400) < 0.7, y, 1 - y), random.normal(size=400)]
    )
    forest = RandomForestClassifier(60, random_state=0).fit(X, y)
    result = oob_permutation_importance(forest, X, y, random_state=0)
    assert forest.feature_importances_[1] > forest.feature_importances_[0]
    assert result.importances[1] < result.importances[0] / 2


def test_importance_is_deterministic():
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    first, second = (oob_permutation_importance(forest, X, y, random_state=1) for _ in range(2))
    np.testing.assert_array_equal(first.by_tree, second.by_tree)


def test_importance_rejects():
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="which had 150 rows"):
        oob_permutation_importance(forest, X[:100], y[:100])
    with pytest.raises(ValueError, match="bootstrap=True"):
        oob_permutation_importance(ExtraTreesClassifier(3).fit(X, y), X, y)
    with pytest.raises(ValueError, match="must be a forest of nonet"):
        oob_permutation_importance("forest", X, y)
    with pytest.raises(ValueError, match="one target"):
        oob_permutation_importance(forest.fit(X, np.column_stack([y, y])), X, y)
