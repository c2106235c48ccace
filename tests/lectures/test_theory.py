"""The lecture notes on votes, Monte Carlo ensembles, bags and bounds of boosting."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nonet.theory import (
    bagging_moments,
    biased_accuracy,
    biased_runs_needed,
    class_margins,
    count_bootstrap_samples,
    distinct_fraction,
    diversity_from_variance,
    edge_bound,
    expected_accuracy,
    forest_columns,
    jensen_gap,
    k_of_n_probability,
    left_out_probability,
    limit_accuracy,
    majority_accuracy,
    majority_error,
    majority_error_limit,
    majority_limits,
    margin_bound,
    margin_fraction,
    maximize_margin,
    monte_carlo_moments,
    original_sample_probability,
    rounds_needed,
    rounds_to_fit,
    score_majority,
    signed_margins,
    stump_vote_vc_dimension,
    training_bound,
    variance_of_mean,
    vc_bound,
    vote_vc_dimension,
    voters_needed,
)

# Twelve points and their classes: the example of AdaBoost with stumps.
POINTS = np.array(
    [[4, 1], [2, 4], [5, 1], [3, 2], [1, 5], [3, 5], [2, 1], [2, 2], [2, 5], [4, 3], [2, 3], [5, 2]]
)
CLASSES = np.array([1, -1, 1, 1, -1, -1, 1, 1, -1, -1, 1, -1])

# Rows y_i h_j(x_i) on which AdaBoost does not maximise the margin (Rudin, Daubechies & Schapire).
EIGHT_BY_EIGHT = np.array(
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

# Who of five hypotheses is right on ten rows, each hypothesis on six of them.
OVERLAPS_A = np.array(
    [[1, 1, 0, 1, 0]] * 3 + [[0, 1, 1, 1, 1]] * 3 + [[1, 0, 1, 0, 1]] * 3 + [[0] * 5]
)
OVERLAPS_B = np.array(
    [[0, 0, 1, 1, 1]] * 2 + [[0, 1, 1, 0, 1]] * 2 + [[1, 0, 1, 0, 1]] * 2 + [[1, 1, 0, 1, 0]] * 4
)

EQUAL_COLUMNS = [[1, 1, 0], [1, 0, 1], [0, 1, 1]]
UNEQUAL_COLUMNS = [
    [1, 1, 0, 0],
    [1, 1, 0, 1],
    [1, 1, 1, 0],
    [1, 1, 0, 0],
    [1, 0, 0, 1],
    [0, 1, 1, 0],
]


def stump_predictions(X):
    """Predictions of all stumps, +1 or -1 below the threshold, shape (n_rows, n_stumps)."""
    thresholds = [np.unique(column)[:-1] + 0.5 for column in X.T]
    below = [np.where(X[:, j] < t, 1, -1) for j, ts in enumerate(thresholds) for t in ts]
    return np.array([side * prediction for prediction in below for side in (1, -1)]).T


def adaboost(predictions, y, n_rounds):
    """Discrete AdaBoost with the first of the best stumps; its errors, weights and members."""
    weights, errors, alphas, members = np.full(len(y), 1 / len(y)), [], [], []
    for _ in range(n_rounds):
        wrong = weights @ (predictions != y[:, np.newaxis])
        best = int(np.argmin(wrong.round(12)))
        errors.append(wrong[best])
        alphas.append(np.log((1 - errors[-1]) / errors[-1]) / 2)
        members.append(best)
        weights = weights * np.exp(-alphas[-1] * y * predictions[:, best])
        weights /= weights.sum()
    return np.array(errors), np.array(alphas), members


# Votes


def test_majority_11_025_against_lecture():
    """Eleven independent voters that err one time in four err together in 3.4 %."""
    assert majority_error(0.25, 11) == pytest.approx(0.0343275, abs=1e-6)


def test_majority_sum_from_zero_is_one_against_lecture():
    """The printed sum, starting at k = 0, is 1 for any voters; it must start at ceil(n/2)."""
    assert k_of_n_probability(0.25, 11, 0) == 1
    assert k_of_n_probability(0.25, 11, math.ceil(11 / 2)) == majority_error(0.25, 11)


def test_majority_11_curve_against_lecture():
    """ "Always better" is wrong: equal at an error of 1/2, worse above."""
    assert majority_error([0.5, 0.6], 11) == pytest.approx([0.5, 0.753498], abs=1e-5)


def test_majority_error_vanishes_with_many_voters_against_lecture():
    """The error tends to 0 as the number of voters grows, for errors below 1/2 only."""
    assert majority_error_limit([0.1, 0.49, 0.5, 0.51]).tolist() == [0, 0, 0.5, 1]


def test_mc_pi_T_lower_limit_against_lecture():
    """pi_3 needs two right votes; the printed lower limit ceil(T/2 + 1) needs all three."""
    assert majority_accuracy(0.55, 3) == pytest.approx(0.57475, abs=1e-9)
    assert k_of_n_probability(0.55, 3, math.floor(3 / 2) + 1) == pytest.approx(0.57475, abs=1e-9)
    assert k_of_n_probability(0.55, 3, math.ceil(3 / 2 + 1)) == pytest.approx(0.166375, abs=1e-9)


def test_mc_limits_against_lecture():
    """As T grows, pi_T goes to 1, 0 or stays 1/2 as p is above, below or at 1/2."""
    assert majority_accuracy([0.55, 0.45, 0.5], 20001) == pytest.approx([1, 0, 0.5], abs=1e-3)
    assert majority_accuracy(0.5, 20000, tie="wrong") < 0.5


# Monte Carlo


@pytest.mark.parametrize(("target", "n_voters"), [(0.95, 269), (0.99, 539)])
def test_mc_T_055_against_lecture(target, n_voters):
    """For p = .55 it takes 269 voters for 95 % (as printed) and 539 for 99 % (not 367)."""
    assert voters_needed(0.55, target) == n_voters


def test_mc_smallest_even_number_against_lecture():
    """With ties as errors the smallest even number of voters for 95 % is 290."""
    even = np.arange(2, 400, 2)
    reached = majority_accuracy(0.55, even, tie="wrong") >= 0.95
    assert even[reached][0] == 290


def test_mc_pi_367_against_lecture():
    """The printed 367 voters reach 97.3 %, not 99 %."""
    assert majority_accuracy(0.55, 367) == pytest.approx(0.97269, abs=1e-5)


def test_mc_biased_against_lecture():
    """A biased algorithm needs 4, 6 and 44 runs; the printed 11 reach only 69 %."""
    assert biased_runs_needed([0.55, 0.55, 0.1], [0.95, 0.99, 0.99]).tolist() == [4, 6, 44]
    assert biased_accuracy(0.1, 11) == pytest.approx(0.686, abs=1e-3)


def test_mc_biased_formula_against_lecture():
    """Four runs reach 1 - (1-p)^4; the printed (1-(1-p))^4 is that all are right."""
    assert biased_accuracy(0.55, 4) == pytest.approx(0.95899375, abs=1e-9)
    assert biased_accuracy(0.55, 4) > 0.55**4


def test_nonmonotone_E_rho_against_lecture():
    """More voters are not always better: the accuracy rises, then falls to the share p > 1/2."""
    p = [0.95] * 6 + [0.45] * 4
    expected = [0.75, 0.7658, 0.7467, 0.6625, 0.6003]
    assert expected_accuracy(p, [1, 3, 11, 101, 1001]) == pytest.approx(expected, abs=1e-4)
    assert limit_accuracy(p) == 0.6


def test_weak_below_half_still_useful_against_lecture():
    """Hypotheses right in 43 % of the cases make an ensemble right in 60 %."""
    p = np.array([0.52] * 6 + [0.3] * 4)
    assert p.mean() == pytest.approx(0.432)
    assert limit_accuracy(p) == 0.6


@pytest.mark.parametrize(
    ("matrix", "mean", "by_rows", "by_columns"),
    [
        (EQUAL_COLUMNS, 0.740741, 0.0640146, 0.0192044),
        (UNEQUAL_COLUMNS, 0.6145833333, 0.0351019965, 0.0511067708),
    ],
    ids=["mc_vs_bagging_equal_columns", "mc_vs_bagging_unequal_columns"],
)
def test_mc_vs_bagging_against_lecture(matrix, mean, by_rows, by_columns):
    """Both have the same mean; the variance of Monte Carlo is *not* provably the lower."""
    assert monte_carlo_moments(matrix, 3) == pytest.approx((mean, by_rows), abs=1e-6)
    assert bagging_moments(matrix, 3) == pytest.approx((mean, by_columns), abs=1e-6)


@pytest.mark.parametrize(
    ("matrix", "rho_3", "rho_5"), [(OVERLAPS_A, 0.9, 0.9), (OVERLAPS_B, 0.8, 1.0)], ids=["A", "B"]
)
def test_rho3_rho5_tradeoff_against_lecture(matrix, rho_3, rho_5):
    """Equal accuracies, different overlaps: the best trio is not the best start of a quintet."""
    assert matrix.mean(axis=0).tolist() == [0.6] * 5
    assert score_majority(matrix[:, :3]) == pytest.approx(rho_3)
    assert score_majority(matrix) == pytest.approx(rho_5)
    assert majority_limits(0.6, n_members=3, n_rows=10)[1] == pytest.approx(0.9)


def test_majority_limits_against_lecture():
    """Given V of 12 predictions right, what a vote of three members on four rows can reach."""
    lower = [0, 0, 0, 0, 0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1, 1]
    upper = [0, 0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1, 1, 1, 1, 1]
    limits = majority_limits(np.arange(13) / 12, n_members=3, n_rows=4)
    np.testing.assert_allclose(limits, [lower, upper], atol=1e-12)


def test_high_margins_need_not_mean_high_accuracy_against_lecture():
    """A larger mean margin can go with a larger error: what counts is the sign."""
    modest = class_margins([0] * 4, [[0.55, 0.45]] * 4)
    high = class_margins([0] * 4, [[0.95, 0.05]] * 3 + [[0.4, 0.6]])
    assert high.mean() > modest.mean()
    assert margin_fraction(high) > margin_fraction(modest)


# Averages


def test_ambiguity_decomposition_against_lecture():
    """Error of the mean = mean error - ambiguity; the ambiguity is Jensen's gap."""
    gap = jensen_gap([1, 2, 4], 3, "squared", weights=[0.2, 0.3, 0.5])
    assert gap == pytest.approx(1.56, abs=1e-12)
    assert 1.6 - gap == pytest.approx(0.04, abs=1e-12)


