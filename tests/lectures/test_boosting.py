"""Boosting as the lecture notes compute it, with their slips corrected."""

from __future__ import annotations

import numpy as np
import pytest

from nonet import AdaBoostClassifier, DecisionStump
from nonet.boosting import AdaBoostStar, ArcGv, Discrete, log_odds
from nonet.boosting.adaboost.methods.method import TrainingRows, normalise
from nonet.theory import maximize_margin, rounds_needed

# Twelve points of two colours, +1 yellow and -1 green.
X12 = np.array(
    [[4, 1], [2, 4], [5, 1], [3, 2], [1, 5], [3, 5], [2, 1], [2, 2], [2, 5], [4, 3], [2, 3], [5, 2]]
)
Y12 = np.array([1, -1, 1, 1, -1, -1, 1, 1, -1, -1, 1, -1])
LINES = [(1, 3.5), (1, 1.5), (0, 3.5)]  # column and threshold; +1 below
ERRORS = [1 / 6, 0.15, 3 / 17]
ALPHAS = [0.8047189562, 0.8673005277, 0.7702225205]
Z = [0.7453559925, 0.7141428429, 0.7624400822]
WRONG = [[10, 12], [4, 8, 11], [1, 2, 3, 5, 6, 9]]  # counted from one
A, B, C, D, E, F, G = 1 / 20, 1 / 4, 1 / 34, 1 / 6, 1 / 12, 17 / 168, 5 / 56
WEIGHTS = [
    [A, A, A, A, A, A, A, A, A, B, A, B],
    [C, C, C, D, C, C, C, D, C, 5 / 34, D, 5 / 34],
    [E, E, E, F, E, E, 1 / 56, F, E, G, F, G],
]
# Rudin, Daubechies and Schapire: rows y_i h_j(x_i) on which AdaBoost misses the largest margin.
EIGHT = np.array(
    [
        [-1, 1, 1, 1, 1, -1, -1, 1],
        [-1, 1, 1, -1, -1, 1, 1, 1],
        [1, -1, 1, 1, 1, -1, 1, 1],
        [1, -1, 1, 1, -1, 1, 1, 1],
        [1, -1, 1, -1, 1, 1, 1, -1],
        [1, 1, -1, 1, 1, 1, 1, -1],
        [1, 1, -1, 1, 1, 1, -1, 1],
        [1, 1, 1, 1, -1, -1, 1, -1],
    ]
)


@pytest.fixture(scope="module")
def twelve():
    return AdaBoostClassifier(DecisionStump(), method="discrete", n_estimators=3).fit(X12, Y12)


def weighted_error(weights, column, threshold, sign):
    predictions = sign * np.where(X12[:, column] >= threshold, 1, -1)
    return weights[predictions != Y12].sum()


def weights_before(round_number):
    return np.full(12, 1 / 12) if round_number == 0 else np.array(WEIGHTS[round_number - 1])


def test_twelve_points_against_lecture_choose_the_lines_of_the_notes(twelve):
    found = [(model.column_, model.threshold_, model.sign_) for model in twelve.estimators_]
    assert found == [(column, threshold, -1) for column, threshold in LINES]


def test_twelve_points_against_lecture_give_errors_weights_and_sums(twelve):
    log = twelve.round_log_
    np.testing.assert_allclose(log.error, ERRORS, atol=1e-12)
    np.testing.assert_allclose(log.alpha, ALPHAS, atol=1e-9)
    np.testing.assert_allclose(log.z, Z, atol=1e-9)
    np.testing.assert_allclose(twelve.estimator_weights_, 2 * log.alpha)


def test_twelve_points_against_lecture_mistake_the_points_of_the_notes(twelve):
    for model, wrong in zip(twelve.estimators_, WRONG, strict=True):
        assert (np.flatnonzero(model.predict(X12) != Y12) + 1).tolist() == wrong


@pytest.mark.parametrize("round_number", [1, 2])
def test_twelve_points_against_lecture_are_reweighted_to_the_last_digit(round_number):
    model = AdaBoostClassifier(
        DecisionStump(), method="discrete", n_estimators=round_number + 1
    ).fit(X12, Y12)
    np.testing.assert_allclose(model.round_log_.last_weights, WEIGHTS[round_number - 1], rtol=1e-13)


