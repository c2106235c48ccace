"""Trees of medians: against scikit-learn's, and against ten lines of NumPy."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.tree
from hypothesis import given, settings
from hypothesis import strategies as st

from nonet import DecisionTreeRegressor, ExtraTreeRegressor, limit_threads
from trees.datasets import LIMITS, NUMBERS
from trees.ties import assert_equal_arrays, same_up_to_ties

KINDS = [DecisionTreeRegressor, ExtraTreeRegressor]


def medians(**params):
    return DecisionTreeRegressor(criterion="absolute_error", **params)


@pytest.mark.parametrize("limits", LIMITS[:-1], ids=str)  # pruning reduces tied trees differently
@pytest.mark.parametrize("name", NUMBERS)
def test_tree_against_sklearn_is_its_tree_up_to_ties(name, limits):
    X, y = NUMBERS[name]
    ours = medians(**limits).fit(X, y)
    limits = {"criterion": "absolute_error", **limits}
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, **limits).fit(X, y)
    assert same_up_to_ties(ours.tree_, theirs.tree_)


@pytest.mark.parametrize("name", ["friedman", "linear"])
def test_tree_without_ties_against_sklearn_has_equal_arrays(name):
    X, y = NUMBERS[name]
    limits = {"max_depth": 4, "min_samples_leaf": 5, "criterion": "absolute_error"}
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, **limits).fit(X, y)
    assert_equal_arrays(DecisionTreeRegressor(**limits).fit(X, y).tree_, theirs.tree_)


def test_several_targets_against_sklearn_have_equal_arrays():
    X, y = NUMBERS["friedman"]
    both = np.column_stack([y, X[:, 0] * X[:, 3]])
    limits = {"max_depth": 4, "min_samples_leaf": 5, "criterion": "absolute_error"}
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, **limits).fit(X, both)
    ours = DecisionTreeRegressor(**limits).fit(X, both)
    assert_equal_arrays(ours.tree_, theirs.tree_)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X))


def test_weights_against_sklearn_give_its_tree_up_to_ties():
    X, y = NUMBERS["friedman"]
    weights = np.random.default_rng(0).uniform(size=len(y))
    limits = {"max_depth": 4, "criterion": "absolute_error"}
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, **limits)
    theirs.fit(X, y, sample_weight=weights)
    ours = DecisionTreeRegressor(**limits).fit(X, y, sample_weight=weights)
    assert same_up_to_ties(ours.tree_, theirs.tree_)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X))


# ---- Against the definition ---------------------------------------------------------------------


def cost(y, weights):
    """Minimum weighted sum of distances from a number, which is one of the targets."""
    return min((weights * np.abs(y - middle)).sum() for middle in y) if len(y) else 0.0


def naive_gain(x, y, weights):
    """Maximum decrease of the cost over all splits of one column; missing values go either way."""
    gap, gains = np.isnan(x), [0.0]
    for side in (x <= value for value in np.unique(x[~gap])):
        for left in (side, side | gap):
            if left.any() and not left.all():
                parts = (cost(y[part], weights[part]) for part in (left, ~left))
                gains.append(cost(y, weights) - sum(parts))
    return max(gains)


@st.composite
def small_tables(draw):
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    x = rng.integers(0, draw(st.integers(2, 30)), size=40).astype(float)
    x[rng.uniform(size=40) < draw(st.sampled_from([0.0, 0.3]))] = np.nan
    y = rng.integers(0, 6, size=40).astype(float) if draw(st.booleans()) else rng.normal(size=40)
    weights = rng.integers(1, 4, size=40) if draw(st.booleans()) else rng.uniform(0.1, 2, size=40)
    return x, y, weights


@settings(max_examples=60)
@given(small_tables())
def test_best_split_against_naive(table):
    x, y, weights = table
    tree = medians(max_depth=1).fit(x[:, np.newaxis], y, sample_weight=weights).tree_
    costs = tree.impurity * tree.weighted_n_node_samples
    gain = costs[0] - costs[1:].sum() if tree.node_count == 3 else 0.0
    assert gain == pytest.approx(naive_gain(x, y, weights), abs=1e-9)


@settings(max_examples=40)
@given(small_tables())
def test_every_node_is_the_median_of_its_rows(table):
    x, y, _ = table
    model = medians(max_depth=4).fit(x[:, np.newaxis], y)
    passed = model.decision_path(x[:, np.newaxis]).toarray().astype(bool)
    for node, rows in enumerate(passed.T):
        assert model.tree_.value[node, 0, 0] == pytest.approx(np.median(y[rows]))
        distances = np.abs(y[rows] - np.median(y[rows])).mean()
        assert model.tree_.impurity[node] == pytest.approx(distances)


def test_categories_are_split_by_their_medians():
    rng = np.random.default_rng(0)
    codes = rng.integers(5, size=100)
    y = np.array([4.0, 0.0, 4.0, 1.0, 0.0])[codes] + rng.uniform(-0.1, 0.1, size=100)
    model = medians(max_depth=1, categorical_features=[0]).fit(codes[:, np.newaxis], y)
    assert set(model.tree_.categories_left(0)) in ({0, 2}, {1, 3, 4})


@pytest.mark.parametrize("kind", KINDS)
def test_monotone_medians_do_not_fall(kind):
    X, y = NUMBERS["friedman"]
    signs = [1] + [0] * 9
    model = kind(criterion="absolute_error", monotonic_cst=signs, random_state=0).fit(X, y)
    rows = np.repeat(X[:40], 50, axis=0)
    rows[:, 0] = np.tile(np.linspace(-0.1, 1.1, 50), 40)
    assert model.get_n_leaves() > 5
    assert (np.diff(model.predict(rows).reshape(40, 50), axis=1) >= 0).all()


# ---- Order, repetition, threads -----------------------------------------------------------------


@settings(max_examples=30)
@given(small_tables(), st.integers(0, 10_000))
@pytest.mark.parametrize("kind", KINDS)
def test_order_of_rows_changes_nothing(kind, table, seed):
    x, y, weights = table
    X = np.column_stack([x, np.abs(y).round(), x % 3])
    order = np.random.default_rng(seed).permutation(len(y))
    model = kind(criterion="absolute_error", random_state=0)
    one = model.fit(X, y, sample_weight=weights).tree_
    other = model.fit(X[order], y[order], sample_weight=weights[order]).tree_
    np.testing.assert_array_equal(one.feature, other.feature)
    np.testing.assert_array_equal(one.threshold, other.threshold)
    np.testing.assert_allclose(one.value, other.value, atol=1e-12)


@settings(max_examples=30)
@given(small_tables())
def test_whole_weights_mean_repetition(table):
    x, y, _ = table
    weights = np.random.default_rng(0).integers(0, 4, size=len(y))
    rows = np.repeat(np.arange(len(y)), weights)
    X = np.column_stack([x, x % 4])
    weighted = medians().fit(X, y, sample_weight=weights).tree_
    repeated = medians().fit(X[rows], y[rows]).tree_
    assert same_up_to_ties(weighted, repeated)
    np.testing.assert_allclose(weighted.value[0], repeated.value[0])


@pytest.mark.parametrize("kind", KINDS)
def test_any_number_of_threads_is_deterministic(kind, monkeypatch):
    monkeypatch.setenv("NONET_NUM_THREADS", "8")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 6))
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=5000)
    trees = set()
    for n_threads in (1, 2, 3, 8):
        with limit_threads(n_threads):
            model = kind(criterion="absolute_error", random_state=0).fit(X, y)
            trees.add(model.tree_._native.to_bytes())
    assert len(trees) == 1


def test_equal_targets_are_one_leaf():
    model = medians().fit([[0], [1], [2]], [5.0, 5.0, 5.0])
    assert model.get_n_leaves() == 1
    np.testing.assert_array_equal(model.predict([[7]]), [5.0])


# ---- Issue 17, item 9 (d): weights that span many orders of magnitude --------------------------


@pytest.mark.parametrize("settings", [{"monotonic_cst": [1, 0]}, {}], ids=["monotone", "free"])
def test_light_rows_are_split_as_they_are_alone(settings):
    """The median of rows whose weights were rounded to 0 was looked for behind the last rank."""
    rng = np.random.default_rng(0)
    n = 20_000
    heavy = rng.uniform(size=n) < 0.5
    X = np.column_stack([rng.normal(size=n) + 100 * heavy, rng.normal(size=n)])
    y = np.where(heavy, 1e3, X[:, 0] + np.sin(3 * X[:, 1]) + rng.normal(size=n))
    weights = np.where(heavy, 1e6, 1e-6)
    settings = {"min_samples_leaf": 500, **settings}
    mixed = medians(**settings).fit(X, y, sample_weight=weights)
    alone = medians(**settings).fit(X[~heavy], y[~heavy])
    assert alone.get_n_leaves() > 10
    ours, theirs = mixed.predict(X[~heavy]), alone.predict(X[~heavy])
    # Neighbouring thresholds may gain the same.
    assert np.isclose(ours, theirs, rtol=1e-12, atol=1e-12).mean() > 0.999
    errors = [np.abs(y[~heavy] - predictions).mean() for predictions in (ours, theirs)]
    assert errors[0] == pytest.approx(errors[1], rel=1e-9)


def test_light_categories_have_medians():
    rng = np.random.default_rng(0)
    codes = rng.integers(6, size=3000)
    X = np.column_stack([codes, rng.normal(size=3000)])
    y = np.where(codes >= 3, 1e3, 10.0 * codes + rng.normal(size=3000))
    weights = np.where(codes >= 3, 1e8, 1e-8)
    tree = medians(min_samples_leaf=100, categorical_features=[0])
    predictions = tree.fit(X, y, sample_weight=weights).predict(X)
    for code in range(3):
        assert abs(predictions[codes == code].mean() - 10 * code) < 1


@pytest.mark.parametrize("seed", range(3))
def test_weights_over_twelve_orders_against_sklearn(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 2)).astype(np.float32).astype(float)
    y = X[:, 0] + rng.normal(size=200)
    weights = 10.0 ** rng.uniform(-6, 6, size=200)
    limits = {"max_depth": 3, "min_samples_leaf": 5, "criterion": "absolute_error"}
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, **limits)
    theirs.fit(X, y, sample_weight=weights)
    ours = DecisionTreeRegressor(**limits).fit(X, y, sample_weight=weights)

    def weighted_error(model):
        return np.average(np.abs(y - model.predict(X)), weights=weights)

    assert weighted_error(ours) <= weighted_error(theirs) * (1 + 1e-9)
