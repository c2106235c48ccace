"""A router picks the member for each row."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import make_blobs
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from nonet import RoutedClassifier, RoutedRegressor
from nonet.combine import gated_mean

RNG = np.random.default_rng(0)
AREA, RENT = RNG.uniform(30, 120, 300), RNG.uniform(size=300)
X = np.column_stack([AREA, RENT])
PURPOSE = np.where(RENT > 0.5, "letting", "living")
PRICE = np.where(PURPOSE == "letting", 2 * AREA + 300 * RENT, 5 * AREA)
PRICES = [("living", LinearRegression()), ("letting", LinearRegression())]
STUMP = DecisionTreeClassifier(max_depth=1)


def test_flats_by_purpose_against_one_line():
    """Purpose first, price second: each purpose is a line, both together are not."""
    flats = RoutedRegressor(PRICES, STUMP).fit(X, PRICE, routes=PURPOSE)
    assert flats.score(X, PRICE) > 1 - 1e-9
    assert LinearRegression().fit(X, PRICE).score(X, PRICE) < 0.9


def test_member_of_the_route_predicts_against_naive():
    flats = RoutedRegressor(PRICES, STUMP).fit(X, PRICE, routes=PURPOSE)
    for row in range(20):
        route = flats.router_.predict(X[[row]])[0]
        expected = flats.estimators_[route].predict(X[[row]])
        np.testing.assert_allclose(flats.predict(X[[row]]), expected)


def test_members_learn_the_rows_of_their_route():
    flats = RoutedRegressor(PRICES, STUMP).fit(X, PRICE, routes=PURPOSE)
    for member, (name, _) in zip(flats.members_, PRICES, strict=True):
        np.testing.assert_array_equal(member.unseen_rows, np.flatnonzero(name != PURPOSE))


def test_soft_mix_weighs_by_the_routes():
    router = LogisticRegression(max_iter=5000)
    flats = RoutedRegressor(PRICES, router, mix="soft").fit(X, PRICE, routes=PURPOSE)
    fractions = flats.route(X)
    np.testing.assert_allclose(fractions, flats.router_.predict_proba(X))
    expected = gated_mean(flats.member_outputs(X), fractions)
    np.testing.assert_allclose(flats.predict(X), expected)


def test_clusterer_finds_routes_by_itself():
    table, group = make_blobs(200, centers=[[-5, -5], [5, 5]], random_state=0)
    y = (table[:, 0] * np.where(group, 1, -1) > group * 5 - (1 - group) * -5).astype(int)
    models = [("one", LogisticRegression()), ("two", LogisticRegression())]
    routed = RoutedClassifier(models, KMeans(2, n_init=5, random_state=1)).fit(table, y)
    assert sorted(len(member.unseen_rows) for member in routed.members_) == [100, 100]
    assert routed.score(table, y) > 0.9


def test_route_of_one_class_has_a_constant_member():
    y = np.where(PURPOSE == "living", 0, np.arange(300) % 2)
    models = [("living", LogisticRegression()), ("letting", LogisticRegression())]
    routed = RoutedClassifier(models, STUMP).fit(X, y, routes=PURPOSE)
    assert set(routed.predict(X[PURPOSE == "living"])) == {0}


def test_routed_rejects_missing_routes():
    with pytest.raises(ValueError, match=r"needs fit\(X, y, routes=...\)"):
        RoutedRegressor(PRICES, STUMP).fit(X, PRICE)


def test_routed_rejects_a_route_without_member():
    with pytest.raises(ValueError, match="route 'holiday' has no member"):
        RoutedRegressor(PRICES, STUMP).fit(X, PRICE, routes=["holiday"] * 300)


def test_routed_rejects_an_unreachable_member():
    with pytest.raises(ValueError, match="no row takes the route of member 'letting'"):
        RoutedRegressor(PRICES, STUMP).fit(X, PRICE, routes=["living"] * 300)


def test_routed_rejects_routes_for_a_clusterer():
    with pytest.raises(ValueError, match="'router' must be a classifier if routes are given"):
        RoutedRegressor(PRICES).fit(X, PRICE, routes=PURPOSE)


def test_routed_rejects_a_router_that_cannot_predict():
    with pytest.raises(ValueError, match="'router' must be None or a classifier or clusterer"):
        RoutedRegressor(PRICES, AgglomerativeClustering()).fit(X, PRICE)


def test_routed_rejects_soft_mix_without_probabilities():
    with pytest.raises(TypeError, match="mix='soft' needs a router with predict_proba"):
        RoutedRegressor(PRICES, LinearSVC(), mix="soft").fit(X, PRICE, routes=PURPOSE)


def test_routed_names_a_failing_router():
    with pytest.raises(ValueError, match="member 'router' .* failed to fit"):
        RoutedRegressor(PRICES, LogisticRegression(C=-1)).fit(X, PRICE, routes=PURPOSE)
