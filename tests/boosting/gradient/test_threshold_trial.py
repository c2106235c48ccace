"""Kinds of thresholds that do not suit the data are left out of the default of boosted trees."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_wine
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

from nonet import BoostedTreesClassifier, BoostedTreesRegressor, limit_threads
from nonet.boosting.gradient.boosted_trees.held_out_patience import is_worth_waiting
from nonet.boosting.gradient.boosted_trees.threshold_kinds import keep_good_kinds, usual_kinds

N_TRAIN = 500


def draw_sum(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(2 * N_TRAIN, 6))
    return X, X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3]) + 0.2 * rng.normal(size=len(X))


def draw_xor(seed, n_columns=20):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(2 * N_TRAIN, n_columns))
    return X, 2 * np.sign(X[:, 0] * X[:, 1]) + 0.3 * rng.normal(size=len(X))


def with_outliers(X, y):
    X = X.copy()
    X[:6, :6] = np.where(np.eye(6), 1e6, X[:6, :6])
    return X, y


ODD = {
    "long tails": lambda seed: (np.exp(3 * draw_sum(seed)[0]), draw_sum(seed)[1]),
    "outliers": lambda seed: with_outliers(*draw_sum(seed)),
    "interaction among noise": draw_xor,
}


def test_boosters_differ_in_their_thresholds():
    X, y = load_diabetes(return_X_y=True)
    model = BoostedTreesRegressor(random_state=0).fit(X, y)
    assert model.thresholds_ == ("uniform", "uniform", "distinct", "half-searched")
    assert usual_kinds(True) == ("uniform",)


@pytest.mark.parametrize("name", ODD)
def test_defaults_on_odd_columns_against_sklearn(name):
    gains = []
    for seed in range(3):
        X, y = ODD[name](seed)
        parts = X[:N_TRAIN], y[:N_TRAIN]
        scores = [
            kind(random_state=0).fit(*parts).score(X[N_TRAIN:], y[N_TRAIN:])
            for kind in (BoostedTreesRegressor, HistGradientBoostingRegressor)
        ]
        gains.append(scores[0] - scores[1])
    assert np.mean(gains) > 0


def test_several_classes_with_long_tails_against_sklearn():
    X, y = draw_sum(0)
    X, y = np.exp(3 * X), np.digitize(y, [-1, 1])
    scores = [
        kind(random_state=0).fit(X[:N_TRAIN], y[:N_TRAIN]).score(X[N_TRAIN:], y[N_TRAIN:])
        for kind in (BoostedTreesClassifier, HistGradientBoostingClassifier)
    ]
    assert scores[0] > scores[1]


def test_thresholds_between_extremes_are_left_out_where_tails_are_long():
    X, y = draw_sum(0)
    assert "uniform" in BoostedTreesRegressor(random_state=0).fit(X, y).thresholds_
    assert "uniform" not in BoostedTreesRegressor(random_state=0).fit(np.exp(3 * X), y).thresholds_


def test_thresholds_that_are_set_stay():
    X, y = draw_xor(0)
    mixed = BoostedTreesRegressor(extra_trees="mixed", random_state=0).fit(X[:200], y[:200])
    assert mixed.thresholds_ == usual_kinds("mixed")
    sampled = BoostedTreesRegressor(extra_trees=True, random_state=0).fit(X[:200], y[:200])
    assert sampled.thresholds_ == ("uniform",)


def test_rows_without_folds_need_no_trial():
    X, y = load_wine(return_X_y=True)
    few = np.arange(0, len(X), 4)
    assert BoostedTreesClassifier(random_state=0).fit(X[few], y[few]).thresholds_ == ("uniform",)


def test_the_trial_is_deterministic_on_threads():
    X, y = draw_xor(1)
    models = []
    for n_threads in (1, 2, 3):
        with limit_threads(n_threads):
            models.append(BoostedTreesRegressor(random_state=0).fit(X[:200], y[:200]))
    assert len({model.thresholds_ for model in models}) == 1
    for model in models[1:]:
        np.testing.assert_array_equal(model.predict(X), models[0].predict(X))


def test_outputs_of_any_scale_count_alike():
    X, y = draw_sum(0)
    X = np.exp(3 * X)
    pairs = [np.column_stack([y, scale * y[::-1]]) for scale in (1.0, 1024.0)]
    kinds = [BoostedTreesRegressor(random_state=0).fit(X, pair).thresholds_ for pair in pairs]
    assert kinds[0] == kinds[1]


def test_boosting_waits_longer_while_nothing_is_learned():
    rising = [1.0, *[1.1] * 10]
    assert is_worth_waiting(rising, 3)
    assert not is_worth_waiting([*rising, 1.1, 1.1], 3)
    assert not is_worth_waiting([1.0, 0.9, 0.95, 0.95, 0.95], 3)
    assert not is_worth_waiting([np.nan] * 3, 3)


def test_good_kinds_are_near_the_best():
    mixed = usual_kinds("mixed")

    def keep(**changed):
        means = {"uniform": 1.4, "distinct": 1.0, "half-searched": 1.45, "searched": 0.99}
        return keep_good_kinds(mixed, {k: np.full(9, m) for k, m in (means | changed).items()})

    assert keep() == mixed
    assert keep(**{"half-searched": 1.6}) == mixed[:3]
    assert keep(uniform=5.0, distinct=np.inf) == ("half-searched", "searched")
    assert keep_good_kinds(mixed, {"uniform": np.full(9, np.nan)}) == mixed


def test_one_row_of_large_loss_leaves_out_nothing():
    losses = {"uniform": np.ones(50), "distinct": np.ones(50)}
    losses["uniform"][0] = 100.0
    assert keep_good_kinds(("uniform",), losses) == ("uniform",)
