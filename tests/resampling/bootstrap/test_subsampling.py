"""Resamples without replacement, and the choice of their size."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

from nonet.resampling import choose_subsample_size
from nonet.resampling.bootstrap.bootstrap import bootstrap
from nonet.resampling.bootstrap.jackknife import jackknife

RNG = np.random.default_rng(2)
X = RNG.exponential(size=40)
Y = X + RNG.normal(size=40)


def test_all_subsets_are_listed_against_naive():
    few = X[:9]
    result = bootstrap(few, "mean", size=4, replace=False)
    naive = [few[list(rows)].mean() for rows in combinations(range(9), 4)]
    assert result.exact
    assert result.n_resamples == comb(9, 4)
    np.testing.assert_allclose(np.sort(result.distribution), np.sort(naive))


@pytest.mark.parametrize("size", [2, 4, 7])
def test_standard_error_of_the_mean_is_exact_at_any_size(size):
    few = X[:9]
    result = bootstrap(few, "mean", size=size, replace=False)
    assert result.standard_error == pytest.approx(few.std(ddof=1) / 3, rel=1e-12)
    assert result.variance == pytest.approx(jackknife(few, "mean", d=9 - size).variance, rel=1e-9)


@pytest.mark.parametrize("size", [3, 6])
def test_bias_of_the_variance_is_exact_at_any_size(size):
    few = X[:9]
    result = bootstrap(few, "variance", size=size, replace=False)
    assert result.corrected_estimate == pytest.approx(few.var(ddof=1), rel=1e-12)


def test_sampled_subsets_hold_no_row_twice_and_depend_on_their_number_alone():
    rows = np.arange(40.0)
    result = bootstrap(rows, lambda x: len(np.unique(x)), size=15, replace=False, n_resamples=200)
    assert (result.distribution == 15).all()
    long, short = (
        bootstrap(X, "mean", size=15, replace=False, n_resamples=n, random_state=3).distribution
        for n in (400, 100)
    )
    np.testing.assert_array_equal(long[:100], short)


def test_every_row_is_equally_likely():
    result = bootstrap(
        np.arange(12), lambda x: np.bincount(x, minlength=12), size=4, replace=False, exact=False
    )
    counts = result.distribution.mean(axis=0)
    np.testing.assert_allclose(counts, 4 / 12, atol=0.02)


def test_groups_are_kept_whole_and_strata_apart():
    groups, strata = np.repeat(np.arange(10), 4), np.repeat([0, 1], 20)
    sizes = bootstrap(
        groups, lambda g: len(np.unique(g)), groups=groups, size=4, replace=False, n_resamples=50
    )
    assert (sizes.distribution == 4).all()
    of_strata = bootstrap(strata, np.sum, strata=strata, size=(8, 8), replace=False, n_resamples=50)
    assert (of_strata.distribution == 8).all()


def test_studentised_interval_does_not_depend_on_the_size():
    """Without the factor of a finite population the interval at m = n/2 would be 0.7 as long."""
    normal = np.random.default_rng(0).normal(size=80)
    lengths = []
    for size in (20, 40, 60):
        result = bootstrap(
            normal,
            "mean",
            size=size,
            replace=False,
            n_resamples=2000,
            standard_error="jackknife",
            random_state=0,
        )
        low, high = result.interval("studentised")
        lengths.append((high - low) / (2 * 1.96 * normal.std(ddof=1) / np.sqrt(80)))
    np.testing.assert_allclose(lengths, 1, atol=0.1)


def test_coverage_of_subsampling():
    """95 % intervals of the mean of 40 rows, 400 samples: standard error 0.011."""
    random = np.random.default_rng(1)
    held = 0
    for number, sample in enumerate(random.normal(size=(400, 40))):
        result = bootstrap(
            sample, "mean", size=12, replace=False, n_resamples=300, random_state=number
        )
        low, high = result.interval("basic")
        held += low < 0 < high
    assert held / 400 == pytest.approx(0.94, abs=0.03)


def test_maximum_of_uniform_numbers_needs_subsampling():
    """The bootstrap repeats the maximum in 63 % of resamples; small subsets hardly ever do."""
    random = np.random.default_rng(2)
    held = np.zeros(2)
    for number, sample in enumerate(random.uniform(size=(200, 200))):
        options = {"n_resamples": 300, "random_state": number, "rate": 1}
        full = bootstrap(sample, "maximum", **options)
        some = bootstrap(sample, "maximum", size=20, replace=False, **options)
        for position, result in enumerate((full, some)):
            low, high = result.interval("basic", 0.9)
            held[position] += low < 1 < high
    assert held[0] / 200 < 0.87
    assert held[1] / 200 == pytest.approx(0.9, abs=0.06)


@pytest.mark.parametrize("method", ["volatility", "distance"])
def test_chosen_size_minimises_the_criterion(method):
    found = choose_subsample_size(X, "median", method=method, n_resamples=300, random_state=0)
    assert found.size in found.sizes
    at = int(np.flatnonzero(found.sizes == found.size)[0])
    assert found.criterion[at] == np.nanmin(found.criterion)
    np.testing.assert_array_equal(
        [found.low[at], found.high[at]], list(found.result.interval("basic"))
    )


def test_volatility_against_naive():
    sizes = [6, 9, 12, 15, 18, 21]
    found = choose_subsample_size(X, "mean", sizes=sizes, n_resamples=200, random_state=5)
    low, high = found.low, found.high
    naive = [low[a : a + 5].std(ddof=1) + high[a : a + 5].std(ddof=1) for a in (0, 1)]
    np.testing.assert_allclose(found.criterion, [np.nan, np.nan, *naive, np.nan, np.nan])


def test_distance_chooses_fewer_rows_for_a_maximum_than_for_a_mean():
    """The bootstrap of n rows is right for means, so sizes do not matter; for maxima it fails."""
    chosen = {"mean": [], "maximum": []}
    for number in range(20):
        sample = np.random.default_rng(number).uniform(size=400)
        for statistic, rate in (("mean", 0.5), ("maximum", 1.0)):
            found = choose_subsample_size(
                sample,
                statistic,
                method="distance",
                rate=rate,
                replace=True,
                n_resamples=500,
                random_state=number,
            )
            chosen[statistic].append(found.size)
    assert np.median(chosen["maximum"]) < 0.6 * np.median(chosen["mean"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"replace": False}, "below the number of rows"),
        ({"replace": False, "size": 40}, "below the number of rows"),
        ({"replace": False, "size": 5, "draw_weights": np.ones(40)}, "draw_weights"),
        ({"replace": "no", "size": 5}, "replace"),
    ],
)
def test_bootstrap_rejects_subsets_that_do_not_exist(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        bootstrap(X, "mean", **options)


@pytest.mark.parametrize("sizes", [[5, 10], [5, 10, 40], [0, 5, 10], [2.5, 5, 10]])
def test_choose_size_rejects_sizes(sizes):
    with pytest.raises((ValueError, TypeError), match="sizes"):
        choose_subsample_size(X, "mean", sizes=sizes)


def test_choose_size_rejects_vectors():
    with pytest.raises(ValueError, match="one number"):
        choose_subsample_size(np.column_stack([X, Y]), np.mean, n_resamples=50)


@pytest.mark.parametrize("name", ["size", "foo"])
def test_choice_of_a_size_rejects_options_of_no_meaning(name):
    with pytest.raises(TypeError, match=f"has no parameter '{name}'.*given as sizes"):
        choose_subsample_size(X, "mean", **{name: 4})
