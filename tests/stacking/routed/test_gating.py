"""Gates: weights of members that depend on x."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.datasets import make_classification, make_moons
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from nonet import (
    GatedClassifier,
    GatedRegressor,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RoutedClassifier,
    VotingRegressor,
    make_ledger,
)
from nonet.combine import gated_mean, mean
from nonet.stacking.routed.competence import ModelGate, NearestGate
from nonet.stacking.routed.distance_columns import DistanceColumns

RNG = np.random.default_rng(0)
X = RNG.uniform(-1, 1, size=(400, 1))
Y = np.where(X[:, 0] < 0, 1.0, -1.0)


class Constant(RegressorMixin, BaseEstimator):
    def __init__(self, value=0.0):
        self.value = value

    def fit(self, X, y):
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        return np.full(len(X), self.value)


EXPERTS = [("plus", Constant(1.0)), ("minus", Constant(-1.0))]
MODELS = [("line", LogisticRegression()), ("bayes", GaussianNB())]


# ---- the rule ----------------------------------------------------------------------------------

positive = st.floats(0.01, 10)


@given(arrays(float, (4, 3), elements=st.floats(-10, 10)), arrays(float, (4, 3), elements=positive))
def test_gated_mean_against_naive(outputs, gates):
    expected = [np.average(row, weights=gate) for row, gate in zip(outputs, gates, strict=True)]
    np.testing.assert_allclose(gated_mean(outputs, gates), expected, atol=1e-12)


def test_equal_gates_are_the_plain_mean():
    outputs = RNG.uniform(size=(5, 3, 2))
    np.testing.assert_allclose(gated_mean(outputs, np.full((5, 3), 0.2)), mean(outputs))


@pytest.mark.parametrize(
    ("gates", "message"),
    [
        ([[1, 1]], r"shape \(2, 2\), but have shape \(1, 2\)"),
        ([[1, 1], [0, 0]], "row 1 is"),
        ([[1, -1], [1, 1]], "row 0 is"),
        ([[1, np.nan], [1, 1]], "row 0 is"),
    ],
)
def test_gated_mean_rejects_bad_gates(gates, message):
    with pytest.raises(ValueError, match=message):
        gated_mean([[1.0, 2.0], [3.0, 4.0]], gates)


# ---- gates -------------------------------------------------------------------------------------


def test_nearest_gate_against_naive():
    losses = RNG.uniform(size=(400, 3))
    gate = NearestGate(5, select_best=False).fit(X, losses)
    for point, weights in zip(X[:20], gate.weigh(X[:20]), strict=True):
        near = np.argsort(np.abs(X[:, 0] - point[0]))[:5]
        inverse = 1 / losses[near].mean(axis=0)
        np.testing.assert_allclose(weights, inverse / inverse.sum())


def test_best_gate_gives_all_weight_to_the_best_and_splits_ties():
    losses = np.tile([0.2, 0.1, 0.1], (400, 1))
    weights = NearestGate(5, select_best=True).fit(X, losses).weigh(X[:2])
    np.testing.assert_allclose(weights, [[0, 0.5, 0.5]] * 2)


def test_units_of_columns_do_not_decide_who_is_near():
    table, losses = RNG.normal(size=(50, 2)), RNG.uniform(size=(50, 2))
    plain = NearestGate(5, select_best=False).fit(table, losses).weigh(table)
    scaled = table * [1, 1000]
    np.testing.assert_allclose(NearestGate(5, False).fit(scaled, losses).weigh(scaled), plain)


@pytest.mark.parametrize(
    ("losses", "expected"), [([0.3, 0.3], [0.5, 0.5]), ([0.1, 0.3], [1, 0])], ids=["equal", "one"]
)
def test_model_gate_without_two_winners_needs_no_model(losses, expected):
    gate = ModelGate(LogisticRegression(), select_best=False).fit(X, np.tile(losses, (400, 1)))
    np.testing.assert_allclose(gate.weigh(X[:3]), [expected] * 3)


@pytest.mark.parametrize("gate", ["nearest", DecisionTreeClassifier(max_depth=1)])
@pytest.mark.parametrize("select", ["weights", "best"])
def test_gate_finds_who_is_right_where(gate, select):
    """One member is right on the left, the other on the right; their mean is right nowhere."""
    model = GatedRegressor(EXPERTS, gate, select=select, cv=3).fit(X, Y)
    away = np.abs(X[:, 0]) > 0.1
    np.testing.assert_allclose(model.predict(X)[away], Y[away], atol=1e-3)
    assert VotingRegressor(EXPERTS).fit(X, Y).score(X, Y) < 0.1


def test_gates_are_weights():
    model = GatedClassifier(MODELS, cv=3).fit(*make_moons(200, noise=0.3, random_state=0))
    weights = model.gate_weights(make_moons(50, random_state=1)[0])
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1)


def test_support_is_the_gated_mean_of_the_members():
    table, labels = make_moons(200, noise=0.3, random_state=0)
    model = GatedClassifier(MODELS, cv=3).fit(table, labels)
    expected = gated_mean(model.member_outputs(table), model.gate_weights(table))
    np.testing.assert_allclose(model.predict_proba(table), expected)
    np.testing.assert_array_equal(model.predict(table), expected.argmax(axis=1))


def test_members_that_differ_by_region_gain_from_a_gate():
    """A line on the left half, waves on the right: no single weight serves both."""
    table = RNG.uniform(-1, 1, size=(600, 1))
    y = np.where(table[:, 0] < 0, table[:, 0], np.sin(25 * table[:, 0]))
    y = y + RNG.normal(0, 0.3, size=600)
    models = [
        ("line", LinearRegression()),
        ("near", KNeighborsRegressor(5)),
        ("stump", DecisionTreeRegressor(max_depth=1)),
    ]
    learn, test = slice(None, None, 2), slice(1, None, 2)
    gated = GatedRegressor(models, n_neighbors=30).fit(table[learn], y[learn])
    equal = VotingRegressor(models).fit(table[learn], y[learn])
    assert gated.score(table[test], y[test]) > equal.score(table[test], y[test])


def test_ledger_is_used_as_it_is():
    table, labels = make_moons(200, noise=0.3, random_state=0)
    ledger = make_ledger(MODELS, table, labels, cv=3)
    given = GatedClassifier(MODELS).fit(table, labels, ledger=ledger)
    own = GatedClassifier(MODELS, cv=3).fit(table, labels)
    np.testing.assert_array_equal(given.gate_weights(table), own.gate_weights(table))


@pytest.mark.parametrize("select", ["weights", "best"])
def test_order_of_members_changes_nothing(select):
    table, labels = make_classification(200, random_state=0)
    forward = GatedClassifier(MODELS, select=select, cv=3).fit(table, labels)
    backward = GatedClassifier(MODELS[::-1], select=select, cv=3).fit(table, labels)
    np.testing.assert_allclose(forward.predict_proba(table), backward.predict_proba(table))


def test_gated_rejects_members_without_probabilities():
    with pytest.raises(TypeError, match=r"member 'svm' \(LinearSVC\) has no predict_proba"):
        GatedClassifier([("svm", LinearSVC())]).fit(*make_moons(50))


def test_gated_rejects_a_rule_to_be_tuned():
    with pytest.raises(ValueError, match="'decide' must be a rule that is not tuned"):
        GatedClassifier(MODELS, decide="tuned_threshold").fit(*make_moons(50))


@pytest.mark.parametrize(("kind", "models"), [(GatedClassifier, MODELS), (GatedRegressor, EXPERTS)])
def test_gated_rejects_several_targets(kind, models):
    with pytest.raises(ValueError, match="one target, but y has 2 columns"):
        kind(models).fit(X, np.column_stack([Y, Y]))


# ---- Categories and missing values (issue 18, item A.19) ---------------------------------------


def table_with_categories():
    rng = np.random.default_rng(0)
    city = np.array(["Bern", "Oslo", "Rome"])[rng.integers(0, 3, 300)]
    height = rng.normal(size=300)
    y = (city == "Oslo") ^ (height > 0)
    height[::7] = np.nan
    return pd.DataFrame({"city": city, "height": height}), y


TREES = [
    ("forest", RandomForestClassifier(10, random_state=0)),
    ("boosting", HistGradientBoostingClassifier(max_iter=10)),
]


@pytest.mark.parametrize("kind", [GatedClassifier, RoutedClassifier])
def test_gate_and_router_take_categories_and_missing_values(kind):
    X, y = table_with_categories()
    model = kind(TREES).fit(X[:200], y[:200])
    assert model.score(X[200:], y[200:]) > 0.8


def test_categories_are_equally_far_apart():
    """The nearest rows have the same category, whatever codes a sorted encoding would give."""
    frame = pd.DataFrame({"city": list("abc"), "height": [0.0, np.nan, 2.0]})
    columns = DistanceColumns().fit(frame).transform(frame)
    np.testing.assert_array_equal(columns, [[0, 1, 0, 0], [1, 0, 1, 0], [2, 0, 0, 1]])
    unseen = DistanceColumns().fit(frame).transform(pd.DataFrame({"city": ["z"], "height": [1.0]}))
    np.testing.assert_array_equal(unseen, [[1, 0, 0, 0]])


def test_an_error_of_the_gate_names_the_gate():
    X, y = table_with_categories()
    with pytest.raises(ValueError, match=r"member 'gate' .* column 'city' of X holds the string"):
        GatedClassifier(TREES, gate=LogisticRegression()).fit(X, y)
    gated = GatedClassifier(TREES).fit(X.assign(city=1.0), y)
    with pytest.raises(ValueError, match=r"column 'city' of X holds the string"):
        gated.gate_weights(X)
