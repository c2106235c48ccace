"""Leaf values of losses that have an exact minimiser."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nonet._base.aliases import Array, Floats
from nonet.losses import Loss


def fill_exact_values(
    loss: Loss,
    leaves: NDArray[np.int32],
    y: Array,
    scores: Floats,
    weights: Floats | None,
    values: Floats,
) -> None:
    """Write the value of each leaf that minimizes the loss of its rows.

    Parameters
    ----------
    loss : Loss
        A loss with exact leaves.
    leaves : int32 array of shape (n_rows,)
        Leaf of each row, negative for rows to ignore.
    y, scores : arrays of shape (n_rows,)
        Targets, and scores so far.
    weights : array of shape (n_rows,) or None
        Weights of rows.
    values : array of shape (n_nodes,)
        Output array for the values; inner nodes are unchanged.
    """
    # A radix sort is fastest for small integers.
    is_short = len(values) <= np.iinfo(np.int16).max
    order = np.argsort(leaves.astype(np.int16) if is_short else leaves, kind="stable")
    found, starts = np.unique(leaves[order], return_index=True)
    for leaf, rows in zip(found, np.split(order, starts[1:]), strict=True):
        if leaf >= 0:
            of_rows = None if weights is None else weights[rows]
            values[leaf] = loss.leaf_value(y[rows], scores[rows], of_rows)
