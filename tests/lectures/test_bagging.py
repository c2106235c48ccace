"""The lecture notes on bagging and random subspaces, with the errata put right."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_friedman1, make_moons
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeRegressor

from nonet import RandomForestClassifier, RandomForestRegressor
from nonet.bagging import BaggingClassifier, BaggingRegressor, PocketPerceptron
from nonet.combine import mean, plurality
from nonet.theory import variance_of_mean

# The shopping example, with its headings exchanged as the figures require.
MINUTES = np.array([10.0, 5, 12, 25, 1, 18, 11, 7, 19, 15]).reshape(-1, 1)
PURCHASES = np.array([15.0, 12, 18, 30, 3, 20, 14, 10, 20, 13])


@pytest.fixture(scope="module")
def bagged_lines():
    return BaggingRegressor(LinearRegression(), 1000, random_state=0).fit(MINUTES, PURCHASES)


def test_football_votes_and_means_disagree_against_lecture():
    wins = np.array([0.63, 0.39, 0.45, 0.38, 0.75])
    votes = (wins >= 0.5).astype(int)
    assert plurality(votes[np.newaxis], n_classes=2).argmax() == 0
    assert mean(wins[np.newaxis])[0] == pytest.approx(0.52)


def test_shopping_line_against_lecture():
    line = LinearRegression().fit(MINUTES, PURCHASES)
    assert line.intercept_ == pytest.approx(4.0145, abs=1e-4)
    assert line.coef_[0] == pytest.approx(0.93378, abs=1e-5)
    assert line.predict([[27]])[0] == pytest.approx(29.2266, abs=1e-4)


def test_shopping_bagged_value_against_lecture(bagged_lines):
    """About half a minute less than the one line predicts, not more."""
    assert bagged_lines.predict([[27]])[0] == pytest.approx(28.667, abs=0.25)


def test_shopping_spread_of_the_members_against_lecture(bagged_lines):
    values = bagged_lines.member_outputs([[27]])[0]
    low, high = np.quantile(values, [0.05, 0.95])
    assert low == pytest.approx(23.93, abs=0.5)
    assert high == pytest.approx(31.74, abs=0.5)


def test_fraction_of_rows_in_a_bag_against_lecture():
    """63.2 %, where the notes print 67 %."""
    X, y = make_friedman1(2000, random_state=0)
    bagging = BaggingRegressor(DecisionTreeRegressor(max_depth=1), 20, random_state=0).fit(X, y)
    inside = 1 - np.mean([len(member.unseen_rows) for member in bagging.members_]) / 2000
    assert inside == pytest.approx(0.6321, abs=0.005)


@pytest.mark.parametrize(("p", "of_numbers", "of_labels"), [(2, 1, 1), (10, 3, 3), (16, 5, 4)])
def test_columns_of_a_split_against_lecture(p, of_numbers, of_labels):
    """A third of the columns for numbers, the square root for labels; at least one."""
    random = np.random.default_rng(0)
    X, y = random.normal(size=(40, p)), random.integers(0, 2, 40)
    numbers = RandomForestRegressor(2, max_features=1 / 3, random_state=0).fit(X, y)
    assert numbers.max_features_ == of_numbers
    assert RandomForestClassifier(2, random_state=0).fit(X, y).max_features_ == of_labels


def test_trees_of_a_forest_err_less_alike_against_lecture():
    """Columns drawn for each split decorrelate the errors of trees, and make each tree worse."""
    X, y = make_friedman1(1500, n_features=20, noise=1.0, random_state=0)
    train, test = slice(0, 500), slice(500, None)
    likeness, each = [], []
    for fraction in (1.0, 1 / 3):
        forest = RandomForestRegressor(60, max_features=fraction, random_state=0)
        outputs = forest.fit(X[train], y[train]).member_outputs(X[test])
        errors = outputs - y[test, np.newaxis]
        likeness.append(np.corrcoef(errors.T).mean())
        each.append(np.mean(errors**2))
    assert likeness[1] < likeness[0]
    assert each[1] > each[0]


def test_a_bag_is_a_reweighting_against_lecture():
    """The bag (1, 1, 2, 4) of four rows is the weights (2, 1, 0, 1)."""
    X, y = np.array([[0.0], [1], [2], [3]]), np.array([0.0, 1, 5, 3])
    on_rows = LinearRegression().fit(X[[0, 0, 1, 3]], y[[0, 0, 1, 3]])
    weighted = LinearRegression().fit(X, y, sample_weight=[2, 1, 0, 1])
    np.testing.assert_allclose(on_rows.predict(X), weighted.predict(X), atol=1e-12)


def test_bagged_pockets_bend_the_border_against_lecture():
    X, y = make_moons(200, noise=0.25, random_state=1)
    bagging = BaggingClassifier(PocketPerceptron(1000), 25, random_state=0).fit(X, y)
    alone = np.mean([model.score(X, y) for model in bagging])
    assert bagging.score(X, y) > alone
    grid = np.random.default_rng(0).uniform(X.min(0), X.max(0), size=(4000, 2))
    regions = bagging.predict(grid)
    line = LogisticRegression(C=1e4, max_iter=1000).fit(grid, regions)
    assert line.score(grid, regions) < 1


def test_variance_of_correlated_members_against_theory():
    """rho s^2 + (1 - rho) s^2 / T; the Var/N of the notes is the case rho = 0."""
    random = np.random.default_rng(0)
    points = random.uniform(size=(20, 5))
    outputs = []
    for seed in range(100):
        X = random.uniform(size=(60, 5))
        y = 10 * X[:, 0] + 5 * np.sin(6 * X[:, 1]) + random.normal(size=60)
        outputs.append(BaggingRegressor(random_state=seed).fit(X, y).member_outputs(points))
    outputs = np.array(outputs)  # (training sets, points, members)
    spread = outputs.var(axis=0, ddof=1).mean()
    between = np.mean([np.cov(outputs[:, p, :5].T)[~np.eye(5, dtype=bool)] for p in range(20)])
    expected = variance_of_mean(spread, 10, correlation=between / spread)
    bagged = outputs.mean(axis=2).var(axis=0, ddof=1).mean()
    assert 0.1 < between / spread < 0.9
    assert bagged == pytest.approx(expected, rel=0.1)
    assert bagged > 1.5 * spread / 10


def test_bagging_helps_trees_and_hardly_lines_against_lecture():
    gains = {}
    for base in (DecisionTreeRegressor(random_state=0), LinearRegression()):
        errors = []
        for seed in range(8):
            X, y = make_friedman1(400, noise=1.0, random_state=seed)
            one = base.fit(X[:200], y[:200])
            many = BaggingRegressor(base, 25, random_state=seed).fit(X[:200], y[:200])
            errors.append([np.mean((m.predict(X[200:]) - y[200:]) ** 2) for m in (one, many)])
        alone, bagged = np.mean(errors, axis=0)
        gains[type(base).__name__] = 1 - bagged / alone
    assert gains["DecisionTreeRegressor"] > 0.3
    assert abs(gains["LinearRegression"]) < 0.05


def test_bagging_can_hurt_against_lecture():
    """The one witness of a small class is in 39 % of half-size bags: the vote forgets it."""
    X = np.r_[np.linspace(0, 1, 99), 5.0].reshape(-1, 1)
    y = np.r_[np.zeros(99, dtype=int), 1]
    alone = KNeighborsClassifier(1).fit(X, y)
    bagging = BaggingClassifier(KNeighborsClassifier(1), 101, max_samples=0.5, random_state=0)
    assert alone.predict([[5.0]]) == 1
    assert bagging.fit(X, y).predict([[5.0]]) == 0
    assert bagging.predict_proba([[5.0]])[0, 1] == pytest.approx(0.395, abs=0.15)


def test_training_estimate_is_optimistic_and_out_of_bag_is_not_against_lecture():
    X, y = make_friedman1(600, noise=2.0, random_state=0)
    bagging = BaggingRegressor(n_estimators=60, oob_score=True, random_state=0)
    bagging.fit(X[:300], y[:300])
    new = bagging.score(X[300:], y[300:])
    assert bagging.score(X[:300], y[:300]) > new + 0.1
    assert bagging.oob_score_ == pytest.approx(new, abs=0.06)


def test_loss_falls_with_the_number_of_members_against_lecture():
    X, y = make_friedman1(300, noise=2.0, random_state=0)
    bagging = BaggingRegressor(n_estimators=10, warm_start=True, random_state=0)
    bagging.set_params(oob_score="neg_mean_squared_error")
    losses = []
    for n_estimators in (20, 80):
        losses.append(-bagging.set_params(n_estimators=n_estimators).fit(X, y).oob_score_)
    assert losses[1] < losses[0]


def test_kernel_machines_on_parts_of_the_data_against_lecture():
    X, y = make_moons(1200, noise=0.2, random_state=0)
    train, test = slice(0, 1000), slice(1000, None)
    parts = BaggingClassifier(SVC(), 5, draw="partition", random_state=0).fit(X[train], y[train])
    whole = SVC().fit(X[train], y[train])
    assert [len(rows) for rows in parts.estimators_samples_] == [200] * 5
    assert parts.score(X[test], y[test]) > whole.score(X[test], y[test]) - 0.03
