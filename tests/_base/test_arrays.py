from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from nonet._base.arrays import (
    check_label_outputs,
    check_member_weights,
    check_real_outputs,
    check_sample_weight,
    code_dtype,
    encode_labels,
    find_classes,
)

# ---- weights -----------------------------------------------------------------------------------

CHECKS = [
    pytest.param(check_member_weights, "weights", "member", id="weights"),
    pytest.param(check_sample_weight, "sample_weight", "row", id="sample_weight"),
]


@pytest.mark.parametrize(("check", "what", "unit"), CHECKS)
def test_no_weights_stay_none(check, what, unit):
    assert check(None, 3) is None


@pytest.mark.parametrize(("check", "what", "unit"), CHECKS)
@pytest.mark.parametrize(
    "weights",
    [
        [1, 0, 2],
        (1.0, 0.0, 2.0),
        np.array([1, 0, 2], np.uint8),
        pd.Series([1, 0, 2], index=list("abc")),
    ],
    ids=lambda weights: type(weights).__name__,
)
def test_good_weights_become_float64(check, what, unit, weights):
    checked = check(weights, 3)
    assert checked.dtype == np.float64
    np.testing.assert_array_equal(checked, [1, 0, 2])


@pytest.mark.parametrize(("check", "what", "unit"), CHECKS)
@pytest.mark.parametrize(
    ("weights", "error", "words"),
    [
        ([1, -1, 1], ValueError, "{what} must be finite and at least 0, but {unit} 1 has -1.0"),
        ([1, 1, np.nan], ValueError, "but {unit} 2 has nan"),
        ([1, 1, None], ValueError, "but {unit} 2 has nan"),
        ([np.inf, 1, 1], ValueError, "but {unit} 0 has inf"),
        ([0, 0, 0], ValueError, "{what} must not all be 0: at least one {unit} needs"),
        ([1, 1], ValueError, "{what} must hold one number for each of the 3 {unit}s"),
        ([[1, 1, 1]], ValueError, r"but has shape \(1, 3\)"),
        ([1e160] * 3, ValueError, "{what} must be at most 1e.100, .* the maximum is 1e.160"),
        ([1e-160] * 3, ValueError, "not all below 1e-100, .* the maximum is 1e-160"),
        (["a", "b", "c"], TypeError, "{what} must be numbers, but got"),
        (["1", "2", "3"], TypeError, "{what} must be numbers, but got"),
        ([1, "2", object()], TypeError, "{what} must be numbers, but got"),
        (np.array([1j, 1, 1]), TypeError, "{what} must be numbers, but got"),
        ([[1], [1, 2], 3], TypeError, "{what} must be numbers, but got"),
    ],
)
def test_checking_rejects_bad_weights(check, what, unit, weights, error, words):
    with pytest.raises(error, match=words.format(what=what, unit=unit)):
        check(weights, 3)


@pytest.mark.parametrize("weight", [2, 0.5, np.float32(3), np.int64(4)])
def test_one_number_is_the_weight_of_every_row(weight):
    """Issue 18, item A.16: a single number was refused."""
    np.testing.assert_array_equal(check_sample_weight(weight, 3), np.full(3, float(weight)))


@pytest.mark.parametrize("weight", [-1, np.nan, np.inf, 0])
def test_one_weight_for_all_rows_rejects_what_no_row_may_weigh(weight):
    with pytest.raises(ValueError, match="sample_weight must"):
        check_sample_weight(weight, 3)


def test_array_without_axes_is_no_weight():
    with pytest.raises(TypeError, match=r"for each of the 3 rows, but has shape \(\)"):
        check_sample_weight(np.array(1.0), 3)
    with pytest.raises(ValueError, match=r"but has shape \(\)"):
        check_member_weights(1, 3)


def test_weights_are_called_by_the_name_that_the_user_gave():
    """Issue 18, net B: errors of `draw_weights` spoke of `sample_weight`."""
    with pytest.raises(ValueError, match="^draw_weights must be finite and at least 0"):
        check_sample_weight([1, -1], 2, "draw_weights")


# ---- outputs -----------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_real_outputs_of_single_and_double_precision_are_not_copied(dtype):
    outputs = np.ones((3, 2), dtype=dtype)
    assert check_real_outputs(outputs, n_axes=(2,)) is outputs


@pytest.mark.parametrize(
    "dtype", [bool, np.int8, np.uint64, np.float16, np.longdouble, ">f4", ">f8"]
)
def test_other_real_outputs_become_float64(dtype):
    checked = check_real_outputs(np.ones((3, 2), dtype=dtype), n_axes=(2,))
    assert checked.dtype == np.float64
    assert checked.dtype.isnative
    np.testing.assert_array_equal(checked, 1)


@pytest.mark.parametrize("outputs", [[["a"]], [[None]], [[1j]], np.ones((2, 2), "M8[s]")], ids=str)
def test_real_outputs_rejects_what_is_not_real(outputs):
    with pytest.raises(TypeError, match="outputs must be real numbers, but have dtype"):
        check_real_outputs(outputs, n_axes=(2,))


