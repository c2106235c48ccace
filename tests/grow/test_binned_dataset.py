"""Bins of columns, against a few lines of NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from nonet._native.data import BinnedDataset
from nonet._native.runtime import limit_threads


def naive_bins(values, edges):
    bins = np.searchsorted(edges, values, side="left")
    bins[np.isnan(values)] = len(edges) + 1
    return bins


def continuous(n_rows, n_columns=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n_rows, n_columns))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_few_distinct_values_get_all_midpoints_against_naive(dtype):
    X = np.random.default_rng(1).integers(-40, 40, size=(1000, 3)).astype(dtype) / 4
    dataset = BinnedDataset(X)
    for column in range(3):
        distinct = np.unique(X[:, column]).astype(float)
        edges = dataset.edges(column)
        np.testing.assert_array_equal(edges, (distinct[1:] + distinct[:-1]) / 2)
        np.testing.assert_array_equal(dataset.bins(column), naive_bins(X[:, column], edges))


@pytest.mark.parametrize("max_bins", [2, 16, 255, 256, 5000])
def test_many_distinct_values_fill_bins_equally_against_naive(max_bins):
    X = continuous(20_011)
    dataset = BinnedDataset(X, max_bins=max_bins)
    assert dataset.bytes_per_bin == (1 if max_bins <= 255 else 2)
    for column in range(3):
        edges = dataset.edges(column)
        assert len(edges) == max_bins - 1
        np.testing.assert_array_equal(dataset.bins(column), naive_bins(X[:, column], edges))
        rows = np.bincount(dataset.bins(column), minlength=max_bins)
        assert rows.max() - rows.min() <= 2


def test_heavy_value_gets_a_bin_of_its_own():
    X = np.concatenate([np.zeros(5000), continuous(5000, 1)[:, 0]])[:, np.newaxis]
    dataset = BinnedDataset(X, max_bins=20)
    zero = dataset.bins(0)[0]
    assert set(X[dataset.bins(0) == zero, 0]) == {0.0}
    assert dataset.n_bins(0) == 20


def test_memory_order_and_strides_change_nothing():
    X = continuous(3000, 4).astype(np.float32)
    wide = np.zeros((3000, 11), dtype=np.float32)
    wide[:, 2:10:2] = X
    expected = BinnedDataset(X)
    for same in (np.asfortranarray(X), wide[:, 2:10:2], X[::-1, ::-1][::-1, ::-1]):
        dataset = BinnedDataset(same)
        for column in range(4):
            np.testing.assert_array_equal(dataset.bins(column), expected.bins(column))


def test_float32_and_float64_give_equal_bins():
    X = continuous(5000).astype(np.float32)
    single, double = BinnedDataset(X, max_bins=100), BinnedDataset(X.astype(float), max_bins=100)
    for column in range(3):
        np.testing.assert_array_equal(single.edges(column), double.edges(column))
        np.testing.assert_array_equal(single.bins(column), double.bins(column))


def test_missing_values_have_the_last_bin():
    X = continuous(500, 2)
    X[::7, 1] = np.nan
    dataset = BinnedDataset(X, max_bins=30)
    assert [dataset.has_missing(0), dataset.has_missing(1)] == [False, True]
    np.testing.assert_array_equal(dataset.bins(1) == 30, np.isnan(X[:, 1]))


def test_column_of_missing_values_has_no_other_bin():
    dataset = BinnedDataset(np.full((5, 1), np.nan))
    assert dataset.n_bins(0) == 0
    np.testing.assert_array_equal(dataset.bins(0), np.zeros(5))


def test_infinities_have_the_end_bins():
    X = np.array([-np.inf, -1.0, 2.0, np.inf, np.inf])[:, np.newaxis]
    dataset = BinnedDataset(X)
    np.testing.assert_array_equal(dataset.edges(0), [-np.inf, 0.5, 2.0])
    np.testing.assert_array_equal(dataset.bins(0), [0, 1, 2, 3, 3])


def test_neighbouring_floats_are_kept_apart():
    low = np.float64(1.0)
    X = np.array([low, np.nextafter(low, 2), np.nextafter(np.nextafter(low, 2), 2)])[:, np.newaxis]
    np.testing.assert_array_equal(BinnedDataset(X).bins(0), [0, 1, 2])


def test_negative_zero_is_zero():
    dataset = BinnedDataset(np.array([[-0.0], [0.0], [1.0]]))
    np.testing.assert_array_equal(dataset.bins(0), [0, 0, 1])


@pytest.mark.parametrize("max_bins", [10, 2000])
def test_integer_weights_mean_repetition(max_bins):
    rng = np.random.default_rng(3)
    X = continuous(3000, 2)
    weights = rng.integers(0, 4, size=3000)
    weighted = BinnedDataset(X, max_bins=max_bins, weights=weights)
    repeated = BinnedDataset(np.repeat(X, weights, axis=0), max_bins=max_bins)
    for column in range(2):
        np.testing.assert_array_equal(weighted.edges(column), repeated.edges(column))


def test_categories_are_their_codes():
    X = np.array([[2.0], [0.0], [np.nan], [-1.0], [5.0]])
    dataset = BinnedDataset(X, categories=[0])
    assert dataset.n_bins(0) == 6
    np.testing.assert_array_equal(dataset.bins(0), [2, 0, 6, 6, 5])


def test_sample_of_rows_is_deterministic_and_close_to_quantiles():
    X = continuous(300_000, 1)
    one, same = BinnedDataset(X, seed=5), BinnedDataset(X, seed=5)
    np.testing.assert_array_equal(one.edges(0), same.edges(0))
    assert (one.edges(0) != BinnedDataset(X, seed=6).edges(0)).any()
    fractions = np.bincount(one.bins(0)) / 300_000
    # 200,000 of the rows are in the sample: a bin's share is within 6 standard errors of 1/255.
    assert np.abs(fractions - 1 / 255).max() < 6 * np.sqrt(1 / 255 / 200_000)


def test_few_distinct_values_are_found_beyond_the_sample():
    X = np.zeros((250_000, 1))
    X[::2] = 1.0
    for row in range(0, 250_000, 50_000):  # a value of one row each, some outside the sample
        X[row] = 2.0 + row
    dataset = BinnedDataset(X, seed=3)
    np.testing.assert_array_equal(dataset.bins(0), np.unique(X, return_inverse=True)[1].ravel())


def test_number_of_threads_changes_nothing():
    X = continuous(10_000, 5)
    datasets = []
    for n_threads in (1, 2, 3, 8):
        with limit_threads(n_threads):
            datasets.append(BinnedDataset(X))
    for dataset in datasets[1:]:
        for column in range(5):
            np.testing.assert_array_equal(dataset.bins(column), datasets[0].bins(column))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"max_bins": 1}, "max_bins must lie between 2 and 65535"),
        ({"max_bins": 65_536}, "max_bins must lie between 2 and 65535"),
        ({"weights": np.ones(3)}, "one number per row"),
        ({"weights": np.zeros(10)}, "at least one row of positive weight"),
        ({"categories": [2]}, "must be columns of the data"),
        ({"categories": [0]}, "whole numbers below 65535"),
    ],
)
def test_binned_dataset_rejects_unfit_arguments(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        BinnedDataset(np.linspace(0, 1, 20).reshape(10, 2), **arguments)


def test_binned_dataset_rejects_one_dimension_and_no_rows():
    with pytest.raises(ValueError, match="2 dimensions"):
        BinnedDataset(np.ones(3))
    with pytest.raises(ValueError, match="at least one row"):
        BinnedDataset(np.ones((0, 3)))
