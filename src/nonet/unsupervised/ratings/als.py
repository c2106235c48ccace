"""Alternating least squares: rows of one factor matrix given the other, all by batched solves.

Given the factors q of the items, the factors of user u minimise ``sum w (r - p q)^2 + penalty
n_u |p|^2`` with n_u the sum of the weights w: one small linear system per user. Users with the same
number of ratings are solved as one batch of matrix products, so that no loop over users is left.

References
----------
Y. Zhou, D. Wilkinson, R. Schreiber and R. Pan, Large-scale parallel collaborative filtering for the
Netflix prize, AAIM 2008.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nonet._base.aliases import Array, Codes, Floats
from nonet.unsupervised.ratings.rating_table import Ratings

_BYTES_PER_BATCH = 1 << 25


@dataclass(frozen=True)
class Batch:
    """Rows of a factor matrix with the same number of ratings.

    Attributes
    ----------
    rows : ndarray of shape (b,)
        Positions in the factor matrix.
    others, values, weights : ndarray of shape (b, n)
        The n ratings of each row: the position in the other matrix, the value, the weight.
    """

    rows: Codes
    others: Codes
    values: Floats
    weights: Floats


def make_batches(ratings: Ratings, n_factors: int) -> list[Batch]:
    """Group the users by their number of ratings; users without any are in no batch."""
    order = np.argsort(ratings.users, kind="stable")
    counts = np.bincount(ratings.users, minlength=ratings.n_users)
    starts = np.concatenate([[0], np.cumsum(counts)])
    return [
        _batch(ratings, order, starts, rows, int(n))
        for n in np.unique(counts[counts > 0])
        for rows in _chunks(np.flatnonzero(counts == n), int(n), n_factors)
    ]


def _chunks(rows: Codes, n: int, n_factors: int) -> Iterator[Codes]:
    size = max(1, _BYTES_PER_BATCH // (8 * n_factors * max(n, n_factors)))
    yield from (rows[start : start + size] for start in range(0, len(rows), size))


def _batch(ratings: Ratings, order: Codes, starts: Array, rows: Codes, n: int) -> Batch:
    entries = order[starts[rows][:, np.newaxis] + np.arange(n)]
    return Batch(rows, ratings.items[entries], ratings.values[entries], ratings.weights[entries])


def solve_rows(
    batches: list[Batch], factors: Floats, others: Floats, penalty: float, unrated: bool
) -> None:
    """Set the rows of ``factors`` to the minimum, given the other matrix.

    With ``unrated`` all pairs are in the sum a second time, with value 0 and weight 1, and the
    penalty is the same for all rows.
    """
    identity = np.eye(others.shape[1])
    same = others.T @ others + penalty * identity if unrated else None
    for batch in batches:
        taken = others[batch.others]
        with np.errstate(over="ignore", invalid="ignore"):  # `_solve` finds what is not finite
            weighted = taken * batch.weights[:, :, np.newaxis]
            totals = batch.weights.sum(axis=1)[:, np.newaxis, np.newaxis]
            ridge = penalty * totals * identity if same is None else same
            systems = taken.transpose(0, 2, 1) @ weighted + ridge
            right = (batch.values[:, np.newaxis] @ weighted).transpose(0, 2, 1)
        factors[batch.rows] = _solve(systems, right)[:, :, 0]


def _solve(systems: Floats, right: Floats) -> Floats:
    is_finite = np.isfinite(systems).all() and np.isfinite(right).all()
    try:
        solved: Floats = np.linalg.solve(systems, right) if is_finite else np.array(np.nan)
    except np.linalg.LinAlgError as why:
        raise ValueError(_NO_SOLUTION) from why
    if not np.isfinite(solved).all():
        raise ValueError(_NO_SOLUTION)
    return solved


_NO_SOLUTION = (
    "the least squares of some factors have no single solution, because ratings, weights or alpha "
    "are too large beside the penalty; lower them, or raise the penalty."
)


@dataclass(frozen=True)
class Factors:
    """Two factor matrices; the model is the product of a user's and an item's row."""

    users: Floats
    items: Floats


def start_factors(n_rows: int, n_factors: int, rng: np.random.Generator) -> Floats:
    """Return small random factors."""
    return rng.normal(scale=0.1, size=(n_rows, n_factors))


def alternate(
    ratings: Ratings,
    n_factors: int,
    penalty: float,
    n_iter: int,
    rng: np.random.Generator,
    *,
    unrated: bool = False,
) -> Factors:
    """Alternate between users and items, as often as required."""
    users = np.zeros((ratings.n_users, n_factors))
    items = start_factors(ratings.n_items, n_factors, rng)
    by_user = make_batches(ratings, n_factors)
    by_item = make_batches(ratings.swapped(), n_factors)
    for _ in range(n_iter):
        solve_rows(by_user, users, items, penalty, unrated)
        solve_rows(by_item, items, users, penalty, unrated)
    return Factors(users, items)
