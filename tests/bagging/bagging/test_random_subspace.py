from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_digits, load_iris
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from nonet.bagging import BaggingClassifier, RandomSubspaceClassifier, RandomSubspaceRegressor


def test_members_see_all_rows_and_some_columns():
    X, y = load_iris(return_X_y=True)
    subspaces = RandomSubspaceClassifier(n_estimators=20, max_features=3, random_state=0).fit(X, y)
    for member, rows in zip(subspaces.members_, subspaces.estimators_samples_, strict=True):
        assert len(np.unique(member.columns)) == 3
        np.testing.assert_array_equal(rows, np.arange(150))
        assert member.unseen_rows is None
    assert len({tuple(columns) for columns in subspaces.estimators_features_}) == 4


def test_member_is_a_model_of_its_columns():
    X, y = load_iris(return_X_y=True)
    subspaces = RandomSubspaceClassifier(KNeighborsClassifier(), 4, random_state=0).fit(X, y)
    for position, columns in enumerate(subspaces.estimators_features_):
        alone = KNeighborsClassifier().fit(X[:, columns], y)
        np.testing.assert_array_equal(
            subspaces.member_outputs(X)[:, position], alone.predict_proba(X[:, columns])
        )


def test_subspaces_are_bagging_without_bags():
    X, y = load_digits(return_X_y=True)
    subspaces = RandomSubspaceClassifier(n_estimators=3, random_state=0).fit(X, y)
    bagging = BaggingClassifier(
        n_estimators=3, max_features=0.5, bootstrap=False, random_state=0
    ).fit(X, y)
    np.testing.assert_array_equal(subspaces.predict_proba(X), bagging.predict_proba(X))


def test_subspaces_beat_one_tree():
    X, y = load_digits(return_X_y=True)
    train, test = np.arange(0, 1797, 2), np.arange(1, 1797, 2)
    subspaces = RandomSubspaceClassifier(n_estimators=25, random_state=0).fit(X[train], y[train])
    tree = DecisionTreeClassifier(random_state=0).fit(X[train], y[train])
    assert subspaces.score(X[test], y[test]) > tree.score(X[test], y[test]) + 0.08


def test_regression_averages_the_subspaces():
    X, y = load_diabetes(return_X_y=True)
    subspaces = RandomSubspaceRegressor(n_estimators=6, random_state=0).fit(X, y)
    np.testing.assert_allclose(subspaces.predict(X), subspaces.member_outputs(X).mean(axis=1))


@pytest.mark.parametrize("max_features", [0, 1.2, 5])
def test_fit_rejects_columns_out_of_range(max_features):
    with pytest.raises(ValueError, match="'max_features' must be"):
        RandomSubspaceClassifier(max_features=max_features).fit(*load_iris(return_X_y=True))
