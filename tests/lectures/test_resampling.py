"""The lecture notes on jackknife and bootstrap, with their slips put right."""

from __future__ import annotations

from math import comb, factorial
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import uniform

from nonet.resampling import Parametric, ResamplingWarning
from nonet.resampling.bootstrap.bootstrap import bootstrap
from nonet.resampling.bootstrap.draws import RowDraws
from nonet.resampling.bootstrap.enumeration import all_resamples, count_resamples
from nonet.resampling.bootstrap.jackknife import jackknife
from nonet.resampling.statistics.samples import as_sample
from nonet.resampling.statistics.units import make_units

X = [1, 4, 7, 9]
UNIFORM10 = [2.6, 3.26, 2.75, 2.64, 2.83, 2.58, 3.17, 3.31, 3.48, 3.14]  # from U(2.5, 3.5)
FIRST = np.array([10.0, 5, 12, 25, 1, 18, 11, 7, 19, 15])
SECOND = np.array([15.0, 12, 18, 30, 3, 20, 14, 10, 20, 13])
PORTFOLIO = Path(__file__).parents[2] / "examples" / "data" / "portfolio.csv"


def best_fraction(x, y):
    """The fraction of the first asset that minimizes the risk of the two."""
    covariance = np.cov(x, y)
    cross = covariance[0, 1]
    return (covariance[1, 1] - cross) / (covariance[0, 0] + covariance[1, 1] - 2 * cross)


def best_fractions(x, y, axis):
    dx, dy = (a - a.mean(axis=axis, keepdims=True) for a in (x, y))
    sxx, syy, sxy = ((a * b).sum(axis=axis) for a, b in ((dx, dx), (dy, dy), (dx, dy)))
    return (syy - sxy) / (sxx + syy - 2 * sxy)


def jackknife_minimum(x):
    with pytest.warns(ResamplingWarning):
        return jackknife(x, "minimum")


# ---- Jackknife -------------------------------------------------------------------------------


def test_jackknife_of_a_mean_against_lecture():
    result = jackknife(X, "mean")
    assert result.estimate == 5.25
    np.testing.assert_allclose(result.partials, [20 / 3, 17 / 3, 14 / 3, 4])
    np.testing.assert_allclose(result.pseudovalues, X)
    assert result.corrected_estimate == pytest.approx(5.25)
    assert result.bias == pytest.approx(0, abs=1e-12)
    assert result.variance == pytest.approx(3.0625)
    assert result.variance_from_partials == pytest.approx(3.0625)


def test_jackknife_turns_the_variance_into_the_unbiased_one_against_lecture():
    result = jackknife(X, "variance")
    assert result.estimate == pytest.approx(9.1875)
    assert result.corrected_estimate == pytest.approx(12.25)
    # The notes print the opposite sign for the bias: what they call bias is the correction.
    assert result.bias == pytest.approx(-3.0625)
    assert result.correction == pytest.approx(3.0625)


def test_jackknife_of_a_minimum_against_lecture():
    result = jackknife_minimum(UNIFORM10)
    assert result.estimate == 2.58
    assert result.corrected_estimate == pytest.approx(2.562)  # printed as 2.56
    assert result.bias == pytest.approx(0.018)
    assert result.variance == pytest.approx(0.000324)


def test_jackknife_variance_of_a_minimum_is_not_consistent_against_theory():
    samples = np.sort(np.random.default_rng(0).uniform(size=(4000, 10)), axis=1)
    # By order statistics: variance ((n - 1) / n)^2 (X(2) - X(1))^2, as the first test checks.
    variances = (0.9 * (samples[:, 1] - samples[:, 0])) ** 2
    result = jackknife_minimum(samples[0])
    assert result.variance == pytest.approx(variances[0])
    assert variances.mean() == pytest.approx(0.01227272727, rel=0.1)
    assert samples[:, 0].var() == pytest.approx(0.006887052342, rel=0.1)


