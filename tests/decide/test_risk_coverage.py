from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from matplotlib import pyplot

from nonet.decide import (
    Abstain,
    Argmax,
    MinimumCost,
    Sign,
    Threshold,
    coverage,
    risk_coverage_curve,
    selective_accuracy,
)

CLASSES = np.array(["a", "b", "c"])
eighths = st.integers(0, 8).map(lambda count: count / 8)


@st.composite
def problems(draw):
    n_rows = draw(st.integers(1, 25))
    support = draw(arrays(np.float64, (n_rows, 3), elements=eighths))
    truth = CLASSES[draw(arrays(np.int64, n_rows, elements=st.integers(0, 2)))]
    count = draw(arrays(np.int64, n_rows, elements=st.integers(0, 3)))
    assume(count.any())
    return truth, support, count


def naive_confidence(support, kind):
    return [max(row) if kind == "support" else np.diff(sorted(row))[-1] for row in support]


def naive_points(truth, support, confidence):
    wrong = [
        CLASSES[list(row).index(max(row))] != true for row, true in zip(support, truth, strict=True)
    ]
    for level in sorted(set(confidence), reverse=True):
        predicted = [w for w, sure in zip(wrong, confidence, strict=True) if sure >= level]
        yield len(predicted) / len(wrong), sum(predicted) / len(predicted), level


@pytest.mark.parametrize("kind", ["support", "margin"])
@given(problems())
def test_curve_against_naive(kind, problem):
    truth, support, _ = problem
    curve = risk_coverage_curve(truth, support, classes=CLASSES, confidence=kind)
    points = np.array(list(naive_points(truth, support, naive_confidence(support, kind))))
    found = np.column_stack([curve.coverage, curve.risk, curve.threshold])
    np.testing.assert_allclose(found, points)


@given(problems())
def test_curve_area_is_mean_risk_of_growing_prefixes_against_naive(problem):
    truth, support, _ = problem
    sureness = np.arange(len(truth))[::-1]
    curve = risk_coverage_curve(truth, support, classes=CLASSES, confidence=sureness)
    wrong = CLASSES[support.argmax(axis=1)] != truth
    prefixes = [np.mean(wrong[: length + 1]) for length in range(len(wrong))]
    assert curve.area == pytest.approx(np.mean(prefixes))


@given(problems())
def test_curve_ends_at_the_error_rate_of_all_rows(problem):
    truth, support, _ = problem
    curve = risk_coverage_curve(truth, support, classes=CLASSES)
    assert curve.coverage[-1] == 1.0
    assert curve.risk[-1] == pytest.approx(np.mean(CLASSES[support.argmax(axis=1)] != truth))


@given(problems())
def test_curve_takes_weights_as_repetition(problem):
    truth, support, count = problem
    weighted = risk_coverage_curve(truth, support, classes=CLASSES, sample_weight=count)
    repeated = risk_coverage_curve(
        np.repeat(truth, count), np.repeat(support, count, axis=0), classes=CLASSES
    )
    for field in ("coverage", "risk", "threshold", "area"):
        np.testing.assert_allclose(getattr(weighted, field), getattr(repeated, field))


@given(problems(), st.randoms(use_true_random=False))
def test_curve_does_not_depend_on_the_order_of_rows(problem, random):
    truth, support, _ = problem
    order = random.sample(range(len(truth)), len(truth))
    curve = risk_coverage_curve(truth, support, classes=CLASSES)
    moved = risk_coverage_curve(truth[order], support[order], classes=CLASSES)
    for field in ("coverage", "risk", "threshold", "area"):
        np.testing.assert_allclose(getattr(moved, field), getattr(curve, field))


@pytest.mark.parametrize("kind", ["support", "margin"])
@given(problems(), eighths.filter(bool))
def test_rule_at_coverage_decides_the_fraction_that_the_curve_promises(kind, problem, wanted):
    truth, support, _ = problem
    assume(support.any(axis=1).all())
    curve = risk_coverage_curve(truth, support, classes=CLASSES, confidence=kind)
    rule = curve.rule_at_coverage(wanted, abstain_label="?")
    spoken = np.mean(rule.decide(support) != -1)
    assert spoken >= wanted
    assert spoken == pytest.approx(curve.coverage[curve.coverage >= wanted].min())


@pytest.mark.parametrize("kind", ["support", "margin"])
@given(problems(), eighths)
def test_rule_at_risk_decides_most_rows_within_the_risk(kind, problem, wanted):
    truth, support, _ = problem
    assume(support.any(axis=1).all())
    curve = risk_coverage_curve(truth, support, classes=CLASSES, confidence=kind)
    assume(curve.risk.min() <= wanted)
    codes = curve.rule_at_risk(wanted, abstain_label="?").decide(support)
    predictions = np.append(CLASSES, "?")[codes]
    right = selective_accuracy(truth, predictions, abstain_label="?", silence="skip")
    assert 1 - right <= wanted + 1e-12
    best = curve.coverage[curve.risk <= wanted].max()
    assert coverage(predictions, abstain_label="?") == pytest.approx(best)


