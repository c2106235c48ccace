from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from combine.naive import LAYOUTS, plain_votes
from nonet.combine import (
    And,
    AtLeastOne,
    KOfN,
    Or,
    WeightedKOfN,
    k_of_n,
    majority,
    plurality,
    weighted_k_of_n,
)

SHAPES = [(40, 5, 3), (1, 4, 2), (9, 1, 3), (30, 2, 2), (20, 300, 4), (12, 7, 200)]
ANIMALS = np.array(["cat", "dog", "emu"])


def make_codes(n_rows, n_members, n_classes, *, silent=True, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(-1 if silent else 0, n_classes, size=(n_rows, n_members))


def make_weights(n_members, seed=1):
    return np.random.default_rng(seed).random(n_members).tolist()


def two_stage(votes, needed, positive):
    """The positive class where it has the votes, else fractions among the others, row by row."""
    expected = np.zeros_like(votes)
    for row, counts in enumerate(votes):
        others = np.delete(counts, positive)
        if counts[positive] >= needed:
            expected[row, positive] = 1
        elif len(counts) == 2:
            expected[row, 1 - positive] = 1
        elif others.sum() > 0:
            expected[row, np.arange(len(counts)) != positive] = others / others.sum()
    return expected


# ---- plurality and majority --------------------------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_plurality_against_naive(shape):
    codes = make_codes(*shape)
    expected = plain_votes(codes, shape[2]) / shape[1]
    np.testing.assert_array_equal(plurality(codes, n_classes=shape[2]), expected)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_weighted_plurality_against_naive(shape):
    codes, weights = make_codes(*shape), make_weights(shape[1])
    expected = plain_votes(codes, shape[2], weights) / sum(weights)
    fractions = plurality(codes, weights, n_classes=shape[2])
    np.testing.assert_allclose(fractions, expected, rtol=1e-13)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_plurality_winner_against_sklearn_arithmetic(shape, weighted):
    # VotingClassifier(voting="hard"): the arg max of a bincount along each row.
    codes = make_codes(*shape, silent=False)
    weights = np.random.default_rng(5).integers(1, 6, shape[1]) if weighted else None
    winners = np.apply_along_axis(
        lambda row: np.argmax(np.bincount(row, weights=weights)), axis=1, arr=codes
    )
    np.testing.assert_array_equal(plurality(codes, weights).argmax(axis=1), winners)


@pytest.mark.parametrize(
    "dtype", [np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint32, ">i4"]
)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_plurality_gives_equal_bits_in_every_layout_and_integer_type(dtype, layout):
    codes = make_codes(50, 9, 3, silent=False)
    weights = make_weights(9)
    expected = plurality(codes, weights)
    np.testing.assert_array_equal(plurality(layout(codes.astype(dtype)), weights), expected)


def test_plurality_reads_true_and_false_as_one_and_zero():
    np.testing.assert_array_equal(plurality([[True, False, True, True]]), [[0.25, 0.75]])


def test_plurality_counts_classes_up_to_the_largest_code():
    assert plurality([[0, 4, -1]]).shape == (1, 5)
    assert plurality([[-1, -1]]).shape == (1, 1)


def test_plurality_of_abstaining_members_gives_no_fractions():
    np.testing.assert_array_equal(plurality([[-1, -1, 1], [-1, -1, -1]]), [[0, 1 / 3], [0, 0]])


def test_plurality_leaves_the_weight_of_abstentions_out_of_the_fractions():
    np.testing.assert_array_equal(plurality([[-1, 0, 1]], [2, 1, 1]), [[0.25, 0.25]])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_majority_against_naive(shape, weighted):
    codes = make_codes(*shape)
    weights = np.arange(1, shape[1] + 1).tolist() if weighted else None
    votes = plain_votes(codes, shape[2], weights)
    cast = sum(weights) if weighted else shape[1]
    expected = np.where(votes > cast / 2, votes / cast, 0)
    np.testing.assert_array_equal(majority(codes, weights, n_classes=shape[2]), expected)


def test_majority_needs_more_than_half():
    np.testing.assert_array_equal(majority([[0, 1, 0, 1], [0, 0, 0, 1]]), [[0, 0], [0.75, 0]])


def test_majority_counts_the_silent_among_all_votes():
    np.testing.assert_array_equal(majority([[1, 1, -1, -1], [1, 1, 1, -1]]), [[0, 0], [0, 0.75]])


@pytest.mark.parametrize("weights", [[0.2, 0.7, 0.9], [0.3, 0.6, 0.9], [3e-9, 6e-9, 9e-9]])
def test_majority_does_not_turn_on_rounding(weights):
    # Half in decimals, but the fraction 0.9 comes out as 0.5 and a little more in floats.
    assert not majority([[0, 0, 1]], weights).any()


# ---- AND, OR, k of N ---------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 3, 5])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("positive", [0, 1])
def test_k_of_n_against_naive(k, n_classes, positive):
    codes = make_codes(60, 5, n_classes)
    expected = two_stage(plain_votes(codes, n_classes), k, positive)
    fractions = k_of_n(codes, k, positive=positive, n_classes=n_classes)
    np.testing.assert_allclose(fractions, expected, rtol=1e-13)


@pytest.mark.parametrize("threshold", [0.5, 2, 6.5, 15])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_weighted_k_of_n_against_naive(threshold, n_classes):
    weights = [1, 2, 3, 4, 5]
    codes = make_codes(60, 5, n_classes)
    votes = plain_votes(codes, n_classes, weights)
    expected = two_stage(votes, threshold, n_classes - 1)
    fractions = weighted_k_of_n(codes, weights, threshold, n_classes=n_classes)
    np.testing.assert_allclose(fractions, expected, rtol=1e-13)


def test_weighted_k_of_n_without_weights_is_k_of_n():
    codes = make_codes(60, 5, 3)
    np.testing.assert_array_equal(
        weighted_k_of_n(codes, None, 3, n_classes=3), k_of_n(codes, 3, n_classes=3)
    )


def test_weighted_k_of_n_does_not_turn_on_rounding():
    # 0.1 + 0.7 is 0.7999999999999999, and all weights together fall short of 1.5 too.
    assert weighted_k_of_n([[1, 1, 0]], [0.1, 0.7, 0.7], 0.8)[0, 1] == 1
    assert weighted_k_of_n([[1] * 3], [0.1, 0.7, 0.7], 1.5)[0, 1] == 1


def test_two_classes_are_never_silent():
    np.testing.assert_array_equal(k_of_n([[-1, -1]], 1, n_classes=2), [[1, 0]])
    np.testing.assert_array_equal(k_of_n([[-1, 1]], 2, n_classes=2), [[1, 0]])


def test_rules_with_a_positive_label_agree_with_k_of_n():
    codes = make_codes(40, 4, 3, silent=False)
    for code, label in enumerate(ANIMALS):
        expected = {k: k_of_n(codes, k, positive=code, n_classes=3) for k in (1, 2, 4)}
        for rule, k in [
            (And(label), 4),
            (Or(label), 1),
            (AtLeastOne(label), 1),
            (KOfN(2, label), 2),
            (WeightedKOfN(2.0, label), 2),
        ]:
            rule.check(4, ANIMALS)
            np.testing.assert_array_equal(rule.support(codes, classes=ANIMALS), expected[k])


@pytest.mark.parametrize(
    ("rule", "winner"), [(And(), 0), (Or(), 2), (KOfN(2), 2), (WeightedKOfN(2), 2)], ids=str
)
def test_positive_label_is_the_last_class_by_default(rule, winner):
    support = clone(rule).support([[0, 0, 2, 2]], classes=ANIMALS)
    np.testing.assert_array_equal(support, np.eye(3)[[winner]])


def test_at_least_one_finds_the_certain_label_wherever_it_stands():
    rule = AtLeastOne("cat")
    np.testing.assert_array_equal(
        rule.support([[2, 1, 0], [1, 2, 2]], classes=ANIMALS), [[1, 0, 0], [0, 1 / 3, 2 / 3]]
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda codes: plurality(codes, n_classes=3),
        lambda codes: majority(codes, n_classes=3),
        lambda codes: k_of_n(codes, 2, n_classes=3),
        lambda codes: weighted_k_of_n(codes, [1, 1, 1], 2, n_classes=3),
    ],
    ids=["plurality", "majority", "k_of_n", "weighted_k_of_n"],
)
def test_rule_on_no_rows_gives_no_rows(call):
    assert call(np.empty((0, 3), dtype=int)).shape == (0, 3)


