from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import Perceptron
from sklearn.metrics import balanced_accuracy_score, log_loss, mean_absolute_error, roc_auc_score

from nonet.bagging import BaggingClassifier, BaggingRegressor
from nonet.bagging.bagging.out_of_bag import combine_out_of_bag
from nonet.combine import median
from nonet.decide import Abstain
from nonet.members.ledger import Ledger

CANCER = load_breast_cancer(return_X_y=True)
IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


def naive_out_of_bag(bagging, X, predict):
    """For each row the mean of the members whose bag does not hold it."""
    pages = []
    for row in range(len(X)):
        heard = [
            predict(model, X[row : row + 1][:, columns])[0]
            for model, rows, columns in zip(
                bagging, bagging.estimators_samples_, bagging.estimators_features_, strict=True
            )
            if row not in rows
        ]
        pages.append(np.mean(heard, axis=0) if heard else np.nan)
    return pages


def test_out_of_bag_fractions_against_naive():
    X, y = IRIS
    bagging = BaggingClassifier(n_estimators=30, max_features=2, oob_score=True, random_state=0)
    bagging.fit(X, y)
    naive = np.array(naive_out_of_bag(bagging, X, lambda model, x: model.predict_proba(x)))
    np.testing.assert_allclose(bagging.oob_decision_function_, naive, rtol=1e-12)
    assert bagging.oob_score_ == np.mean(naive.argmax(axis=1) == y)


def test_out_of_bag_predictions_against_naive():
    X, y = DIABETES
    bagging = BaggingRegressor(n_estimators=20, max_samples=0.6, bootstrap=False, random_state=0)
    bagging.set_params(oob_score=mean_absolute_error).fit(X, y)
    naive = np.array(naive_out_of_bag(bagging, X, lambda model, x: model.predict(x)))
    np.testing.assert_allclose(bagging.oob_prediction_, naive, rtol=1e-12)
    assert bagging.oob_score_ == pytest.approx(np.abs(naive - y).mean())


def test_coverage_counts_the_members_that_have_not_seen_a_row():
    X, y = IRIS
    bagging = BaggingClassifier(n_estimators=30, oob_score=True, random_state=0).fit(X, y)
    naive = [sum(row not in rows for rows in bagging.estimators_samples_) for row in range(150)]
    np.testing.assert_array_equal(bagging.oob_coverage_, naive)


def test_votes_are_counted_out_of_bag_against_naive():
    X, y = IRIS
    bagging = BaggingClassifier(Perceptron(), 30, oob_score=True, random_state=0).fit(X, y)
    naive = np.array(naive_out_of_bag(bagging, X, lambda m, x: np.eye(3)[m.predict(x)]))
    np.testing.assert_allclose(bagging.oob_decision_function_, naive, rtol=1e-12)


def test_rows_in_every_bag_are_nan_counted_and_left_out_of_the_score():
    X, y = CANCER
    bagging = BaggingClassifier(n_estimators=2, oob_score=True, random_state=0)
    with pytest.warns(UserWarning, match=r"\d+ of 569 rows are in the bag of every member") as seen:
        bagging.fit(X, y)
    uncovered = bagging.oob_coverage_ == 0
    assert len(seen) == 1
    assert str(uncovered.sum()) in str(seen[0].message)
    np.testing.assert_array_equal(np.isnan(bagging.oob_decision_function_[:, 0]), uncovered)
    right = bagging.oob_decision_function_[~uncovered].argmax(axis=1) == y[~uncovered]
    assert bagging.oob_score_ == right.mean()


def test_no_warning_when_every_row_is_covered():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bagging = BaggingRegressor(n_estimators=40, oob_score=True, random_state=0).fit(*DIABETES)
    assert (bagging.oob_coverage_ > 0).all()


