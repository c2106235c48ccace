"""Code matrices: what each promises about its codewords and columns."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nonet.multiclass import make_code
from nonet.theory import code_distance, column_distance, correctable_errors

NAMES = ("one_vs_rest", "one_vs_one", "exhaustive", "dense", "sparse", "bch")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n_classes", [2, 3, 5, 9])
def test_codewords_differ_and_every_column_has_two_sides(name, n_classes):
    code = make_code(name, n_classes, random_state=0)
    assert code.dtype == np.int8
    assert len(np.unique(code, axis=0)) == n_classes
    assert (code.min(axis=0) == -1).all()
    assert (code.max(axis=0) == 1).all()


def test_one_vs_rest_has_a_column_for_each_class():
    np.testing.assert_array_equal(make_code("one_vs_rest", 4), 2 * np.eye(4) - 1)


def test_two_classes_need_a_single_column():
    for name in ("one_vs_rest", "one_vs_one"):
        np.testing.assert_array_equal(make_code(name, 2), [[-1], [1]])


@given(st.integers(2, 12))
def test_one_vs_one_has_a_column_for_each_pair(n_classes):
    code = make_code("one_vs_one", n_classes)
    pairs = [tuple(np.flatnonzero(column)) for column in code.T]
    assert pairs == list(combinations(range(n_classes), 2))
    assert (code.sum(axis=0) == 0).all()


@pytest.mark.parametrize("n_classes", [2, 3, 4, 7])
def test_exhaustive_code_against_theory(n_classes):
    """All 2**(k-1) - 1 ways to part k classes, codewords 2**(k-2) apart."""
    code = make_code("exhaustive", n_classes)
    assert code.shape == (n_classes, 2 ** (n_classes - 1) - 1)
    assert code_distance(code) == max(1, 2 ** (n_classes - 2))
    if n_classes > 2:
        assert column_distance(code) > 0


@pytest.mark.parametrize(("n_columns", "distance"), [(7, 3), (15, 7), (31, 15)])
def test_bch_distance_against_theory(n_columns, distance):
    """The codes (7, 4), (15, 5) and (31, 6) have designed distances 3, 7 and 15."""
    code = make_code("bch", 16, n_columns, random_state=0)
    assert code_distance(code) >= distance
    assert correctable_errors(code) >= (distance - 1) // 2


def test_bch_words_are_closed_under_addition():
    from nonet.multiclass.bch import bch_words

    words = bch_words(8, 15)
    known = {tuple(word) for word in words}
    assert {tuple(a ^ b) for a in words for b in words} == known


@settings(max_examples=6)
@given(st.integers(4, 12), st.integers(0, 1000))
def test_random_codes_repeat_no_column(n_classes, seed):
    for name in ("dense", "sparse"):
        code = make_code(name, n_classes, n_classes, random_state=seed)
        assert code.shape == (n_classes, n_classes)
        assert column_distance(code) > 0


def test_dense_code_is_better_than_one_draw():
    one_draw = np.where(np.random.RandomState(0).uniform(size=(10, 20)) > 0.5, 1, -1)
    assert code_distance(make_code("dense", 10, 20, random_state=0)) > code_distance(one_draw)


@pytest.mark.parametrize("name", ["dense", "sparse", "bch"])
def test_code_is_deterministic(name):
    codes = [make_code(name, 8, 10, random_state=3) for _ in range(2)]
    np.testing.assert_array_equal(*codes)


def test_dense_code_has_no_more_columns_than_there_are():
    assert make_code("dense", 3, 50, random_state=0).shape == (3, 3)


def test_make_code_rejects_too_few_columns():
    with pytest.raises(ValueError, match=r"2 columns are too few .* 5 classes .* 3 is the minimum"):
        make_code("dense", 5, 2, random_state=0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("exhaustive", 12), "exhaustive code of 12 classes has 2047 columns"),
        (("hamming", 3), "code 'hamming' is not known"),
        (("dense", 1), "'n_classes' must be a whole number of at least 2, but got 1"),
        (("dense", 3, 0), "'n_columns' must be None or a whole number of at least 1, but got 0"),
        (("bch", 3, 300), "no BCH code of at most 255 bits"),
    ],
)
def test_make_code_rejects_bad_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        make_code(*arguments)
