"""Samples of rows for rounds of boosting: fractions, weights, and what they depend on."""

from __future__ import annotations

import numpy as np
import pytest

from nonet import limit_threads
from nonet._native.rows import (
    draw_min_variance_rows,
    draw_one_side_rows,
    draw_uniform_rows,
    measure_derivatives,
)


@pytest.fixture
def sizes():
    return np.random.default_rng(1).lognormal(sigma=1.5, size=100_001)


def draws_of(sizes):
    return {
        "uniform": draw_uniform_rows(7, 3, 0.3, len(sizes)),
        "one side": draw_one_side_rows(7, 3, sizes, 0.2, 0.1),
        "least variance": draw_min_variance_rows(7, 3, sizes, 0.3),
    }


def test_uniform_rows_are_drawn_equally_often():
    factors = draw_uniform_rows(0, 0, 0.3, 100_000)
    assert set(np.unique(factors)) == {0.0, 1.0}
    assert factors.mean() == pytest.approx(0.3, abs=0.006)  # four standard deviations


def test_draw_of_a_row_depends_on_seed_round_and_row_alone():
    some = draw_uniform_rows(5, 2, 0.5, 1000)
    np.testing.assert_array_equal(some, draw_uniform_rows(5, 2, 0.5, 70_000)[:1000])
    for seed, number in [(6, 2), (5, 3)]:
        assert (some != draw_uniform_rows(seed, number, 0.5, 1000)).any()


def test_draws_are_deterministic_on_any_number_of_threads(sizes):
    with limit_threads(1):
        alone = draws_of(sizes)
    with limit_threads(2):
        together = draws_of(sizes)
    for name, factors in alone.items():
        np.testing.assert_array_equal(factors, together[name])


def test_one_side_takes_all_large_slopes_and_weighs_the_others(sizes):
    factors = draw_one_side_rows(1, 0, sizes, 0.2, 0.1)
    minimum = np.sort(sizes)[::-1][int(0.2 * len(sizes)) - 1]
    assert (factors[sizes >= minimum] == 1).all()
    others = factors[sizes < minimum]
    np.testing.assert_allclose(np.unique(others), [0, 8])
    assert (others > 0).mean() == pytest.approx(0.125, abs=0.005)


def test_least_variance_against_naive(sizes):
    """The bound is where the probabilities add up; those drawn count 1 over theirs."""
    factors = draw_min_variance_rows(1, 0, sizes, 0.25)
    low, high = 0.0, sizes.max() * len(sizes)
    for _ in range(200):
        middle = (low + high) / 2
        is_low = np.minimum(1, sizes / middle).sum() > 0.25 * len(sizes)
        low, high = (middle, high) if is_low else (low, middle)
    probabilities = np.minimum(1, sizes / low)
    drawn = factors > 0
    np.testing.assert_allclose(factors[drawn], 1 / probabilities[drawn], rtol=1e-9)
    assert drawn.mean() == pytest.approx(0.25, abs=0.005)
    assert drawn[probabilities == 1].all()


def test_sums_are_right_on_average_and_vary_least_against_theory():
    rng = np.random.default_rng(3)
    slopes = rng.standard_t(3, size=4000)
    sizes = np.abs(slopes)
    sums = {"uniform": [], "least variance": []}
    for number in range(400):
        uniform = draw_uniform_rows(0, number, 0.2, len(slopes)) / 0.2
        sums["uniform"].append(uniform @ slopes)
        sums["least variance"].append(draw_min_variance_rows(0, number, sizes, 0.2) @ slopes)
    for values in sums.values():
        error = np.std(values) / np.sqrt(len(values))
        assert np.mean(values) == pytest.approx(slopes.sum(), abs=4 * error)
    assert np.std(sums["least variance"]) < 0.7 * np.std(sums["uniform"])


def test_slopes_are_measured_over_scores_and_weighted():
    gradients = np.array([[3.0, 0.0], [4.0, 1.0]])
    hessians = np.array([[0.0, 2.0], [0.0, 0.0]])
    sizes = measure_derivatives(gradients, hessians, np.array([2.0, 1.0]), 0.25)
    np.testing.assert_allclose(sizes, [10.0, np.sqrt(2.0)])


@pytest.mark.parametrize("n_rows", [1, 3])
def test_few_rows_are_never_all_left_out(n_rows):
    for number in range(50):
        assert draw_uniform_rows(0, number, 0.01, n_rows).any()
        assert draw_min_variance_rows(0, number, np.zeros(n_rows), 0.5).any()
        assert draw_one_side_rows(0, number, np.arange(n_rows) + 1.0, 0.2, 0.1).any()
