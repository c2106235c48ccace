from __future__ import annotations

import numpy as np
import pytest

from combine.naive import (
    LAYOUTS,
    each_cell,
    normalised,
    plain_geometric_mean,
    plain_weighted_median,
)
from nonet.combine import log_pool, maximum_pool, median_pool, minimum_pool, product

RULES = [median_pool, minimum_pool, maximum_pool, product, log_pool]
WEIGHTED = [median_pool, product, log_pool]
SHAPES = [(8, 5, 3), (1, 4, 2), (6, 1, 4), (3, 40, 2), (4, 3, 1)]
DTYPES = [np.float32, np.float64]
TOLERANCE = {np.float32: 1e-5, np.float64: 1e-11}
by_name = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
weighted_by_name = pytest.mark.parametrize("rule", WEIGHTED, ids=lambda rule: rule.__name__)


def make_probabilities(shape, dtype=np.float64, seed=0):
    n_rows, n_members, n_classes = shape
    drawn = np.random.default_rng(seed).dirichlet([2.0] * n_classes, size=(n_rows, n_members))
    return drawn.astype(dtype)


def plain_power_product(predictions, weights=None):
    weights = weights or [1.0] * len(predictions)
    return float(np.prod([a**w for a, w in zip(predictions, weights, strict=True)]))


NAIVE = {
    median_pool: np.median,
    minimum_pool: min,
    maximum_pool: max,
    product: plain_power_product,
    log_pool: plain_geometric_mean,
}


@by_name
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_pool_against_naive(rule, shape, dtype):
    outputs = make_probabilities(shape, dtype)
    expected = normalised(each_cell(NAIVE[rule], outputs))
    np.testing.assert_allclose(rule(outputs), expected, rtol=TOLERANCE[dtype], atol=1e-300)


@weighted_by_name
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_weighted_pool_against_naive(rule, shape, dtype):
    outputs = make_probabilities(shape, dtype)
    weights = [1 + member % 3 for member in range(shape[1])]
    naive = plain_weighted_median if rule is median_pool else NAIVE[rule]
    expected = normalised(each_cell(naive, outputs, weights))
    np.testing.assert_allclose(rule(outputs, weights), expected, rtol=TOLERANCE[dtype], atol=1e-300)


@by_name
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
@pytest.mark.parametrize("dtype", DTYPES)
def test_pool_gives_equal_bits_in_every_memory_layout(rule, layout, dtype):
    outputs = make_probabilities((9, 6, 4), dtype)
    outputs[3, 2] = 0  # a row in which every class is vetoed
    np.testing.assert_array_equal(rule(layout(outputs)), rule(outputs))


@by_name
def test_pool_leaves_its_input_as_it_was(rule):
    outputs = make_probabilities((5, 4, 3))
    outputs[2, 0] = 0
    before = outputs.copy()
    rule(outputs)
    np.testing.assert_array_equal(outputs, before)


@by_name
def test_pool_of_no_rows_gives_no_rows(rule):
    assert rule(np.empty((0, 3, 2))).shape == (0, 2)


