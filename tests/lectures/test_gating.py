"""The lecture notes on arbiters, gates, cascades and views."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from nonet import (
    ArbiterClassifier,
    ClassTreeClassifier,
    GatedRegressor,
    RoutedRegressor,
    ViewsClassifier,
    VotingRegressor,
)
from nonet.combine import gated_mean, mean


class Reads(ClassifierMixin, BaseEstimator):
    """A member whose prediction is a column of X."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        self.classes_, self.n_features_in_ = np.unique(y), X.shape[1]
        return self

    def predict(self, X):
        return self.classes_[X[:, self.column].astype(int)]


def test_arbiter_rules_against_lecture():
    """Selection rule: no majority. Arbitration rule: the majority, else the arbiter's class."""
    predicted = np.array([[0, 0, 1], [1, 1, 1], [0, 1, 2], [2, 0, 1]], dtype=float)
    X, y = np.repeat(predicted, 9, axis=0), np.repeat([0, 1, 2, 0], 9)
    members = [(f"phi{i}", Reads(i)) for i in range(3)]
    model = ArbiterClassifier(members, KNeighborsClassifier(1), partition=True, random_state=0).fit(
        X, y
    )
    np.testing.assert_array_equal(model.dispute_rows_, np.arange(18, 36))
    np.testing.assert_array_equal(model.predict(predicted), [0, 1, 2, 0])


def test_four_ways_to_weigh_against_lecture():
    """Selection and uniform weights are linear ones, and linear ones are conditional ones."""
    outputs = np.random.default_rng(0).normal(size=(6, 3))
    alpha = np.array([0.2, 0.3, 0.5])
    np.testing.assert_allclose(gated_mean(outputs, np.tile(alpha, (6, 1))), mean(outputs, alpha))
    chosen = gated_mean(outputs, np.tile([0, 1, 0], (6, 1)))
    np.testing.assert_allclose(chosen, outputs[:, 1])


def test_class_tree_against_lecture():
    """ "1, 2, 3+4, then 3 against 4": two decisions, one of three branches and one of two."""
    rng = np.random.default_rng(0)
    centres = np.array([[0, 4], [4, 4], [0, 0], [1.5, 0]])
    y = np.repeat([1, 2, 3, 4], 50)
    X = centres[y - 1] + rng.normal(0, 0.5, size=(200, 2))
    model = ClassTreeClassifier(LogisticRegression(), [1, 2, [3, 4]]).fit(X, y)
    assert [member.name for member in model.members_] == ["1 | 2 | 3, 4", "3 | 4"]
    assert model.score(X, y) > 0.9


def test_flat_prices_against_lecture():
    """Purpose first (living or investment), then the model of that purpose."""
    rng = np.random.default_rng(1)
    area, yearly = rng.uniform(30, 120, 400), rng.uniform(0, 10, 400)
    purpose = np.where(yearly > 5, "investment", "living")
    price = np.where(purpose == "living", 4 * area, area + 40 * yearly)
    X = np.column_stack([area, yearly])
    models = [("living", LinearRegression()), ("investment", LinearRegression())]
    routed = RoutedRegressor(models, DecisionTreeClassifier(max_depth=1))
    routed.fit(X[::2], price[::2], routes=purpose[::2])
    one_line = LinearRegression().fit(X[::2], price[::2])
    assert routed.score(X[1::2], price[1::2]) > one_line.score(X[1::2], price[1::2]) + 0.05


def test_views_of_a_person_against_lecture():
    """Voice, face, behaviour: a member for each, and together they know more."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 600)
    X = np.eye(3)[y][:, [0, 1, 2] * 3] + rng.normal(0, 1.2, size=(600, 9))
    views = {"voice": [0, 1, 2], "face": [3, 4, 5], "behaviour": [6, 7, 8]}
    members = [(name, LogisticRegression()) for name in views]
    person = ViewsClassifier(members, views, combine="product").fit(X[:300], y[:300])
    alone = [
        LogisticRegression().fit(X[:300, own], y[:300]).score(X[300:, own], y[300:])
        for own in views.values()
    ]
    assert person.score(X[300:], y[300:]) > max(alone) + 0.05


def test_two_half_planes_by_and_against_lecture():
    """The AND rule mends underfitting: neither line alone can separate what both together do."""
    rng = np.random.default_rng(3)
    X = rng.uniform(-1, 1, size=(600, 2))
    y = ((X[:, 0] > 0) & (X[:, 1] > 0)).astype(int)
    views = {"right": [0], "up": [1]}
    stump = DecisionTreeClassifier(max_depth=1, class_weight="balanced")
    corner = ViewsClassifier([(name, stump) for name in views], views, combine="and").fit(X, y)
    assert corner.score(X, y) > 0.98
    assert LogisticRegression().fit(X, y).score(X, y) < 0.95


def test_conditional_weights_beat_fixed_ones_where_members_differ_by_region():
    rng = np.random.default_rng(4)
    x = rng.uniform(-1, 1, size=(400, 1))
    y = np.abs(x[:, 0])
    halves = [("level", LinearRegression()), ("origin", LinearRegression(fit_intercept=False))]
    gated = GatedRegressor(halves, n_neighbors=20).fit(x[::2], y[::2])
    fixed = VotingRegressor(halves, weights="simplex").fit(x[::2], y[::2])
    assert gated.score(x[1::2], y[1::2]) > fixed.score(x[1::2], y[1::2])