def test_convex_loss_prediction_against_lecture():
    """Averaging (loss .2) is never worse than drawing a member (loss 1.2) for a convex loss."""
    gap = jensen_gap([1, 2, 4], 3, "absolute", weights=[0.2, 0.3, 0.5])
    assert gap == pytest.approx(1.2 - 0.2, abs=1e-12)


def test_variance_over_number_is_the_best_case_against_lecture():
    """Var/T is the best case; correlated models keep rho s^2 however many there are."""
    assert variance_of_mean(4.0, 100) == pytest.approx(0.04)
    assert variance_of_mean(4.0, 100, correlation=0.25) == pytest.approx(1.03)
    assert variance_of_mean(4.0, 10**9, correlation=0.25) == pytest.approx(1.0)


# Bags


def test_bootstrap_count_12_against_lecture():
    """Twelve rows have 12^12 bootstrap samples, 1,352,078 of them different as bags."""
    assert count_bootstrap_samples(12) == 8916100448256
    assert count_bootstrap_samples(12, ordered=False) == 1352078


def test_bootstrap_632_against_lecture():
    """(1 - 1/n)^n of the rows are left out, which tends to 36.8 %."""
    expected = [0.2962962963, 0.3486784401, 0.3660323413, 0.3678794412]
    assert left_out_probability([3, 10, 100, 10**12]) == pytest.approx(expected, abs=1e-10)