@pytest.mark.parametrize(
    ("scoring", "metric"),
    [
        ("roc_auc", lambda y, probabilities: roc_auc_score(y, probabilities[:, 1])),
        ("neg_log_loss", lambda y, probabilities: -log_loss(y, probabilities)),
        ("accuracy", lambda y, probabilities: np.mean(y == probabilities.argmax(axis=1))),
        (True, lambda y, probabilities: np.mean(y == probabilities.argmax(axis=1))),
        (
            balanced_accuracy_score,
            lambda y, probabilities: balanced_accuracy_score(y, probabilities.argmax(axis=1)),
        ),
    ],
    ids=["roc_auc", "neg_log_loss", "accuracy", "true", "callable"],
)
def test_score_reads_what_its_metric_needs(scoring, metric):
    X, y = CANCER
    bagging = BaggingClassifier(n_estimators=30, oob_score=scoring, random_state=0).fit(X, y)
    assert bagging.oob_score_ == pytest.approx(metric(y, bagging.oob_decision_function_))


def test_many_class_area_is_scored_by_name():
    bagging = BaggingClassifier(n_estimators=30, oob_score="roc_auc_ovr", random_state=0).fit(*IRIS)
    assert bagging.oob_score_ > 0.97


def test_regression_scorer_by_name():
    X, y = DIABETES
    bagging = BaggingRegressor(n_estimators=30, random_state=0)
    bagging.set_params(oob_score="neg_mean_absolute_error").fit(X, y)
    assert bagging.oob_score_ == -mean_absolute_error(y, bagging.oob_prediction_)


def test_callable_gets_the_labels_of_the_user():
    X, y = CANCER
    names = np.array(["malignant", "benign"])[y]
    seen = []

    def metric(truth, predictions):
        seen.extend([set(truth), set(predictions)])
        return 0.25

    bagging = BaggingClassifier(n_estimators=30, oob_score=metric, random_state=0).fit(X, names)
    assert all(labels == {"malignant", "benign"} for labels in seen)
    assert seen
    assert bagging.oob_score_ == 0.25


def test_silent_row_counts_as_wrong():
    X, y = CANCER
    settings = {"n_estimators": 30, "oob_score": True, "random_state": 0}
    rule = Abstain(0.9, abstain_label=-1)
    bagging = BaggingClassifier(decide=rule, **settings).fit(X, y)
    probabilities = bagging.oob_decision_function_
    sure = probabilities.max(axis=1) >= 0.9
    assert bagging.oob_score_ == np.mean(sure & (probabilities.argmax(axis=1) == y))


def test_out_of_bag_groups_are_never_split():
    X, y = DIABETES
    groups = np.random.default_rng(0).integers(30, size=442)
    bagging = BaggingRegressor(n_estimators=20, oob_score=True, random_state=0)
    bagging.fit(X, y, groups=groups)
    for member, rows in zip(bagging.members_, bagging.estimators_samples_, strict=True):
        assert np.intersect1d(groups[rows], groups[member.unseen_rows]).size == 0
        assert len(np.unique(rows)) + len(member.unseen_rows) == 442


def test_group_draw_tells_the_truth_where_rows_flatter():
    """Twins in the table: out-of-bag rows have their twin in the bag unless groups are drawn."""
    random = np.random.default_rng(0)
    X = random.normal(size=(100, 5)).repeat(4, axis=0)
    groups = np.arange(100).repeat(4)
    y = groups % 2
    bagging = BaggingClassifier(n_estimators=40, oob_score=True, random_state=0)
    assert bagging.fit(X, y).oob_score_ > 0.9
    assert bagging.fit(X, y, groups=groups).oob_score_ < 0.65


def test_out_of_bag_score_is_close_to_that_of_new_rows():
    X, y = CANCER
    order = np.random.default_rng(0).permutation(569)
    train, test = order[:300], order[300:]
    bagging = BaggingClassifier(n_estimators=60, oob_score=True, random_state=0)
    bagging.fit(X[train], y[train])
    new = bagging.score(X[test], y[test])
    error = np.sqrt(new * (1 - new) * (1 / 300 + 1 / 269))
    assert abs(bagging.oob_score_ - new) < 3 * error


def test_ragged_predictions_are_combined_row_by_row_against_naive():
    random = np.random.default_rng(0)
    predictions, coverage = random.normal(size=(50, 7)), random.integers(0, 2, size=(50, 7))
    coverage[:2] = [[0] * 7, [1] * 7]
    out = combine_out_of_bag(Ledger(tuple("abcdefg"), "values", [predictions], coverage), [median])
    for row in range(50):
        heard = predictions[row, coverage[row] > 0]
        expected = np.median(heard) if heard.size else np.nan
        np.testing.assert_allclose(out.supports[0][row], expected)
