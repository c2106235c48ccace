"""Rows drawn by weights: the estimate is the plug-in of the weighted rows. Issue 17, item 6."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from nonet import bootstrap
from nonet.resampling import Bayesian, Quantile
from nonet.resampling.statistics.repeats import repeat_counts
from nonet.resampling.statistics.weighted_quantile import weighted_quantile

RNG = np.random.default_rng(5)
X, Y = RNG.exponential(size=24), RNG.normal(size=24)
WEIGHTS = RNG.integers(0, 6, size=24)
REPEATED = np.repeat(np.arange(24), WEIGHTS)
IRRATIONAL = np.exp(RNG.normal(size=24))
GROUPS = np.repeat(np.arange(8), [1, 2, 3, 4, 5, 4, 3, 2])


def test_mean_of_the_issue_against_naive():
    """Was 4.5 with a bias of 1.5 and a corrected estimate of 3."""
    x, w = np.arange(10.0), np.arange(1, 11)
    result = bootstrap(x, "mean", draw_weights=w, random_state=0)
    assert result.estimate == pytest.approx(6.0, rel=1e-14)
    rows = np.random.default_rng(0).choice(10, size=(9999, 10), p=w / w.sum())
    means = x[rows].mean(axis=1)
    assert abs(result.bias) < 4 * result.monte_carlo_error().mean
    np.testing.assert_allclose(result.standard_error, means.std(ddof=1), rtol=0.03)
    np.testing.assert_allclose(
        tuple(result.interval()), np.quantile(means, [0.025, 0.975]), atol=0.15
    )


ESTIMATES = {
    "mean": np.mean,
    "variance": np.var,
    "std": np.std,
    "median": np.median,
    "minimum": np.min,
    "maximum": np.max,
    Quantile(0.3): lambda x: np.quantile(x, 0.3),
}


@pytest.mark.parametrize("name", ESTIMATES, ids=str)
def test_estimate_against_repeated_rows(name):
    for scale in (1, 0.1, 7 / 3):
        settings = {"draw_weights": scale * WEIGHTS, "n_resamples": 20}
        result = bootstrap(X, name, **settings)
        np.testing.assert_allclose(result.estimate, ESTIMATES[name](X[REPEATED]), rtol=1e-12)
        by_call = bootstrap(X, lambda x: ESTIMATES[name](x), **settings)
        np.testing.assert_allclose(by_call.estimate, result.estimate, rtol=1e-12)


@pytest.mark.parametrize("name", ["correlation", "ratio", "coefficients"])
def test_estimate_of_pairs_against_repeated_rows(name):
    weighted = bootstrap((X, Y), name, draw_weights=WEIGHTS, n_resamples=20)
    plain = bootstrap((X[REPEATED], Y[REPEATED]), name, n_resamples=20)
    np.testing.assert_allclose(weighted.estimate, plain.estimate, rtol=1e-9)


def test_equal_weights_change_no_estimate():
    for name in (*ESTIMATES, "sample_variance"):
        equal = bootstrap(X, name, draw_weights=np.full(24, 0.3), n_resamples=20).estimate
        np.testing.assert_allclose(equal, bootstrap(X, name, n_resamples=20).estimate, rtol=1e-12)


@pytest.mark.parametrize("weights", [WEIGHTS, IRRATIONAL], ids=["whole", "real"])
@pytest.mark.parametrize(
    "plan",
    [{}, {"groups": GROUPS}, {"strata": GROUPS // 3}, {"groups": GROUPS, "strata": GROUPS // 4}],
)
def test_mean_has_no_bias_against_theory(plan, weights):
    result = bootstrap(X, "mean", draw_weights=weights, n_resamples=20000, random_state=0, **plan)
    error = result.monte_carlo_error().mean
    # Groups of unequal sizes make the mean a ratio, whose bias is of the order 1 / groups.
    assert abs(result.bias) < 4 * error + ("groups" in plan) * result.standard_error / 4


def test_two_samples_against_theory():
    w = np.concatenate([WEIGHTS, IRRATIONAL])
    result = bootstrap(
        (X, Y), "mean_difference", paired=False, draw_weights=w, n_resamples=2000, random_state=0
    )
    expected = np.average(X, weights=WEIGHTS) - np.average(Y, weights=IRRATIONAL)
    np.testing.assert_allclose(result.estimate, expected, rtol=1e-12)
    assert abs(result.bias) < 4 * result.monte_carlo_error().mean
    w[24:] = 1 + np.arange(24) % 2
    settings = {"paired": False, "draw_weights": w, "n_resamples": 20}
    by_name = bootstrap((X, Y), "mean_difference", **settings)
    by_call = bootstrap((X, Y), lambda x, y: x.mean() - y.mean(), **settings)
    np.testing.assert_allclose(by_name.estimate, by_call.estimate, rtol=1e-12)


def test_callables_that_take_weights_get_them():
    result = bootstrap(X, np.average, draw_weights=IRRATIONAL, n_resamples=50, random_state=0)
    np.testing.assert_allclose(result.estimate, np.average(X, weights=IRRATIONAL))
    seen = []

    def total(x, weights=None):
        seen.append(weights)
        return float(x.mean())

    bootstrap(X, total, draw_weights=IRRATIONAL, n_resamples=3)
    np.testing.assert_allclose(seen[0], 24 * IRRATIONAL / IRRATIONAL.sum())
    assert all(weights is None for weights in seen[1:])


def test_rejects_a_callable_without_weights_where_rows_cannot_be_repeated():
    with pytest.raises(ValueError, match="takes weights as a keyword argument"):
        bootstrap(X, lambda x: x.mean(), draw_weights=IRRATIONAL, n_resamples=20)


def test_rejects_a_stratum_without_weight():
    weights = np.where(np.arange(24) < 12, 0.0, 1.0)
    with pytest.raises(ValueError, match="at least one row of every sample or stratum"):
        bootstrap(X, "mean", strata=np.arange(24) // 12, draw_weights=weights)


@pytest.mark.parametrize(
    "weights", [np.ones(24), WEIGHTS, IRRATIONAL], ids=["one", "whole", "real"]
)
def test_acceleration_of_a_mean_against_theory(weights):
    task = bootstrap(X, "mean", draw_weights=weights, n_resamples=20).task
    p = weights / weights.sum()
    centred = X - p @ X
    skewness = (p @ centred**3) / (p @ centred**2) ** 1.5
    np.testing.assert_allclose(task.acceleration(()), skewness / (6 * np.sqrt(24)), rtol=1e-9)


def test_acceleration_of_a_smooth_statistic_against_repeated_rows():
    """Each row 3 times: the skewness of the influence values stays, the number of draws too."""
    plain = bootstrap((X, Y), "correlation", n_resamples=20).task.acceleration(())
    equal = bootstrap((X, Y), "correlation", draw_weights=np.full(24, 3), n_resamples=20)
    np.testing.assert_allclose(equal.task.acceleration(()), plain, rtol=1e-9)


def test_acceleration_of_unequal_groups_against_theory():
    """The mean is a ratio of sums over groups, so its residuals by group are what is drawn."""
    task = bootstrap(X, "mean", groups=GROUPS, n_resamples=20).task
    residual = np.bincount(GROUPS, X) - X.mean() * np.bincount(GROUPS)
    expected = stats.skew(residual) / (6 * np.sqrt(8))
    np.testing.assert_allclose(task.acceleration(()), expected, rtol=1e-9)


def test_bca_is_given_for_weighted_draws():
    settings = {"n_resamples": 4000, "random_state": 0}
    weighted = bootstrap(X, "mean", draw_weights=np.ones(24), **settings).interval("bca")
    plain = bootstrap(X, "mean", **settings).interval("bca")
    np.testing.assert_allclose(tuple(weighted), tuple(plain), rtol=0.03)


def test_studentised_scale_against_theory():
    settings = {"draw_weights": WEIGHTS, "n_resamples": 40, "random_state": 0}
    p = WEIGHTS / WEIGHTS.sum()
    variance = p @ (X - p @ X) ** 2
    result = bootstrap(X, "mean", standard_error="jackknife", **settings)
    np.testing.assert_allclose(result.sample_error, np.sqrt(variance / 23), rtol=1e-9)

    def formula(x, weights=None):
        mean = np.average(x, weights=weights)
        return np.sqrt(np.average((x - mean) ** 2, weights=weights) / len(x))

    result = bootstrap(X, "mean", standard_error=formula, **settings)
    np.testing.assert_allclose(result.sample_error, np.sqrt(variance / 24))
    with pytest.raises(ValueError, match="must take a keyword argument weights"):
        bootstrap(X, "mean", standard_error=lambda x: x.std(), **settings)


def test_repeat_counts_are_the_smallest():
    np.testing.assert_array_equal(repeat_counts(np.arange(1, 11) / 55), np.arange(1, 11))
    np.testing.assert_array_equal(repeat_counts(np.array([0, 2.5, 5, 7.5])), [0, 1, 2, 3])
    np.testing.assert_array_equal(
        repeat_counts(np.array([2, 3, 4 / 3])), [3, 9 / 2, 2] * np.array(2)
    )
    assert repeat_counts(np.array([1, np.sqrt(2)])) is None
    assert repeat_counts(np.array([1, 1e7])) is None  # too many rows


@pytest.mark.parametrize("q", [0.0, 0.3, 0.5, 1.0])
def test_quantile_of_real_weights_against_naive(q):
    weights = np.append(IRRATIONAL, 0.0)  # a row of weight 0 counts for nothing
    table = np.column_stack([np.append(X, -9.0), np.append(Y, 9.0)])
    for column, found in zip(table.T, weighted_quantile(table, q, weights), strict=True):
        order = np.argsort(column)
        order = order[weights[order] > 0]
        reached = np.cumsum(weights[order]) / weights.sum()
        assert found == column[order][np.argmax(reached >= q - 1e-9)]


def test_bayesian_median_is_that_of_the_weights():
    result = bootstrap(X, "median", scheme=Bayesian(), n_resamples=400, random_state=0)
    assert set(result.distribution) <= set(X)
    np.testing.assert_allclose(result.mean, np.median(X), atol=3 * result.standard_error)
