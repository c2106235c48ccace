"""Studentised intervals of clustered and stratified samples."""

from __future__ import annotations

import numpy as np
import pytest

from nonet.resampling.bootstrap.bootstrap import bootstrap

RNG = np.random.default_rng(4)
GROUPS = np.repeat(np.arange(12), RNG.integers(2, 6, size=12))
STRATA = (GROUPS >= 5).astype(int)
X = RNG.normal(size=len(GROUPS)) + RNG.normal(size=12)[GROUPS] + STRATA


def linearised_error(x, groups, strata):
    """The textbook standard error of a mean of clusters within strata."""
    total = 0.0
    for stratum in np.unique(strata):
        own = strata == stratum
        sums = [
            (x[own & (groups == group)] - x[own].mean()).sum() for group in np.unique(groups[own])
        ]
        sums = np.array(sums) - np.mean(sums)
        total += len(sums) / (len(sums) - 1) * np.sum(sums**2)
    return np.sqrt(total) / len(x)


def as_drawn(result, resample):
    """Values of a resample, and the number of the drawn copy that each is from."""
    draws = result.task.draws
    units = draws.units_of(resample)
    labels = np.empty(units.n_rows, dtype=int)
    for number, rows in enumerate(units.members):
        labels[rows] = number
    stratum = np.concatenate([np.full(len(pool), i) for i, pool in enumerate(units.pools)])
    return draws.tables(resample)[0][0], labels, stratum[labels]


@pytest.mark.parametrize("strata", [None, STRATA])
def test_errors_within_resamples_of_groups_against_theory(strata):
    result = bootstrap(
        X,
        "mean",
        groups=GROUPS,
        strata=strata,
        standard_error="jackknife",
        n_resamples=20,
        random_state=0,
    )
    if strata is None:
        assert result.sample_error == pytest.approx(
            linearised_error(X, GROUPS, np.zeros(len(X))), rel=0.03
        )
    for resample in range(20):
        x, labels, stratum = as_drawn(result, resample)
        np.testing.assert_array_equal(np.bincount(labels) > 0, True)
        if strata is None:
            theory = linearised_error(x, labels, stratum)
            assert result.standard_errors[resample] == pytest.approx(theory, rel=0.06)


def test_error_of_equal_strata_against_theory():
    """Leaving one of 40 rows out divides by 39, and its stratum then has 19 of 20 rows."""
    factor = 19 / 20 * 40 / 39
    x, strata = X[:40], np.repeat([0, 1], 20)
    result = bootstrap(
        x, "mean", strata=strata, standard_error="jackknife", n_resamples=10, random_state=0
    )
    theory = factor * np.sqrt(sum(x[strata == s].var(ddof=1) / 20 for s in (0, 1)) / 4)
    assert result.sample_error == pytest.approx(theory, rel=1e-9)
    for resample in range(10):
        drawn = result.task.draws.tables(resample)[0][0]
        theory = factor * np.sqrt((drawn[:20].var(ddof=1) + drawn[20:].var(ddof=1)) / 80)
        assert result.standard_errors[resample] == pytest.approx(theory, rel=1e-9)


def test_nested_errors_of_groups_agree_with_those_of_the_jackknife():
    options = {"groups": GROUPS, "n_resamples": 15, "random_state": 1}
    nested = bootstrap(X, "mean", standard_error="nested", n_nested=2000, **options)
    left_out = bootstrap(X, "mean", standard_error="jackknife", **options)
    # Resampling divides by n where the jackknife divides by n - 1.
    ratio = nested.standard_errors / left_out.standard_errors
    np.testing.assert_allclose(ratio, np.sqrt(11 / 12), atol=0.08)


def test_coverage_with_groups():
    """12 groups of 5 equal rows: rows as units hold the mean in about half of the samples."""
    random = np.random.default_rng(0)
    groups = np.repeat(np.arange(12), 5)
    held = np.zeros(2)
    for number in range(120):
        x = random.exponential(size=12)[groups]
        options = {"standard_error": "jackknife", "n_resamples": 200, "random_state": number}
        for position, own in enumerate((None, groups)):
            low, high = bootstrap(x, "mean", groups=own, **options).interval("studentised")
            held[position] += low < 1 < high
    assert held[0] / 120 < 0.75
    assert held[1] / 120 > 0.88


def test_vectors_and_tests_take_groups():
    table = np.column_stack([X, X**2])
    result = bootstrap(
        table, np.mean, groups=GROUPS, standard_error="jackknife", n_resamples=100, random_state=0
    )
    interval = result.interval("studentised")
    assert interval.low.shape == (2,)
    assert result.test(0.0).studentised


@pytest.mark.parametrize("how", ["jackknife", "nested"])
def test_rejects_strata_of_one_group(how):
    groups = np.repeat(np.arange(5), 4)
    strata = np.repeat([0, 0, 0, 0, 1], 4)
    with pytest.raises(ValueError, match="at least 2 rows"):
        bootstrap(
            X[:20],
            "mean",
            groups=groups,
            strata=strata,
            standard_error=how,
            n_resamples=10,
            random_state=0,
        )