@pytest.mark.parametrize(
    ("n_axes", "words"),
    [
        ((2,), r"shape \(rows, members\), but have shape \(4,\)"),
        ((3,), r"shape \(rows, members, classes\), but have shape \(4,\)"),
        ((2, 3), r"\(rows, members\) or \(rows, members, classes\), but"),
    ],
)
def test_real_outputs_rejects_wrong_number_of_axes(n_axes, words):
    with pytest.raises(ValueError, match=words):
        check_real_outputs(np.ones(4), n_axes=n_axes)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ((3, 0), "at least one member, but"),
        ((3, 0, 2), "at least one member and one class, but"),
        ((3, 2, 0), "at least one member and one class, but"),
    ],
)
def test_real_outputs_rejects_nobody(shape, words):
    with pytest.raises(ValueError, match=words):
        check_real_outputs(np.ones(shape), n_axes=(2, 3))


def test_real_outputs_may_have_no_rows():
    assert check_real_outputs(np.empty((0, 3)), n_axes=(2,)).shape == (0, 3)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64])
def test_label_outputs_are_not_copied(dtype):
    codes = np.zeros((3, 2), dtype=dtype)
    assert check_label_outputs(codes) is codes


def test_label_outputs_of_bools_become_codes():
    checked = check_label_outputs(np.array([[True, False]]))
    assert checked.dtype == np.int8
    np.testing.assert_array_equal(checked, [[1, 0]])


@pytest.mark.parametrize("outputs", [[[0.0]], [["a"]], [[None]], [[1j]]], ids=str)
def test_label_outputs_rejects_what_is_no_code(outputs):
    with pytest.raises(TypeError, match="whole-number class codes.*encode_labels"):
        check_label_outputs(outputs)


@pytest.mark.parametrize("shape", [(3,), (3, 2, 2), (3, 0)], ids=str)
def test_label_outputs_rejects_bad_shape(shape):
    with pytest.raises(ValueError, match="outputs must"):
        check_label_outputs(np.zeros(shape, dtype=int))


# ---- labels and codes --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n_classes", "dtype"),
    [(0, np.int8), (1, np.int8), (128, np.int8), (129, np.int16), (40_000, np.int32)],
)
def test_code_dtype_is_the_smallest_that_holds_all_codes(n_classes, dtype):
    assert code_dtype(n_classes) == dtype


@pytest.mark.parametrize("n_classes", [1, 2, 127, 128, 129, 300])
def test_codes_of_many_classes_survive_their_dtype(n_classes):
    classes = np.arange(n_classes) * 10
    codes = encode_labels(classes, classes)
    np.testing.assert_array_equal(codes, np.arange(n_classes))


@pytest.mark.parametrize(
    "classes",
    [
        ["ant", "bee", "cat"],
        [-5, 0, 7],
        [0.5, 1.5, 2.5],
        [False, True],
        np.array(["ant", "bee"], dtype=object),
        ["cat", "ant", "bee"],
        [3, 1, 2],
    ],
    ids=str,
)
def test_encode_labels_against_naive(classes):
    rng = np.random.default_rng(0)
    labels = np.asarray(classes)[rng.integers(len(classes), size=(20, 3))]
    expected = [[list(classes).index(label) for label in row] for row in labels]
    np.testing.assert_array_equal(encode_labels(labels, classes), expected)


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["bee", "ant", "bee", "Äffin", "", "ant"], dtype=object),
        np.array(["bee", "ant", np.str_("bee")], dtype=object),
        np.array([3, True, 1], dtype=object),
        np.array([2.5, 0.5, 2.5]),
        np.array(["bee", "ant"]),
    ],
    ids=str,
)
def test_classes_and_codes_against_numpy(labels):
    expected = np.unique(labels, return_inverse=True)
    for found, wanted in zip(find_classes(labels), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)
        assert found.dtype == wanted.dtype


def test_classes_of_two_types_are_refused_as_by_numpy():
    with pytest.raises(TypeError, match="not supported"):
        find_classes(np.array(["ant", 1], dtype=object))


def test_encode_labels_takes_longer_words_than_the_classes():
    codes = encode_labels(["antelope", "ant"], ["ant", "bee"], unknown="silent")
    np.testing.assert_array_equal(codes, [-1, 0])


@pytest.mark.parametrize("stranger", ["a", "bat", "zebra"])
def test_encode_labels_rejects_or_silences_a_stranger(stranger):
    labels, classes = [["ant", stranger]], ["ant", "bee"]
    with pytest.raises(ValueError, match=f"^label '{stranger}' is not one of the classes"):
        encode_labels(labels, classes)
    np.testing.assert_array_equal(encode_labels(labels, classes, unknown="silent"), [[0, -1]])


@pytest.mark.parametrize(("labels", "classes"), [([1], ["a"]), (["a"], [1]), ([np.nan], [0.0])])
def test_encode_labels_rejects_labels_of_another_type(labels, classes):
    with pytest.raises(ValueError, match="is not one of the classes"):
        encode_labels(labels, classes)


def test_encode_labels_shows_the_first_of_many_classes():
    with pytest.raises(ValueError, match=r"\[0, 1, 2, 3, 4, 5, 6, 7, \.\.\. 50 in all\]"):
        encode_labels([99], np.arange(50))


def test_encode_labels_rejects_no_classes():
    with pytest.raises(ValueError, match="at least one class"):
        encode_labels(["a"], [])


def test_encode_labels_rejects_unknown_way_with_strangers():
    with pytest.raises(ValueError, match="'unknown' must be one of 'error', 'silent'"):
        encode_labels(["a"], ["a"], unknown="ignore")


def test_encode_labels_of_nothing_is_nothing():
    assert encode_labels(np.empty((0, 3)), [0, 1]).shape == (0, 3)
