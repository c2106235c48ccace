"""The lecture notes on bias and variance, ambiguity, diversity and who is right where."""

from __future__ import annotations

import numpy as np
import pytest

import nonet
from diagnostics.matrices import ORACLE
from lectures.test_theory import EIGHT_BY_EIGHT, OVERLAPS_A, OVERLAPS_B
from nonet.diagnostics import decompose_loss, margin_growth, measure_diversity, record_predictions
from nonet.theory import limit_accuracy, maximize_margin


def as_votes(oracle, **settings):
    """Predictions of two-class hypotheses that are right where the matrix is true."""
    return record_predictions(oracle, np.ones(len(oracle), int), classes=[0, 1], **settings)


def test_diversity_example_against_lecture():
    """The measures of a fixed matrix of 12 rows and 5 hypotheses, worked by hand."""
    result = measure_diversity(ORACLE)
    measured = {**result.pairwise, **result.overall, "accuracy": result.accuracy}
    expected = {
        "accuracy": 0.7166666667,
        "kohavi_wolpert": 0.16,
        "entropy": 0.625,
        "interrater_agreement": 0.01504787962,
        "difficulty": 0.04305555556,
        "disagreement": 0.4,
        "double_fault": 0.08333333333,
        "generalized_diversity": 0.7058823529,
        "coincident_failure": 0.7777777778,
        "q_statistic": 0.01142857143,
        "correlation": 0.02249505993,
    }
    for name, value in expected.items():
        assert measured[name] == pytest.approx(value, abs=1e-9), name


def test_diversity_identities_against_lecture():
    """The relations of the notes, put right, on a hundred random matrices."""
    random = np.random.default_rng(0)
    for _ in range(100):
        k = int(random.integers(2, 12))
        correct = random.random((30, k)) < random.uniform(0.3, 0.9)
        result = measure_diversity(correct)
        r, m = result.accuracy, {**result.pairwise, **result.overall}
        kw, theta = m["kohavi_wolpert"], m["difficulty"] / (r * (1 - r))
        assert kw == pytest.approx((k - 1) / (2 * k) * m["disagreement"])
        assert theta == pytest.approx(1 - kw / (r * (1 - r)))
        assert m["interrater_agreement"] == pytest.approx((k * theta - 1) / (k - 1))
        assert m["interrater_agreement"] == pytest.approx(1 - m["generalized_diversity"] / r)
        assert m["generalized_diversity"] == pytest.approx(k / (k - 1) * (1 - theta) * r)
        assert m["double_fault"] == pytest.approx(1 - r - k * kw / (k - 1))


def test_ambiguity_rho_against_lecture():
    """Accuracy of the vote = A + r - (2/N) times the sum of p(x) over the rows it gets wrong."""
    result = nonet.ambiguity(as_votes(ORACLE))
    fractions = ORACLE.mean(axis=1)
    lost = fractions[fractions < 0.5].sum()
    accuracy = result.ambiguity + ORACLE.mean() - 2 / len(ORACLE) * lost
    assert accuracy == pytest.approx(0.8333333333)
    assert 1 - result.error == pytest.approx(accuracy)


def test_ambiguity_of_a_weighted_mean_against_lecture():
    """Predictions 1, 2, 4 with weights .2, .3, .5 of the truth 3: .04 = 1.6 - 1.56."""
    result = nonet.ambiguity(record_predictions([[1.0, 2.0, 4.0]], [3.0], weights=[0.2, 0.3, 0.5]))
    assert result.error == pytest.approx(0.04)
    assert result.member_error == pytest.approx(1.6)
    assert result.ambiguity == pytest.approx(1.56)


def test_squared_error_is_bias_variance_and_noise_against_lecture():
    """E(f - y)^2 = bias^2 + variance + E eps^2; the noise is a variance, not a square of one."""
    random = np.random.default_rng(0)
    truth = np.linspace(-1, 1, 20)
    predictions = truth[:, np.newaxis] + 0.5 + random.normal(scale=0.4, size=(20, 3000))
    labels = truth[:, np.newaxis] + random.normal(scale=0.3, size=(20, 3000))
    parts = decompose_loss(predictions, labels, truth=truth)
    assert parts.bias == pytest.approx(0.25, rel=0.02)
    assert parts.variance == pytest.approx(0.16, rel=0.02)
    assert parts.noise == pytest.approx(0.09, rel=0.02)
    assert parts.error == pytest.approx(np.mean((predictions - labels) ** 2), rel=0.02)


def test_zero_one_error_without_noise_is_bias_plus_variance_against_lecture():
    """ "Total expected error = bias + variance" is true where the labels have no noise."""
    labels = 1 - ORACLE
    for loss in ("kohavi_wolpert", "domingos"):
        parts = decompose_loss(labels, np.zeros(12, int), loss=loss, classes=[0, 1])
        assert parts.error == pytest.approx(parts.bias + parts.variance)
        assert parts.noise == pytest.approx(0, abs=1e-12)


def test_order_correct_rows_are_the_limit_of_the_vote_against_lecture():
    """The vote of ever more hypotheses is right where p(x) > 1/2."""
    result = nonet.correctness(as_votes(ORACLE))
    assert result.above_half == pytest.approx(limit_accuracy(ORACLE.mean(axis=1)))
    np.testing.assert_allclose(result.member_profile, ORACLE.mean(axis=0))


@pytest.mark.parametrize(
    ("matrix", "rho_3", "rho_5"), [(OVERLAPS_A, 0.9, 0.9), (OVERLAPS_B, 0.8, 1.0)], ids=["A", "B"]
)
def test_overlaps_trade_off_against_lecture(matrix, rho_3, rho_5):
    """Equal accuracies, equal sizes, different overlaps: different votes."""
    assert nonet.correctness(as_votes(matrix[:, :3])).accuracy == pytest.approx(rho_3)
    assert nonet.correctness(as_votes(matrix)).accuracy == pytest.approx(rho_5)


def test_diversity_does_not_tell_the_better_vote_against_lecture():
    """At equal accuracy, the more diverse trio votes worse, the more diverse quintet better."""
    for size, more_diverse_is_better in ((3, False), (5, True)):
        parts = [matrix[:, :size] for matrix in (OVERLAPS_A, OVERLAPS_B)]
        less, more = (measure_diversity(part).pairwise["disagreement"] for part in parts)
        votes = [nonet.correctness(as_votes(part)).accuracy for part in parts]
        assert less < more
        assert (votes[1] > votes[0]) is more_diverse_is_better


def test_margins_of_the_eight_by_eight_matrix_against_lecture():
    """The weights that maximize the minimum margin give every row 3/8 or more."""
    _, weights = maximize_margin(EIGHT_BY_EIGHT)
    predictions = record_predictions(
        EIGHT_BY_EIGHT, np.ones(8, int), classes=[-1, 1], weights=weights
    )
    assert nonet.margins(predictions).minimum == pytest.approx(0.375)
    used = np.flatnonzero(weights)
    grown = margin_growth(
        record_predictions(
            EIGHT_BY_EIGHT[:, used], np.ones(8, int), classes=[-1, 1], weights=weights[used]
        )
    )
    assert grown.minimum[-1] == pytest.approx(0.375)