# ---- bad input ---------------------------------------------------------------------------------

ON_CODES = [
    plurality,
    majority,
    lambda codes: k_of_n(codes, 1),
    lambda codes: weighted_k_of_n(codes, [1, 1], 1),
    lambda codes: And().support(codes, classes=ANIMALS),
    lambda codes: WeightedKOfN(1).support(codes, classes=ANIMALS),
]
ON_CODES_NAMES = ["plurality", "majority", "k_of_n", "weighted_k_of_n", "And", "WeightedKOfN"]
every_rule = pytest.mark.parametrize("rule", ON_CODES, ids=ON_CODES_NAMES)


@every_rule
@pytest.mark.parametrize("codes", [[["cat", "dog"]], [[0.0, 1.0]], [[0, np.nan]], [[0, None]]])
def test_rule_rejects_labels_that_are_not_codes(rule, codes):
    with pytest.raises(TypeError, match="whole-number class codes.*encode_labels"):
        rule(codes)


@every_rule
@pytest.mark.parametrize("shape", [(3,), (1, 2, 2)], ids=str)
def test_rule_rejects_wrong_number_of_axes(rule, shape):
    with pytest.raises(ValueError, match=r"must have shape \(rows, members\), but have shape"):
        rule(np.zeros(shape, dtype=int))


