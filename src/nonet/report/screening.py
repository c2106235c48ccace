"""Which columns are worth explaining: those whose values move the predictions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nonet._base.aliases import Codes, Floats
from nonet.report.explained_models import ExplainedModels
from nonet.report.sampling import sample_positions
from nonet.report.shown_columns import ShownColumn
from nonet.report.slice_facts import cut_column

_MAX_ROWS = 2_000


def spread_between_slices(columns: Sequence[ShownColumn], predictions: Floats) -> Floats:
    """Return which fraction of the variance of predictions lies between the slices of each column.

    Parameters
    ----------
    columns : sequence of ShownColumn
    predictions : ndarray of shape (n_rows, t)

    Returns
    -------
    fractions : ndarray of shape (n_columns,)

    Notes
    -----
    No model predicts, so tables of thousands of columns can be reduced to those that may matter. A
    column that matters only together with others is not seen.
    """
    rows = sample_positions(len(predictions), _MAX_ROWS, 0)
    centred = predictions[rows] - predictions[rows].mean(axis=0)
    total = max(float((centred**2).sum()), np.finfo(np.float64).tiny)
    return np.array([_between(column.take(rows), centred) for column in columns]) / total


def _between(column: ShownColumn, centred: Floats) -> float:
    slices = cut_column(column)
    counts = np.bincount(slices.of_row, minlength=len(slices.names))
    sums = np.stack([np.bincount(slices.of_row, part, len(slices.names)) for part in centred.T])
    return float((sums**2 / np.maximum(counts, 1)).sum())


def movement(explained: ExplainedModels, columns: Codes, rows: Codes, seed: int) -> Floats:
    """Return how far predictions move when a column is shuffled: the mean absolute difference.

    Parameters
    ----------
    explained : ExplainedModels
    columns : ndarray of int of shape (n_columns,)
    rows : ndarray of int of shape (n,)
    seed : int

    Returns
    -------
    movement : ndarray of shape (n_columns,)
    """
    random = np.random.default_rng(seed)
    shuffled = [(rows, {column: random.permutation(rows)}) for column in columns.tolist()]
    before, *after = explained.predict_each([(rows, {}), *shuffled])
    return np.array([np.abs(moved - before).mean() for moved in after])