def test_oob_67_percent_against_lecture():
    """A bag holds 63.2 % of the rows, not 67 %."""
    assert distinct_fraction(10**12) == pytest.approx(0.6321205588, abs=1e-9)


def test_prob_bootstrap_equals_D_against_lecture():
    """The bag is the data set itself with probability N!/N^N."""
    expected = [0.2222222222, 0.09375, 0.00036288]
    assert original_sample_probability([3, 4, 10]) == pytest.approx(expected, abs=1e-10)


def test_rf_m_against_lecture():
    """A split looks at [p/3] columns in regression, [sqrt p] in classification, at least 1."""
    assert forest_columns([2, 10, 16], "regression").tolist() == [1, 3, 5]
    assert forest_columns([2, 10, 16], "classification").tolist() == [1, 3, 4]


# Bounds of boosting


def test_ada_bound_needs_factor_2_against_lecture():
    """Four rounds on twelve points: the printed bound without the 2s is broken, the real holds."""
    predictions = stump_predictions(POINTS)  # ties go to the smaller threshold
    errors, alphas, members = adaboost(predictions, CLASSES, 4)
    training_error = margin_fraction(signed_margins(CLASSES, predictions[:, members], alphas))
    with_2 = training_bound(errors)
    assert training_error == pytest.approx(1 / 6)
    assert with_2 == pytest.approx(0.4394, abs=2e-4)
    assert with_2 / 2**4 == pytest.approx(0.02746, abs=2e-4)
    assert with_2 / 2**4 < training_error <= with_2 <= edge_bound(0.5 - errors)