@by_name
def test_pool_rows_sum_to_one_where_some_or_all_classes_have_nothing(rule):
    outputs = np.array(
        [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [[0.0, 0.5, 0.5], [0.0, 1.0, 0.0], [0.0, 0.2, 0.8]],
            [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
        ]
    )
    pooled = rule(outputs)
    np.testing.assert_allclose(pooled.sum(axis=1), 1)
    np.testing.assert_allclose(pooled[[0, 2]], 1 / 3)
    assert pooled[1].argmax() == 1


def test_product_of_many_members_does_not_underflow():
    # 0.1 ** 1000 is 0 in floating point; the ratio of the classes is 9 ** -1000 all the same.
    outputs = np.tile([0.1, 0.9], (1, 1000, 1))
    np.testing.assert_array_equal(product(outputs), [[0.0, 1.0]])
    outputs[0, ::2] = [0.9, 0.1]
    np.testing.assert_allclose(product(outputs), [[0.5, 0.5]], rtol=1e-9)


@pytest.mark.parametrize("rule", [product, log_pool])
@pytest.mark.parametrize("dtype", DTYPES)
def test_zero_is_a_veto_unless_every_class_has_one(rule, dtype):
    vetoed = np.array([[[0.0, 0.6, 0.4], [0.98, 0.01, 0.01]]], dtype=dtype)
    assert rule(vetoed)[0, 0] == 0
    minimum = np.array([[[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]], dtype=dtype)
    assert rule(minimum).argmax() == 1
    assert np.isfinite(rule(minimum)).all()


@pytest.mark.parametrize("rule", [product, log_pool])
def test_member_of_weight_zero_has_no_veto(rule):
    outputs = [[[0.0, 1.0], [0.7, 0.3]]]
    np.testing.assert_allclose(rule(outputs, [0, 1]), [[0.7, 0.3]])


def test_product_is_bayes_rule_against_theory():
    # Two tests independent given the class, equal priors: posterior odds multiply.
    posterior = product([[[0.8, 0.2], [0.6, 0.4]]])
    np.testing.assert_allclose(posterior, [[0.48 / 0.56, 0.08 / 0.56]])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.uint8])
def test_log_pool_divides_by_the_sum_of_weights_of_any_dtype(dtype):
    outputs = make_probabilities((6, 300, 3))
    weights = np.full(300, 250).astype(dtype)  # 75000, beyond float16 and uint8
    np.testing.assert_allclose(log_pool(outputs, weights), log_pool(outputs), rtol=1e-9)


@by_name
def test_pool_rejects_nan_and_names_row_and_member(rule):
    outputs = make_probabilities((4, 5, 2))
    outputs[3, 1, 0] = np.nan
    with pytest.raises(ValueError, match="NaN at row 3, member 1"):
        rule(outputs)


@by_name
def test_pool_rejects_infinities(rule):
    outputs = make_probabilities((4, 1, 2))
    outputs[2, 0, 0] = np.inf
    with pytest.raises(ValueError, match="must be finite.*row 2"):
        rule(outputs)


@pytest.mark.parametrize("rule", [product, log_pool])
def test_pool_rejects_negative_probabilities(rule):
    with pytest.raises(ValueError, match=r"at least 0, but the minimum is -0\.5.*'borda'"):
        rule([[[1.5, -0.5], [0.5, 0.5]]])


@by_name
@pytest.mark.parametrize("shape", [(3,), (3, 2), (1, 2, 2, 2)], ids=str)
def test_pool_rejects_wrong_number_of_axes(rule, shape):
    with pytest.raises(ValueError, match=r"shape \(rows, members, classes\), but have shape"):
        rule(np.ones(shape))


@by_name
@pytest.mark.parametrize("shape", [(2, 0, 3), (2, 3, 0)], ids=str)
def test_pool_rejects_no_members_or_classes(rule, shape):
    with pytest.raises(ValueError, match="at least one member and one class"):
        rule(np.ones(shape))


@by_name
def test_pool_rejects_text(rule):
    with pytest.raises(TypeError, match="real numbers"):
        rule([[["a", "b"]]])


@weighted_by_name
@pytest.mark.parametrize(
    ("weights", "error", "words"),
    [
        ([1, -1], ValueError, "member 1 has -1.0"),
        ([np.nan, 1], ValueError, "member 0 has nan"),
        ([0, 0], ValueError, "must not all be 0"),
        ([1, 1, 1], ValueError, "each of the 2 members"),
        (["a", "b"], TypeError, "weights must be numbers"),
    ],
    ids=str,
)
def test_pool_rejects_bad_weights(rule, weights, error, words):
    with pytest.raises(error, match=words):
        rule(make_probabilities((3, 2, 2)), weights)
