"""The draws and the compiled kernels against plain versions of the documented rule."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

from nonet import limit_threads
from nonet._native import resample as native
from nonet.resampling.bootstrap.draws import RowDraws, WeightDraws, uniforms
from nonet.resampling.statistics.samples import as_sample
from nonet.resampling.statistics.units import make_units
from resampling import naive

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("n_units", [1, 2, 3, 7, 11, 1000, 65537, 2**28 + 1, 2**32 - 1])
@pytest.mark.parametrize("resample", [0, 5])
def test_draws_against_documented_rule(n_units, resample):
    drawn = native.draw_units(n_units, 1500, 1, seed=99, pool=2, first=resample)
    assert drawn[0].tolist() == naive.draw_units(n_units, 1500, 99, resample, 2)


def test_draws_pass_over_words_as_the_rule_says():
    # Close to one word in 500 is passed over for this pool, so that long runs must meet some.
    n_units = 128 - 1
    k = naive.draws_per_word(n_units)
    words = list(naive.words(3, 0, 0, 4000))
    last = np.array([(word * n_units**k) % 2**64 for word in words], dtype=object)
    assert (last < 2**64 % n_units**k).any()
    drawn = native.draw_units(n_units, 3900 * k, 1, seed=3)
    assert drawn[0].tolist() == naive.draw_units(n_units, 3900 * k, 3, 0)


def test_draws_of_a_run_are_those_of_its_resamples():
    run = native.draw_units(50, 80, 6, seed=4)
    np.testing.assert_array_equal(native.draw_units(50, 80, 2, seed=4, first=3), run[3:5])


def test_all_units_are_equally_likely():
    counts = np.bincount(native.draw_units(13, 1000, 100, seed=8).ravel(), minlength=13)
    assert chisquare(counts).pvalue > 1e-4


@pytest.mark.parametrize("n_units", [0, 2**32])
def test_draws_reject_pools_that_are_empty_or_too_large(n_units):
    with pytest.raises(ValueError, match="at least 1 and fewer than"):
        native.draw_units(n_units, 3, 1, seed=0)


@pytest.mark.parametrize("n_terms", [1, 2, 3, 4, 5, 6, 9])
@pytest.mark.parametrize("n_draws", [1, 7, 60, 3001])
def test_sums_against_naive(n_terms, n_draws):
    terms = RNG.normal(size=(60, n_terms))
    sums = native.resampled_sums(terms, n_draws, 3, seed=1, pool=1, first=2)
    drawn = native.draw_units(60, n_draws, 3, seed=1, pool=1, first=2)
    np.testing.assert_allclose(sums, terms[drawn].sum(axis=1), atol=1e-10)


def test_products_against_naive():
    columns = RNG.normal(size=(40, 4))
    sums = native.resampled_products(columns, 70, 5, seed=1, first=9)
    drawn = columns[native.draw_units(40, 70, 5, seed=1, first=9)]
    full = np.einsum("bij,bik->bjk", drawn, drawn)
    lower = np.tril_indices(4)
    np.testing.assert_allclose(sums, full[:, lower[0], lower[1]], atol=1e-10)


@pytest.mark.parametrize("n_units", [1, 2, 63, 64, 65, 200])
@pytest.mark.parametrize("n_draws", [1, 2, 150])
def test_order_statistics_against_naive(n_units, n_draws):
    rank = RNG.permutation(n_units).astype(np.uint32)
    ordered = np.sort(rank[native.draw_units(n_units, n_draws, 4, seed=2)], axis=1)
    for lower in {0, n_draws // 2, n_draws - 1}:
        positions = native.resampled_order_statistics(rank, n_draws, lower, 4, seed=2)
        upper = min(lower + 1, n_draws - 1)
        np.testing.assert_array_equal(positions, ordered[:, [lower, upper]])


def test_order_statistics_reject_an_order_beyond_the_draws():
    with pytest.raises(ValueError, match="below the number of draws"):
        native.resampled_order_statistics(np.zeros(3, dtype=np.uint32), 5, 5, 1, seed=0)


def test_kernels_are_deterministic_for_any_number_of_threads():
    table = RNG.normal(size=(500, 5))
    rank = RNG.permutation(500).astype(np.uint32)

    def run(n_threads):
        with limit_threads(n_threads):
            return (
                native.resampled_sums(table, 500, 700, seed=1),
                native.resampled_products(table, 500, 300, seed=1),
                native.resampled_order_statistics(rank, 500, 250, 700, seed=1),
            )

    for one, several in zip(run(1), run(7), strict=True):
        np.testing.assert_array_equal(one, several)


def row_draws(data, *, sizes=None, probabilities=None, paired=True, **labels):
    sample = as_sample(data, paired=paired)
    units = make_units(sample, **labels)
    sizes = sizes or tuple(len(pool) for pool in units.pools)
    return RowDraws(sample, units, sizes, 7, probabilities)


def test_groups_stay_together():
    groups = np.array([0, 0, 1, 1, 1, 2, 3, 3])
    (rows,) = row_draws(np.arange(8.0), groups=groups).rows(0)
    drawn = native.draw_units(4, 4, 1, seed=7)[0]
    assert rows.tolist() == [row for group in drawn for row in np.flatnonzero(groups == group)]


def test_strata_keep_their_sizes():
    strata = np.array(list("abbabbabab"))
    draws = row_draws(np.arange(10.0), strata=strata)
    for resample in range(20):
        rows = np.concatenate(draws.rows(resample))
        assert sorted(strata[rows]) == sorted(strata)


def test_groups_are_drawn_within_their_strata():
    groups, strata = np.array([0, 0, 1, 2, 2, 3]), np.array([0, 0, 0, 1, 1, 1])
    draws = row_draws(np.arange(6.0), groups=groups, strata=strata)
    for resample in range(20):
        first, second = draws.rows(resample)
        assert set(first) <= {0, 1, 2}
        assert set(second) <= {3, 4, 5}


def test_unpaired_samples_are_drawn_apart():
    draws = row_draws((np.zeros(5), np.zeros(9)), paired=False)
    first, second = draws.batch(0, 50)
    assert first.shape == (50, 5)
    assert second.shape == (50, 9)
    assert set(first.ravel()) == set(range(5))
    assert set(second.ravel()) == set(range(9))


def test_batch_is_its_resamples():
    for probabilities in (None, np.arange(6.0)):
        draws = row_draws(np.zeros(6), probabilities=probabilities)
        (rows,) = draws.batch(3, 4)
        np.testing.assert_array_equal(rows[2], draws.rows(5)[0])


def test_weighted_draws_against_theory():
    draws = row_draws(np.zeros(4), sizes=(400,), probabilities=np.array([1.0, 0, 2, 5]))
    counts = np.bincount(draws.batch(0, 100)[0].ravel(), minlength=4)
    assert counts[1] == 0
    assert chisquare(counts[[0, 2, 3]], 40000 * np.array([1, 2, 5]) / 8).pvalue > 1e-4


def test_dirichlet_weights_against_theory():
    weights = WeightDraws(as_sample(np.zeros(5)), 3).batch(0, 4000)
    np.testing.assert_allclose(weights.sum(axis=1), 5)
    np.testing.assert_allclose(weights.mean(axis=0), 1, atol=0.06)
    np.testing.assert_allclose(weights.var(axis=0), 4 / 6, atol=0.08)  # n^2 * (n-1)/n^2/(n+1)


def test_uniforms_and_draws_have_no_words_in_common():
    words = [*naive.words(7, 2, 0, 8), *naive.philox_block(7, 2, 0)]
    assert not set(uniforms(7, 2, 0, 8)) & {(word >> 11) * 2.0**-53 for word in words}


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        ({"strata": [0, 0, 0, 0, 1]}, "at least 2 rows"),
        ({"strata": [0, 0]}, "one label for each"),
        ({"groups": [0, 0, 0, 1, 1], "strata": [0, 0, 1, 1, 1]}, "one stratum"),
    ],
)
def test_units_reject_bad_labels(labels, sentence):
    with pytest.raises(ValueError, match=sentence):
        row_draws(np.zeros(5), **labels)


def test_units_reject_labels_of_two_samples():
    with pytest.raises(ValueError, match="paired=False"):
        row_draws((np.zeros(5), np.zeros(5)), paired=False, groups=np.arange(5))
