from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nonet.decide import Sign, choose_by_sign

ZERO_CODES = {"positive": 1, "negative": 0, "abstain": -1}
scores = arrays(np.float64, st.integers(0, 30), elements=st.integers(-3, 3).map(float))


@pytest.mark.parametrize("zero", ZERO_CODES)
@given(scores)
def test_choose_by_sign_against_naive(zero, score):
    expected = [1 if s > 0 else 0 if s < 0 else ZERO_CODES[zero] for s in score]
    np.testing.assert_array_equal(choose_by_sign(score, zero=zero), expected)


@pytest.mark.parametrize("zero", ZERO_CODES)
@given(scores)
def test_choose_by_sign_of_two_supports_is_that_of_their_difference(zero, score):
    support = np.column_stack([np.full(len(score), 5.0), score + 5.0])
    codes = choose_by_sign(support, zero=zero)
    np.testing.assert_array_equal(codes, choose_by_sign(score, zero=zero))


def test_choose_by_sign_takes_supports_equal_up_to_rounding_as_zero():
    assert choose_by_sign([[0.3, 0.1 + 0.2]], zero="abstain").tolist() == [-1]
    assert choose_by_sign([[0.1 + 0.2, 0.3]], zero="positive").tolist() == [1]


def test_choose_by_sign_takes_row_of_zeros_as_zero():
    assert choose_by_sign([[0.0, 0.0]], zero="abstain").tolist() == [-1]


def test_choose_by_sign_rejects_unknown_policy():
    with pytest.raises(ValueError, match="parameter 'zero' must be one of 'positive'"):
        choose_by_sign([1.0], zero="neither")


def test_sign_is_silent_only_if_zero_is_silence():
    assert Sign(zero="abstain").can_abstain
    assert not Sign().can_abstain
    assert not Sign(zero="negative").can_abstain


@pytest.mark.parametrize("classes", [["a"], ["a", "b", "c"]])
def test_sign_rejects_other_numbers_of_classes(classes):
    with pytest.raises(ValueError, match=f"Sign is for two classes, but there are {len(classes)}"):
        Sign().check(classes)
