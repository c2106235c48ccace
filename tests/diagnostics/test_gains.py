from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

import nonet
from diagnostics.matrices import MEANS, NAMES, VOTES, XR, YR, X
from nonet.diagnostics import record_predictions
from nonet.theory import majority_error

RANDOM = np.random.default_rng(0)
TRUTH = RANDOM.normal(size=2000)
NOISY = TRUTH[:, np.newaxis] + RANDOM.normal(size=(2000, 10))


def test_gain_of_a_mean_from_more_members_against_theory():
    gains = nonet.possible_gains(record_predictions(NOISY, TRUTH), n_parts=200, random_state=0)
    assert gains.error == pytest.approx(0.1, rel=0.1)
    assert gains.ever_more_members.value == pytest.approx(0.1, rel=0.1)
    assert gains.twice_the_members.value == pytest.approx(0.05, rel=0.1)
    assert gains.ever_more_members.low < 0.1 < gains.ever_more_members.high


def test_slope_of_a_mean_against_naive():
    """The expected loss of half the members differs by exactly the variance over T."""
    gains = nonet.possible_gains(record_predictions(NOISY, TRUTH), n_parts=1000, random_state=0)
    exact = NOISY.var(axis=1, ddof=1).mean() / 10
    assert gains.ever_more_members.value == pytest.approx(exact, rel=0.02)


def cast_votes(p, n_members):
    return (RANDOM.random((len(p), n_members)) < p[:, np.newaxis]).astype(int)


def test_gain_of_a_vote_from_more_members_against_theory():
    """Rows of every difficulty: the error falls like a + b / T."""
    p = RANDOM.beta(3, 2, size=6000)
    predictions = record_predictions(cast_votes(p, 21), np.ones(6000, int))
    gains = nonet.possible_gains(predictions, random_state=0)
    expected = [np.mean(majority_error(1 - p, n)) for n in (21, 43)]
    assert gains.error == pytest.approx(expected[0], abs=0.015)
    assert gains.twice_the_members.value == pytest.approx(expected[0] - expected[1], abs=0.005)
    assert gains.ever_more_members.value == pytest.approx(expected[0] - np.mean(p < 0.5), abs=0.01)


def test_gain_of_rows_alike_is_a_cautious_one():
    """If all rows are equally hard the error falls faster than 1 / T, and the gain is larger."""
    votes = cast_votes(np.full(4000, 0.6), 15)
    gains = nonet.possible_gains(record_predictions(votes, np.ones(4000, int)), random_state=0)
    assert gains.twice_the_members.low > 0
    assert gains.twice_the_members.high < majority_error(0.4, 15) - majority_error(0.4, 31)


def test_even_votes_are_compared_with_the_odd_ones_below():
    truth = RANDOM.integers(0, 2, size=6000)  # a tie goes to class 0: right on half of the rows
    right = cast_votes(RANDOM.beta(3, 2, size=6000), 16)
    votes = np.where(right, truth[:, np.newaxis], 1 - truth[:, np.newaxis])
    even = nonet.possible_gains(record_predictions(votes, truth), random_state=0)
    odd = nonet.possible_gains(record_predictions(votes[:, :15], truth), random_state=0)
    assert even.error == pytest.approx(odd.error, abs=0.01)
    assert even.ever_more_members.value == pytest.approx(odd.ever_more_members.value, abs=0.01)


def test_identical_members_gain_nothing_from_more():
    same = np.repeat(NOISY[:, :1], 5, axis=1)
    gains = nonet.possible_gains(record_predictions(same, TRUTH), random_state=0)
    assert gains.ever_more_members.value == pytest.approx(0, abs=1e-12)
    assert len(gains.small_enough) == 1
    np.testing.assert_allclose(gains.contributions, 0, atol=1e-12)


def test_learned_weights_find_the_good_member():
    outputs = np.column_stack([TRUTH + 0.01 * NOISY[:, 0], NOISY[:, 1:] + 3])
    gains = nonet.possible_gains(record_predictions(outputs, TRUTH), random_state=0)
    assert gains.learned_weights.low > 0
    assert gains.small_enough == ("member 0",)
    assert gains.best_member_error < gains.error


def test_contributions_against_naive():
    outputs = NOISY[:, :4]
    gains = nonet.possible_gains(record_predictions(outputs, TRUTH), random_state=0)
    for member in range(4):
        left = np.delete(outputs, member, axis=1).mean(axis=1)
        expected = np.mean((left - TRUTH) ** 2) - gains.error
        assert gains.contributions[member] == pytest.approx(expected)


def test_oracle_of_labels_is_wrong_where_all_members_are():
    predictions = record_predictions([[0, 1], [0, 0], [1, 1], [1, 0]], [1, 1, 1, 1])
    gains = nonet.possible_gains(predictions, random_state=0)
    assert gains.oracle_error == 0.25
    assert gains.error == 0.75  # the two ties go to class 0
    assert gains.learned_weights is None


def test_small_part_is_within_one_standard_error():
    model = clone(VOTES["sklearn forest"]).set_params(n_estimators=25).fit(X[::2], NAMES[::2])
    gains = nonet.possible_gains(model, X[1::2], NAMES[1::2], random_state=0)
    assert 1 <= len(gains.small_enough) < 25
    assert set(gains.small_enough) <= set(gains.names)
    assert gains.oracle_error <= gains.best_member_error


@pytest.mark.parametrize("name", ["nonet bagging", "sklearn bagging", "sklearn forest"])
def test_gains_out_of_bag(name):
    gains = nonet.possible_gains(
        clone(VOTES[name]).fit(X, NAMES), X, NAMES, out_of_bag=True, random_state=0
    )
    assert gains.learned_weights is None
    assert 0 < gains.error < 1
    assert "gain: learned weights    not known" in str(gains)


def test_gains_of_a_regression_out_of_bag():
    model = clone(MEANS["sklearn bagging"]).fit(XR, YR)
    gains = nonet.possible_gains(model, XR, YR, out_of_bag=True, random_state=0)
    assert gains.ever_more_members.value > 0


def test_gains_are_deterministic():
    predictions = record_predictions(NOISY[:100], TRUTH[:100])
    first, second = (str(nonet.possible_gains(predictions, random_state=7)) for _ in range(2))
    assert first == second


def test_can_it_still_gain_rejects_one_member_and_bad_settings():
    with pytest.raises(ValueError, match="at least two members, but there is one"):
        nonet.possible_gains(record_predictions(NOISY[:, :1], TRUTH))
    predictions = record_predictions(NOISY, TRUTH)
    with pytest.raises(ValueError, match="'confidence_level' must be"):
        nonet.possible_gains(predictions, confidence_level=1)
    with pytest.raises(ValueError, match="'n_parts' must be"):
        nonet.possible_gains(predictions, n_parts=0)
