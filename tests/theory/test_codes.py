"""Code matrices against decoding every possible codeword."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nonet.theory import code_distance, column_distance, correctable_errors

ONE_VS_ONE = np.array(
    [[1, 1, 1, 0, 0, 0], [-1, 0, 0, 1, 1, 0], [0, -1, 0, -1, 0, 1], [0, 0, -1, 0, -1, -1]]
)


def matrices(values):
    sizes = st.tuples(st.integers(2, 4), st.integers(2, 6))
    return arrays(np.int64, sizes, elements=st.sampled_from(values))


def exhaustive(n_classes):
    """Every way to split the classes in two, once."""
    splits = [split for split in product([1, -1], repeat=n_classes) if split[0] == 1]
    return np.array([split for split in splits if -1 in split]).T


def enumerate_correctable(code):
    """Decode every codeword to the nearest class; find the fewest errors that can go wrong."""
    minimum = code.shape[1] + 1
    for predictions in product([-1, 1], repeat=code.shape[1]):
        agreement = code @ np.array(predictions)
        for true, word in enumerate(code):
            others = np.delete(agreement, true)
            if others.max() >= agreement[true]:
                minimum = min(minimum, int(np.sum(word * predictions == -1)))
    return minimum - 1


@settings(max_examples=60)
@given(matrices([-1, 1]))
def test_binary_code_corrects_half_its_distance(code):
    distance = min(int(np.sum(a != b)) for a, b in combinations(code, 2))
    assert code_distance(code) == distance
    assert correctable_errors(code) == (distance - 1) // 2 == enumerate_correctable(code)


@settings(max_examples=60)
@given(matrices([-1, 0, 1]))
def test_correctable_errors_with_silent_members_against_enumeration(code):
    assert correctable_errors(code) == enumerate_correctable(code)


@settings(max_examples=60)
@given(matrices([-1, 0, 1]))
def test_distances_with_silent_members_against_naive(code):
    def distance(a, b):
        return sum((1 - int(i) * int(j)) / 2 for i, j in zip(a, b, strict=True))

    assert code_distance(code) == min(distance(a, b) for a, b in combinations(code, 2))
    columns = combinations(code.T, 2)
    naive = min(min(distance(a, b), distance(a, -b)) for a, b in columns)
    assert column_distance(code) == naive


@pytest.mark.parametrize("n_classes", [3, 4, 5])
def test_exhaustive_code_against_theory(n_classes):
    code = exhaustive(n_classes)
    assert code.shape[1] == 2 ** (n_classes - 1) - 1
    assert code_distance(code) == 2 ** (n_classes - 2)
    assert correctable_errors(code) == (2 ** (n_classes - 2) - 1) // 2
    assert column_distance(code) >= 1


def test_one_against_the_rest_and_one_against_one_forgive_nothing():
    for code in (2 * np.eye(4) - 1, ONE_VS_ONE):
        assert correctable_errors(code) == 0


def test_equal_words_cannot_be_told_apart():
    assert code_distance([[1, -1], [1, -1]]) == 0
    assert correctable_errors([[1, -1], [1, -1]]) == -1
