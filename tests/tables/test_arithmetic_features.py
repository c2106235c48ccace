"""Tests of arithmetic on pairs of columns."""

import numpy as np
import pytest

from nonet.tables.arithmetic_features import ArithmeticFeatures, reorders_rows

RNG = np.random.default_rng(0)
SIGNS = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}


def test_features_are_the_operations_that_their_names_say():
    X = RNG.normal(size=(50, 3))
    features = ArithmeticFeatures.of_pairs([2, 0, 1])
    names = features.names(["0", "1", "2"])
    assert len(set(names)) == features.n_features == 15
    for name, values in zip(names, features.compute(X).T, strict=True):
        left, sign, right = name.split()
        np.testing.assert_array_equal(values, SIGNS[sign](X[:, int(left)], X[:, int(right)]))


@pytest.mark.parametrize(
    ("one", "other"), [(1.0, 0.0), (0.0, 0.0), (np.nan, 1.0), (1e308, 1e308), (-1e308, 1e308)]
)
def test_results_are_finite_or_missing_without_a_warning(one, other):
    values = ArithmeticFeatures.of_pairs([0, 1]).compute(np.array([[one, other]]))
    assert not np.isinf(values).any()
    assert np.isnan(values).all() == np.isnan(one)


def test_row_alone_has_the_bits_that_it_has_among_others():
    X = RNG.normal(size=(40_001, 3))
    features = ArithmeticFeatures.of_pairs([0, 1, 2])
    values = features.compute(X)
    for row in (0, 20_000, 40_000):
        np.testing.assert_array_equal(features.compute(X[[row]])[0], values[row])


def test_features_that_order_rows_as_a_column_does_are_found():
    is_large = np.column_stack([1000.0 * RNG.normal(size=500), RNG.normal(size=500)])
    features = ArithmeticFeatures.of_pairs([0, 1])
    kept = features.take(np.flatnonzero(reorders_rows(features, is_large)))
    assert kept.names(["a", "b"]) == ["a * b", "a / b", "b / a"]


def test_constant_and_missing_features_are_left_out():
    X = np.column_stack([np.ones(30), np.full(30, np.nan), 1.0 + np.arange(30)])
    features = ArithmeticFeatures.of_pairs([0, 1, 2])
    assert not reorders_rows(features, X).any()


def test_no_pair_has_no_features():
    features = ArithmeticFeatures.of_pairs([3])
    assert features.compute(np.zeros((2, 4))).shape == (2, 0)
    assert reorders_rows(features, np.zeros((2, 4))).shape == (0,)
