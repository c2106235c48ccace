"""Gentle AdaBoost and LogitBoost against naive versions of their formulas."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeRegressor

from nonet import AdaBoostClassifier, trees
from nonet.boosting import Logit

X, Y = make_classification(200, 5, n_informative=4, n_redundant=0, flip_y=0.1, random_state=5)
SIGNS = np.where(Y == 1, 1.0, -1.0)


def naive_gentle(n_rounds):
    score, weights = np.zeros(len(Y)), np.full(len(Y), 1 / len(Y))
    for _ in range(n_rounds):
        step = DecisionTreeRegressor(max_depth=1).fit(X, SIGNS, weights).predict(X)
        score += step
        weights = weights * np.exp(-SIGNS * step)
        weights /= weights.sum()
    return score


def naive_logit(n_rounds, maximum):
    score = np.zeros(len(Y))
    for _ in range(n_rounds):
        p = expit(2 * score)
        response = np.clip((Y - p) / (p * (1 - p)), -maximum, maximum)
        weights = p * (1 - p) / np.sum(p * (1 - p))
        score += DecisionTreeRegressor(max_depth=1).fit(X, response, weights).predict(X) / 2
    return score


@pytest.mark.parametrize("base", [None, DecisionTreeRegressor(max_depth=1)])
def test_gentle_against_naive(base):
    model = AdaBoostClassifier(base, method="gentle", n_estimators=12).fit(X, Y)
    np.testing.assert_allclose(model.decision_function(X), 2 * naive_gentle(12), rtol=1e-6)


@pytest.mark.parametrize("base", [None, DecisionTreeRegressor(max_depth=1)])
def test_logit_against_naive(base):
    model = AdaBoostClassifier(base, method=Logit(3.0), n_estimators=12).fit(X, Y)
    expected = naive_logit(12, 3.0)
    np.testing.assert_allclose(model.decision_function(X), 2 * expected, rtol=1e-5)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expit(2 * expected), rtol=1e-5)


@pytest.mark.parametrize("method", ["gentle", "logit"])
def test_regressors_are_boosted_and_classifiers_rejected(method):
    with pytest.raises(ValueError, match="boosts regressors, but DecisionTreeClassifier is a"):
        AdaBoostClassifier(trees.DecisionTreeClassifier(), method=method).fit(X, Y)
    labels = np.where(Y == 1, "yes", "no")
    model = AdaBoostClassifier(method=method, n_estimators=30).fit(X, labels)
    assert model.score(X, labels) > 0.85
    assert set(model.predict(X)) == {"no", "yes"}


def test_logit_probabilities_are_closer_to_the_truth_than_those_of_the_vote():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(4000, 1))
    truth = expit(2 * x[:, 0])
    y = (rng.uniform(size=4000) < truth).astype(int)
    off = {
        method: np.abs(
            AdaBoostClassifier(method=method, n_estimators=20).fit(x, y).predict_proba(x)[:, 1]
            - truth
        ).mean()
        for method in ("logit", "samme")
    }
    assert off["logit"] < 0.06 < 0.1 < off["samme"]
