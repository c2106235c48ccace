from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from combine.naive import (
    LAYOUTS,
    each_cell,
    plain_geometric_mean,
    plain_mean,
    plain_total,
    plain_trimmed_mean,
    plain_weighted_median,
)
from nonet.combine import (
    TrimmedMean,
    geometric_mean,
    maximum,
    mean,
    median,
    minimum,
    total,
    trimmed_mean,
)

SHAPES = [(7, 5), (1, 3), (4, 1), (6, 4, 3), (1, 2, 1), (5, 1, 4), (3, 300), (2, 300, 2)]
RULES = [mean, total, median, minimum, maximum, trimmed_mean, geometric_mean]
WEIGHTED = [mean, total, median, geometric_mean]
NAIVE = {
    mean: plain_mean,
    total: plain_total,
    median: np.median,
    minimum: min,
    maximum: max,
    geometric_mean: plain_geometric_mean,
}
DTYPES = [np.float32, np.float64]
TOLERANCE = {np.float32: 2e-6, np.float64: 1e-12}


def make_outputs(shape, dtype=np.float64, seed=0):
    return np.random.default_rng(seed).gamma(2.0, size=shape).astype(dtype)


def make_weights(n_members):
    """Whole numbers, so that they are repetitions; the first member has none if it may."""
    weights = np.arange(n_members) % 4
    return (weights if weights.any() else weights + 1).tolist()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("rule", NAIVE, ids=lambda rule: rule.__name__)
def test_rule_against_naive(rule, shape, dtype):
    outputs = make_outputs(shape, dtype)
    combined = rule(outputs)
    assert combined.dtype == dtype
    np.testing.assert_allclose(combined, each_cell(NAIVE[rule], outputs), rtol=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("rule", WEIGHTED, ids=lambda rule: rule.__name__)
def test_weighted_rule_against_naive(rule, shape, dtype):
    outputs, weights = make_outputs(shape, dtype), make_weights(shape[1])
    naive = plain_weighted_median if rule is median else NAIVE[rule]
    expected = each_cell(naive, outputs, weights)
    combined = rule(outputs, weights)
    assert combined.dtype == dtype
    np.testing.assert_allclose(combined, expected, rtol=TOLERANCE[dtype])


@pytest.mark.parametrize(("proportion", "n_trimmed"), [(0, 0), (0.1, 1), (0.29, 2), (0.49, 4)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_trimmed_mean_against_naive(proportion, n_trimmed, dtype):
    outputs = make_outputs((6, 10, 2), dtype)
    expected = each_cell(plain_trimmed_mean, outputs, n_trimmed)
    np.testing.assert_allclose(trimmed_mean(outputs, proportion), expected, rtol=TOLERANCE[dtype])


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(7, 5), (6, 9, 3), (3, 300)], ids=str)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule_gives_equal_bits_in_every_memory_layout(rule, shape, dtype, layout):
    outputs = make_outputs(shape, dtype)
    np.testing.assert_array_equal(rule(layout(outputs)), rule(outputs))
    if rule in WEIGHTED:
        weights = make_weights(shape[1])
        np.testing.assert_array_equal(rule(layout(outputs), weights), rule(outputs, weights))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize(("shape", "expected"), [((0, 3), (0,)), ((0, 3, 2), (0, 2))])
def test_rule_on_no_rows_gives_no_rows(rule, shape, expected):
    assert rule(np.empty(shape)).shape == expected


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule_leaves_its_input_as_it_was(rule):
    outputs = make_outputs((5, 4, 3))
    before = outputs.copy()
    rule(outputs)
    np.testing.assert_array_equal(outputs, before)


@pytest.mark.parametrize(
    "rule", [mean, total, median, minimum, maximum, trimmed_mean], ids=lambda rule: rule.__name__
)
def test_single_member_is_returned_bit_for_bit(rule):
    outputs = make_outputs((9, 1))
    np.testing.assert_array_equal(rule(outputs), outputs[:, 0])


@pytest.mark.parametrize("n_members", [1, 2, 7, 8, 9, 40, 129])
@pytest.mark.parametrize("tail", [(), (3,)], ids=str)
def test_mean_against_numpy_average_bit_for_bit(n_members, tail):
    # Over a stack of members, as scikit-learn averages; along a row NumPy adds in another order.
    stack = np.random.default_rng(1).normal(size=(n_members, 50, *tail))
    weights = np.random.default_rng(2).random(n_members)
    outputs = np.moveaxis(stack, 0, 1)
    np.testing.assert_array_equal(mean(outputs), np.average(stack, axis=0))
    np.testing.assert_array_equal(
        mean(outputs, weights), np.average(stack, axis=0, weights=weights)
    )


@pytest.mark.parametrize("n_members", [2, 9, 300])
def test_mean_of_float32_is_added_in_double_and_rounded_once(n_members):
    stack = make_outputs((n_members, 50), np.float32)
    expected = np.average(stack.astype(np.float64), axis=0).astype(np.float32)
    np.testing.assert_array_equal(mean(stack.T), expected)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n_members", [1, 2, 3, 4, 15, 16, 17, 32, 33, 64, 300, 301])
def test_median_against_numpy_bit_for_bit(n_members, dtype):
    outputs = make_outputs((40, n_members), dtype)
    np.testing.assert_array_equal(median(outputs), np.median(outputs, axis=1))


@pytest.mark.parametrize("n_members", [2, 5, 64, 300])
def test_order_statistics_against_numpy_with_many_equal_predictions(n_members):
    outputs = np.random.default_rng(3).integers(0, 3, size=(60, n_members))
    np.testing.assert_array_equal(median(outputs), np.median(outputs, axis=1))
    np.testing.assert_array_equal(minimum(outputs), outputs.min(axis=1))
    np.testing.assert_array_equal(maximum(outputs), outputs.max(axis=1))


@pytest.mark.parametrize("n_members", [10, 100])
def test_weighted_median_of_equal_fractions_is_the_plain_median(n_members):
    # Ten weights of 0.1 add up to a little less than 1: the middle must not move for it.
    outputs = make_outputs((30, n_members))
    np.testing.assert_array_equal(
        median(outputs, [1 / n_members] * n_members), np.median(outputs, axis=1)
    )


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.bool_, np.float16, np.longdouble, ">f8"])
def test_other_real_dtypes_become_float64(dtype):
    outputs = np.array([[0, 1], [1, 1]]).astype(dtype)
    combined = mean(outputs)
    assert combined.dtype == np.float64
    np.testing.assert_array_equal(combined, [0.5, 1.0])