@pytest.mark.parametrize(
    ("n", "mean_jackknife", "mean_bootstrap", "jackknife_smaller", "nearer", "too_low"),
    [
        (5, 1.55, 0.89, 0.43, 0.71, 0.44),
        (10, 1.81, 1.09, 0.50, 0.69, 0.475),
        (50, 1.95, 1.28, 0.57, 0.675, 0.495),
        (200, 1.98, 1.31, 0.59, 0.67, 0.49),
    ],
)
def test_variances_of_a_minimum_compared_against_lecture(
    n, mean_jackknife, mean_bootstrap, jackknife_smaller, nearer, too_low
):
    """The notes read one simulated path; over many the jackknife variance is the larger one."""
    samples = np.sort(np.random.default_rng(1).uniform(size=(4000, n)), axis=1)
    truth = n / ((n + 1) ** 2 * (n + 2))
    by_jackknife = ((n - 1) / n * (samples[:, 1] - samples[:, 0])) ** 2
    ranks = np.arange(n)
    probability = ((n - ranks) / n) ** n - (
        (n - ranks - 1) / n
    ) ** n  # that X(i) is a resample's minimum
    by_bootstrap = samples**2 @ probability - (samples @ probability) ** 2
    corrected = samples[:, 0] - (n - 1) / n * (samples[:, 1] - samples[:, 0])
    assert by_jackknife.mean() / truth == pytest.approx(mean_jackknife, abs=0.13)
    assert by_bootstrap.mean() / truth == pytest.approx(mean_bootstrap, abs=0.13)
    assert np.mean(by_jackknife < by_bootstrap) == pytest.approx(jackknife_smaller, abs=0.05)
    assert np.mean(np.abs(corrected) < samples[:, 0]) == pytest.approx(nearer, abs=0.05)
    assert np.mean(corrected < 0) == pytest.approx(too_low, abs=0.05)
    if n == 5:
        exact = bootstrap(samples[0], "minimum")
        assert exact.variance == pytest.approx(by_bootstrap[0])


def test_bias_of_order_one_over_n_is_removed_against_theory():
    # E exp-like statistic mean^2: bias sigma^2 / n, removed in expectation.
    samples = np.random.default_rng(2).normal(1, 1, size=(3000, 8))
    corrected = [jackknife(x, lambda x: x.mean() ** 2).corrected_estimate for x in samples[:400]]
    plain = samples.mean(axis=1) ** 2
    assert plain.mean() == pytest.approx(1 + 1 / 8, abs=0.05)
    assert np.mean(corrected) == pytest.approx(1, abs=0.12)


# ---- Bootstrap -------------------------------------------------------------------------------


def test_numbers_of_resamples_against_lecture():
    assert 12**12 == 8916100448256
    assert count_resamples(12, 12) == comb(23, 12) == 1352078


@pytest.mark.parametrize(
    ("n", "probability"), [(3, 0.2222222222), (4, 0.09375), (8, 0.00240325927734375)]
)
def test_probability_of_drawing_the_sample_itself_against_lecture(n, probability):
    rows, probabilities = all_resamples(n, n)
    itself = (rows == np.arange(n)).all(axis=1)
    assert probabilities[itself] == pytest.approx(probability)
    assert factorial(n) / n**n == pytest.approx(probability)
    assert factorial(10) / 10**10 == pytest.approx(0.00036288)


def test_fraction_of_rows_left_out_against_lecture():
    sample = as_sample(np.zeros(100))
    draws = RowDraws(sample, make_units(sample), (100,), 1)
    (rows,) = draws.batch(0, 4000)
    left_out = np.mean([1 - len(set(row)) / 100 for row in rows.tolist()])
    assert left_out == pytest.approx(0.3660323413, abs=0.002)
    assert pytest.approx(0.3660323413) == (1 - 1 / 100) ** 100


def test_a_resample_is_a_weighting_by_counts():
    indices = np.array([[0, 0, 1, 3], [2, 2, 2, 0]])
    result = bootstrap(X, "mean", indices=indices)
    assert result.distribution[0] == pytest.approx(np.average(X, weights=[2, 1, 0, 1]))


def test_normal_interval_against_lecture():
    result = bootstrap(X, "mean")
    low, high = result.interval("normal", 0.95)
    assert (high - low) / 2 == pytest.approx(1.959963985 * np.sqrt(result.variance))


