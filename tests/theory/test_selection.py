from __future__ import annotations

import numpy as np
import pytest

from nonet.theory import (
    expected_accuracy,
    limit_accuracy,
    score_majority,
    select_or_combine,
)

MATRIX = (np.random.default_rng(1).random((40, 5)) < 0.6).astype(int)


def test_limit_is_the_vote_of_all_hypotheses():
    found = select_or_combine(MATRIX)
    assert found.selection == MATRIX.mean(axis=0).max()
    assert found.best == MATRIX.mean(axis=0).argmax()
    assert found.combination == score_majority(MATRIX) == limit_accuracy(MATRIX.mean(axis=1))
    assert found.gain == found.combination - found.selection
    assert found.choice == ("combine" if found.gain > 0 else "select")


@pytest.mark.parametrize("n_members", [1, 2, 7])
def test_some_members_against_theory(n_members):
    found = select_or_combine(MATRIX, n_members)
    assert found.combination == pytest.approx(expected_accuracy(MATRIX.mean(axis=1), n_members))


def test_standard_error_is_that_of_paired_rows():
    found = select_or_combine(MATRIX)
    votes = (MATRIX.sum(axis=1) > 2).astype(float)
    gains = votes - MATRIX[:, found.best]
    assert found.standard_error == pytest.approx(gains.std(ddof=1) / np.sqrt(40))


@pytest.mark.parametrize(("tie", "accuracy"), [("coin", 0.5), ("wrong", 0.0), ("right", 1.0)])
def test_ties_of_two(tie, accuracy):
    assert select_or_combine([[1, 0], [0, 1]], tie=tie).combination == accuracy


def test_rejects_numbers_that_are_no_probabilities():
    with pytest.raises(ValueError, match="matrix"):
        select_or_combine([[2, 0]])