def test_normaliser_of_a_round_against_lecture():
    """One factor of the bound is Z = 2 sqrt(eps(1 - eps)): .8 at eps = .2, .745 at 1/6."""
    assert training_bound([[0.2], [1 / 6]]) == pytest.approx([0.8, 0.7453559925], abs=1e-9)


def test_ada_T_bound_against_lecture():
    """Weak learners 0.1 better than chance reach 5 % training error within 150 rounds."""
    assert rounds_needed(0.1, 0.05) == 150


def test_hoeffding_against_lecture():
    """The same formula bounds voters: 922 by Hoeffding where the exact number is 539."""
    assert rounds_needed(0.05, 0.01) == 922 > voters_needed(0.55, 0.99)


def test_no_training_error_after_log_n_rounds_against_lecture():
    """A hundred times the rows costs a fixed number of further rounds."""
    rounds = rounds_to_fit(0.1, [10**2, 10**4, 10**6])
    assert np.ptp(np.diff(rounds)) <= 1


def test_vc_of_T_stumps_on_line_against_lecture():
    """The VC dimension of a vote grows with its number of stumps, not with the dimension."""
    assert stump_vote_vc_dimension([1, 2, 3]).tolist() == [2, 2, 4]
    assert np.all(vote_vc_dimension(2, [1, 2, 3]) >= [2, 2, 4])


def test_bounds_of_the_test_error_are_too_loose_to_use_against_lecture():
    """On 1000 rows with perfect margins of .3 both bounds exceed 1, and so are empty."""
    assert margin_bound(0.0, 0.3, 1000, n_hypotheses=10_000) > 1
    assert margin_bound(0.0, 0.3, 1000, vc_dimension=2) > 1
    assert vc_bound(0.0, vote_vc_dimension(2, 100), 1000) > 1


def test_ada_not_max_margin_against_lecture():
    """On the 8x8 matrix AdaBoost ends at a margin of 1/3, though weights with 3/8 exist."""
    margin, weights = maximize_margin(EIGHT_BY_EIGHT)
    assert margin == pytest.approx(0.375, abs=1e-9)
    y = np.ones(8)
    _, alphas, members = adaboost(EIGHT_BY_EIGHT, y, 3000)
    margins = signed_margins(y, EIGHT_BY_EIGHT[:, members], alphas)
    assert margins.min() == pytest.approx(1 / 3, abs=2e-3)
    assert signed_margins(y, EIGHT_BY_EIGHT, weights).min() == pytest.approx(0.375, abs=1e-9)


# Diversity


def test_diversity_relations_against_lecture():
    """The garbled relations put right: six measures, each a function of any other."""
    # A fixed matrix of 12 rows and 5 members with r = 43/60 and KW = .16.
    measures = diversity_from_variance(43 / 60, 0.16, 5)
    expected = {
        "disagreement": 0.4,
        "double_fault": 0.08333333333,
        "difficulty": 0.04305555556,
        "interrater_agreement": 0.01504787962,
        "generalized_diversity": 0.7058823529,
    }
    assert measures == pytest.approx(expected, abs=1e-9)
    r, gd = 43 / 60, measures["generalized_diversity"]
    assert measures["interrater_agreement"] == pytest.approx(1 - gd / r, abs=1e-12)