def test_parametric_bootstrap_draws_from_the_fitted_distribution():
    """Not from the empirical one, as the notes have it: a maximum then takes all values."""
    data = np.array(UNIFORM10)
    fitted = uniform(0, data.max())
    result = bootstrap(data, "maximum", scheme=Parametric(fitted), n_resamples=500, random_state=0)
    assert len(np.unique(result.distribution)) == 500
    drawn = bootstrap(data, "maximum", n_resamples=500, random_state=0)
    assert len(np.unique(drawn.distribution)) <= 10


def test_shopping_lines_against_lecture():
    result = bootstrap((FIRST, SECOND), "coefficients", n_resamples=1000, random_state=0)
    intercept, slope = result.estimate
    assert intercept == pytest.approx(4.0145, abs=1e-4)
    assert slope == pytest.approx(0.93378, abs=1e-4)
    at_27 = result.distribution @ [1, 27]
    assert intercept + 27 * slope == pytest.approx(29.2266, abs=1e-4)
    assert at_27.mean() == pytest.approx(28.667, abs=0.25)
    wide = bootstrap((FIRST, SECOND), "coefficients", n_resamples=40000, random_state=0)
    ends = np.quantile(wide.distribution @ [1, 27], [0.05, 0.95])
    np.testing.assert_allclose(ends, [23.93, 31.74], atol=0.08)


def test_shopping_columns_as_headed_give_another_line_against_lecture():
    """The notes' headings are swapped: who follows them gets this line, not the printed one."""
    intercept, slope = bootstrap((SECOND, FIRST), "coefficients", n_resamples=9).estimate
    assert intercept == pytest.approx(-2.0988, abs=1e-4)
    assert slope == pytest.approx(0.92896, abs=1e-4)
    assert intercept + 27 * slope == pytest.approx(22.983, abs=1e-3)


def test_shopping_mean_of_lines_over_seeds_against_lecture():
    means = [
        (
            bootstrap(
                (FIRST, SECOND), "coefficients", n_resamples=1000, random_state=seed
            ).distribution.mean(axis=0)
            @ [1, 27]
        )
        for seed in range(150)
    ]
    assert np.mean(means) == pytest.approx(28.665, abs=0.025)
    assert np.std(means, ddof=1) == pytest.approx(0.079, abs=0.015)


def test_portfolio_against_lecture():
    x, y = np.loadtxt(PORTFOLIO, delimiter=",", skiprows=1).T
    result = bootstrap((x, y), best_fractions, n_resamples=1000, random_state=0)
    assert result.estimate == pytest.approx(0.5758320746, abs=1e-9)
    assert result.standard_error == pytest.approx(0.091, abs=0.008)  # the notes' draw: 0.087
    assert jackknife((x, y), best_fraction).standard_error == pytest.approx(0.0927, abs=0.0005)


def test_portfolio_simulation_agrees_with_the_bootstrap_against_lecture():
    covariance = np.array([[1, 0.5], [0.5, 1.25]])
    assert pytest.approx(0.6) == (1.25 - 0.5) / (1 + 1.25 - 1)
    random = np.random.default_rng(0)
    samples = random.multivariate_normal([0, 0], covariance, size=(1000, 100))
    fractions = best_fractions(samples[..., 0], samples[..., 1], axis=1)
    # The fraction is the slope of Y on Y - X, so for normal data its variance is known.
    spread = 1 + 1.25 - 2 * 0.5
    theory = np.sqrt((1.25 - (1.25 - 0.5) ** 2 / spread) / (spread * (100 - 3)))
    assert theory == pytest.approx(0.081228, abs=1e-5)
    assert fractions.mean() == pytest.approx(0.6, abs=0.010)
    assert fractions.std(ddof=1) == pytest.approx(0.0812, abs=0.008)
    errors = [
        bootstrap(
            (s[:, 0], s[:, 1]), best_fractions, n_resamples=200, random_state=0
        ).standard_error
        for s in samples[:60]
    ]
    assert np.mean(errors) == pytest.approx(0.082, abs=0.008)
