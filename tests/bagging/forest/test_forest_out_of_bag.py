"""Forests scored by the trees that have not seen a row."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, make_classification, make_friedman1
from sklearn.metrics import log_loss, mean_absolute_error, r2_score, roc_auc_score

from nonet import BaggingRegressor, RandomForestClassifier, RandomForestRegressor
from nonet.bagging.bagging.out_of_bag_metrics import (
    TargetsAndPredictions,
    score_error,
    score_predictions,
)

CANCER = load_breast_cancer(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


def naive_means(forest, X, predict):
    sums, coverage = 0.0, np.zeros(len(X))
    for rows, tree in zip(forest.estimators_samples_, forest, strict=True):
        unseen = np.setdiff1d(np.arange(len(X)), rows)
        predicted = predict(tree, X)
        kept = np.zeros_like(predicted)
        kept[unseen] = predicted[unseen]
        sums = sums + kept
        coverage[unseen] += 1
    return (sums.T / coverage).T, coverage


def test_fractions_against_naive():
    X, y = CANCER
    forest = RandomForestClassifier(40, oob_score=True, random_state=0).fit(X, y)
    naive, coverage = naive_means(forest, X, lambda tree, rows: tree.predict_proba(rows))
    np.testing.assert_allclose(forest.oob_decision_function_, naive, rtol=1e-12)
    np.testing.assert_array_equal(forest.oob_coverage_, coverage)
    assert forest.oob_score_ == np.mean(naive.argmax(axis=1) == y)


def test_predictions_against_naive():
    X, y = DIABETES
    forest = RandomForestRegressor(40, oob_score=True, random_state=0).fit(X, y)
    naive, _ = naive_means(forest, X, lambda tree, rows: tree.predict(rows))
    np.testing.assert_allclose(forest.oob_prediction_, naive, rtol=1e-12)
    assert forest.oob_score_ == pytest.approx(r2_score(y, naive))


@pytest.mark.parametrize(
    ("scoring", "metric"),
    [
        ("roc_auc", lambda y, fractions: roc_auc_score(y, fractions[:, 1])),
        ("neg_log_loss", lambda y, fractions: -log_loss(y, fractions)),
        (lambda y, labels: np.mean(y != labels), lambda y, s: np.mean(y != s.argmax(axis=1))),
    ],
    ids=["roc_auc", "neg_log_loss", "callable"],
)
def test_score_reads_what_its_metric_needs(scoring, metric):
    X, y = CANCER
    forest = RandomForestClassifier(40, oob_score=scoring, random_state=0).fit(X, y)
    assert forest.oob_score_ == pytest.approx(metric(y, forest.oob_decision_function_))


def test_curve_is_the_score_of_the_first_trees():
    X, y = CANCER
    forest = RandomForestClassifier(50, oob_score=True, random_state=0).fit(X, y)
    for n_trees, score in zip(forest.oob_curve_.n_members, forest.oob_curve_.scores, strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of rows in every bag
            small = RandomForestClassifier(n_trees, oob_score=True, random_state=0).fit(X, y)
        assert small.oob_score_ == score


def test_curve_goes_on_with_warm_start():
    X, y = CANCER
    forest = RandomForestClassifier(20, oob_score=True, warm_start=True, random_state=0).fit(X, y)
    forest.set_params(n_estimators=40).fit(X, y)
    at_once = RandomForestClassifier(40, oob_score=True, random_state=0).fit(X, y)
    assert forest.oob_score_ == at_once.oob_score_
    np.testing.assert_array_equal(forest.oob_decision_function_, at_once.oob_decision_function_)
    assert forest.oob_curve_.n_members[-1] == 40
    with pytest.raises(ValueError, match="one table for all members"):
        forest.set_params(n_estimators=50).fit(X[:100], y[:100])


def test_rows_in_every_bag_are_nan_counted_and_left_out():
    X, y = CANCER
    with pytest.warns(UserWarning, match=r"\d+ of 569 rows are in the bag of every member"):
        forest = RandomForestClassifier(2, oob_score=True, random_state=0).fit(X, y)
    uncovered = forest.oob_coverage_ == 0
    np.testing.assert_array_equal(np.isnan(forest.oob_decision_function_[:, 0]), uncovered)
    right = forest.oob_decision_function_[~uncovered].argmax(axis=1) == y[~uncovered]
    assert forest.oob_score_ == right.mean()


def test_any_rule_is_scored_out_of_bag():
    X, y = DIABETES
    forest = RandomForestRegressor(40, combine="median", oob_score=True, random_state=0).fit(X, y)
    heard = np.column_stack([tree.predict(X) for tree in forest])
    for position, rows in enumerate(forest.estimators_samples_):
        heard[rows, position] = np.nan
    np.testing.assert_allclose(forest.oob_prediction_, np.nanmedian(heard, axis=1))
    assert forest.oob_curve_.scores[-1] == forest.oob_score_


def test_groups_take_the_flattery_out_of_the_score():
    """Rows of a patient are alike: only whole patients out of the bag give an unbiased score."""
    random = np.random.default_rng(0)
    patients = np.arange(100).repeat(4)
    noise, label = random.normal(size=(100, 5))[patients], patients % 2
    forest = RandomForestClassifier(60, oob_score=True, random_state=0)
    assert forest.fit(noise, label).oob_score_ > 0.9
    assert forest.fit(noise, label, groups=patients).oob_score_ < 0.65


def test_score_is_close_to_that_of_new_rows():
    X, y = make_classification(6000, 10, n_informative=5, flip_y=0.1, random_state=0)
    forest = RandomForestClassifier(100, oob_score=True, random_state=0).fit(X[:2000], y[:2000])
    assert forest.oob_score_ == pytest.approx(forest.score(X[2000:], y[2000:]), abs=0.025)
    X, y = make_friedman1(6000, noise=1.0, random_state=0)
    forest = RandomForestRegressor(100, oob_score=True, random_state=0).fit(X[:2000], y[:2000])
    assert forest.oob_score_ == pytest.approx(forest.score(X[2000:], y[2000:]), abs=0.025)


def accuracy(y, labels):
    return np.mean(y == labels)


def test_error_of_an_accuracy_against_theory():
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 4000)
    predicted = np.where(random.uniform(size=4000) < 0.8, truth, 1 - truth)
    predictions = TargetsAndPredictions(truth, predicted, [np.eye(2)[predicted]], np.array([0, 1]))
    expected = np.sqrt(0.8 * 0.2 / 4000)
    assert score_error(True, predictions) == pytest.approx(expected, rel=0.05)
    # The jackknife of ten groups knows the same with nine degrees of freedom.
    errors = [
        score_error(accuracy, predictions.take(random.permutation(4000)[:2000])) for _ in range(40)
    ]
    assert np.sqrt(np.mean(np.square(errors))) == pytest.approx(expected * np.sqrt(2), rel=0.2)


def test_error_of_r_squared_against_simulation():
    random = np.random.default_rng(1)

    def draw():
        y = random.normal(size=500)
        return TargetsAndPredictions(y, 0.7 * y + 0.5 * random.normal(size=500))

    spread = np.std([score_predictions(True, draw()) for _ in range(400)])
    errors = [score_error(True, draw()) for _ in range(50)]
    assert np.mean(errors) == pytest.approx(spread, rel=0.12)


def test_error_is_kept_by_forests_and_bagging():
    X, y = DIABETES
    forest = RandomForestRegressor(30, oob_score=True, random_state=0).fit(X, y)
    bagging = BaggingRegressor(n_estimators=30, oob_score=mean_absolute_error, random_state=0)
    assert 0.01 < forest.oob_score_error_ < 0.1
    assert 0.5 < bagging.fit(X, y).oob_score_error_ < 5
    assert bagging.oob_curve_.n_members[-1] == 30


def rare_class():
    X, y = CANCER
    return X[:60], np.r_[2, y[1:60]]  # the class 2 has one row


def test_where_a_rare_class_is_not_out_of_bag_the_curve_and_the_error_are_nan():
    forest = RandomForestClassifier(30, oob_score="roc_auc_ovr", random_state=5).fit(*rare_class())
    in_bag = np.array([0 in rows for rows in forest.estimators_samples_])
    is_scored = np.cumsum(~in_bag)[forest.oob_curve_.n_members - 1] > 0
    np.testing.assert_array_equal(np.isfinite(forest.oob_curve_.scores), is_scored)
    assert 0 < is_scored.sum() < len(is_scored)
    assert 0.5 < forest.oob_score_ <= 1
    assert np.isnan(forest.oob_score_error_)


def test_a_score_that_is_not_defined_out_of_bag_says_so():
    forest = RandomForestClassifier(1, oob_score="roc_auc_ovr", random_state=5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows in every bag
        with pytest.raises(
            ValueError, match="oob_score='roc_auc_ovr' is not defined on the .* rows"
        ):
            forest.fit(*rare_class())


def test_out_of_bag_is_deterministic_on_any_number_of_threads():
    X, y = CANCER
    one = RandomForestClassifier(20, oob_score="roc_auc", random_state=0).fit(X, y)
    two = RandomForestClassifier(20, oob_score="roc_auc", n_jobs=2, random_state=0).fit(X, y)
    np.testing.assert_array_equal(one.oob_decision_function_, two.oob_decision_function_)
    np.testing.assert_array_equal(one.oob_curve_.scores, two.oob_curve_.scores)