def test_infinite_predictions_are_kept_where_they_mean_something():
    outputs = [[1.0, np.inf, 2.0]]
    assert median(outputs) == 2.0
    assert minimum(outputs) == 1.0
    assert maximum(outputs) == np.inf
    assert mean(outputs) == np.inf


def test_mean_rejects_infinities_that_cancel():
    with pytest.raises(ValueError, match="infinity at row 0, member 0"):
        mean([[np.inf, -np.inf]])


def test_geometric_mean_with_a_zero_is_zero():
    assert geometric_mean([[0.0, 5.0]]) == 0.0


def test_geometric_mean_does_not_overflow():
    assert geometric_mean([[1e300, 1e300, 1e300]]) == pytest.approx(1e300, rel=1e-12)


def test_geometric_mean_rejects_negative_predictions():
    with pytest.raises(ValueError, match=r"at least 0, but the minimum is -2\.0"):
        geometric_mean([[1.0, -2.0]])


@pytest.mark.parametrize(("proportion", "n_members"), [(0.29, 100), (0.2, 5), (0.1, 30)])
def test_trimmed_mean_drops_the_whole_fraction_despite_rounding(proportion, n_members):
    # 0.29 * 100 is a little less than 29 in floating point.
    outputs = np.arange(n_members, dtype=float)[np.newaxis] ** 3
    threshold = round(proportion * n_members)
    expected = outputs[0, threshold : n_members - threshold].mean()
    np.testing.assert_allclose(trimmed_mean(outputs, proportion), [expected])