def test_twelve_points_against_lecture_have_all_their_weights_in_the_log(twelve):
    weights = twelve.round_log_.weights
    assert weights.shape == (4, 12)
    np.testing.assert_allclose(weights[0], 1 / 12, rtol=1e-13)
    np.testing.assert_allclose(weights[1:], WEIGHTS, rtol=1e-12)


def test_twelve_points_against_lecture_have_the_raw_sum_in_the_log(twelve):
    log = twelve.round_log_
    assert log.raw_sum[0] == pytest.approx(0.9017969634, abs=1e-9)
    votes = np.stack([model.predict(X12) for model in twelve.estimators_])
    np.testing.assert_allclose(log.raw_sum, log.alpha @ votes, rtol=1e-12)


def test_twelve_points_against_lecture_third_line_predicts_the_corrected_row(twelve):
    row = [-1, 1, -1, 1, 1, 1, 1, 1, 1, -1, 1, -1]
    assert twelve.estimators_[2].predict(X12).tolist() == row


@pytest.mark.parametrize("round_number", [0, 1, 2])
def test_twelve_points_against_naive_lines_are_true_minimisers(round_number):
    weights = weights_before(round_number)
    errors = [
        weighted_error(weights, column, threshold, sign)
        for column in (0, 1)
        for threshold in np.arange(0.5, 6)
        for sign in (1, -1)
    ]
    chosen = weighted_error(weights, *LINES[round_number], -1)
    assert chosen == pytest.approx(min(errors), abs=1e-12)


def test_twelve_points_against_lecture_end_with_the_corrected_value(twelve):
    alpha = twelve.round_log_.alpha
    value = twelve.decision_function([[4, 1]])[0] / 2 * alpha.sum()
    assert value == pytest.approx(0.9017969634, abs=1e-9)
    assert twelve.predict([[4, 1]]) == [1]  # yellow
    assert twelve.score(X12, Y12) == 1


def test_twelve_points_against_lecture_stay_below_the_product_bound(twelve):
    log = twelve.round_log_
    assert log.product_bound[-1] == pytest.approx(0.405839725, abs=1e-9)
    assert log.training_error[-1] == 0


