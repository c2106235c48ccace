"""The penalty of factors, chosen by the error on held-out ratings.

A penalty that suits clean ratings overfits noisy ones, and one that suits noisy ratings ignores
most of what clean ones contain. A tenth of the pairs is held out, and alternating least squares
runs through increasing penalties, each from the factors of the one before. The largest penalty
leaves no factors, so that a choice by the held-out error is hardly ever worse than the biases
alone.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.unsupervised.ratings.als import Factors, make_batches, solve_rows, start_factors
from nonet.unsupervised.ratings.rating_table import Ratings

# For residuals with a root mean square of 1: penalties have the unit of the ratings.
_PENALTIES = (0.01, 0.02, 0.04, 0.06, 0.085, 0.12, 0.17, 0.24, 0.35, 0.6, 1.0)
_UNCHOSEN = 0.17  # with too few held-out ratings to compare penalties
_HELD_OUT, _MIN_HELD_OUT = 0.1, 20
_FIRST_ITER, _NEXT_ITER = 10, 3
_PATIENCE = 2  # steps without a lower error that end the search


def root_mean_square(ratings: Ratings) -> float:
    """Return the root of the mean squared value; 1 if all values are 0."""
    largest = float(np.abs(ratings.values).max()) or 1.0
    # Squares of huge or tiny values are out of range; those of fractions of the largest are not.
    squares = (ratings.values / largest) ** 2
    return largest * float(np.sqrt(np.average(squares, weights=ratings.weights)) or 1.0)


def choose_penalty(residuals: Ratings, n_factors: int, rng: np.random.Generator) -> float:
    """Return the penalty of factors with the lowest error on held-out residuals.

    Parameters
    ----------
    residuals : Ratings
        What the biases leave over, with a root mean square of 1.
    n_factors : int
    rng : Generator
        Draws the held-out pairs and the factors to start from.

    Returns
    -------
    penalty : float
    """
    is_held_out = _draw_pairs(residuals, rng)
    if is_held_out.sum() < _MIN_HELD_OUT:
        return _UNCHOSEN
    errors = _errors_of_path(residuals, is_held_out, n_factors, rng)
    return _PENALTIES[int(np.argmin(errors))]


def _draw_pairs(residuals: Ratings, rng: np.random.Generator) -> Array:
    """Return which ratings are held out: all those of a pair, or none.

    A repeated rating thus counts as one of weight 2, and the order of rows does not matter.
    """
    pairs = residuals.users.astype(np.int64) * residuals.n_items + residuals.items
    different, positions = np.unique(pairs, return_inverse=True)
    return np.asarray((rng.random(len(different)) < _HELD_OUT)[positions])


def _errors_of_path(
    residuals: Ratings, is_held_out: Array, n_factors: int, rng: np.random.Generator
) -> list[float]:
    """Return the held-out errors of the first penalties, until they rise."""
    fitted, held_out = _take(residuals, ~is_held_out), _take(residuals, is_held_out)
    users = np.zeros((residuals.n_users, n_factors))
    items = start_factors(residuals.n_items, n_factors, rng)
    by_user, by_item = make_batches(fitted, n_factors), make_batches(fitted.swapped(), n_factors)
    errors: list[float] = []
    for penalty in _PENALTIES:
        for _ in range(_NEXT_ITER if errors else _FIRST_ITER):
            solve_rows(by_user, users, items, penalty, False)
            solve_rows(by_item, items, users, penalty, False)
        errors.append(_error(held_out, Factors(users, items)))
        if len(errors) - int(np.argmin(errors)) > _PATIENCE:
            break
    return errors


def _take(ratings: Ratings, rows: Array) -> Ratings:
    return replace(
        ratings,
        users=ratings.users[rows],
        items=ratings.items[rows],
        values=ratings.values[rows],
        weights=ratings.weights[rows],
    )


def _error(held_out: Ratings, factors: Factors) -> float:
    left, right = factors.users[held_out.users], factors.items[held_out.items]
    errors: Floats = held_out.values - np.einsum("ij,ij->i", left, right)
    return float(np.average(errors**2, weights=held_out.weights))