def test_trimmed_mean_always_keeps_someone():
    assert trimmed_mean([[1.0, 2.0]], np.nextafter(0.5, 0)) == 1.5
    assert trimmed_mean([[1.0, 2.0, 9.0]], np.nextafter(0.5, 0)) == 2.0


@pytest.mark.parametrize("proportion", [0.5, -0.1, np.nan, "0.1", None, True])
def test_trimmed_mean_rejects_bad_proportion(proportion):
    with pytest.raises(ValueError, match="'proportion' must be a finite number of at least 0"):
        trimmed_mean([[1.0, 2.0]], proportion)
    with pytest.raises(TypeError, match="TrimmedMean: parameter 'proportion'"):
        TrimmedMean(proportion).check(2, None)


def test_trimmed_mean_rule_keeps_values_and_renormalises_probabilities():
    outputs = np.random.default_rng(4).dirichlet([1, 1, 1], size=(8, 5))
    trimmed = trimmed_mean(outputs, 0.2)
    rule = clone(TrimmedMean(0.2))
    np.testing.assert_array_equal(rule.support(outputs), trimmed)
    fractions = rule.support(outputs, classes=np.arange(3))
    np.testing.assert_allclose(fractions, trimmed / trimmed.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("shape", [(3, 4), (3, 4, 2)], ids=str)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule_rejects_nan_and_names_row_and_member(rule, shape):
    outputs = make_outputs(shape)
    outputs[1, 2] = np.nan
    with pytest.raises(ValueError, match="NaN at row 1, member 2"):
        rule(outputs)


@pytest.mark.parametrize("rule", WEIGHTED, ids=lambda rule: rule.__name__)
def test_weighted_rule_rejects_nan_and_names_row_and_member(rule):
    outputs = make_outputs((3, 4))
    outputs[2, 1] = np.nan
    with pytest.raises(ValueError, match="NaN at row 2, member 1"):
        rule(outputs, [1, 2, 1, 0])


@pytest.mark.parametrize("shape", [(), (3,), (2, 2, 2, 2)], ids=str)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule_rejects_wrong_number_of_axes(rule, shape):
    with pytest.raises(ValueError, match=r"shape \(rows, members\) or \(rows, members, classes\)"):
        rule(np.ones(shape))


@pytest.mark.parametrize("shape", [(3, 0), (3, 0, 2), (3, 2, 0)], ids=str)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule_rejects_no_members(rule, shape):
    with pytest.raises(ValueError, match="at least one member"):
        rule(np.ones(shape))


@pytest.mark.parametrize("outputs", [[["a", "b"]], [[1.0, None]], [[1j, 2.0]]], ids=str)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule_rejects_what_is_not_a_number(rule, outputs):
    with pytest.raises(TypeError, match="outputs must be real numbers"):
        rule(outputs)


@pytest.mark.parametrize(
    ("weights", "error", "words"),
    [
        ([1, -1, 1], ValueError, "at least 0, but member 1 has -1.0"),
        ([1, 1, np.nan], ValueError, "finite and at least 0, but member 2 has nan"),
        ([np.inf, 1, 1], ValueError, "finite and at least 0, but member 0 has inf"),
        ([0, 0, 0], ValueError, "must not all be 0"),
        ([1, 1], ValueError, r"each of the 3 members, but has shape \(2,\)"),
        ([[1, 1, 1]], ValueError, r"each of the 3 members, but has shape \(1, 3\)"),
        (2.0, ValueError, r"each of the 3 members, but has shape \(\)"),
        (["a", "b", "c"], TypeError, "weights must be numbers"),
        (["1", "2", "3"], TypeError, "weights must be numbers"),
        ("uniform", TypeError, "weights must be numbers, but got 'uniform'"),
        ([1, 1j, 1], TypeError, "weights must be numbers"),
        ([[1], [1, 2], 1], TypeError, "weights must be numbers"),
    ],
    ids=str,
)
@pytest.mark.parametrize("rule", WEIGHTED, ids=lambda rule: rule.__name__)
def test_rule_rejects_bad_weights(rule, weights, error, words):
    with pytest.raises(error, match=words):
        rule(np.ones((2, 3)), weights)
