from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score

from nonet.decide import coverage, selective_accuracy

rows = st.lists(
    st.tuples(st.sampled_from([-1, 1]), st.sampled_from([-1, 0, 1]), st.integers(0, 3)), min_size=1
)


def unpack(drawn):
    y_true, y_pred, count = (np.array(column) for column in zip(*drawn, strict=True))
    assume(count.any())
    return y_true, y_pred, count


@pytest.mark.parametrize("silence", ["wrong", 0.3, 1.0])
@given(rows)
def test_selective_accuracy_against_naive(silence, drawn):
    y_true, y_pred, _ = unpack(drawn)
    credit = 0.0 if silence == "wrong" else silence
    points = [credit if p == 0 else float(p == t) for t, p in zip(y_true, y_pred, strict=True)]
    score = selective_accuracy(y_true, y_pred, abstain_label=0, silence=silence)
    assert score == pytest.approx(np.mean(points))


@given(rows)
def test_selective_accuracy_of_silence_as_wrong_against_sklearn(drawn):
    y_true, y_pred, count = unpack(drawn)
    score = selective_accuracy(y_true, y_pred, abstain_label=0, sample_weight=count)
    assert score == pytest.approx(accuracy_score(y_true, y_pred, sample_weight=count))


@pytest.mark.parametrize("silence", ["wrong", "skip", 0.5])
@given(rows)
def test_selective_accuracy_takes_weights_as_repetition(silence, drawn):
    y_true, y_pred, count = unpack(drawn)
    assume(np.any((y_pred != 0) & (count > 0)))
    weighted = selective_accuracy(
        y_true, y_pred, abstain_label=0, silence=silence, sample_weight=count
    )
    repeated = selective_accuracy(
        np.repeat(y_true, count), np.repeat(y_pred, count), abstain_label=0, silence=silence
    )
    assert weighted == pytest.approx(repeated)


@given(rows)
def test_accuracy_of_decided_rows_times_coverage_is_accuracy_of_all(drawn):
    y_true, y_pred, count = unpack(drawn)
    assume(np.any((y_pred != 0) & (count > 0)))
    said = {"abstain_label": 0, "sample_weight": count}
    predicted = selective_accuracy(y_true, y_pred, silence="skip", **said)
    everything = selective_accuracy(y_true, y_pred, silence="wrong", **said)
    assert predicted * coverage(y_pred, **said) == pytest.approx(everything)


def test_scores_of_text_labels_know_silence():
    y_pred = np.array(["cat", "?", "dog"])
    assert coverage(y_pred, abstain_label="?") == pytest.approx(2 / 3)
    assert (
        selective_accuracy(["cat", "dog", "cat"], y_pred, abstain_label="?", silence="skip") == 0.5
    )


def test_selective_accuracy_rejects_skipping_every_row():
    with pytest.raises(ValueError, match="every row is an abstention"):
        selective_accuracy([1, 1], [0, 0], abstain_label=0, silence="skip")


def test_selective_accuracy_rejects_abstain_label_that_is_true():
    with pytest.raises(ValueError, match="abstain_label 0 is one of the true labels"):
        selective_accuracy([0, 1], [0, 1], abstain_label=0)


@pytest.mark.parametrize("silence", ["ignore", 1.5, -0.1, None])
def test_selective_accuracy_rejects_unknown_treatment_of_silence(silence):
    with pytest.raises(ValueError, match="parameter 'silence' must be one of 'wrong', 'skip' or"):
        selective_accuracy([1], [1], abstain_label=0, silence=silence)


def test_selective_accuracy_rejects_unequal_lengths():
    with pytest.raises(ValueError, match="must be of one length, but have 2 and 1 rows"):
        selective_accuracy([1, 1], [1], abstain_label=0)


def test_scores_reject_no_rows():
    with pytest.raises(ValueError, match="y_pred must hold one label for each row"):
        coverage([], abstain_label=0)
