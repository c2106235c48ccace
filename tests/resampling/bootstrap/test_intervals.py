from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from nonet.resampling.bootstrap import intervals
from nonet.resampling.bootstrap.bootstrap import bootstrap

RNG = np.random.default_rng(3)
X = RNG.exponential(size=25)
Y = X[:18] + RNG.normal(size=18)


def scipy_interval(data, statistic, result, method, **settings):
    """scipy's interval from the same distribution."""
    given = SimpleNamespace(bootstrap_distribution=result.distribution)
    found = stats.bootstrap(
        data, statistic, n_resamples=0, bootstrap_result=given, method=method, **settings
    )
    return list(found.confidence_interval)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
@pytest.mark.parametrize(
    ("name", "function"), [("mean", np.mean), ("std", np.std), ("median", np.median)]
)
def test_interval_against_scipy(name, function, method, level):
    result = bootstrap(X, name, n_resamples=800, random_state=2)
    expected = scipy_interval((X,), function, result, method, confidence_level=level)
    np.testing.assert_allclose(list(result.interval(method, level)), expected, rtol=1e-9)


def test_bca_of_two_samples_against_scipy():
    def difference(x, y, axis):
        return np.mean(x, axis=axis) - np.mean(y, axis=axis)

    result = bootstrap((X, Y), "mean_difference", paired=False, n_resamples=800, random_state=2)
    expected = scipy_interval((X, Y), difference, result, "bca")
    np.testing.assert_allclose(list(result.interval("bca")), expected, rtol=1e-9)


def test_bca_of_a_correlation_against_scipy():
    x = X[:18]
    result = bootstrap((x, Y), "correlation", n_resamples=800, random_state=2)
    statistic = lambda a, b: np.corrcoef(a, b)[0, 1]  # noqa: E731
    expected = scipy_interval((x, Y), statistic, result, "bca", paired=True, vectorized=False)
    np.testing.assert_allclose(list(result.interval("bca")), expected, rtol=1e-9)


def test_normal_interval_against_theory():
    low, high = intervals.normal_ends(3.0, 2.0, 0.95)
    np.testing.assert_allclose([low, high], [3 - 3.919927969, 3 + 3.919927969])


def test_studentised_interval_of_a_normal_mean_is_near_students():
    x = RNG.normal(size=12)
    result = bootstrap(x, "mean", n_resamples=4000, standard_error="jackknife", random_state=0)
    error = x.std(ddof=1) / np.sqrt(12)
    np.testing.assert_allclose(result.sample_error, error)
    normal = np.ptp(list(result.interval("normal")))
    studentised = np.ptp(list(result.interval("studentised")))
    assert studentised > 1.1 * normal


def test_studentised_ends_against_naive():
    values, errors = RNG.normal(size=999), RNG.uniform(0.5, 2, size=999)
    pivots = (values - 1.0) / errors
    expected = 1.0 - 3.0 * np.quantile(pivots, [0.95, 0.05])
    found = intervals.studentised_ends(1.0, 3.0, values, errors, 0.9)
    np.testing.assert_allclose(found, expected)


def test_quantile_with_probabilities_is_that_of_repeated_values():
    values, counts = RNG.normal(size=30), RNG.integers(1, 9, size=30)
    levels = np.linspace(0.01, 1, 50)
    repeated = np.repeat(values, counts)
    expected = np.quantile(repeated, levels, method="inverted_cdf")
    np.testing.assert_array_equal(
        intervals.distribution_quantile(values, levels, counts / counts.sum()), expected
    )


def test_vector_statistic_has_an_interval_for_each_component():
    table = np.column_stack([X[:18], Y])
    both = bootstrap(table, "mean", n_resamples=300, random_state=1)
    alone = bootstrap(Y, "mean", n_resamples=300, random_state=1)
    for method in ("normal", "basic", "percentile", "bca"):
        interval = both.interval(method)
        np.testing.assert_allclose(
            [interval.low[1], interval.high[1]], list(alone.interval(method)), rtol=1e-9
        )


def test_bca_rejects_an_infinite_correction():
    result = bootstrap(X, "maximum", n_resamples=200, random_state=0)
    with pytest.raises(ValueError, match="BCa correction is infinite"):
        intervals.bca_ends(result.estimate + 1, result.distribution, 0.0, 0.95)
    with pytest.raises(ValueError, match="above the estimate"):
        intervals.bias_correction(-1.0, result.distribution)


@pytest.mark.parametrize("level", [0, 1, 1.5, np.nan, None])
def test_interval_rejects_confidence_outside_0_and_1(level):
    result = bootstrap(X, "mean", n_resamples=50, random_state=0)
    with pytest.raises(ValueError, match="confidence_level"):
        result.interval("normal", level)
    with pytest.raises(ValueError, match="confidence_level"):
        result.intervals(level)


def test_interval_rejects_unknown_method():
    result = bootstrap(X, "mean", n_resamples=50, random_state=0)
    with pytest.raises(ValueError, match="did you mean 'percentile'"):
        result.interval("percentil")


def test_studentised_interval_rejects_a_result_without_standard_errors():
    result = bootstrap(X, "mean", n_resamples=50, random_state=0)
    with pytest.raises(ValueError, match="standard_error="):
        result.interval("studentised")
    assert list(result.intervals()) == ["normal", "basic", "percentile", "bca"]


def test_acceleration_of_constant_influence_is_zero():
    assert intervals.acceleration([np.zeros(5)], [np.full(5, 0.2)], [5]) == 0.0
