from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from nonet.theory import accuracy_distribution, bagging_moments, monte_carlo_moments

RNG = np.random.default_rng(0)
MATRIX = (RNG.random((6, 4)) < 0.6).astype(int)
MOMENTS = {"bagging": bagging_moments, "monte_carlo": monte_carlo_moments}


def naive_bagging(matrix, n_members, tie_won=0.5):
    """All ordered draws of columns, and all outcomes of the coins on tied rows."""
    n_rows, n_columns = matrix.shape
    probabilities = np.zeros(n_rows + 1)
    for columns in product(range(n_columns), repeat=n_members):
        votes = matrix[:, columns].sum(axis=1)
        sure, tied = int((2 * votes > n_members).sum()), int((2 * votes == n_members).sum())
        coins = stats.binom.pmf(np.arange(tied + 1), tied, tie_won)
        probabilities[sure : sure + tied + 1] += coins / n_columns**n_members
    return probabilities


@pytest.mark.parametrize("n_members", [1, 2, 3, 5])
@pytest.mark.parametrize(("tie", "won"), [("coin", 0.5), ("wrong", 0.0), ("right", 1.0)])
def test_bagging_against_naive(n_members, tie, won):
    _, probabilities = accuracy_distribution(MATRIX, n_members, tie=tie)
    np.testing.assert_allclose(probabilities, naive_bagging(MATRIX, n_members, won), atol=1e-12)


@pytest.mark.parametrize("ensemble", MOMENTS)
@pytest.mark.parametrize("n_members", [1, 2, 5])
@pytest.mark.parametrize("soft", [False, True])
def test_moments_against_theory(ensemble, n_members, soft):
    matrix = np.clip(MATRIX, 0.2, 0.9) if soft else MATRIX
    accuracies, probabilities = accuracy_distribution(matrix, n_members, ensemble=ensemble)
    mean, variance = MOMENTS[ensemble](matrix, n_members)
    assert probabilities.sum() == pytest.approx(1)
    assert accuracies @ probabilities == pytest.approx(mean)
    assert (accuracies - mean) ** 2 @ probabilities == pytest.approx(variance, abs=1e-12)


def test_equal_rows_of_monte_carlo_are_binomial():
    matrix = np.tile([1, 1, 0], (20, 1))
    _, probabilities = accuracy_distribution(matrix, 3, ensemble="monte_carlo")
    right = stats.binom.sf(1, 3, 2 / 3)
    np.testing.assert_allclose(probabilities, stats.binom.pmf(np.arange(21), 20, right))


def test_equal_rows_of_bagging_are_all_right_or_all_wrong():
    matrix = np.tile([1, 1, 0], (20, 1))
    _, probabilities = accuracy_distribution(matrix, 3)
    right = stats.binom.sf(1, 3, 2 / 3)
    assert probabilities[[0, -1]] == pytest.approx([1 - right, right])


def test_normal_approximation_comes_close_with_many_rows():
    gaps = []
    for n_rows in (10, 100, 1000):
        matrix = np.tile(MATRIX, (n_rows // 5, 1))[:n_rows]
        both = [
            accuracy_distribution(matrix, 5, ensemble="monte_carlo", method=method)[1].cumsum()
            for method in ("exact", "normal")
        ]
        gaps.append(np.abs(both[0] - both[1]).max())
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 0.005


def test_normal_bagging_has_the_moments_for_many_hypotheses():
    matrix = RNG.random((200, 50)) < 0.6
    accuracies, probabilities = accuracy_distribution(matrix, 11, method="normal")
    mean, variance = bagging_moments(matrix, 11)
    assert accuracies @ probabilities == pytest.approx(mean, abs=1e-3)
    assert (accuracies - mean) ** 2 @ probabilities == pytest.approx(variance, rel=0.02)


def test_normal_without_spread_is_one_point():
    _, probabilities = accuracy_distribution(np.ones((4, 2)), 3, method="normal")
    assert probabilities.tolist() == [0, 0, 0, 0, 1]


@pytest.mark.parametrize("argument", ["ensemble", "method", "tie"])
def test_rejects_unknown_words(argument):
    with pytest.raises(ValueError, match=argument):
        accuracy_distribution(MATRIX, 3, **{argument: "often"})


def test_rejects_too_many_draws_with_a_way_out():
    with pytest.raises(ValueError, match="'normal' for so many draws"):
        accuracy_distribution(np.random.default_rng(0).random((3, 60)), 30)
