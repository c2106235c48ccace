"""Quantiles of rows with weights."""

from __future__ import annotations

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.resampling.statistics.repeats import repeat_counts


def weighted_quantile(table: Array, q: float, weights: Floats) -> Floats:
    """Return the q-quantile of each column of a table whose rows have weights.

    It is NumPy's quantile of the rows, repeated in proportion to their weights. Where weights are
    not in proportion to small whole numbers it is the inverse of the cumulative weights, which
    such quantiles approach as rows are repeated more often.
    """
    counts = repeat_counts(weights)
    if counts is not None:
        return np.asarray(np.quantile(np.repeat(table, counts, axis=0), q, axis=0))
    order = np.argsort(table, axis=0, kind="stable")
    reached = np.cumsum(weights[order], axis=0)
    reached /= reached[-1]
    # Rows of weight 0 at the lower end are passed over.
    below = (reached < q - 1e-12) | (reached <= 0)
    position = np.minimum(below.sum(axis=0), len(table) - 1)
    rows = np.take_along_axis(order, position[None], axis=0)
    return np.asarray(np.take_along_axis(table, rows, axis=0)[0], dtype=np.float64)
