"""Shapley values of any model, sampled: what each column adds to a prediction.

A row is turned into another row, a column at a time, in a random order of the columns; the change
of the prediction at a column's turn is its contribution. Contributions are averaged over
background rows and orders. Each order is walked a second time in reverse, which cancels much of
the noise.

References: E. Strumbelj & I. Kononenko (2014), Explaining prediction models and individual
predictions with feature contributions, Knowledge and Information Systems 41, 647-665; R. Mitchell
et al. (2022), Sampling permutations for Shapley value estimation, JMLR 23.
"""

from __future__ import annotations

import numpy as np

from nonet._base.aliases import Codes, Floats
from nonet.report.explained_models import ExplainedModels

_MAX_WALKS = 2_000  # in a batch


def sampled_walks(
    explained: ExplainedModels,
    columns: Codes,
    rows: Codes,
    background: Codes,
    n_walks: int,
    seed: int,
) -> Floats:
    """Return the contributions of columns to predictions, along each walk from a background.

    Their means over the walks are the Shapley values.

    Parameters
    ----------
    explained : ExplainedModels
    columns : ndarray of int of shape (n_columns,)
        The columns among which a prediction is shared out; all others keep the values of the row.
    rows : ndarray of int of shape (n,)
        Rows to explain.
    background : ndarray of int
        Rows from which each walk takes one at random.
    n_walks : int
        Pairs of walks for each row.
    seed : int

    Returns
    -------
    contributions : ndarray of shape (n, n_walks, n_columns, t)
        Of a pair of walks; they sum to the prediction of the row less that of the other row.
    """
    random = np.random.default_rng(seed)
    shape = len(rows), n_walks
    others = random.choice(background, shape)
    orders = random.permuted(
        np.broadcast_to(np.arange(len(columns)), (*shape, len(columns))), axis=2
    )
    rows_of_walks = np.repeat(rows, n_walks)
    parts = [
        _walk_both_ways(explained, columns, rows_of_walks[at], others.ravel()[at], orders_at)
        for at, orders_at in _batches(orders.reshape(-1, len(columns)))
    ]
    contributions: Floats = np.concatenate(parts).reshape(*shape, len(columns), -1)
    return contributions


def _batches(orders: Codes) -> list[tuple[slice, Codes]]:
    starts = range(0, len(orders), _MAX_WALKS)
    return [(slice(at, at + _MAX_WALKS), orders[at : at + _MAX_WALKS]) for at in starts]


def _walk_both_ways(
    explained: ExplainedModels, columns: Codes, rows: Codes, others: Codes, orders: Codes
) -> Floats:
    forth = _walk(explained, columns, rows, others, orders)
    back = _walk(explained, columns, rows, others, orders[:, ::-1])
    return (forth + back) / 2


def _walk(
    explained: ExplainedModels, columns: Codes, rows: Codes, others: Codes, orders: Codes
) -> Floats:
    """Return the contributions along one walk from the other row to the row, (n, d, t)."""
    n, d = orders.shape
    turns = np.argsort(orders, axis=1)  # when each column takes the value of the row
    steps = np.arange(d + 1)
    from_row = turns[:, np.newaxis, :] < steps[np.newaxis, :, np.newaxis]  # (n, d + 1, d)
    sources = np.where(from_row, rows[:, np.newaxis, np.newaxis], others[:, np.newaxis, np.newaxis])
    flat = sources.reshape(-1, d)
    swaps = {int(column): flat[:, j] for j, column in enumerate(columns)}
    predictions = explained.predict(np.repeat(rows, d + 1), swaps).reshape(n, d + 1, -1)
    changes = np.diff(predictions, axis=1)  # by turn
    by_column: Floats = np.take_along_axis(changes, turns[:, :, np.newaxis], axis=1)
    return by_column
