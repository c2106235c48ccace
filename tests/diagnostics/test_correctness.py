from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from sklearn.base import clone

import nonet
from diagnostics.matrices import CORRECT, NAMES, VOTES, X
from nonet.diagnostics import record_predictions
from nonet.theory import score_majority


@given(CORRECT)
def test_profiles_and_majority_against_theory(correct):
    labels = correct.astype(int)
    result = nonet.correctness(
        record_predictions(labels, np.ones(len(labels), int), classes=[0, 1])
    )
    np.testing.assert_array_equal(result.matrix, correct)
    np.testing.assert_allclose(result.row_profile, correct.mean(axis=1))
    np.testing.assert_allclose(result.member_profile, correct.mean(axis=0))
    assert result.order_correct == pytest.approx(score_majority(labels))
    assert result.above_half == pytest.approx(score_majority(labels, tie="wrong"))


def test_order_correct_needs_the_most_votes_not_half():
    result = nonet.correctness(record_predictions([[0, 0, 1, 2, 3]], [0]))
    assert result.order_correct == 1
    assert result.above_half == 0


@pytest.mark.parametrize("name", VOTES)
def test_accuracy_is_that_of_the_ensemble(name):
    model = clone(VOTES[name]).fit(X[::2], NAMES[::2])
    result = nonet.correctness(model, X[1::2], NAMES[1::2])
    assert result.accuracy == pytest.approx(model.score(X[1::2], NAMES[1::2]))
    assert result.best_member == result.member_profile.max()


def test_members_out_of_bag_predict_only_rows_they_did_not_see():
    model = clone(VOTES["sklearn bagging"]).fit(X, NAMES)
    result = nonet.correctness(model, X, NAMES, out_of_bag=True)
    assert not result.matrix[~result.present].any()
    per_member = result.matrix.sum(axis=0) / result.present.sum(axis=0)
    np.testing.assert_allclose(result.member_profile, per_member)
