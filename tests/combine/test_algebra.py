"""Laws that every combination rule keeps, on arrays that hypothesis thinks up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nonet.combine import (
    And,
    Borda,
    Or,
    borda,
    geometric_mean,
    k_of_n,
    log_pool,
    majority,
    maximum,
    maximum_pool,
    mean,
    median,
    median_pool,
    minimum,
    minimum_pool,
    plurality,
    product,
    total,
    trimmed_mean,
    weighted_k_of_n,
)

AVERAGES = [mean, median, minimum, maximum, trimmed_mean, geometric_mean]
ON_VALUES = [*AVERAGES, total]
POOLS = [mean, median_pool, minimum_pool, maximum_pool, product, log_pool]
ON_CODES = [plurality, majority]
ORDER_STATISTICS = [median, minimum, maximum]
WEIGHTED = {
    "values": [mean, total, median, geometric_mean],
    "probabilities": [mean, median_pool, product, log_pool],
    "codes": ON_CODES,
    "scores": [borda],
}

sizes = st.integers(1, 6)
transforms = st.sampled_from([np.exp, np.cbrt, np.arctan, lambda s: 3 * s + 7, lambda s: s**3])


def rules(*kinds):
    """Run a law for each rule, named by the kind of outputs it reads."""
    cases = [(kind, rule) for kind, group in kinds for rule in group]
    names = [f"{rule.__name__}-{kind}" for kind, rule in cases]
    return pytest.mark.parametrize(("kind", "rule"), cases, ids=names)


every_rule = rules(
    ("values", ON_VALUES), ("probabilities", POOLS), ("codes", ON_CODES), ("scores", [borda])
)
weighted_rules = rules(*WEIGHTED.items())


@st.composite
def outputs_of(draw, kind, n_members=None):
    """Draw member outputs: values, probabilities with zeros, codes with silence, scores."""
    n_rows, n_classes = draw(sizes), draw(st.integers(2, 4))
    shape = (n_rows, n_members or draw(sizes))
    if kind == "values":
        tail = draw(st.sampled_from([(), (n_classes,)]))
        return draw(arrays(np.float64, shape + tail, elements=st.floats(0.001, 1000)))
    if kind == "codes":
        return draw(arrays(np.int64, shape, elements=st.integers(-1, n_classes - 1)))
    whole = draw(arrays(np.int64, (*shape, n_classes), elements=st.integers(0, 6)))
    if kind == "scores":
        return whole - 3.0
    whole[whole.sum(axis=2) == 0] = 1
    return whole / whole.sum(axis=2, keepdims=True)


def draw_weights(data, n_members):
    whole = st.lists(st.integers(0, 4), min_size=n_members, max_size=n_members)
    return np.array(data.draw(whole.filter(any)))


def winners(support):
    """Mark the classes that have the largest support, up to rounding."""
    return support >= support.max(axis=1, keepdims=True) * (1 - 1e-9)


# ---- laws of every rule ------------------------------------------------------------------------


@every_rule
@given(data=st.data())
def test_order_of_members_changes_nothing(kind, rule, data):
    outputs = data.draw(outputs_of(kind))
    order = data.draw(st.permutations(range(outputs.shape[1])))
    combined, shuffled = rule(outputs), rule(outputs[:, order])
    if rule in (*ORDER_STATISTICS, *ON_CODES, borda, median_pool, minimum_pool, maximum_pool):
        np.testing.assert_array_equal(shuffled, combined)
    else:
        np.testing.assert_allclose(shuffled, combined, rtol=1e-9, atol=1e-12)


@weighted_rules
@given(data=st.data())
def test_order_of_weighted_members_changes_nothing(kind, rule, data):
    outputs = data.draw(outputs_of(kind))
    weights = draw_weights(data, outputs.shape[1]) / 8
    order = data.draw(st.permutations(range(outputs.shape[1])))
    combined, shuffled = rule(outputs, weights), rule(outputs[:, order], weights[order])
    np.testing.assert_allclose(shuffled, combined, rtol=1e-9, atol=1e-12)


@weighted_rules
@given(data=st.data())
def test_whole_weights_are_repetitions(kind, rule, data):
    outputs = data.draw(outputs_of(kind))
    weights = draw_weights(data, outputs.shape[1])
    repeated = np.repeat(outputs, weights, axis=1)
    how = {"n_classes": outputs.max() + 1} if kind == "codes" and outputs.max() >= 0 else {}
    weighted, plain = rule(outputs, weights, **how), rule(repeated, **how)
    np.testing.assert_allclose(weighted, plain, rtol=1e-9, atol=1e-12)


@rules(
    ("values", [mean, median, geometric_mean]),
    ("probabilities", [mean, median_pool, log_pool]),
    ("codes", ON_CODES),
)
@given(data=st.data(), scale=st.sampled_from([0.1, 3, 1e6]))
def test_only_ratios_of_weights_matter_to_averages_and_fractions(kind, rule, data, scale):
    outputs = data.draw(outputs_of(kind))
    weights = draw_weights(data, outputs.shape[1])
    np.testing.assert_allclose(
        rule(outputs, weights * scale), rule(outputs, weights), rtol=1e-9, atol=1e-12
    )


@every_rule
@given(data=st.data())
def test_each_row_is_combined_on_its_own(kind, rule, data):
    outputs = data.draw(outputs_of(kind))
    how = {"n_classes": 4} if kind == "codes" else {}
    combined = rule(outputs, **how)
    for row in range(len(outputs)):
        np.testing.assert_array_equal(rule(outputs[row : row + 1], **how)[0], combined[row])


@rules(("probabilities", POOLS), ("scores", [borda]))
@given(data=st.data())
def test_order_of_classes_changes_nothing(kind, rule, data):
    outputs = data.draw(outputs_of(kind))
    order = data.draw(st.permutations(range(outputs.shape[2])))
    np.testing.assert_allclose(
        rule(outputs[:, :, order]), rule(outputs)[:, order], rtol=1e-9, atol=1e-12
    )


# ---- unanimity ---------------------------------------------------------------------------------


@rules(("values", AVERAGES), ("probabilities", [pool for pool in POOLS if pool is not product]))
@given(data=st.data(), n_copies=st.integers(1, 40))
def test_equal_members_give_their_common_prediction(kind, rule, data, n_copies):
    outputs = data.draw(outputs_of(kind, n_members=1))
    combined = rule(np.repeat(outputs, n_copies, axis=1))
    np.testing.assert_allclose(combined, outputs[:, 0], rtol=1e-12, atol=1e-15)


@given(data=st.data(), n_copies=st.integers(1, 40))
def test_log_pool_of_equal_members_is_the_identity(data, n_copies):
    outputs = data.draw(outputs_of("probabilities", n_members=1))
    weights = np.linspace(0.1, 1, n_copies)
    pooled = log_pool(np.repeat(outputs, n_copies, axis=1), weights)
    np.testing.assert_allclose(pooled, outputs[:, 0], rtol=1e-10)


@given(data=st.data(), n_copies=st.integers(1, 40))
def test_product_of_equal_members_keeps_the_arg_max(data, n_copies):
    outputs = data.draw(outputs_of("probabilities", n_members=1))
    multiplied = product(np.repeat(outputs, n_copies, axis=1))
    np.testing.assert_array_equal(winners(multiplied), winners(outputs[:, 0]))


@given(data=st.data(), n_copies=st.integers(1, 40))
def test_equal_rankings_are_answered_with_their_ranking(data, n_copies):
    scores = data.draw(outputs_of("scores", n_members=1))
    repeated = np.repeat(scores, n_copies, axis=1)
    np.testing.assert_array_equal(borda(repeated), n_copies * borda(scores))
    np.testing.assert_array_equal(winners(Borda().support(repeated)), winners(scores[:, 0] + 4))


@given(data=st.data(), n_copies=st.integers(1, 40), n_classes=st.integers(2, 4))
def test_equal_votes_elect_their_class_under_every_rule(data, n_copies, n_classes):
    code = data.draw(st.integers(0, n_classes - 1))
    positive = data.draw(st.integers(0, n_classes - 1))
    k = data.draw(st.integers(1, n_copies))
    codes = np.full((1, n_copies), code)
    weights = np.linspace(0.1, 1, n_copies)
    for fractions in (
        plurality(codes, n_classes=n_classes),
        plurality(codes, weights, n_classes=n_classes),
        majority(codes, n_classes=n_classes),
        majority(codes, weights, n_classes=n_classes),
        k_of_n(codes, k, positive=positive, n_classes=n_classes),
        weighted_k_of_n(codes, weights, weights.sum(), positive=positive, n_classes=n_classes),
    ):
        np.testing.assert_allclose(fractions, np.eye(n_classes)[[code]], rtol=1e-12)


# ---- values and probabilities ------------------------------------------------------------------


@rules(("values", AVERAGES))
@given(data=st.data())
def test_average_lies_between_the_minimum_and_the_maximum_prediction(kind, rule, data):
    outputs = data.draw(outputs_of(kind))
    slack = 1e-12 * outputs.max()
    assert np.all(rule(outputs) >= outputs.min(axis=1) - slack)
    assert np.all(rule(outputs) <= outputs.max(axis=1) + slack)


@rules(("probabilities", POOLS))
@given(data=st.data())
def test_pool_gives_probabilities(kind, rule, data):
    pooled = rule(data.draw(outputs_of(kind)))
    assert np.all(pooled >= 0)
    np.testing.assert_allclose(pooled.sum(axis=1), 1, rtol=1e-12)


@given(data=st.data())
def test_product_is_the_log_pool_to_the_power_of_the_number_of_members(data):
    outputs = data.draw(outputs_of("probabilities"))
    powers = (log_pool(outputs) ** outputs.shape[1]) + 0.0
    vetoed = np.all(np.any(outputs == 0, axis=1), axis=1)
    expected = powers / powers.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(product(outputs)[~vetoed], expected[~vetoed], rtol=1e-9)


# ---- votes -------------------------------------------------------------------------------------


@given(data=st.data(), n_classes=st.integers(2, 4))
def test_k_of_n_lies_between_or_and_and_is_monotone_in_k(data, n_classes):
    codes = np.minimum(data.draw(outputs_of("codes")), n_classes - 1)
    n_members = codes.shape[1]
    positive = data.draw(st.integers(0, n_classes - 1))
    elected = [
        k_of_n(codes, k, positive=positive, n_classes=n_classes)[:, positive]
        for k in range(1, n_members + 1)
    ]
    np.testing.assert_array_equal(elected[0], (codes == positive).any(axis=1))
    np.testing.assert_array_equal(elected[-1], (codes == positive).all(axis=1))
    assert np.all(np.diff(elected, axis=0) <= 0)


@given(data=st.data(), n_classes=st.integers(2, 4))
def test_and_is_n_of_n_and_or_is_one_of_n(data, n_classes):
    codes = np.minimum(data.draw(outputs_of("codes")), n_classes - 1)
    classes = np.arange(n_classes)
    label = data.draw(st.integers(0, n_classes - 1))
    for rule, k in ((And(label), codes.shape[1]), (Or(label), 1)):
        np.testing.assert_array_equal(
            rule.support(codes, classes=classes),
            k_of_n(codes, k, positive=label, n_classes=n_classes),
        )


@given(data=st.data())
def test_weighted_k_of_n_is_k_of_n_of_repeated_members(data):
    codes = data.draw(outputs_of("codes"))
    weights = draw_weights(data, codes.shape[1])
    k = data.draw(st.integers(1, int(weights.sum())))
    np.testing.assert_allclose(
        weighted_k_of_n(codes, weights, k, n_classes=4),
        k_of_n(np.repeat(codes, weights, axis=1), k, n_classes=4),
        rtol=1e-12,
    )


@given(data=st.data(), weighted=st.booleans())
def test_majority_is_plurality_or_silence(data, weighted):
    codes = data.draw(outputs_of("codes"))
    weights = draw_weights(data, codes.shape[1]) if weighted else None
    decided, fractions = majority(codes, weights), plurality(codes, weights)
    for prediction, fraction in zip(decided, fractions, strict=True):
        most = np.where(fraction == fraction.max(), fraction, 0)
        np.testing.assert_array_equal(prediction, most if fraction.max() > 0.5 else 0 * fraction)


@given(data=st.data())
def test_majority_of_two_classes_is_half_plus_one_of_n(data):
    codes = np.maximum(np.minimum(data.draw(outputs_of("codes")), 1), 0)
    needed = codes.shape[1] // 2 + 1
    elected = k_of_n(codes, needed, positive=1, n_classes=2)[:, 1] == 1
    np.testing.assert_array_equal(majority(codes, n_classes=2)[:, 1] > 0, elected)


@given(data=st.data())
def test_names_of_classes_change_no_fraction(data):
    codes = data.draw(outputs_of("codes"))
    names = np.array(data.draw(st.permutations(range(4))))
    renamed = np.where(codes >= 0, names[codes], -1)
    fractions = plurality(codes, n_classes=4)
    np.testing.assert_array_equal(plurality(renamed, n_classes=4)[:, names], fractions)


# ---- ranks -------------------------------------------------------------------------------------


@given(data=st.data(), ties=st.sampled_from(["half", "none"]))
def test_borda_is_blind_to_the_scale_of_each_member(data, ties):
    scores = data.draw(outputs_of("scores"))
    rescaled = np.stack(
        [data.draw(transforms)(scores[:, m]) for m in range(scores.shape[1])], axis=1
    )
    np.testing.assert_array_equal(borda(rescaled, ties=ties), borda(scores, ties=ties))


@given(data=st.data())
def test_borda_with_half_points_hands_out_every_pair(data):
    scores = data.draw(outputs_of("scores"))
    _, n_members, n_classes = scores.shape
    weights = draw_weights(data, n_members)
    pairs = n_classes * (n_classes - 1) / 2
    np.testing.assert_allclose(borda(scores, weights).sum(axis=1), weights.sum() * pairs)


@given(data=st.data())
def test_borda_of_two_classes_is_the_vote(data):
    scores = data.draw(outputs_of("scores"))[:, :, :2]
    scores[:, :, 1] += 0.5  # no equal scores
    codes = scores.argmax(axis=2)
    np.testing.assert_array_equal(Borda().support(scores), plurality(codes, n_classes=2))
