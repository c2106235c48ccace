"""Rows whose weights, gradients or hessians are many orders of magnitude apart.

Issue 17, items 10 and 11: light rows must not vanish in fixed point. Every split is compared with
all splits of its node in extended precision.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import mean_poisson_deviance

from grow.naive_tree import rows_of_nodes
from nonet import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
)
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, grow_tree

CRITERIA = ["gini", "entropy", "squared_error", "poisson", "newton"]


def draw_weights(rng, n_rows, orders=12.0):
    """Weights that span so many orders of magnitude."""
    return 10.0 ** rng.uniform(-orders / 2, orders / 2, size=n_rows)


def draw_target(criterion, X, rng):
    noisy = X[:, 0] + 0.5 * X[:, 1] + rng.normal(size=len(X))
    if criterion in ("gini", "entropy"):
        return np.digitize(noisy, np.quantile(noisy, [0.4, 0.7]))
    return np.exp(noisy / 4).round(3) if criterion == "poisson" else noisy


def grow(X, y, criterion, params=None, **arrays):
    if criterion == "newton":
        arrays.setdefault("hessians", np.full(len(y), 0.7))
    if criterion in ("gini", "entropy"):
        arrays["n_classes"] = 3
    return grow_tree(BinnedDataset(X), y, params, criterion=criterion, **arrays)


def score(sums, criterion):
    """Score of sides whose rows add up to (..., terms): classes, or a sum and a weight."""
    with np.errstate(divide="ignore", invalid="ignore"):
        if criterion == "gini":
            return (sums**2).sum(axis=-1) / sums.sum(axis=-1)
        if criterion == "entropy":
            total = sums.sum(axis=-1)
            logs = np.where(sums > 0, sums * np.log2(sums), 0).sum(axis=-1)
            return logs - total * np.log2(total)
        total, weight = sums[..., 0], sums[..., 1]
        if criterion == "poisson":
            return np.where(total > 0, total * np.log(total / weight), -np.inf)
        return total**2 / weight


def all_gains(column, terms, criterion):
    """Gains of all thresholds of a column, by threshold."""
    values, codes = np.unique(column, return_inverse=True)
    sums = np.zeros((len(values), terms.shape[1]), dtype=np.longdouble)
    np.add.at(sums, codes, terms)
    left = sums.cumsum(axis=0)
    sides = score(left[:-1], criterion) + score(left[-1] - left[:-1], criterion)
    return dict(zip(values[:-1], sides - score(left[-1], criterion), strict=True))


def terms_of(y, w, criterion, hessians=None):
    """What rows add, in extended precision."""
    w = w.astype(np.longdouble)
    if criterion in ("gini", "entropy"):
        return w[:, np.newaxis] * np.eye(3, dtype=np.longdouble)[y]
    second = np.ones(len(y)) if hessians is None else hessians
    return np.column_stack([w * y, w * second])


def centred(terms, criterion):
    if criterion != "squared_error":
        return terms
    mean = terms[:, 0].sum() / terms[:, 1].sum()
    return np.column_stack([terms[:, 0] - mean * terms[:, 1], terms[:, 1]])


def assert_splits_are_best(tree, X, terms, criterion, slack=1e-9):
    arrays = tree.arrays()
    n_inner = 0
    for node, rows in enumerate(rows_of_nodes(arrays, X)):
        if arrays["left"][node] < 0:
            continue
        n_inner += 1
        node_terms = centred(terms[rows], criterion)
        gains = [all_gains(x, node_terms, criterion) for x in X[rows].T]
        best = max(max(column.values(), default=-np.inf) for column in gains)
        below = [v for v in gains[arrays["column"][node]] if v <= arrays["threshold"][node]]
        chosen = gains[arrays["column"][node]][max(below)]
        # Doubles subtract scores as large as the weight of the node.
        rounding = 4e-15 * abs(node_terms).sum()
        assert chosen >= best - slack * abs(best) - rounding, (node, chosen, best)
    return n_inner


# ---- Item 10: weights ---------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("max_leaf_nodes", [None, 60])
def test_weights_of_twelve_orders_split_as_extended_precision_does(criterion, max_leaf_nodes):
    rng = np.random.default_rng(11)
    X = rng.integers(0, 40, size=(400, 3)).astype(float)
    y = draw_target(criterion, X, rng)
    w = draw_weights(rng, len(X))
    tree = grow(X, y, criterion, GrowParams(max_leaf_nodes=max_leaf_nodes), weights=w)
    hessians = np.full(len(y), 0.7) if criterion == "newton" else None
    terms = terms_of(y, w, criterion, hessians)
    assert assert_splits_are_best(tree, X, terms, criterion) > 40


@pytest.mark.parametrize("criterion", ["squared_error", "poisson"])
def test_several_outputs_of_light_rows_are_told_apart(criterion):
    rng = np.random.default_rng(12)
    X = rng.normal(size=(3000, 4))
    Y = np.exp(X[:, :2]).round(4)
    model = DecisionTreeRegressor(criterion=criterion, random_state=0)
    w = rng.choice([1e-6, 1e6], size=len(X))
    assert model.fit(X, Y, sample_weight=w).score(X, Y) > 1 - 1e-9


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("Model", [DecisionTreeClassifier, RandomForestClassifier])
def test_classes_of_light_rows_are_told_apart(Model, criterion, n_classes):
    rng = np.random.default_rng(13)
    X = rng.normal(size=(20_000, 4))
    y = (X[:, 0] + X[:, 1] > 0).astype(int) + (n_classes == 3) * (X[:, 2] > 0)
    w = rng.choice([1e-6, 1e6], size=len(X))
    settings = {} if Model is DecisionTreeClassifier else {"n_estimators": 5}
    model = Model(criterion=criterion, random_state=0, **settings).fit(X, y, sample_weight=w)
    assert model.score(X, y) > 0.97
    if Model is DecisionTreeClassifier:
        assert model.score(X, y) == 1.0


def test_extra_trees_tell_light_rows_apart():
    rng = np.random.default_rng(14)
    X = rng.normal(size=(5000, 4))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    w = rng.choice([1e-6, 1e6], size=len(X))
    model = ExtraTreesClassifier(5, random_state=0).fit(X, y, sample_weight=w)
    assert model.score(X, y) == 1.0


def test_many_light_rows_beside_heavy_ones_are_no_single_leaf():
    rng = np.random.default_rng(15)
    X = rng.normal(size=(300_000, 2))
    w = np.where(X[:, 0] > 0, 1.0, 1e-8)
    y = np.where(X[:, 0] > 0, 0, (X[:, 1] > 0).astype(int))
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y, sample_weight=w)
    assert model.score(X, y) > 0.9999  # up to the bins of X


@pytest.mark.parametrize("criterion", CRITERIA)
def test_weights_far_apart_mean_repetition(criterion):
    rng = np.random.default_rng(16)
    X = rng.integers(0, 30, size=(250, 3)).astype(float)
    y = draw_target(criterion, X, rng)
    w = draw_weights(rng, len(X))
    times = rng.integers(1, 4, size=len(X))
    twice = np.repeat(np.arange(len(X)), times)
    counted = grow(X, y, criterion, weights=w, counts=times.astype(np.uint32)).arrays()
    repeated = grow(X[twice], y[twice], criterion, weights=w[twice]).arrays()
    np.testing.assert_array_equal(counted["column"], repeated["column"])
    np.testing.assert_allclose(counted["threshold"], repeated["threshold"])
    np.testing.assert_allclose(counted["values"], repeated["values"], rtol=1e-9)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_light_rows_give_the_same_tree_on_any_number_of_threads(monkeypatch, criterion):
    rng = np.random.default_rng(17)
    X = rng.normal(size=(20_000, 5))
    y = draw_target(criterion, X, rng)
    w = draw_weights(rng, len(X))
    trees = set()
    for n_threads in (1, 2, 5):
        monkeypatch.setenv("NONET_NUM_THREADS", str(n_threads))
        trees.add(grow(X, y, criterion, GrowParams(max_depth=8), weights=w).to_bytes())
    assert len(trees) == 1


def test_light_rows_keep_a_monotone_constraint():
    rng = np.random.default_rng(18)
    X = rng.uniform(size=(2000, 2))
    y = 100 + X[:, 0] + rng.normal(size=len(X))
    w = draw_weights(rng, len(X))
    model = DecisionTreeRegressor(monotonic_cst=[1, 0], max_depth=8, random_state=0)
    model.fit(X, y, sample_weight=w)
    grid = np.column_stack([np.linspace(0, 1, 200), np.full(200, 0.5)])
    steps = np.diff(model.predict(grid))
    assert (steps >= 0).all()
    assert steps.max() > 0


def test_weights_beyond_all_bits_give_no_nan():
    rng = np.random.default_rng(19)
    X = rng.normal(size=(500, 3))
    w = draw_weights(rng, len(X), orders=80)
    for model in (DecisionTreeRegressor(random_state=0), DecisionTreeClassifier(random_state=0)):
        y = (X[:, 0] > 0).astype(int)
        predictions = model.fit(X, y, sample_weight=w).predict(X)
        assert np.isfinite(predictions).all()
        heavy = w > 1e-20 * w.max()
        np.testing.assert_array_equal(predictions[heavy], y[heavy])


# ---- Item 11: gradients and hessians ------------------------------------------------------------


@pytest.mark.parametrize("fraction", [0.95, 0.5, 0.05])
@pytest.mark.parametrize("orders", [2, 4, 6, 10])
@pytest.mark.parametrize("hessian", ["scaled", "one"])
def test_mixtures_of_sizes_split_as_extended_precision_does(hessian, orders, fraction):
    # 40,000 rows are packed where all are of one size.
    rng = np.random.default_rng(20)
    X = rng.integers(0, 16, size=(40_000, 4)).astype(float)
    is_small = rng.uniform(size=len(X)) < fraction
    X[:, 3] = is_small
    size = np.where(is_small, 10.0**-orders, 1.0)
    gradients = 0.2 * (X[:, 0] > 7) + 0.1 * (X[:, 1] > 11) + 0.3 * rng.normal(size=len(X))
    if hessian == "scaled":  # as in Poisson's loss: all rows may gain about the same
        gradients *= np.sqrt(size)
        hessians = size * rng.uniform(0.5, 1, size=len(X))
    else:
        gradients *= size
        hessians = np.ones(len(X))
    tree = grow(X, gradients, "newton", GrowParams(max_leaf_nodes=40), hessians=hessians)
    terms = terms_of(gradients, np.ones(len(X)), "newton", hessians)
    assert assert_splits_are_best(tree, X, terms, "newton", slack=2e-2) == 39
    nodes = rows_of_nodes(tree.arrays(), X)
    inner = [rows for rows, left in zip(nodes, tree.arrays()["left"], strict=True) if left >= 0]
    if hessian == "scaled":
        assert any(is_small[rows].all() for rows in inner)


@pytest.mark.parametrize("n_rows", [20_000, 40_000])
def test_poisson_boosting_sees_small_rates_beside_large_ones(n_rows):
    rng = np.random.default_rng(21)
    X = rng.normal(size=(n_rows, 3))
    X[:, 0] = rng.uniform(size=n_rows) < 0.05
    rate = np.where(X[:, 0] == 1, 1000.0, np.where(X[:, 1] > 0, 0.1, 0.01))
    y = rng.poisson(rate).astype(float)
    model = HistGradientBoostingRegressor(loss="poisson", early_stopping=False, random_state=0)
    predictions = model.fit(X, y).predict(X)
    for small in (0.01, 0.1):
        here = rate == small
        assert predictions[here].mean() == pytest.approx(y[here].mean(), rel=0.4)
    assert mean_poisson_deviance(y, predictions) < mean_poisson_deviance(y, rate)


@pytest.mark.parametrize("n_rows", [2000, 40_000])
@pytest.mark.parametrize("boosts", [False, True])
def test_one_huge_target_does_not_hide_the_others(n_rows, boosts):
    rng = np.random.default_rng(22)
    X = rng.normal(size=(n_rows, 3))
    truth = (X[:, 0] + (X[:, 1] > 0) > 0.5).astype(float)
    y = truth.copy()
    y[7] = 1e12
    model = (
        HistGradientBoostingRegressor(
            learning_rate=1, max_iter=60, min_samples_leaf=1, early_stopping=False
        )
        if boosts
        else DecisionTreeRegressor(random_state=0)
    )
    predictions = model.fit(X, y).predict(X)
    assert (abs(predictions - truth) < 0.01).mean() > 0.99
