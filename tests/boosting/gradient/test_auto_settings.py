"""What 'auto' stands for in BoostedTrees, and what a given value changes."""

from __future__ import annotations

import numpy as np
import pytest

from nonet import BoostedTreesClassifier, BoostedTreesRegressor, boost_cv
from nonet.boosting.gradient.boosted_trees.auto_settings import CLASSIC, choose_settings

N_ROWS = 300


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, 5))
    return X, X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=N_ROWS)


def chosen(model):
    return (
        model.learning_rate_,
        model.num_leaves_,
        model.min_child_samples_,
        model.reg_lambda_,
        model.extra_trees_,
        model.n_bags_,
    )


FAST = (0.1, 31, 20, 5.0, False, 1)


@pytest.mark.parametrize(
    "settings",
    [
        {"preset": "fast"},
        {"n_estimators": 100},
        {"warm_start": True},
        {"drop_rate": 0.1},
    ],
    ids=lambda settings: next(iter(settings)),
)
def test_given_rounds_mean_one_classic_booster(table, settings):
    model = BoostedTreesRegressor(**settings, random_state=0).fit(*table)
    assert chosen(model) == FAST
    assert (model.n_iter_, model.held_out_losses_) == (100, None)


def test_early_stopping_of_the_user_means_one_classic_booster(table):
    model = BoostedTreesRegressor(early_stopping_rounds=5, random_state=0).fit(*table)
    assert chosen(model) == FAST
    assert model.n_iter_ <= 100


def test_fast_preset_is_the_booster_of_those_numbers(table):
    X, y = table
    numbers = dict(
        zip(
            ["learning_rate", "num_leaves", "min_child_samples", "reg_lambda", "extra_trees"],
            FAST,
            strict=False,
        )
    )
    fast = BoostedTreesRegressor(preset="fast", random_state=0).fit(X, y)
    given = BoostedTreesRegressor(n_estimators=100, **numbers, random_state=0).fit(X, y)
    np.testing.assert_array_equal(fast.predict(X), given.predict(X))


def test_a_set_that_is_only_watched_does_not_change_the_model(table):
    X, y = table
    plain = BoostedTreesRegressor(random_state=0).fit(X, y)
    watched = BoostedTreesRegressor(random_state=0).fit(X, y, eval_set=[(X[:50], y[:50])])
    np.testing.assert_array_equal(plain.predict(X), watched.predict(X))
    assert len(watched.evals_result_["validation_0"]["loss"]) == watched.n_iter_


def test_given_values_stay(table):
    model = BoostedTreesRegressor(
        num_leaves=4, learning_rate=0.3, min_child_samples=9, reg_lambda=0.5, n_bags=3
    ).fit(*table)
    assert chosen(model) == (0.3, 4, 9, 0.5, "mixed", 3)
    assert model.n_iter_ % 3 == 0
    assert all(tree.n_leaves <= 4 for trees in model._booster.rounds for tree in trees)


def test_smaller_learning_rate_gets_more_rounds():
    kinds = [BoostedTreesRegressor(), BoostedTreesRegressor(learning_rate=0.01)]
    usual, slow = (choose_settings(kind, 1000, 5, 1, is_free=True) for kind in kinds)
    assert slow.n_rounds == pytest.approx(usual.n_rounds * usual.learning_rate / 0.01, abs=1)
    assert slow.patience > usual.patience


@pytest.mark.parametrize("n_scores", [1, 3, 26])
def test_work_grows_more_slowly_than_rows_and_scores(n_scores):
    """Trees of all boosters and rounds: never more for more rows."""
    sizes = [60, 1000, 5000, 20_000, 100_001, 1_000_000]
    plans = [choose_settings(BoostedTreesClassifier(), n, 5, n_scores, is_free=True) for n in sizes]
    trees = [plan.n_bags * plan.n_rounds * n_scores for plan in plans]
    assert trees == sorted(trees, reverse=True)
    assert trees[-1] == CLASSIC.n_rounds * n_scores


def test_few_rows_are_not_held_out():
    """The settings must not depend on the number of rows: repeated rows are weights there."""
    plans = [choose_settings(BoostedTreesRegressor(), n, 5, 1, is_free=True) for n in (3, 59)]
    assert plans[0] == plans[1]
    assert not plans[0].stops


def test_wide_tables_sample_columns_of_a_split():
    plans = [
        choose_settings(BoostedTreesRegressor(**given), 100, 2560, 1, is_free=True)
        for given in ({}, {"colsample_bynode": 0.5})
    ]
    assert [plan.colsample_bynode for plan in plans] == [0.1, 0.5]


def test_several_classes_get_uniform_thresholds_only():
    plans = [
        choose_settings(BoostedTreesClassifier(), 1000, 5, n_scores, is_free=True)
        for n_scores in (1, 3)
    ]
    assert [plan.extra_trees for plan in plans] == ["mixed", True]


def test_boost_cv_of_automatic_rounds_grows_a_hundred(table):
    result = boost_cv(BoostedTreesRegressor(random_state=0), *table, refit="best")
    assert result.n_rounds == 100
    assert result.model.n_iter_ == result.best_round


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"n_bags": 3, "warm_start": True}, "warm_start=True; set n_bags to 1"),
        ({"n_bags": 3, "drop_rate": 0.2}, "drop_rate=0.2; set n_bags to 1"),
        ({"n_bags": 3, "early_stopping_rounds": 5}, "early_stopping_rounds=5; set n_bags to 1"),
        ({"n_bags": 0}, "'n_bags' must be 'auto' or"),
        ({"preset": "slow"}, "'preset' must be one of 'best', 'fast'"),
        ({"n_estimators": "many"}, "'n_estimators' must be 'auto' or"),
        ({"extra_trees": "some"}, "'extra_trees' must be one of 'auto', 'mixed' or"),
    ],
    ids=lambda case: str(case)[:40],
)
def test_rejects_settings_that_contradict_each_other(table, settings, words):
    with pytest.raises(ValueError, match=words):
        BoostedTreesRegressor(**settings).fit(*table)


def test_rejects_init_model_with_bags(table):
    first = BoostedTreesRegressor(n_estimators=3).fit(*table)
    with pytest.raises(ValueError, match="n_bags=3 .* init_model; set n_bags to 1"):
        BoostedTreesRegressor(n_bags=3).fit(*table, init_model=first)