@every_rule
def test_rule_rejects_no_members(rule):
    with pytest.raises(ValueError, match="at least one member"):
        rule(np.zeros((3, 0), dtype=int))


@pytest.mark.parametrize("rule", [plurality, majority])
def test_rule_rejects_a_code_that_is_no_class(rule):
    with pytest.raises(ValueError, match="below n_classes=2, got 5 at row 1, member 0"):
        rule([[0, 1], [5, 1]], n_classes=2)


@pytest.mark.parametrize("rule", [plurality, majority])
@pytest.mark.parametrize("n_classes", [0, -3])
def test_rule_rejects_too_few_classes(rule, n_classes):
    with pytest.raises(ValueError, match="n_classes must be at least 1"):
        rule([[0, 0]], n_classes=n_classes)


@pytest.mark.parametrize(
    ("weights", "error", "words"),
    [
        ([1, -1], ValueError, "member 1 has -1.0"),
        ([np.nan, 1], ValueError, "member 0 has nan"),
        ([0, 0], ValueError, "must not all be 0"),
        ([1], ValueError, "each of the 2 members"),
        (["a", "b"], TypeError, "weights must be numbers"),
    ],
    ids=str,
)
def test_rule_rejects_bad_weights(weights, error, words):
    codes = [[0, 1]]
    for call in (plurality, majority, lambda c, w: weighted_k_of_n(c, w, 1)):
        with pytest.raises(error, match=words):
            call(codes, weights)


@pytest.mark.parametrize("k", [0, 4, -1, 1.0, "2", True, None])
def test_k_of_n_rejects_k_out_of_range(k):
    with pytest.raises(ValueError, match="'k' must be a whole number"):
        k_of_n([[0, 1, 1]], k)
    with pytest.raises(TypeError, match="KOfN: parameter 'k' must be a whole number"):
        KOfN(k).check(3, np.array([0, 1]))


@pytest.mark.parametrize("positive", [2, -1, 0.5, "cat"])
def test_k_of_n_rejects_a_positive_code_that_is_no_class(positive):
    with pytest.raises(ValueError, match="'positive' must be a class code from 0 to 1"):
        k_of_n([[0, 1]], 1, positive=positive)


@pytest.mark.parametrize("threshold", [0, -1, 4.5, np.inf, np.nan, "2", None])
def test_weighted_k_of_n_rejects_threshold_out_of_range(threshold):
    weights = np.array([1, 1, 2])
    with pytest.raises(ValueError, match="above 0 and at most 4, the sum of the weights"):
        weighted_k_of_n([[0, 1, 1]], weights, threshold)
    with pytest.raises(TypeError, match="WeightedKOfN: parameter 'threshold' must be"):
        WeightedKOfN(threshold).check(3, np.array([0, 1]), weights)


def test_weighted_k_of_n_rule_rejects_more_than_all_members_have():
    with pytest.raises(ValueError, match="at most 3, the sum of the weights, but got 4"):
        WeightedKOfN(4).check(3, np.array([0, 1]))


@pytest.mark.parametrize("label", ["zebra", 7, ["cat", "dog"], b"cat"], ids=repr)
@pytest.mark.parametrize("kind", [And, Or, lambda label: KOfN(1, label)])
def test_rule_rejects_pos_label_that_is_not_a_class(kind, label):
    with pytest.raises(ValueError, match="'pos_label' must be one of the classes.*'cat'"):
        kind(label).check(3, ANIMALS)


@pytest.mark.parametrize("label", ["zebra", None])
def test_at_least_one_rejects_certain_label_that_is_not_a_class(label):
    with pytest.raises(ValueError, match="AtLeastOne: parameter 'certain_label' must be one of"):
        AtLeastOne(label).check(3, ANIMALS)
