"""Tests of differences from the means of groups, and of the codes of levels."""

import numpy as np

from nonet.tables.group_features import GroupFeatures, smoothed_means
from nonet.tables.level_codes import LevelCodes

RNG = np.random.default_rng(0)


def make_table(n_rows=300):
    X = np.column_stack([RNG.integers(0, 7, n_rows), RNG.normal(size=(n_rows, 2))])
    X[RNG.random(X.shape) < 0.1] = np.nan
    return X


def test_differences_against_naive():
    X = make_table()
    features = GroupFeatures.learn(X, 0, [1, 2])
    values = features.compute(X)
    for row in range(20):
        same = np.isnan(X[:, 0]) if np.isnan(X[row, 0]) else X[:, 0] == X[row, 0]
        for position, j in enumerate((1, 2)):
            others = X[same, j][~np.isnan(X[same, j])]
            mean = (others.sum() + 10 * np.nanmean(X[:, j])) / (len(others) + 10)
            np.testing.assert_allclose(values[row, position], X[row, j] - mean, atol=1e-12)


def test_weights_are_repetitions():
    X = make_table(60)
    weights = RNG.integers(1, 4, 60)
    repeated = GroupFeatures.learn(np.repeat(X, weights, axis=0), 0, [1])
    weighted = GroupFeatures.learn(X, 0, [1], weights.astype(float))
    np.testing.assert_allclose(weighted.means, repeated.means)


def test_unknown_level_is_compared_with_all_rows():
    X = make_table()
    features = GroupFeatures.learn(X, 0, [1])
    value = features.compute(np.array([[99.0, 1.0, 0.0]]))[0, 0]
    np.testing.assert_allclose(value, 1.0 - np.nanmean(X[:, 1]))


def test_missing_and_huge_numbers_give_finite_or_missing_values():
    X = np.array([[0.0, 1e308], [0.0, 1e308], [1.0, np.nan], [1.0, -1e308]])
    values = GroupFeatures.learn(X, 0, [1]).compute(X)
    assert np.isnan(values[2, 0])
    assert not np.isinf(values).any()


def test_column_without_values_has_missing_differences():
    X = np.column_stack([np.arange(4.0), np.full(4, np.nan)])
    assert np.isnan(GroupFeatures.learn(X, 0, [1]).compute(X)).all()
    assert np.isfinite(smoothed_means(np.arange(4), X[:, 1], 4)).all()


def test_codes_of_pairs_distinguish_all_pairs_and_no_more():
    X = RNG.integers(0, 4, size=(200, 2)).astype(float)
    X[RNG.random(X.shape) < 0.2] = np.nan
    levels = LevelCodes.learn(X, [0, 1])
    found, named = levels.encode(X), [str(row) for row in X.tolist()]
    assert len(set(found)) == len(set(named)) == len({*zip(found, named, strict=True)})
    assert found.max() == levels.n_levels - 1


def test_rows_with_an_unseen_value_or_pair_have_the_last_code():
    X = np.array([[0.0, 0.0], [1.0, 1.0]])
    levels = LevelCodes.learn(X, [0, 1])
    unseen = np.array([[0.0, 1.0], [2.0, 0.0], [np.nan, 0.0], [np.inf, 1.0]])
    assert levels.encode(unseen).tolist() == [2] * 4
