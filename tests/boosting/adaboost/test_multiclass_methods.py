"""AdaBoost.M2 and AdaBoost.MH against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

import nonet
from nonet import AdaBoostClassifier

X, Y = load_iris(return_X_y=True)
TRUTH = np.where(np.arange(3) == Y[:, None], 1.0, -1.0)


def test_m2_against_naive_weighs_members_by_their_pseudo_loss():
    model = AdaBoostClassifier(method="m2", n_estimators=6).fit(X, Y)
    is_wrong = TRUTH < 0
    pairs = is_wrong / is_wrong.sum()
    for position, member in enumerate(model.estimators_):
        h = member.predict_proba(X)
        leads = h[np.arange(150), Y][:, None] - h
        loss = (pairs * (1 - leads)).sum() / 2
        beta = loss / (1 - loss)
        assert model.round_log_.error[position] == pytest.approx(loss)
        assert model.estimator_weights_[position] == pytest.approx(np.log(1 / beta))
        pairs = pairs * beta ** ((1 + leads) / 2)
        pairs /= pairs.sum()


def test_mh_against_naive_weighs_members_by_their_wrong_predictions():
    base = DecisionTreeClassifier(max_depth=1)
    model = AdaBoostClassifier(base, method="mh", n_estimators=5).fit(X, Y)
    weights, score = np.full((150, 3), 1 / 450), np.zeros((150, 3))
    for position, member in enumerate(model.estimators_):
        predictions = member.decision_function(X)
        r = (weights * TRUTH * predictions).sum()
        alpha = np.log((1 + r) / (1 - r)) / 2
        assert model.round_log_.alpha[position] == pytest.approx(alpha)
        score += alpha * predictions
        weights = weights * np.exp(-alpha * TRUTH * predictions)
        assert model.round_log_.z[position] == pytest.approx(weights.sum())
        weights /= weights.sum()
    size = model.estimator_weights_.sum()
    np.testing.assert_allclose(model.decision_function(X), score / size, atol=1e-12)
    # The product of Z bounds the fraction of wrong one-vs-rest predictions.
    assert (np.sign(score) != TRUTH).mean() <= np.prod(model.round_log_.z) + 1e-12


def test_mh_fits_each_classifier_on_its_own_weights():
    model = AdaBoostClassifier(method="mh", n_estimators=2).fit(X, Y)
    classifiers = model.estimators_[1].estimators_
    assert len(classifiers) == 3
    assert all(classifier.classes_.tolist() == [-1, 1] for classifier in classifiers)


@pytest.mark.parametrize("weighted", [False, True])
def test_mh_on_binned_columns_against_any_learner(weighted):
    # A tree that would prune itself is fitted as any learner is; with nothing to prune they agree.
    weights = np.random.default_rng(0).integers(0, 3, len(Y)) if weighted else None
    fast, slow = (
        AdaBoostClassifier(nonet.DecisionTreeClassifier(max_depth=2, ccp_alpha=alpha), method="mh")
        .set_params(n_estimators=8)
        .fit(X, Y, weights)
        for alpha in (0.0, 1e-12)
    )
    np.testing.assert_allclose(fast.round_log_.error, slow.round_log_.error)
    np.testing.assert_allclose(fast.decision_function(X), slow.decision_function(X))
    assert all(len(member.estimators_) == 3 for member in fast.estimators_)


@pytest.mark.parametrize("method", ["m2", "mh"])
def test_two_classes_are_boosted_too(method):
    model = AdaBoostClassifier(method=method, n_estimators=10).fit(X[50:], Y[50:])
    assert model.score(X[50:], Y[50:]) > 0.93
    assert model.decision_function(X[50:]).shape == (100,)


@pytest.mark.parametrize("method", ["m2", "mh"])
def test_rows_can_be_drawn_by_the_weight_of_their_pairs(method):
    model = AdaBoostClassifier(method=method, resample=True, n_estimators=10, random_state=0)
    assert model.fit(X, Y).score(X, Y) > 0.9
