"""Losses of several scores: sums of losses, several quantiles, soft labels."""

from __future__ import annotations

import numpy as np
import pytest

from nonet.losses import (
    CrossEntropyLoss,
    HuberLoss,
    JointLoss,
    MultinomialLoss,
    PoissonLoss,
    QuantilesLoss,
    SquaredLoss,
)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def soft_labels(rng, n_rows=200):
    return rng.dirichlet([1.0, 2.0, 3.0], size=n_rows)


CASES = {
    "joint": (
        JointLoss([SquaredLoss(), PoissonLoss(), HuberLoss(0.5)]),
        lambda rng: rng.exponential(size=(200, 3)),
    ),
    "quantiles": (QuantilesLoss([0.1, 0.5, 0.8]), lambda rng: rng.normal(size=200)),
    "soft": (CrossEntropyLoss(3), soft_labels),
}


@pytest.mark.parametrize("name", CASES)
def test_gradient_of_each_score_against_differences_of_values(name, rng):
    loss, draw = CASES[name]
    y, scores, step = draw(rng), rng.normal(size=(3, 200)), 1e-6
    gradients, hessians = loss.gradient_hessian(y, scores)
    assert (hessians >= 0).all()
    for k in range(3):
        move = np.zeros((3, 1))
        move[k] = step
        slopes = (loss.value(y, scores + move) - loss.value(y, scores - move)) / (2 * step)
        np.testing.assert_allclose(gradients[k], slopes, atol=1e-6)


@pytest.mark.parametrize("name", CASES)
def test_mean_loss_is_the_weighted_mean_of_values(name, rng):
    loss, draw = CASES[name]
    y, scores, weights = draw(rng), rng.normal(size=(3, 200)), rng.random(200)
    expected = np.average(loss.value(y, scores), weights=weights)
    assert loss.mean_loss(y, scores, weights) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_start_is_no_worse_than_scores_around_it(name, rng):
    loss, draw = CASES[name]
    y = draw(rng)
    start = np.repeat(loss.start(y)[:, np.newaxis], 200, axis=1)
    minimum = loss.mean_loss(y, start)
    for k in range(3):
        for move in (0.3, -0.3):
            moved = start.copy()
            moved[k] += move
            assert loss.mean_loss(y, moved) > minimum


def test_soft_labels_that_are_certain_equal_classes(rng):
    codes = rng.integers(0, 3, 200)
    scores = rng.normal(size=(3, 200))
    soft, hard = CrossEntropyLoss(3), MultinomialLoss(3)
    np.testing.assert_allclose(soft.value(np.eye(3)[codes], scores), hard.value(codes, scores))
    for ours, theirs in zip(
        soft.gradient_hessian(np.eye(3)[codes], scores),
        hard.gradient_hessian(codes, scores),
        strict=True,
    ):
        np.testing.assert_allclose(ours, theirs, atol=1e-15)


def test_soft_labels_reject_rows_that_are_no_probabilities():
    with pytest.raises(ValueError, match="add up to 1 in every row, which fails in row 1"):
        CrossEntropyLoss(2).check_targets(np.array([[0.5, 0.5], [0.5, 0.6]]))


def test_multinomial_loss_rejects_what_is_no_code():
    with pytest.raises(ValueError, match="codes 0 to 2, got 3 in row 1"):
        MultinomialLoss(3).check_targets(np.array([0, 3, 1]))


@pytest.mark.parametrize("make", [lambda: JointLoss([SquaredLoss()]), lambda: QuantilesLoss([0.5])])
def test_joint_loss_rejects_a_single_loss(make):
    with pytest.raises(ValueError, match="joins at least two losses, got 1"):
        make()


def test_levels_reject_disorder():
    with pytest.raises(ValueError, match="must be in ascending order"):
        QuantilesLoss([0.5, 0.5])
