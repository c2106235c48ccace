"""Resamples of another size than the sample: issue 17, item 6."""

from __future__ import annotations

import numpy as np
import pytest

from nonet import bootstrap

X = np.random.default_rng(1).exponential(size=31)


@pytest.mark.parametrize("size", [8, 31, 124])
def test_standard_error_against_theory_is_that_of_all_rows(size):
    result = bootstrap(X, "mean", n_resamples=20000, size=size, random_state=0)
    np.testing.assert_allclose(result.standard_error, X.std() / np.sqrt(31), rtol=0.02)


@pytest.mark.parametrize("size", [8, 124])
def test_bias_against_theory_is_that_of_all_rows(size):
    result = bootstrap(X, "variance", n_resamples=40000, size=size, random_state=0)
    np.testing.assert_allclose(result.bias, -X.var() / 31, atol=4 * result.monte_carlo_error().mean)
    assert result.monte_carlo_error().mean < 0.2 * X.var() / 31


@pytest.mark.parametrize("size", [10, 160])
def test_coverage_against_theory_is_near_its_level(size):
    """Was 1.00 with a quarter of the rows and 0.65 with four times as many."""
    truth, n_samples = 1.0, 200
    hits = dict.fromkeys(("normal", "basic", "percentile", "studentised"), 0)
    for seed in range(n_samples):
        x = np.random.default_rng(seed).normal(truth, size=40)
        result = bootstrap(
            x,
            np.mean,
            size=size,
            n_resamples=199,
            standard_error=lambda x: x.std(ddof=1) / np.sqrt(len(x)),
            random_state=seed,
        )
        for method in hits:
            low, high = result.interval(method)
            hits[method] += low <= truth <= high
    for method, count in hits.items():
        assert 0.88 < count / n_samples < 0.985, method


@pytest.mark.parametrize("rate", [0.5, 1.0, 1 / 3])
def test_ends_against_naive(rate):
    settings = {"size": 12, "rate": rate, "n_resamples": 200, "random_state": 3}
    result = bootstrap(X, "maximum" if rate == 1 else "mean", **settings)
    factor = (12 / 31) ** rate
    values = result.estimate + factor * (result.distribution - result.estimate)
    low, high = np.quantile(values, [0.025, 0.975])
    np.testing.assert_allclose(tuple(result.interval("percentile")), (low, high))
    mirrored = 2 * result.estimate - high, 2 * result.estimate - low
    np.testing.assert_allclose(tuple(result.interval("basic")), mirrored)
    np.testing.assert_allclose(result.standard_error, values.std(ddof=1))
    np.testing.assert_allclose(result.rescaled, values)
    bias = (12 / 31 if rate == 0.5 else factor) * (result.distribution.mean() - result.estimate)
    np.testing.assert_allclose(result.bias, bias)


def test_rate_0_describes_samples_of_that_size():
    result = bootstrap(X, "mean", n_resamples=20000, size=124, rate=0, random_state=0)
    np.testing.assert_allclose(result.standard_error, X.std() / np.sqrt(124), rtol=0.02)
    np.testing.assert_allclose(result.bias, result.distribution.mean() - X.mean())


def test_all_resamples_of_another_size_are_rescaled_too():
    x = np.array([1.0, 4.0, 7.0, 9.0])
    result = bootstrap(x, "variance", size=3)
    assert result.exact
    np.testing.assert_allclose(result.bias, -x.var() / 4)
    np.testing.assert_allclose(bootstrap(x, "mean", size=3).variance, x.var() / 4)


def test_given_indices_are_rescaled_too():
    rows = np.random.default_rng(0).integers(31, size=(5000, 10))
    result = bootstrap(X, "mean", indices=rows)
    means = X[rows].mean(axis=1)
    np.testing.assert_allclose(result.standard_error, np.sqrt(10 / 31) * means.std(ddof=1))


def test_test_is_that_of_all_rows():
    null_value = X.mean() + 2 * X.std() / np.sqrt(31)
    for size in (8, 31, 124):
        result = bootstrap(X, "mean", size=size, n_resamples=20000, random_state=0)
        assert 0.03 < result.test(null_value).p_value < 0.07


@pytest.mark.parametrize("how", ["jackknife", "nested"])
def test_studentised_scale_against_theory_is_that_of_all_rows(how):
    result = bootstrap(X, "mean", size=8, n_resamples=400, standard_error=how, random_state=0)
    np.testing.assert_allclose(result.sample_error, X.std() / np.sqrt(31), rtol=0.1)


def test_two_samples_of_one_fraction_against_theory():
    x, y = X, np.random.default_rng(2).normal(size=62)
    result = bootstrap(
        (x, y), "mean_difference", paired=False, size=(8, 16), n_resamples=20000, random_state=0
    )
    expected = np.sqrt(x.var() / 31 + y.var() / 62)
    np.testing.assert_allclose(result.standard_error, expected, rtol=0.03)


@pytest.mark.parametrize("settings", [{"size": (20, 9)}, {"size": (31, 5)}])
def test_rejects_sizes_that_no_factor_rescales(settings):
    with pytest.raises(ValueError, match="same fraction of every sample"):
        bootstrap((X, X[:9]), "mean_difference", paired=False, **settings)


def test_rejects_a_bad_rate():
    with pytest.raises(ValueError, match="'rate'"):
        bootstrap(X, "mean", rate=-1)


def test_bca_rejects_other_sizes():
    result = bootstrap(X, "mean", n_resamples=50, size=10, random_state=0)
    with pytest.raises(ValueError, match="as many as the sample has"):
        result.interval("bca")
