from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_wine, make_friedman1
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import log_loss
from sklearn.model_selection import GroupKFold, KFold, RepeatedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from nonet import (
    BlendingClassifier,
    BlendingRegressor,
    SelectionClassifier,
    SelectionRegressor,
    VotingClassifier,
    VotingRegressor,
    make_ledger,
)
from nonet.combine import WEIGHT_FINDERS, GreedySelection, LeastSquares, SafePool
from nonet.decide import Abstain
from nonet.stacking.learned.weight_errors import bootstrap_errors, jackknife_errors
from stacking.models import classifiers, regressors

WINE = load_wine(return_X_y=True)
FRIEDMAN = make_friedman1(200, random_state=0)


@pytest.mark.parametrize("weights", ["simplex", "non_negative", "ridge_to_uniform", "greedy"])
def test_weights_against_those_of_a_vote_are_equal(weights):
    X, y = FRIEDMAN
    blend = BlendingRegressor(regressors(), weights=weights, errors=None).fit(X, y)
    vote = VotingRegressor(regressors(), weights=weights).fit(X, y)
    np.testing.assert_array_equal(blend.weights_, vote.weights_)
    np.testing.assert_array_equal(blend.predict(X), vote.predict(X))


def test_vote_uses_the_rule_that_the_weights_are_found_for():
    X, y = FRIEDMAN
    vote = VotingRegressor(regressors(), weights=LeastSquares()).fit(X, y)
    blend = BlendingRegressor(regressors(), weights="least_squares").fit(X, y)
    np.testing.assert_array_equal(vote.predict(X), blend.predict(X))


def test_least_squares_against_naive_takes_either_sign():
    X, y = FRIEDMAN
    blend = BlendingRegressor(regressors(), weights="least_squares", cv=4).fit(X, y)
    table = np.column_stack([cross_val_predict(m, X, y, cv=4) for _, m in regressors()])
    expected = np.linalg.lstsq(table, y, rcond=None)[0]
    np.testing.assert_allclose(blend.weights_, expected)
    predictions = np.column_stack([m.fit(X, y).predict(X) for _, m in regressors()])
    np.testing.assert_allclose(blend.predict(X), predictions @ expected)


def test_log_loss_weights_do_no_worse_than_the_best_member_held_out():
    X, y = WINE
    blend = BlendingClassifier(classifiers(), weights="log_loss").fit(X, y)
    outputs = blend.ledger_.outputs
    alone = [log_loss(y, SafePool().support(outputs[:, [position]])) for position in range(3)]
    assert log_loss(y, blend.combine_(outputs)) < min(alone)


def test_uniform_blend_is_the_mean():
    X, y = WINE
    blend = BlendingClassifier(classifiers(), weights="uniform").fit(X, y)
    vote = VotingClassifier(classifiers(), voting="soft").fit(X, y)
    np.testing.assert_allclose(blend.predict_proba(X), vote.predict_proba(X))


def test_fraction_holds_out_one_split_and_the_bootstrap_gives_the_errors():
    X, y = WINE
    blend = BlendingClassifier(classifiers(), cv=0.3, random_state=0).fit(X, y)
    assert blend.ledger_.covered_rows.size == 54
    assert (blend.weights_se_ >= 0).all()
    again = BlendingClassifier(classifiers(), cv=0.3, random_state=0).fit(X, y)
    np.testing.assert_array_equal(blend.weights_se_, again.weights_se_)


def test_groups_and_overlapping_folds_are_taken():
    X, y = FRIEDMAN
    groups = np.arange(len(y)) % 9
    BlendingRegressor(regressors(), cv=GroupKFold(3)).fit(X, y, groups=groups)
    repeated = RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)
    blend = BlendingRegressor(regressors(), cv=repeated).fit(X, y)
    assert (blend.ledger_.coverage == 2).all()


def test_prefit_members_are_blended_on_the_rows_given():
    X, y = FRIEDMAN
    fitted = [(name, model.fit(X[:100], y[:100])) for name, model in regressors()]
    blend = BlendingRegressor(fitted, cv="prefit", weights="least_squares").fit(X[100:], y[100:])
    table = np.column_stack([model.predict(X[100:]) for _, model in fitted])
    np.testing.assert_allclose(blend.weights_, np.linalg.lstsq(table, y[100:], rcond=None)[0])


def test_several_targets_have_the_same_weights():
    X, y = FRIEDMAN
    both = np.column_stack([y, -2 * y])
    blend = BlendingRegressor(regressors()).fit(X, both)
    assert blend.predict(X).shape == (200, 2)
    assert blend.weights_.shape == (3,)


def test_decision_rules_apply():
    X, y = WINE
    blend = BlendingClassifier(classifiers(), decide=Abstain(0.95, abstain_label=-1)).fit(X, y)
    surest = blend.predict_proba(X).max(axis=1)
    np.testing.assert_array_equal(blend.predict(X) == -1, surest < 0.95)


def test_jackknife_errors_against_naive():
    X, y = FRIEDMAN
    blend = BlendingRegressor(regressors(), weights="least_squares", cv=KFold(4)).fit(X, y)
    table = blend.ledger_.outputs
    found = []
    for _, left_out in KFold(4).split(X):
        kept = np.setdiff1d(np.arange(200), left_out)
        found.append(np.linalg.lstsq(table[kept], y[kept], rcond=None)[0])
    spread = np.asarray(found) - np.mean(found, axis=0)
    np.testing.assert_allclose(blend.weights_se_, np.sqrt(3 / 4 * (spread**2).sum(axis=0)))


