"""Facts of the notes about blending and stacking (parts D and E)."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from nonet import BlendingRegressor, StackingClassifier


def throw_darts(n_throws=60, seed=0):
    """Hits of two players inside the unit disc; the data of the notes are not given."""
    rng = np.random.default_rng(seed)
    hits = [rng.normal(centre, 0.35, size=(4 * n_throws, 2)) for centre in ((-0.3, 0), (0.3, 0))]
    X = np.vstack([own[np.hypot(*own.T) < 1][:n_throws] for own in hits])
    return X, np.repeat([0, 1], n_throws)


def darts_members():
    return [
        ("near", KNeighborsClassifier(3)),
        ("tree", DecisionTreeClassifier(criterion="entropy", max_depth=4, random_state=0)),
    ]


def test_k_fold_stacking_of_darts_against_lecture():
    """Four folds, two algorithms: level one is out of fold, then members are fitted on all rows."""
    X, y = throw_darts()
    cv = KFold(4, shuffle=True, random_state=0)
    stack = StackingClassifier(darts_members(), LogisticRegression(), cv=cv).fit(X, y)
    level_one = np.empty((len(y), 2))
    for train, test in cv.split(X):
        for position, (_, model) in enumerate(darts_members()):
            fitted = clone(model).fit(X[train], y[train])
            level_one[test, position] = fitted.predict_proba(X[test])[:, 1]
    meta = LogisticRegression().fit(level_one, y)
    np.testing.assert_allclose(stack.final_estimator_.coef_, meta.coef_)
    on_all = [model.fit(X, y).predict_proba(X)[:, 1] for _, model in darts_members()]
    np.testing.assert_allclose(stack.transform(X), np.column_stack(on_all))


def test_naive_stacking_believes_who_remembers_against_lecture():
    """On its own rows the nearest neighbour is always right, even about noise."""
    X, _ = throw_darts()
    y = np.random.default_rng(1).integers(0, 2, len(X))
    models = [("1", KNeighborsClassifier(1)), ("15", KNeighborsClassifier(15))]
    fitted = [(name, model.fit(X, y)) for name, model in models]
    naive = StackingClassifier(fitted, cv="prefit").fit(X, y)
    honest = StackingClassifier(models).fit(X, y)
    assert naive.score(X, y) == 1
    assert naive.final_estimator_.coef_[0, 0] > 3
    assert abs(honest.final_estimator_.coef_[0, 0]) < 1


@pytest.mark.parametrize("n_members", [2, 4])
def test_partition_leaks_one_prediction_in_t_against_lecture(n_members):
    X, y = throw_darts()
    models = [(f"t{t}", DecisionTreeClassifier(random_state=t)) for t in range(n_members)]
    stack = StackingClassifier(models, partition="leaking", random_state=0).fit(X, y)
    seen = np.array([len(y) - len(member.unseen_rows) for member in stack.members_])
    assert seen.sum() == len(y)  # disjoint parts
    np.testing.assert_allclose(seen / len(y), 1 / n_members)


def test_combiners_read_labels_alone_or_with_the_attributes_against_lecture():
    X, y = throw_darts()
    alone = StackingClassifier(darts_members(), level_one="labels").fit(X, y)
    beside = StackingClassifier(darts_members(), level_one="labels", passthrough=True).fit(X, y)
    named = np.column_stack([model.predict(X) for model in alone.estimators_])
    np.testing.assert_array_equal(alone.transform(X), named)
    np.testing.assert_array_equal(beside.transform(X), np.hstack([named, X]))


def test_linear_blend_learns_on_validation_rows_and_refits_against_lecture():
    """Members of the training part are weighted on the rest, then fitted again on all rows."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = X[:, 0] + np.abs(X[:, 1]) + 0.3 * rng.normal(size=200)
    models = [
        ("line", LinearRegression()),
        ("near", KNeighborsRegressor()),
        ("tree", DecisionTreeRegressor(max_depth=4, random_state=0)),
    ]
    train, rest = np.arange(140), np.arange(140, 200)
    blend = BlendingRegressor(models, weights="non_negative", cv=[(train, rest)]).fit(X, y)
    held_out = [clone(m).fit(X[train], y[train]).predict(X[rest]) for _, m in models]
    weights, _ = nnls(np.column_stack(held_out), y[rest])
    np.testing.assert_allclose(blend.weights_, weights, atol=1e-8)
    again = np.column_stack([clone(m).fit(X, y).predict(X) for _, m in models])
    np.testing.assert_allclose(blend.predict(X), again @ weights, rtol=1e-7)
