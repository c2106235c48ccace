"""The lecture notes on decision rules C: thresholds, signs, ties and silence."""

from __future__ import annotations

import numpy as np
import pytest

from nonet.decide import (
    Abstain,
    Argmax,
    Decision,
    Identity,
    Sign,
    Threshold,
    choose_by_sign,
    choose_by_threshold,
    choose_maximum,
)

SIGNS = np.array([-1, 1])
FOOTBALL = np.array([0.63, 0.39, 0.45, 0.38, 0.75])  # five bagged models: probability of a win

# Food by sweetness and crispness, one against the rest: intercept and two slopes, as printed.
FOOD = ["fruit", "protein", "vegetable"]
FOOD_LINES = np.array([[-6.23, 1.22, -0.12], [7.52, -0.95, -0.97], [-5.53, -0.57, 1.09]])


def decide(rule, support, classes):
    rule.check(classes)
    return Decision(rule, np.asarray(classes), rule.abstain_label_for(classes))(support).tolist()


def two_columns(positive_support):
    return np.column_stack([1 - np.asarray(positive_support), positive_support])


def food_support(point):
    return 1 / (1 + np.exp(-FOOD_LINES @ [1.0, *point]))


def test_threshold_of_probability_against_lecture():
    support = two_columns([0.49, 0.5, 0.51])
    assert decide(Threshold(), support, SIGNS) == [-1, 1, 1]


def test_silence_at_the_threshold_against_lecture():
    support = two_columns([0.49, 0.5, 0.51])
    assert decide(Threshold(at_equality="abstain"), support, SIGNS) == [-1, 0, 1]


def test_sign_of_svm_score_with_class_zero_against_lecture():
    assert decide(Sign(zero="abstain"), np.array([-3.2, 0.0, 0.4]), SIGNS) == [-1, 0, 1]


def test_argmax_with_extra_class_zero_on_ties_against_lecture():
    support = [[0.2, 0.7, 0.1], [0.4, 0.2, 0.4]]
    assert decide(Argmax(), support, [1, 2, 3]) == [2, 1]
    assert decide(Argmax(tie="abstain"), support, [1, 2, 3]) == [2, 0]
    any_class = decide(Argmax(tie="random", random_state=0), support, [1, 2, 3])
    assert any_class[0] == 2
    assert any_class[1] in (1, 3)


def test_reject_option_against_lecture():
    support = [[0.49, 0.3, 0.4], [0.5, 0.1, 0.2], [0.2, 0.9, 0.95]]
    assert decide(Abstain(), support, [1, 2, 3]) == [0, 1, 3]


def test_bell_pepper_is_a_vegetable_against_lecture():
    support = food_support([6, 9])
    np.testing.assert_allclose(support, [0.5025, 0.000997, 0.7027], atol=5e-5)
    assert decide(Abstain(abstain_label="silence"), support[np.newaxis], FOOD) == ["vegetable"]


def test_inside_the_triangle_of_the_lines_the_rule_is_silent_against_lecture():
    pairs = [(0, 1), (1, 2), (2, 0)]
    corners = [np.linalg.solve(FOOD_LINES[p, 1:], -FOOD_LINES[p, 0]) for p in map(list, pairs)]
    expected = [[5.36, 2.49], [1.79, 5.99], [5.91, 8.16]]
    np.testing.assert_allclose(corners, expected, atol=0.06)
    support = food_support(np.mean(corners, axis=0))
    assert support.max() < 0.5
    assert decide(Abstain(), support[np.newaxis], [1, 2, 3]) == [0]
    assert decide(Abstain(abstain_label="silence"), support[np.newaxis], FOOD) == ["silence"]


def test_identity_is_the_rule_of_regression_against_lecture():
    assert Identity()(np.array([28.67])).tolist() == [28.67]


def test_threshold_of_probability_is_threshold_zero_of_log_odds_against_lecture():
    log_odds = np.array([-2.0, -1e-3, 0.0, 1e-3, 2.0])
    probability = 1 / (1 + np.exp(-log_odds))
    codes = Threshold(0.5).decide(two_columns(probability))
    assert codes.tolist() == [0, 0, 1, 1, 1]
    np.testing.assert_array_equal(Threshold(0.0).decide(log_odds), codes)
    np.testing.assert_array_equal(Sign().decide(log_odds), codes)


def test_football_votes_lose_and_their_mean_wins_against_lecture():
    votes = choose_by_threshold(two_columns(FOOTBALL))
    assert votes.tolist() == [1, 0, 0, 0, 1]
    fractions = np.bincount(votes, minlength=2) / len(votes)
    assert choose_maximum(fractions[np.newaxis]).tolist() == [0]
    mean = two_columns([FOOTBALL.mean()])
    assert mean[0, 1] == pytest.approx(0.52)
    assert choose_by_threshold(mean).tolist() == [1]


def test_football_single_model_loses_and_a_doubtful_mean_is_silent():
    assert decide(Threshold(), two_columns([0.39]), ["loss", "win"]) == ["loss"]
    cautious = Abstain(min_support=0.6, abstain_label="open")
    assert decide(cautious, two_columns([FOOTBALL.mean()]), ["loss", "win"]) == ["open"]


@pytest.mark.parametrize(
    ("zero", "at_one"),
    [("positive", 1), ("negative", -1), ("abstain", 0)],
)
def test_quiz_of_three_stumps_under_each_zero_policy_against_lecture(zero, at_one):
    x = np.array([-2, -1, -0.5, 0, 1, 1.5])
    minus, plus, silent = -1, 1, 0
    sign = np.array([minus, plus, silent])  # silence, code -1, is the last entry
    votes = sum(sign[choose_by_sign(score, zero=zero)] for score in (1 - x, 1 + x)) - 1
    predictions = decide(Sign(zero=zero), votes.astype(float), SIGNS)
    assert predictions == [-1, at_one, 1, 1, at_one, -1]


def test_quiz_of_three_stumps_is_the_interval_against_lecture():
    x = np.linspace(-3, 3, 121)
    votes = sum(SIGNS[choose_by_sign(score)] for score in (1 - x, 1 + x)) - 1
    interval = 2 * (np.abs(x) <= 1) - 1
    np.testing.assert_array_equal(SIGNS[choose_by_sign(votes)], interval)