def test_threshold_at_risk_looks_past_a_bump():
    truth, support = ["a", "a", "b", "b"], [[0.9, 0.1], [0.2, 0.8], [0.3, 0.7], [0.4, 0.6]]
    curve = risk_coverage_curve(truth, support)
    assert curve.risk.tolist() == pytest.approx([0, 1 / 2, 1 / 3, 1 / 4])
    assert curve.threshold_at_risk(0.3) == 0.6


def test_threshold_at_risk_rejects_a_risk_out_of_reach():
    curve = risk_coverage_curve(["b", "a"], [[0.9, 0.1], [0.8, 0.2]])
    with pytest.raises(
        ValueError, match=r"no threshold has a risk of at most 0.1: the minimum .* 0.5"
    ):
        curve.threshold_at_risk(0.1)


@pytest.mark.parametrize("wanted", [0, 1.1, "half"])
def test_threshold_at_coverage_rejects_what_is_no_fraction(wanted):
    curve = risk_coverage_curve(["b", "a"], [[0.9, 0.1], [0.8, 0.2]])
    with pytest.raises(ValueError, match="'min_coverage' must be a finite number above 0 and at"):
        curve.threshold_at_coverage(wanted)


def test_rule_rejects_a_curve_by_another_confidence():
    curve = risk_coverage_curve(["b", "a"], [[0.9, 0.1], [0.8, 0.2]], confidence=[1, 2])
    with pytest.raises(ValueError, match="this one has 'given': use its threshold"):
        curve.rule_at_coverage(0.5)


def test_curve_of_own_loss_is_mean_loss():
    def distance(y_true, y_pred):
        return np.abs(y_true - y_pred)

    support = [[0.9, 0.1, 0.0], [0.2, 0.2, 0.6], [0.1, 0.8, 0.1]]
    curve = risk_coverage_curve([3, 1, 2], support, loss=distance)
    assert curve.risk.tolist() == [2, 1, pytest.approx(4 / 3)]


RULES = [
    Abstain(0.5),
    Abstain(min_margin=0.25),
    Abstain(0.5, 0.25),
    Argmax(tie="abstain"),
    MinimumCost([[0, 1], [4, 0]], abstain_cost=0.5),
    MinimumCost(abstain_cost=0.25),
    Sign(zero="abstain"),
    Threshold(0.375, at_equality="abstain"),
    Threshold(0.375, at_equality="abstain", pos_label="a"),
]


@pytest.mark.parametrize("rule", RULES, ids=str)
@given(arrays(np.float64, st.tuples(st.integers(1, 25), st.just(2)), elements=eighths), st.data())
def test_curve_passes_through_every_rule_that_abstains(rule, support, data):
    classes = np.array(["a", "b"])
    truth = data.draw(arrays(np.int64, len(support), elements=st.integers(0, 1)))
    codes = rule.with_classes(classes).decide(support)
    spoken = codes != -1
    assume(spoken.any())
    curve = risk_coverage_curve(classes[truth], support, classes=classes, confidence=rule)
    point = np.flatnonzero(np.isclose(curve.coverage, spoken.mean()))
    assert point.size == 1
    assert curve.risk[point[0]] == pytest.approx(np.mean(codes[spoken] != truth[spoken]))
    assert curve.confidence == type(rule).__name__


def test_curve_of_a_rule_needs_no_label_of_silence():
    curve = risk_coverage_curve(["a", "b"], [[0.9, 0.1], [0.2, 0.8]], confidence=Abstain())
    assert curve.risk.tolist() == [0, 0]


def test_curve_of_a_rule_reads_a_signed_score():
    curve = risk_coverage_curve([-1, 1, 1], [-3.0, 2.0, -1.0], confidence=Sign())
    assert curve.threshold.tolist() == [3, 2, 1]
    assert curve.risk.tolist() == pytest.approx([0, 0, 1 / 3])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y_true": ["a"]}, r"one label for each row of the support, but has shape \(1,\)"),
        ({"y_true": ["a", "a"]}, "support is for 2 classes, but there are 1 labels: pass"),
        ({"y_true": ["a", "z"], "classes": ["a", "b"]}, "y_true holds .*z.*, which is not one of"),
        ({"confidence": "sure"}, "parameter 'confidence' must be 'support', 'margin'"),
        ({"confidence": [1.0]}, "confidence must hold one number for each of the 2 rows"),
        ({"loss": "hinge"}, "parameter 'loss' must be 'zero_one' or a function"),
        ({"loss": lambda y, p: [np.nan, 0]}, "loss must return a finite number for each of the 2"),
        ({"loss": lambda y, p: 0.5}, "loss must return a finite number for each of the 2"),
        ({"sample_weight": [0, 0]}, "sample_weight must not all be 0"),
    ],
)
def test_curve_rejects_bad_arguments(arguments, message):
    given = {"y_true": ["a", "b"], "support": [[0.9, 0.1], [0.2, 0.8]]} | arguments
    with pytest.raises(ValueError, match=message):
        risk_coverage_curve(given.pop("y_true"), given.pop("support"), **given)


def test_curve_is_frozen_and_draws_itself():
    curve = risk_coverage_curve(["a", "b"], [[0.9, 0.1], [0.2, 0.8]])
    with pytest.raises(FrozenInstanceError):
        curve.area = 0.0
    (line,) = curve.plot().lines
    np.testing.assert_array_equal(line.get_xdata(), curve.coverage)
    pyplot.close("all")
