from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score

from nonet.decide import Threshold, find_threshold

METRICS = {
    "accuracy": accuracy_score,
    "balanced_accuracy": balanced_accuracy_score,
    "f1": f1_score,
}
rows = st.lists(st.tuples(st.integers(0, 20), st.booleans(), st.integers(0, 3)), min_size=2)


def unpack(drawn):
    score, truth, count = (np.array(column) for column in zip(*drawn, strict=True))
    return score / 20, truth, count


@pytest.mark.parametrize("name", METRICS)
@settings(max_examples=30)  # each example computes some forty scores with scikit-learn
@given(rows)
def test_find_threshold_is_best_of_all_thresholds_against_naive(name, drawn):
    score, truth, _ = unpack(drawn)
    assume(truth.any() and not truth.all())
    found = find_threshold(score, truth, scoring=name)
    every_threshold = np.concatenate([[-1.0], np.arange(0.025, 1, 0.05), [2.0]])
    best = max(METRICS[name](truth, score > threshold) for threshold in every_threshold)
    assert METRICS[name](truth, score > found) == pytest.approx(best)


@settings(max_examples=50)
@given(rows)
def test_find_threshold_takes_weights_as_repetition(drawn):
    score, truth, count = unpack(drawn)
    repeated = np.repeat(truth, count)
    assume(repeated.any() and not repeated.all())
    by_weight = find_threshold(score, truth, sample_weight=count, scoring="accuracy")
    by_repetition = find_threshold(np.repeat(score, count), repeated, scoring="accuracy")
    assert by_weight == by_repetition


def test_find_threshold_breaks_ties_towards_the_preferred_value():
    score, truth = [0.1, 0.2, 0.8, 0.9], [False, True, False, True]
    assert find_threshold(score, truth, prefer=0.0) == pytest.approx(0.15)
    assert find_threshold(score, truth, prefer=1.0) == pytest.approx(0.85)


def test_find_threshold_can_name_everything_positive_or_negative():
    score = np.array([0.2, 0.4, 0.6])
    assert find_threshold(score, [False, True, True], scoring="recall", prefer=0.0) < 0.2
    assert find_threshold(score, [True, False, False], scoring="accuracy") > 0.6


def test_find_threshold_bounds_its_work_on_many_rows():
    calls = []

    def metric(y_true, y_pred):
        calls.append(1)
        return np.mean(y_true == y_pred)

    score = np.linspace(0, 1, 5_001)
    found = find_threshold(score, score > 0.3, scoring=metric)
    assert len(calls) == 256
    assert found == pytest.approx(0.3, abs=1 / 250)


def test_find_threshold_passes_weights_to_own_metric():
    def right_weight(y_true, y_pred, sample_weight):
        assert set(y_true) == {"miss", "hit"}
        return sample_weight[y_pred == y_true].sum()

    def find(sample_weight):
        return find_threshold(
            [0.2, 0.4, 0.6],
            [True, False, True],
            scoring=right_weight,
            labels=["miss", "hit"],
            sample_weight=sample_weight,
        )

    assert find([1.0, 5.0, 2.0]) == pytest.approx(0.5)
    assert find([5.0, 1.0, 2.0]) < 0.2


@pytest.mark.parametrize("kind", [True, False])
def test_find_threshold_rejects_rows_of_one_class(kind):
    with pytest.raises(ValueError, match="tuned on rows of both classes, but all 2 held-out"):
        find_threshold([0.1, 0.9], [kind, kind])


def test_find_threshold_rejects_scorers_of_probabilities():
    with pytest.raises(ValueError, match="scoring 'roc_auc' does not read decisions"):
        find_threshold([0.1, 0.9], [False, True], scoring="roc_auc")


def test_find_threshold_rejects_metric_that_is_never_a_number():
    with pytest.raises(ValueError, match="not a number at every threshold"):
        find_threshold([0.1, 0.9], [False, True], scoring=lambda y_true, y_pred: np.nan)


@pytest.mark.parametrize(("scores", "kind"), [([0.0, 0.1, 0.0, 0.2], "positive")])
def test_tuned_rule_warns_if_all_rows_are_of_one_class(scores, kind):
    """Issue 18, net B: on few rows the best threshold was -5e-324, without an error."""
    support = np.column_stack([1 - np.array(scores), scores])
    with pytest.warns(UserWarning, match=f"predicts every row as {kind}: it was tuned on 3"):
        Threshold("tune", scoring="f1").tune(support, np.array([1, 1, 1, 0]), [0, 1])
