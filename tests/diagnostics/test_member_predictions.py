from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from diagnostics.matrices import LABELS, VALUES, weights_for
from nonet.diagnostics import record_predictions
from nonet.diagnostics.member_predictions import count_votes
from nonet.diagnostics.ties import shared_credit


@given(LABELS)
def test_vote_fractions_against_naive(labels):
    weights = weights_for(labels.shape[1], 0)
    predictions = record_predictions(labels, labels[:, 0], classes=[0, 1, 2], weights=weights)
    naive = np.zeros((len(labels), 3))
    for row, votes in enumerate(labels):
        for vote, weight in zip(votes, weights / weights.sum(), strict=True):
            naive[row, vote] += weight
    np.testing.assert_allclose(count_votes(predictions), naive, atol=1e-12)


@given(VALUES)
def test_prediction_of_values_is_the_weighted_mean(values):
    weights = weights_for(values.shape[1], 1)
    predictions = record_predictions(values, values[:, 0], weights=weights)
    np.testing.assert_allclose(predictions.prediction, np.average(values, axis=1, weights=weights))


def test_missing_predictions_count_for_nothing():
    present = [[True, True, False], [False, True, True]]
    predictions = record_predictions(
        [[1.0, 3.0, np.nan], [np.nan, 4.0, 6.0]], [0.0, 0.0], present=present
    )
    np.testing.assert_allclose(predictions.prediction, [2, 5])
    np.testing.assert_allclose(predictions.row_weights().sum(axis=1), 1)


def test_probabilities_are_averaged():
    predictions = record_predictions([[[0.2, 0.8], [0.6, 0.4]]], [1], classes=[0, 1])
    np.testing.assert_allclose(predictions.prediction, [[0.4, 0.6]])


def test_label_outside_the_classes_is_silence_and_never_right():
    predictions = record_predictions([["a", "?"], ["b", "b"]], ["a", "a"], classes=["a", "b"])
    assert predictions.outputs.tolist() == [[0, -1], [1, 1]]
    assert predictions.correct.tolist() == [[True, False], [False, False]]


def test_ties_split_the_credit():
    credit = shared_credit(np.array([[0.4, 0.4, 0.2], [0.2, 0.2, 0.6]]), np.array([0, 0]))
    assert credit.tolist() == [0.5, 0]


def test_right_and_wrong_need_labels():
    with pytest.raises(
        TypeError, match=r"these predictions are values; for values see nonet.ambigu"
    ):
        _ = record_predictions([[1.0, 2.0]], [1.0]).correct


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (([[]], [1.0]), "at least one member"),
        ((np.empty((0, 2)), []), "no held-out rows"),
        (([[1.0, 2.0]], [1.0, 2.0]), "y must hold one truth for each of the 1 rows"),
        (([[1.0, np.nan]], [1.0]), "member 'member 1' has no finite prediction for row 0"),
        (([[1.0, 2.0]], [np.inf]), "y must be finite"),
        ((np.ones((2, 2, 3)), [0, 1]), "3 columns of probabilities, but y holds 2 classes"),
    ],
)
def test_record_predictions_rejects_bad_arrays(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        record_predictions(*arguments)


def test_record_predictions_rejects_bad_presence():
    with pytest.raises(ValueError, match=r"present must have shape \(2, 2\)"):
        record_predictions([[0, 1], [1, 1]], [0, 1], present=[[True, True]])
    with pytest.raises(ValueError, match="every row needs a prediction"):
        record_predictions([[0, 1], [1, 1]], [0, 1], present=[[True, True], [False, False]])