class FirstLowerThreshold(DecisionStump):
    """A stump that prefers x2 < 2.5 to the equally good x2 < 3.5."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        lower = DecisionStump().fit(-np.asarray(X), y, sample_weight)  # larger becomes smaller
        if lower.column_ == self.column_:
            self.threshold_, self.sign_ = -lower.threshold_, -lower.sign_
        return self


@pytest.mark.parametrize("stump", [FirstLowerThreshold(), DecisionStump(tie="lowest")])
def test_bound_without_its_factor_two_against_lecture_is_exceeded(stump):
    model = AdaBoostClassifier(stump, method="discrete", n_estimators=4)
    log = model.fit(X12, Y12).round_log_
    without = np.prod(np.sqrt(log.error * (1 - log.error)))
    assert log.training_error[-1] == pytest.approx(1 / 6)
    assert without == pytest.approx(0.02746, abs=2e-5)
    assert log.product_bound[-1] == pytest.approx(0.4394, abs=2e-4)
    assert without < log.training_error[-1] < log.product_bound[-1]


def rows_of(n):
    codes = np.zeros(n, dtype=np.int8)
    return TrainingRows(None, codes, np.full(n, 1 / n), codes, np.array([-1, 1]))


def boost_predictions(method, rows, predictions):
    """Boost members that are given by their predictions; return evaluations and final weights."""
    method, weights, evaluations = method.start(rows, 1.0), rows.weights.copy(), []
    for prediction in predictions:
        evaluations.append(method.evaluate(prediction, weights, rows))
        weights = normalise(method.reweight(weights, evaluations[-1]), None)
    return evaluations, weights


def wrong_on(n, wrong):
    return np.isin(np.arange(n), wrong).astype(np.int8)  # all rows are of class 0


def test_toy_of_ten_points_against_lecture_has_the_classic_rounds():
    predictions = [wrong_on(10, range(start, start + 3)) for start in (0, 3, 6)]
    evaluations, _ = boost_predictions(Discrete(), rows_of(10), predictions)
    np.testing.assert_allclose([v.error for v in evaluations], [3 / 10, 3 / 14, 3 / 22])
    np.testing.assert_allclose(
        [v.alpha for v in evaluations], [0.4236489302, 0.6496414921, 0.9229133452]
    )


def test_optimal_reweighting_against_lecture_makes_the_last_member_random():
    wrong = wrong_on(5555, range(1234))
    evaluations, weights = boost_predictions(Discrete(), rows_of(5555), [wrong])
    assert evaluations[0].error == pytest.approx(1234 / 5555)
    assert weights[:1234].sum() == pytest.approx(0.5)
    assert weights[0] / weights[-1] == pytest.approx(4321 / 1234)


def test_reweighting_quiz_against_lecture_one_wrong_of_four_weighs_three_times_as_much():
    _, weights = boost_predictions(Discrete(), rows_of(4), [wrong_on(4, [0])])
    assert weights[0] / weights[1] == pytest.approx(3)


def test_both_forms_of_the_notes_against_theory_reweigh_alike():
    wrong = wrong_on(12, [9, 11]).astype(bool)
    eps = 1 / 6
    factor = np.sqrt((1 - eps) / eps)
    by_lambda = np.where(wrong, factor, 1 / factor)
    by_alpha = np.exp(log_odds(eps) / 2 * np.where(wrong, 1, -1))
    _, ours = boost_predictions(Discrete(), rows_of(12), [wrong.astype(np.int8)])
    np.testing.assert_allclose(by_lambda / by_lambda.sum(), by_alpha / by_alpha.sum())
    np.testing.assert_allclose(ours, by_alpha / by_alpha.sum())


def test_sign_of_the_weight_against_lecture_is_that_of_the_edge():
    assert log_odds(0.3) > 0
    assert log_odds(0.5) == 0
    assert log_odds(0.7) < 0
    r = 1 - 2 * 0.2
    assert log_odds(0.2) / 2 == pytest.approx(np.log((1 + r) / (1 - r)) / 2)


def test_stumps_quiz_against_lecture_use_at_most_as_many_columns_as_rounds():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 64)), rng.integers(0, 2, 200)
    model = AdaBoostClassifier(DecisionStump(), n_estimators=20).fit(X, y)
    assert len({stump.column_ for stump in model.estimators_}) <= 20


def test_rounds_needed_against_lecture():
    assert rounds_needed(0.1, 0.05) == 150


def margin_after(method, n_rounds):
    """Boost on the eight given members, the one of the largest edge each round."""
    rows = rows_of(8)
    method, weights, alphas = method.start(rows, 1.0), rows.weights.copy(), np.zeros(8)
    for _ in range(n_rounds):
        best = int(np.argmax((weights @ EIGHT).round(12)))
        evaluation = method.evaluate((EIGHT[:, best] < 0).astype(np.int8), weights, rows)
        alphas[best] += evaluation.alpha
        weights = normalise(method.reweight(weights, evaluation), None)
    return (EIGHT @ alphas).min() / alphas.sum()


def test_eight_members_against_lecture_adaboost_misses_the_largest_margin():
    assert maximize_margin(EIGHT)[0] == pytest.approx(3 / 8)
    assert margin_after(Discrete(), 3000) == pytest.approx(1 / 3, abs=1e-3)


def test_eight_members_against_lecture_star_is_within_nu_of_the_largest_margin():
    nu = 0.01
    assert 3 / 8 - nu <= margin_after(AdaBoostStar(nu), 10_000) <= 3 / 8
    assert margin_after(AdaBoostStar(nu), 10_000) == pytest.approx(0.3727, abs=1e-3)


def test_eight_members_against_theory_arc_gv_approaches_the_largest_margin():
    assert margin_after(Discrete(), 3000) + 0.02 < margin_after(ArcGv(), 3000) <= 3 / 8