def test_both_errors_against_theory_are_those_of_least_squares():
    """With independent noise of size s, Cov(w) = s^2 (Z'Z)^-1."""
    ratios = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        table = rng.normal(size=(400, 2))
        y = table @ [1.0, 2.0] + rng.normal(size=400)

        def find(rows, table=table, y=y):
            return np.linalg.lstsq(table[rows], y[rows], rcond=None)[0]

        folds = np.array_split(rng.permutation(400), 20)
        found = [jackknife_errors(find, 400, folds), bootstrap_errors(find, 400, seed)]
        ratios.append(found / np.sqrt(np.diag(np.linalg.inv(table.T @ table))))
    np.testing.assert_allclose(np.mean(ratios, axis=(0, 2)), 1, rtol=0.12)


def test_many_folds_are_left_out_together():
    calls = []

    def find(rows):
        calls.append(len(rows))
        return np.zeros(1)

    jackknife_errors(find, 100, [np.array([row]) for row in range(100)])
    assert calls == [95] * 20


def test_best_member_is_selected_and_alone_refitted():
    X, y = FRIEDMAN
    choice = SelectionRegressor(regressors()).fit(X, y)
    table = np.column_stack([cross_val_predict(m, X, y) for _, m in regressors()])
    errors = ((table - y[:, np.newaxis]) ** 2).mean(axis=0)
    np.testing.assert_allclose(choice.scores_, -errors)
    assert choice.selected_ == [regressors()[errors.argmin()][0]]
    best = regressors()[errors.argmin()][1].fit(X, y)
    np.testing.assert_allclose(choice.predict(X), best.predict(X))
    assert len(choice.estimators_) == 1
    assert choice.named_estimators_["tree"] == "drop"


def test_best_classifier_by_any_scorer():
    X, y = WINE
    choice = SelectionClassifier(classifiers(), scoring="neg_log_loss").fit(X, y)
    best = dict(classifiers())[choice.selected_[0]].fit(X, y)
    np.testing.assert_allclose(choice.predict_proba(X), best.predict_proba(X))
    assert choice.scores_.argmax() == [n for n, _ in classifiers()].index(choice.selected_[0])


def test_greedy_selection_keeps_those_it_picked():
    X, y = FRIEDMAN
    choice = SelectionRegressor(regressors(), method="greedy", n_rounds=10).fit(X, y)
    expected = GreedySelection(n_rounds=10).find(choice.ledger_.outputs, y)
    np.testing.assert_array_equal(choice.weights_, expected)
    assert choice.selected_ == [regressors()[m][0] for m in np.flatnonzero(expected)]
    assert choice.transform(X).shape == (200, len(choice.selected_))


def test_bagged_selection_is_deterministic():
    X, y = WINE
    settings = {"method": "greedy", "n_bags": 5, "random_state": 3}
    one = SelectionClassifier(classifiers(), **settings).fit(X, y).weights_
    two = SelectionClassifier(classifiers(), **settings).fit(X, y).weights_
    np.testing.assert_array_equal(one, two)


def test_one_ledger_serves_all_combinations():
    X, y = WINE
    ledger = make_ledger(classifiers(), X, y)
    for kind in (BlendingClassifier, SelectionClassifier):
        shared = kind(classifiers()).fit(X, y, ledger=ledger)
        np.testing.assert_array_equal(
            shared.predict_proba(X), kind(classifiers()).fit(X, y).predict_proba(X)
        )
        assert shared.ledger_ is ledger


def test_forest_predicts_out_of_bag():
    X, y = WINE
    models = [("bayes", GaussianNB()), ("forest", RandomForestClassifier(30, random_state=0))]
    blend = BlendingClassifier(models, out_of_bag=True).fit(X, y)
    assert list(blend.ledger_.refits) == ["forest", "bayes"]


def test_order_of_members_changes_nothing_but_the_order():
    X, y = FRIEDMAN
    there = BlendingRegressor(regressors()).fit(X, y)
    back = BlendingRegressor(regressors()[::-1]).fit(X, y)
    np.testing.assert_allclose(there.weights_, back.weights_[::-1], atol=1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"weights": "simplx"}, "did you mean 'simplex'"),
        ({"weights": "least_squares"}, "either sign do not give probabilities"),
        ({"cv": 1.5}, "'cv' must be None, a number of folds"),
        ({"errors": "both"}, "'errors' must be None or one of"),
        ({"estimators": [("svm", LinearSVC())]}, "predict_proba"),
    ],
    ids=str,
)
def test_classifier_rejects(change, message):
    X, y = WINE
    with pytest.raises((ValueError, TypeError), match=message):
        BlendingClassifier(classifiers()).set_params(**change).fit(X, y)


def test_several_targets_of_classes_are_rejected():
    X, y = WINE
    with pytest.raises(ValueError, match="one target of classes, but y has 2"):
        BlendingClassifier(classifiers()).fit(X, np.column_stack([y, y]))


def test_names_of_the_ways_to_find_weights_are_documented():
    for name in WEIGHT_FINDERS:
        assert f"'{name}'" in BlendingClassifier.__doc__


def test_weights_are_not_there_before_fit():
    assert not hasattr(BlendingRegressor([("ridge", Ridge())]), "weights_")
    assert not hasattr(BlendingClassifier([("line", LogisticRegression())]), "weights_")


def test_real_data_blend_is_better_than_the_worst_member():
    X, y = load_diabetes(return_X_y=True)
    blend = BlendingRegressor(regressors(), cv=5).fit(X[::2], y[::2])
    alone = [model.fit(X[::2], y[::2]).score(X[1::2], y[1::2]) for _, model in regressors()]
    assert blend.score(X[1::2], y[1::2]) > min(alone)
