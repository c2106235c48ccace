from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import f1_score

from nonet.decide import Threshold, choose_by_threshold

EQUALITY_CODES = {"positive": 1, "negative": 0, "abstain": -1}
eighths = st.integers(0, 8).map(lambda count: count / 8)
probabilities = arrays(np.float64, st.integers(0, 30), elements=eighths)


def two_columns(positive_support):
    p = np.asarray(positive_support, dtype=float)
    return np.column_stack([1 - p, p])


@pytest.mark.parametrize("at_equality", EQUALITY_CODES)
@given(probabilities, eighths)
def test_choose_by_threshold_against_naive(at_equality, p, threshold):
    on_border = EQUALITY_CODES[at_equality]
    expected = [1 if v > threshold else 0 if v < threshold else on_border for v in p]
    codes = choose_by_threshold(two_columns(p), threshold, at_equality=at_equality)
    np.testing.assert_array_equal(codes, expected)


@given(probabilities, eighths)
def test_choose_by_threshold_of_first_class_mirrors_that_of_second(p, threshold):
    support = two_columns(p)
    second = choose_by_threshold(support, threshold, at_equality="abstain")
    first = choose_by_threshold(support[:, ::-1], threshold, at_equality="abstain", positive=0)
    np.testing.assert_array_equal(first, np.array([1, 0, -1])[second])


def test_choose_by_threshold_reads_a_score_for_the_second_class():
    score = [-2.0, 1.0, 3.0]
    assert choose_by_threshold(score, 1.5).tolist() == [0, 0, 1]
    assert choose_by_threshold(score, 1.5, positive=0).tolist() == [0, 1, 1]


def test_choose_by_threshold_does_not_turn_on_rounding():
    below_half = 0.5 - 2**-54
    assert below_half < 0.5
    assert choose_by_threshold(two_columns([below_half])).tolist() == [1]
    assert choose_by_threshold(two_columns([0.5 - 1e-9])).tolist() == [0]


@pytest.mark.parametrize(("at_equality", "code"), EQUALITY_CODES.items())
def test_choose_by_threshold_puts_row_of_zeros_on_the_border(at_equality, code):
    nothing = np.zeros((1, 2))
    assert choose_by_threshold(nothing, at_equality=at_equality).tolist() == [code]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"threshold": np.nan}, "parameter 'threshold' must be a finite number"),
        ({"at_equality": "zero"}, "parameter 'at_equality' must be one of 'positive'"),
    ],
)
def test_choose_by_threshold_rejects_bad_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        choose_by_threshold([[0.5, 0.5]], **arguments)


def test_threshold_names_positive_class_by_label():
    support = two_columns([0.2, 0.6])
    assert Threshold(0.7, pos_label="no").bind(["no", "yes"]).decide(support).tolist() == [0, 1]
    assert Threshold(0.7, pos_label="yes").bind(["no", "yes"]).decide(support).tolist() == [0, 0]


def test_threshold_rejects_label_that_is_no_class():
    with pytest.raises(ValueError, match="pos_label 'maybe' is not one of the classes"):
        Threshold(pos_label="maybe").check(["no", "yes"])


def test_threshold_rejects_three_classes():
    with pytest.raises(ValueError, match="Threshold is for two classes, but there are 3"):
        Threshold().check([0, 1, 2])


def test_threshold_rejects_unknown_scorer_before_any_tuning():
    with pytest.raises(ValueError, match="f1_makro"):
        Threshold("tune", scoring="f1_makro").check([0, 1])


@pytest.mark.parametrize("value", ["best", None, np.inf])
def test_threshold_rejects_bad_threshold(value):
    with pytest.raises(ValueError, match="parameter 'threshold' must be a finite number or 'tune'"):
        Threshold(value).check([0, 1])


def test_threshold_rejects_deciding_before_it_can():
    with pytest.raises(ValueError, match="cannot decide before it is tuned"):
        Threshold("tune").decide([[0.5, 0.5]])
    with pytest.raises(ValueError, match="cannot decide before it has classes"):
        Threshold(pos_label="yes").decide([[0.5, 0.5]])


def test_threshold_tune_returns_another_rule_and_keeps_itself():
    rule = Threshold("tune")
    tuned = rule.tune(two_columns([0.1, 0.2, 0.3, 0.4]), np.array([0, 0, 1, 1]), ["a", "b"])
    assert tuned.threshold_ == pytest.approx(0.25)
    assert tuned.decide(two_columns([0.24, 0.26])).tolist() == [0, 1]
    assert rule.needs_held_out
    assert not hasattr(rule, "threshold_")


def test_threshold_with_a_number_is_not_tuned():
    rule = Threshold(0.3)
    tuned = rule.tune(two_columns([0.1, 0.9]), np.array([0, 1]), ["a", "b"])
    assert not rule.needs_held_out
    assert tuned.decide(two_columns([0.29, 0.31])).tolist() == [0, 1]


def test_threshold_tune_for_first_class_reads_its_support():
    support = two_columns([0.9, 0.8, 0.4, 0.3])
    codes = np.array([1, 1, 0, 0])
    tuned = Threshold("tune", pos_label="a").tune(support, codes, ["a", "b"])
    assert tuned.threshold_ == pytest.approx(0.4)
    assert tuned.decide(support).tolist() == codes.tolist()


def test_threshold_tune_on_a_score_prefers_zero():
    tuned = Threshold("tune").tune(np.array([-9.0, -1.0, 1.5, 4.0]), np.array([0, 0, 1, 1]), [0, 1])
    assert tuned.threshold_ == 0.25


def test_threshold_tune_leaves_rows_without_support_out():
    support = np.vstack([two_columns([0.6, 0.8]), np.zeros((3, 2))])
    tuned = Threshold("tune", scoring="accuracy").tune(support, np.array([0, 1, 1, 1, 1]), [0, 1])
    assert tuned.threshold_ == pytest.approx(0.7)


def test_threshold_tune_gives_own_metric_the_users_labels():
    def f1_of_no(y_true, y_pred):
        return f1_score(y_true, y_pred, pos_label="no")

    p, codes = [0.1, 0.4, 0.6, 0.7], np.array([0, 1, 0, 1])
    tuned = Threshold("tune", scoring=f1_of_no).tune(two_columns(p), codes, ["no", "yes"])
    assert tuned.threshold_ == pytest.approx(0.65)


def test_threshold_tune_rejects_weights_of_wrong_length():
    with pytest.raises(ValueError, match="sample_weight must hold one number for each of the 2"):
        Threshold("tune").tune(two_columns([0.1, 0.9]), np.array([0, 1]), [0, 1], [1.0])
