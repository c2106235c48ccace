from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nonet import DecisionStump

# The twelve points of the notes' AdaBoost example.
POINTS = np.array(
    [[4, 1], [2, 4], [5, 1], [3, 2], [1, 5], [3, 5], [2, 1], [2, 2], [2, 5], [4, 3], [2, 3], [5, 2]]
)
COLOURS = np.array([1, -1, 1, 1, -1, -1, 1, 1, -1, -1, 1, -1])


def naive_errors(X, y, weights):
    """Weighted error of every (column, threshold, sign), and of the constants."""
    errors = {}
    for column in range(X.shape[1]):
        values = np.unique(X[:, column])
        for threshold in [-np.inf, *((values[1:] + values[:-1]) / 2)]:
            side = np.where(X[:, column] >= threshold, 1, -1)
            for sign in (1, -1):
                errors[column, threshold, sign] = weights[sign * side != y].sum()
    return errors


@given(
    seed=st.integers(0, 100_000),
    n_rows=st.integers(1, 20),
    n_columns=st.integers(1, 3),
    n_values=st.integers(1, 6),
)
def test_error_against_naive_is_the_least(seed, n_rows, n_columns, n_values):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, n_values, size=(n_rows, n_columns)).astype(float)
    y = rng.choice([-1, 1], size=n_rows)
    y[:2] = [-1, 1][:n_rows]
    weights = rng.integers(1, 4, size=n_rows).astype(float)
    stump = DecisionStump().fit(X, y, sample_weight=weights)
    errors = naive_errors(X, y, weights)
    assert stump.error_ * weights.sum() == pytest.approx(min(errors.values()), abs=1e-9)
    assert weights[stump.predict(X) != y].sum() == pytest.approx(stump.error_ * weights.sum())


@given(seed=st.integers(0, 100_000))
def test_ties_against_naive_go_to_the_lower_column_then_the_larger_threshold(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(8, 2)).astype(float)
    y = np.array([-1, 1, 1, -1, 1, -1, 1, 1])
    weights = np.full(8, 0.1)  # sums of tenths are off by roundings
    stump = DecisionStump().fit(X, y, sample_weight=weights)
    errors = naive_errors(X, y, weights)
    minimum = min(errors.values())
    splits = [
        (column, -threshold, -sign)
        for (column, threshold, sign), error in errors.items()
        if error <= minimum + 1e-9 and np.isfinite(threshold)
    ]
    if splits:
        assert (stump.column_, -stump.threshold_, -stump.sign_) == min(splits)
    else:
        assert stump.threshold_ == -np.inf


def boosted_round(weights):
    stump = DecisionStump().fit(POINTS, COLOURS, sample_weight=weights)
    missed = stump.predict(POINTS) != COLOURS
    error = weights[missed].sum()
    alpha = np.log((1 - error) / error) / 2
    weights = weights * np.exp(np.where(missed, alpha, -alpha))
    return stump, missed, weights / weights.sum()


def test_three_rounds_against_lecture():
    weights = np.full(12, 1 / 12)
    first, missed, weights = boosted_round(weights)
    assert (first.column_, first.threshold_, first.sign_) == (1, 3.5, -1)
    assert first.error_ == pytest.approx(1 / 6)
    np.testing.assert_array_equal(np.flatnonzero(missed) + 1, [10, 12])
    np.testing.assert_allclose(weights, np.where(missed, 0.25, 0.05))
    second, missed, weights = boosted_round(weights)
    assert (second.column_, second.threshold_, second.sign_) == (1, 1.5, -1)
    assert second.error_ == pytest.approx(0.15)
    np.testing.assert_array_equal(np.flatnonzero(missed) + 1, [4, 8, 11])
    third, missed, _ = boosted_round(weights)
    assert (third.column_, third.threshold_, third.sign_) == (0, 3.5, -1)
    assert third.error_ == pytest.approx(3 / 17)
    np.testing.assert_array_equal(np.flatnonzero(missed) + 1, [1, 2, 3, 5, 6, 9])


def test_sign_of_zero_is_plus_one():
    stump = DecisionStump().fit([[0.0], [1.0]], [-1, 1])
    assert stump.threshold_ == 0.5
    np.testing.assert_array_equal(stump.decision_function([[0.5], [0.49]]), [1, -1])


def test_neighbouring_floats_are_told_apart():
    X = np.array([[1.0], [np.nextafter(1.0, 2.0)]])
    np.testing.assert_array_equal(DecisionStump().fit(X, [0, 1]).predict(X), [0, 1])


def test_rows_of_weight_zero_have_no_say():
    X, y = [[0.0], [1.0], [2.0]], ["a", "b", "b"]
    stump = DecisionStump().fit(X, y, sample_weight=[1, 0, 1])
    assert stump.threshold_ == 1.0


def test_constant_columns_give_the_heavier_class():
    stump = DecisionStump().fit([[1.0], [1.0], [1.0]], ["a", "b", "b"])
    assert stump.threshold_ == -np.inf
    np.testing.assert_array_equal(stump.predict([[-5.0], [5.0]]), ["b", "b"])
    assert stump.error_ == pytest.approx(1 / 3)


def test_one_class_is_predicted():
    np.testing.assert_array_equal(DecisionStump().fit([[0], [1]], [7, 7]).predict([[3]]), [7])


def test_fit_rejects_three_classes():
    with pytest.raises(ValueError, match=r"Only binary classification.*max_depth=1"):
        DecisionStump().fit([[0], [1], [2]], [0, 1, 2])
