"""The lecture notes on combining predictions, number by number."""

from __future__ import annotations

from itertools import product as every_choice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nonet.combine import (
    AtLeastOne,
    borda,
    k_of_n,
    majority,
    mean,
    median,
    median_pool,
    plurality,
    weighted_k_of_n,
)

THREE = np.array([[1.0, 2.0, 4.0]])  # predictions of three members where the truth is 3
FRACTIONS = [0.2, 0.3, 0.5]

values = st.floats(-100, 100)


def drawn_members(draw, max_members=7):
    """Draw the predictions of members for one row, simplex weights for them, and the truth."""
    n_members = draw(st.integers(1, max_members))
    predicted = draw(arrays(np.float64, n_members, elements=values))
    raw = draw(arrays(np.float64, n_members, elements=st.floats(0.01, 1)))
    return predicted, raw / raw.sum(), draw(values)


# ---- votes -------------------------------------------------------------------------------------


def test_weighted_vote_against_lecture():
    """Labels 0, 0, 1: a plain vote gives 0; weights .2, .2, .6 turn it to 1."""
    assert plurality([[0, 0, 1]]).argmax() == 0
    assert plurality([[0, 0, 1]], [0.2, 0.2, 0.6]).argmax() == 1


def test_soft_vote_against_lecture():
    """Weighted probabilities give (.58, .42): the soft vote gives 0 where the hard one gives 1."""
    probabilities = np.array([[[0.9, 0.1], [0.8, 0.2], [0.4, 0.6]]])
    weights = [0.2, 0.2, 0.6]
    np.testing.assert_allclose(mean(probabilities, weights), [[0.58, 0.42]], rtol=1e-12)
    assert mean(probabilities, weights).argmax() == 0
    assert plurality(probabilities.argmax(axis=2), weights).argmax() == 1
    np.testing.assert_allclose(mean(probabilities), [[0.7, 0.3]], rtol=1e-12)


def test_football_votes_against_lecture():
    """Five probabilities of winning: three members of five vote "no win", yet their mean is .52."""
    probabilities = np.array([[0.63, 0.39, 0.45, 0.38, 0.75]])
    votes = (probabilities >= 0.5).astype(int)
    np.testing.assert_array_equal(votes, [[1, 0, 0, 0, 1]])
    assert plurality(votes).argmax() == 0
    assert majority(votes).argmax() == 0
    assert mean(probabilities) == pytest.approx(0.52, rel=1e-12)


def test_absolute_majority_against_lecture():
    """The most votes are a plurality; only more than half of all votes are a majority."""
    votes = [[0, 0, 1, 2], [0, 0, 0, 1]]
    np.testing.assert_array_equal(plurality(votes).argmax(axis=1), [0, 0])
    np.testing.assert_array_equal(majority(votes).any(axis=1), [False, True])


