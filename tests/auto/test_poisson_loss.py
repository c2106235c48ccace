"""Tests of boosters with Poisson loss: which targets they are for, and what they are worth."""

import numpy as np
import pytest

from nonet import AutoEnsembleClassifier, AutoEnsembleRegressor
from nonet.auto.configuration import Configuration, read_portfolio
from nonet.auto.poisson_loss import with_poisson_loss

ADDED = "fast_15_poisson"


@pytest.mark.parametrize(
    ("values", "is_added"),
    [([0.0, 3.0, 8.0], True), ([-1e-9, 3.0, 8.0], False), ([0.0, 0.0, 0.0], False)],
)
def test_targets_that_are_never_negative_have_one_booster_more(values, is_added):
    portfolio = read_portfolio("regression")
    found = with_poisson_loss(portfolio, np.array(values))
    assert [one for one in found if one.name != ADDED] == portfolio
    assert [one.name for one in found[:4]].count(ADDED) == is_added


def test_penalty_grows_with_the_target_as_hessians_do():
    first, hundredfold = (
        with_poisson_loss(read_portfolio("regression"), scale * np.arange(5.0))[3].params
        for scale in (1.0, 100.0)
    )
    assert hundredfold["reg_lambda"] == pytest.approx(100 * first["reg_lambda"])


def test_portfolio_without_boosters_stays_as_it_is():
    linear = [Configuration("linear", "linear")]
    assert with_poisson_loss(linear, np.arange(5.0)) == linear


def test_counts_with_a_logarithmic_mean_are_predicted_with_it():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 4))
    y = rng.poisson(np.exp(1.2 * X.sum(axis=1))).astype(float)
    settings = {"time_limit": None, "random_state": 0, "cv": 3, "n_jobs": 1, "max_tasks": 16}
    model = AutoEnsembleRegressor(families=["boosted_trees"], **settings).fit(X, y)
    by_name = {row.name: row for row in model.leaderboard_.rows}
    assert by_name[ADDED].score < by_name["fast_15"].score
    assert by_name[ADDED].weight > 0.2
    below = AutoEnsembleRegressor(families=["boosted_trees"], **settings).fit(X, y - 1)
    assert ADDED not in {row.name for row in below.leaderboard_.rows}


def test_classes_have_none():
    X = np.random.default_rng(0).normal(size=(60, 2))
    settings = {"time_limit": None, "random_state": 0, "cv": 2, "n_jobs": 1, "max_tasks": 2}
    model = AutoEnsembleClassifier(**settings).fit(X, X[:, 0] > 0)
    assert not any("poisson" in row.name for row in model.leaderboard_.rows)
