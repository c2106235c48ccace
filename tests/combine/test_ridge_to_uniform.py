"""Ridge to uniform: against a general solver, its two limits, its folds, and claim S30."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize, nnls

from nonet.combine.held_out import check_held_out
from nonet.combine.ridge_to_uniform import deal_folds
from nonet.combine.weights import NonNegative, RidgeToUniform


def draw(seed, n=50, k=4, noise=0.5):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    return y[:, np.newaxis] + noise * rng.normal(size=(n, k)), y


def draw_collinear(rng, n=60):
    """Three members that predict almost alike, and one of its own."""
    y = rng.normal(size=n)
    common = y + 0.5 * rng.normal(size=n)
    alike = common[:, np.newaxis] + 0.02 * rng.normal(size=(n, 3))
    return np.column_stack([alike, y + 0.7 * rng.normal(size=n)]), y


@pytest.mark.parametrize("penalty", [0.01, 1.0, 100.0])
def test_weights_against_slsqp(penalty):
    for seed in range(5):
        outputs, y = draw(seed)

        def loss(w, outputs=outputs, y=y):
            return np.sum((outputs @ w - y) ** 2) + penalty * np.sum((w - 0.25) ** 2)

        other = minimize(
            loss,
            np.full(4, 0.25),
            method="SLSQP",
            bounds=[(0, None)] * 4,
            options={"ftol": 1e-14, "maxiter": 1000},
        )
        np.testing.assert_allclose(RidgeToUniform(penalty).find(outputs, y), other.x, atol=1e-5)


def test_interior_weights_against_closed_form():
    outputs, y = draw(1)
    closed = np.linalg.solve(outputs.T @ outputs + 3 * np.eye(4), outputs.T @ y + 3 / 4)
    assert (closed > 0).all()
    np.testing.assert_allclose(RidgeToUniform(3.0).find(outputs, y), closed, atol=1e-10)


def test_no_penalty_is_non_negative_least_squares():
    outputs, y = draw(2)
    np.testing.assert_allclose(RidgeToUniform(0).find(outputs, y), nnls(outputs, y)[0], atol=1e-9)


def test_infinite_penalty_is_exactly_uniform_and_large_one_nearly():
    outputs, y = draw(3, k=3)
    np.testing.assert_array_equal(RidgeToUniform(np.inf).find(outputs, y), np.full(3, 1 / 3))
    np.testing.assert_allclose(RidgeToUniform(1e9).find(outputs, y), 1 / 3, atol=1e-6)


def test_twice_the_rows_need_twice_the_penalty():
    outputs, y = draw(4)
    np.testing.assert_allclose(
        RidgeToUniform(2.0).find(np.tile(outputs, (2, 1)), np.tile(y, 2)),
        RidgeToUniform(1.0).find(outputs, y),
        atol=1e-10,
    )


def test_copies_of_a_member_split_its_weight():
    outputs, y = draw(5, k=2)
    found = RidgeToUniform(0.5).find(outputs[:, [0, 0, 1]], y)
    assert found[0] == pytest.approx(found[1], abs=1e-7)


def test_chosen_penalty_has_least_error_against_naive():
    outputs, y = draw(6, n=30, k=3, noise=1.0)
    finder = RidgeToUniform(cv=4)
    finder.find(outputs, y)
    folds = deal_folds(check_held_out(outputs, y), 4)
    trace = np.sum(outputs**2)
    grid = np.append(np.logspace(-10, 1, 23), np.inf) * trace

    def error(penalty):
        total = 0.0
        for fold in range(4):
            fit, new = folds != fold, folds == fold
            weights = RidgeToUniform(penalty * fit.mean()).find(outputs[fit], y[fit])
            total += np.sum((outputs[new] @ weights - y[new]) ** 2)
        return total

    errors = [error(penalty) for penalty in grid]
    assert finder.penalty_ == pytest.approx(grid[int(np.argmin(errors))], rel=1e-9)


def test_chosen_penalty_is_large_for_equal_members_and_small_for_unequal():
    rng = np.random.default_rng(0)
    y = rng.normal(size=2000)
    equal = y[:, np.newaxis] + 0.1 * rng.normal(size=(2000, 3))
    unequal = np.column_stack([y + 0.1 * rng.normal(size=2000), rng.normal(size=(2000, 2))])
    finder = RidgeToUniform()
    finder.find(equal, y)
    for_equal = finder.penalty_
    found = finder.find(unequal, y)
    assert for_equal > finder.penalty_
    assert found[0] > 0.9


def test_one_row_gives_uniform():
    finder = RidgeToUniform()
    np.testing.assert_array_equal(finder.find([[1.0, 5.0]], [1.0]), [0.5, 0.5])
    assert finder.penalty_ == np.inf


def test_folds_do_not_depend_on_order_and_keep_equal_rows_together():
    outputs, y = draw(7, n=40)
    outputs[20:], y[20:] = outputs[:20], y[:20]
    folds = deal_folds(check_held_out(outputs, y), 5)
    np.testing.assert_array_equal(folds[20:], folds[:20])
    rows, members = np.random.default_rng(0).permutation(40), [2, 0, 3, 1]
    shuffled = check_held_out(outputs[rows][:, members], y[rows])
    np.testing.assert_array_equal(deal_folds(shuffled, 5), folds[rows])


def test_folds_of_different_rows_are_of_equal_size():
    outputs, y = draw(8, n=103)
    sizes = np.bincount(deal_folds(check_held_out(outputs, y), 5))
    assert sizes.min() >= 20
    assert sizes.max() <= 21


def test_folds_of_votes_tell_different_rows_apart():
    votes = np.array([[0, 1], [1, 1], [0, 0], [0, 1]])
    folds = deal_folds(check_held_out(votes, [0, 0, 0, 1], classes=["no", "yes"]), 4)
    assert len(set(folds)) == 4


@pytest.mark.parametrize("penalty", ["cv", 10.0])
def test_claim_s30_ridge_weights_vary_less_over_resamples_of_collinear_members(penalty):
    rng = np.random.default_rng(30)
    samples = [draw_collinear(rng) for _ in range(60)]
    free = np.array([NonNegative().find(*sample) for sample in samples])
    tied = np.array([RidgeToUniform(penalty).find(*sample) for sample in samples])
    assert tied[:, :3].std(axis=0).mean() < 0.5 * free[:, :3].std(axis=0).mean()

    # Steadier weights are not bought with worse predictions: choosing the penalty on 60 rows costs
    # less than 2 % of the error on new rows, a fitting penalty lowers it.
    outputs, y = draw_collinear(rng, n=20_000)
    error_free, error_tied = (
        np.mean((outputs @ found.T - y[:, np.newaxis]) ** 2) for found in (free, tied)
    )
    assert error_tied < (1.02 if penalty == "cv" else 1.0) * error_free
