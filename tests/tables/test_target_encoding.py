"""Tests of target encoding: no row's own target takes part in its encoding."""

import numpy as np
import pytest

from nonet.tables.target_encoding import TargetEncoding, cross_fitted_encoding

RNG = np.random.default_rng(0)
X = RNG.integers(0, 30, size=(400, 2)).astype(float)
Y = RNG.normal(size=(400, 2))
PARTS = RNG.permutation(400) % 5


def test_means_against_naive():
    encoded = TargetEncoding.learn(X, Y, [0]).compute(X)
    for row in range(20):
        same = Y[X[:, 0] == X[row, 0]]
        expected = (same.sum(axis=0) + 10 * Y.mean(axis=0)) / (len(same) + 10)
        np.testing.assert_allclose(encoded[row], expected)


@pytest.mark.parametrize("columns", [[0], [0, 1]])
def test_rows_of_a_part_are_encoded_by_a_fit_on_the_others(columns):
    encoded = cross_fitted_encoding(X, Y, columns, PARTS)
    for part in range(5):
        others = part != PARTS
        learned = TargetEncoding.learn(X[others], Y[others], columns)
        np.testing.assert_allclose(encoded[~others], learned.compute(X[~others]))


@pytest.mark.parametrize("row", [0, 17, 399])
def test_target_of_a_row_takes_no_part_in_its_own_encoding(row):
    other = Y.copy()
    other[row] = 1e6
    changed = cross_fitted_encoding(X, other, [0], PARTS)
    np.testing.assert_array_equal(changed[row], cross_fitted_encoding(X, Y, [0], PARTS)[row])


def test_encoding_of_noise_by_a_thousand_levels_does_not_know_the_target():
    rng = np.random.default_rng(1)
    levels, noise = rng.integers(0, 1000, size=(4000, 1)) * 1.0, rng.normal(size=(4000, 1))
    own = TargetEncoding.learn(levels, noise, [0]).compute(levels)
    crossed = cross_fitted_encoding(levels, noise, [0], rng.permutation(4000) % 5)
    assert np.corrcoef(own[:, 0], noise[:, 0])[0, 1] > 0.3
    assert abs(np.corrcoef(crossed[:, 0], noise[:, 0])[0, 1]) < 4 / np.sqrt(4000)


def test_unseen_and_missing_levels_have_a_mean():
    encoding = TargetEncoding.learn(X, Y, [0, 1])
    values = encoding.compute(np.array([[np.nan, 0.0], [77.0, np.nan]]))
    np.testing.assert_allclose(values, [Y.mean(axis=0)] * 2)


def test_features_that_are_taken_can_be_learned_again():
    one = TargetEncoding.learn(X[:200], Y[:200], [0]).take(np.array([1]))
    again = one.learn_again(X, Y)
    np.testing.assert_array_equal(
        again.compute(X)[:, 0],
        TargetEncoding.learn(X, Y, [0]).means[TargetEncoding.learn(X, Y, [0]).levels.encode(X), 1],
    )
