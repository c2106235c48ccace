"""Trees that serve all classes, outputs or quantiles at once."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import log_loss

from nonet import BoostedTreesClassifier, BoostedTreesRegressor, limit_threads

VECTOR = {"multi_strategy": "multi_output_tree"}


@pytest.fixture
def rng():
    return np.random.default_rng(2)


def waves(rng, n_rows=600):
    X = rng.integers(0, 20, size=(n_rows, 4)).astype(float)
    y = np.column_stack([np.sin(X[:, 0]), X[:, 1] / 10, X[:, 0] / 10 - X[:, 2] / 20])
    return X, y + 0.1 * rng.normal(size=y.shape)


def test_one_split_against_naive(rng):
    """The split gains the most over all outputs together; leaves hold a step for each."""
    X, Y = waves(rng, 200)
    l2 = 2.0
    model = BoostedTreesRegressor(
        n_estimators=1,
        learning_rate=1.0,
        num_leaves=2,
        min_child_samples=5,
        reg_lambda=l2,
        **VECTOR,
    ).fit(X, Y)
    residuals = Y - Y.mean(axis=0)
    best = (-np.inf, None)
    for j in range(X.shape[1]):
        for value in np.unique(X[:, j])[:-1]:
            left = X[:, j] <= value
            if min(left.sum(), (~left).sum()) < 5:
                continue
            gain = sum(
                (residuals[s].sum(axis=0) ** 2).sum() / (s.sum() + l2) for s in (left, ~left)
            )
            best = max(best, (gain, (j, value)))
    j, value = best[1]
    expected = np.empty_like(Y)
    for side in (X[:, j] <= value, X[:, j] > value):
        expected[side] = residuals[side].sum(axis=0) / (side.sum() + l2)
    np.testing.assert_allclose(model.predict(X) - Y.mean(axis=0), expected, rtol=1e-9, atol=1e-12)


def test_equal_outputs_give_the_trees_of_one(rng):
    X, Y = waves(rng)
    both = BoostedTreesRegressor(n_estimators=8, **VECTOR).fit(X, Y[:, [0, 0]])
    alone = BoostedTreesRegressor(n_estimators=8).fit(X, Y[:, 0])
    np.testing.assert_allclose(both.predict(X)[:, 1], alone.predict(X), rtol=1e-9, atol=1e-12)


def test_rounds_have_one_tree_and_learn_as_well_as_several(rng):
    X, Y = waves(rng)
    vector = BoostedTreesRegressor(n_estimators=40, **VECTOR).fit(X[:400], Y[:400])
    each = BoostedTreesRegressor(n_estimators=40).fit(X[:400], Y[:400])
    assert {len(trees) for trees in vector._booster.rounds} == {1}
    assert vector.score(X[400:], Y[400:]) > each.score(X[400:], Y[400:]) - 0.05
    np.testing.assert_allclose(list(vector.staged_predict(X))[-1], vector.predict(X), rtol=1e-12)


def test_classes_are_learned():
    X, y = load_iris(return_X_y=True)
    model = BoostedTreesClassifier(n_estimators=30, **VECTOR).fit(X[::2], y[::2])
    assert log_loss(y[1::2], model.predict_proba(X[1::2])) < 0.3


def test_quantiles_have_exact_leaves(rng):
    X, Y = waves(rng)
    levels = [0.2, 0.5, 0.8]
    settings = {"n_estimators": 1, "learning_rate": 1.0, "num_leaves": 4}
    model = BoostedTreesRegressor("quantile", quantile=levels, **settings, **VECTOR)
    predictions = model.fit(X, Y[:, 0]).predict(X)
    for leaf in np.unique(predictions, axis=0):
        rows = (predictions == leaf).all(axis=1)
        np.testing.assert_allclose(leaf, np.quantile(Y[rows, 0], levels), rtol=1e-9)


@pytest.mark.parametrize(
    "settings",
    [
        {"subsample": 0.5, "colsample_bynode": 0.5},
        {"sampling_method": "mvs", "subsample": 0.3},
        {"drop_rate": 0.3},
        {"categorical_features": [0]},
        {"extra_trees": True},
    ],
)
def test_options_are_deterministic_on_any_number_of_threads(settings, rng):
    X, Y = waves(rng, 3000)
    predictions = []
    for n_threads in (1, 2):
        with limit_threads(n_threads):
            model = BoostedTreesRegressor(n_estimators=8, random_state=0, **settings, **VECTOR)
            predictions.append(model.fit(X, Y).predict(X))
    np.testing.assert_array_equal(*predictions)
    assert np.mean((Y - predictions[0]) ** 2) < 0.8 * Y.var(axis=0).mean()


def test_weights_mean_repetition(rng):
    X, Y = waves(rng, 300)
    times = rng.integers(1, 4, size=300)
    settings = {"n_estimators": 5, "min_child_samples": 1, **VECTOR}
    weighted = BoostedTreesRegressor(**settings).fit(X, Y, times)
    repeated = BoostedTreesRegressor(**settings)
    repeated.fit(np.repeat(X, times, axis=0), np.repeat(Y, times, axis=0))
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-9)