@pytest.mark.parametrize("n_members", [1, 2, 3, 4, 7])
def test_and_or_majority_are_k_of_n_against_lecture(n_members):
    """AND is N of N, OR is 1 of N, the majority is floor(N / 2) + 1 of N: all 2^N votes."""
    codes = np.array(list(every_choice([0, 1], repeat=n_members)))
    n_positive = codes.sum(axis=1)
    for k, expected in [
        (n_members, n_positive == n_members),
        (1, n_positive >= 1),
        (n_members // 2 + 1, n_positive > n_members / 2),
    ]:
        np.testing.assert_array_equal(k_of_n(codes, k, n_classes=2)[:, 1], expected)


def test_weighted_k_of_n_against_lecture():
    """The weights of the positive voters have to reach the threshold: all 2^4 votes."""
    codes = np.array(list(every_choice([0, 1], repeat=4)))
    weights = np.array([4, 3, 2, 1])
    reached = codes @ weights >= 6
    fractions = weighted_k_of_n(codes, weights, 6, n_classes=2)
    np.testing.assert_array_equal(fractions[:, 1], reached)


def is_strong_witness(number, base):
    """Return whether the base proves the odd number composite (Miller-Rabin)."""
    odd, power = number - 1, 0
    while odd % 2 == 0:
        odd, power = odd // 2, power + 1
    value = pow(base, odd, number)
    if value in (1, number - 1):
        return False
    for _ in range(power - 1):
        value = value * value % number
        if value == number - 1:
            return False
    return True


@pytest.mark.parametrize("number", [13, 101])
def test_at_least_one_is_never_wrong_about_the_certain_label_against_lecture(number):
    """Members that predict "composite" only when certain: no vote makes a prime composite."""
    codes = [[0 if is_strong_witness(number, base) else 1 for base in range(1, number)]]
    classes = np.array(["composite", "prime"])
    assert AtLeastOne("composite").support(codes, classes=classes).argmax() == 1


@pytest.mark.parametrize("n_members", [1, 2, 3])
def test_at_least_one_misses_with_the_product_of_misses_against_lecture(n_members):
    """For the composite 91 each base misses with probability 18/90; k members miss with (1/5)^k."""
    says_prime = np.array([not is_strong_witness(91, base) for base in range(1, 91)])
    assert says_prime.mean() == 18 / 90
    bases = np.array(list(every_choice(range(90), repeat=min(n_members, 2))))
    if n_members == 3:
        bases = np.random.default_rng(0).integers(0, 90, size=(200_000, 3))
    classes = np.array(["composite", "prime"])
    support = AtLeastOne("composite").support(says_prime[bases].astype(int), classes=classes)
    missed = support.argmax(axis=1).mean()
    # Every choice of bases is tried for one and two members: the figure is exact.
    spread = 0 if n_members < 3 else 4 * np.sqrt(0.2**3 / len(bases))
    assert missed == pytest.approx(0.2**n_members, rel=1e-12, abs=spread)


# ---- probabilities and scores ------------------------------------------------------------------


def test_medians_of_probabilities_are_renormalised_against_lecture():
    """Medians class by class (.5, .3, .1) sum to .9, so they are divided by it."""
    probabilities = np.array([[[0.5, 0.4, 0.1], [0.6, 0.3, 0.1], [0.3, 0.2, 0.5]]])
    np.testing.assert_allclose(median(probabilities), [[0.5, 0.3, 0.1]])
    np.testing.assert_allclose(median_pool(probabilities), [[5 / 9, 3 / 9, 1 / 9]])


def test_median_of_an_even_number_is_the_midpoint_against_lecture():
    """Four members: half way between the two in the middle."""
    assert median([[0.1, 0.9, 0.4, 0.2]]) == pytest.approx(0.3, rel=1e-12)


def test_ranking_scores_are_borda_counts_against_lecture():
    """Three members on three scales: the classes beat 3, 5 and 1 others, so the second wins."""
    scores = [[[0.9, 0.5, 0.1], [10.0, 30.0, 20.0], [-3.0, -2.0, -9.0]]]
    np.testing.assert_array_equal(borda(scores), [[3, 5, 1]])
    np.testing.assert_array_equal(borda(scores, ties="none"), [[3, 5, 1]])


def test_equal_scores_get_nothing_in_the_strict_formula_against_lecture():
    """I[g_c > g_i] is 0 both ways for equal scores; half points each is the symmetric form."""
    scores = [[[2.0, 2.0, 1.0]]]
    np.testing.assert_array_equal(borda(scores, ties="none"), [[1, 1, 0]])
    np.testing.assert_array_equal(borda(scores), [[1.5, 1.5, 0]])


# ---- blending ----------------------------------------------------------------------------------


def test_uniform_blend_of_linear_models_is_linear_against_lecture():
    """The blend of w = (1, 2) and w = (3, -4) at x = (5, 6) is 4: the model with the mean w."""
    models, x = np.array([[1.0, 2.0], [3.0, -4.0]]), np.array([5.0, 6.0])
    blend = mean((models @ x)[np.newaxis])
    np.testing.assert_allclose(blend, 4.0, rtol=1e-12)
    np.testing.assert_allclose(models.mean(axis=0) @ x, blend, rtol=1e-12)


@pytest.mark.parametrize("n_members", [1, 3, 5])
def test_uniform_blend_of_classifiers_is_the_sign_of_the_sum_against_lecture(n_members):
    """With predictions -1 and +1 and no tie, sign(sum g_t) is the class with most votes."""
    signs = np.array(list(every_choice([-1, 1], repeat=n_members)))
    winners = plurality((signs + 1) // 2, n_classes=2).argmax(axis=1)
    np.testing.assert_array_equal(2 * winners - 1, np.sign(signs.sum(axis=1)))


def test_ambiguity_decomposition_against_lecture():
    """1, 2, 4 with weights .2, .3, .5 and truth 3: .04 = 1.6 - 1.56."""
    together = mean(THREE, FRACTIONS)
    error = np.average((THREE[0] - 3) ** 2, weights=FRACTIONS)
    ambiguity = np.average((THREE[0] - together) ** 2, weights=FRACTIONS)
    assert (together - 3) ** 2 == pytest.approx(0.04, rel=1e-12)
    assert error == pytest.approx(1.6, rel=1e-12)
    assert ambiguity == pytest.approx(1.56, rel=1e-12)


@given(data=st.data())
def test_error_of_the_blend_is_mean_error_minus_ambiguity_against_theory(data):
    """(F - y)^2 = sum w (f - y)^2 - sum w (f - F)^2 for any members, weights and truth."""
    predicted, fractions, truth = drawn_members(data.draw)
    together = mean(predicted[np.newaxis], fractions)[0]
    error = fractions @ (predicted - truth) ** 2
    ambiguity = fractions @ (predicted - together) ** 2
    assert (together - truth) ** 2 == pytest.approx(error - ambiguity, rel=1e-9, abs=1e-9)


@given(data=st.data())
def test_uniform_blend_is_no_worse_than_its_members_on_average_against_theory(data):
    """avg (g - f)^2 = avg (g - G)^2 + (G - f)^2, so the mean error is at least that of G."""
    predicted, _, truth = drawn_members(data.draw)
    together = mean(predicted[np.newaxis])[0]
    mean_error, blend_error = np.mean((predicted - truth) ** 2), (together - truth) ** 2
    spread = np.mean((predicted - together) ** 2)
    assert mean_error == pytest.approx(spread + blend_error, rel=1e-9, abs=1e-9)
    assert mean_error >= blend_error - 1e-9


def test_error_of_one_data_set_is_variance_plus_error_of_the_consensus_against_theory():
    """All 4^4 data sets of size 4: avg E_out(g_t) = variance + E_out(consensus), exactly."""
    data_sets = np.array(list(every_choice([1.0, 4.0, 7.0, 9.0], repeat=4)))
    predictions = data_sets.max(axis=1)  # a biased learner: both parts are positive
    consensus = mean(predictions[np.newaxis])[0]
    truth = 7.5
    mean_error = np.mean((predictions - truth) ** 2)
    variance, error = np.var(predictions), (consensus - truth) ** 2
    assert min(variance, error) > 0
    assert mean_error == pytest.approx(variance + error, rel=1e-12)


@pytest.mark.parametrize("n_members", [1, 10, 100])
def test_uniform_blend_nears_the_consensus_against_theory(n_members):
    """A blend of T learners from T data sets is off the consensus by variance / T on average."""
    drawn = np.random.default_rng(0).choice([1.0, 4.0, 7.0, 9.0], size=(4000, n_members, 4))
    every = np.array(list(every_choice([1.0, 4.0, 7.0, 9.0], repeat=4))).max(axis=1)
    off = np.mean((mean(drawn.max(axis=2)) - every.mean()) ** 2)
    assert off == pytest.approx(every.var() / n_members, rel=0.15)


# ---- averaging ---------------------------------------------------------------------------------


@pytest.mark.parametrize("n_members", [1, 4, 25, 100])
def test_variance_of_a_mean_is_sigma_squared_over_n_against_theory(n_members):
    """Independent members of variance 9: 20,000 means have variance 9 / N within 5 percent."""
    outputs = np.random.default_rng(1).normal(2.0, 3.0, size=(20_000, n_members))
    assert np.var(mean(outputs)) == pytest.approx(9 / n_members, rel=0.05)


def test_variance_of_a_mean_of_correlated_members_does_not_vanish_against_theory():
    """With correlation .5 the variance of a mean of 100 is 9 (.5 + .5 / 100)."""
    rng = np.random.default_rng(2)
    shared, own = rng.normal(size=(20_000, 1)), rng.normal(size=(20_000, 100))
    outputs = 3 * (np.sqrt(0.5) * shared + np.sqrt(0.5) * own)
    assert np.var(mean(outputs)) == pytest.approx(9 * (0.5 + 0.5 / 100), rel=0.05)


def test_convex_loss_prediction_against_lecture():
    """Absolute loss: a random member costs 1.2, the mean costs .2."""
    sampled = np.average(np.abs(THREE[0] - 3), weights=FRACTIONS)
    averaged = np.abs(mean(THREE, FRACTIONS) - 3)
    assert sampled == pytest.approx(1.2, rel=1e-12)
    assert averaged == pytest.approx(0.2, rel=1e-12)


CONVEX = {
    "absolute": lambda f, truth: np.abs(f - truth),
    "squared": lambda f, truth: (f - truth) ** 2,
    "pinball": lambda f, truth: np.maximum(0.9 * (truth - f), 0.1 * (f - truth)),
    "hinge": lambda f, truth: np.maximum(0, 1 - np.sign(truth) * f),
    "logistic": lambda f, truth: np.logaddexp(0, -np.sign(truth) * f),
}


@pytest.mark.parametrize("name", CONVEX)
@given(data=st.data())
def test_averaging_is_never_worse_than_sampling_a_member_against_theory(name, data):
    """Jensen: for a convex loss, the loss of the mean is at most the mean of the losses."""
    predicted, fractions, truth = drawn_members(data.draw)
    together = mean(predicted[np.newaxis], fractions)[0]
    sampled = fractions @ CONVEX[name](predicted, truth)
    assert CONVEX[name](together, truth) <= sampled + 1e-9


def test_averaging_may_be_worse_where_the_loss_is_not_convex_against_theory():
    """0/1 loss at a cut of .5: the mean of .6, .6, .1 errs, two of its three members do not."""
    predicted = np.array([[0.6, 0.6, 0.1]])
    assert mean(predicted) < 0.5
    assert np.mean(predicted >= 0.5) > 0.5


@given(
    weights=arrays(np.float64, 5, elements=st.floats(0.01, 1)),
    probabilities=arrays(np.float64, 5, elements=st.floats(0.01, 0.99)),
)
def test_log_loss_of_the_linear_pool_is_at_most_that_of_its_members_against_theory(
    weights, probabilities
):
    """Jensen again, for probabilities: -log of the mean is at most the mean of -log."""
    probabilities = np.stack([1 - probabilities, probabilities], axis=1)[np.newaxis]
    pooled = mean(probabilities, weights)[0]
    for position in (0, 1):
        members = np.average(-np.log(probabilities[0, :, position]), weights=weights)
        assert -np.log(pooled[position]) <= members + 1e-12
