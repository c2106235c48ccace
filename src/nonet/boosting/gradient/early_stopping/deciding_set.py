"""Which evaluation set decides about early stopping: the last one of rows outside training.

The training set may be among the evaluation sets, for a curve beside that of held-out rows. As in
LightGBM, it is scored and does not decide: its values improve for as long as there are rounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.sparse import issparse

from nonet.boosting.gradient.rows import Rows


def find_deciding_set(training: Rows, sets: Mapping[str, Rows]) -> str | None:
    """Return the name of the last set that is not the training set; None if there is none.

    Parameters
    ----------
    training : Rows
        The training rows.
    sets : dict of str to Rows
        The evaluation sets.

    Examples
    --------
    >>> training, others = (Rows(X, np.arange(3), None) for X in (np.eye(3), np.ones((3, 3))))
    >>> find_deciding_set(training, {"valid": others, "train": training})
    'valid'
    """
    names = [name for name, rows in sets.items() if not _are_same_rows(rows, training)]
    return names[-1] if names else None


def _are_same_rows(some: Rows, others: Rows) -> bool:
    if not np.array_equal(some.target, others.target):
        return False
    return _are_same_tables(some.X, others.X)


def _are_same_tables(some: Any, others: Any) -> bool:
    if issparse(some) and issparse(others):
        return some.shape == others.shape and _are_same_entries(some, others)
    return np.array_equal(some, others, equal_nan=True)


def _are_same_entries(some: Any, others: Any) -> bool:
    """Compare sparse matrices, by their columns; training rows are stored so, others by rows."""
    first, second = some.tocsc(copy=True), others.tocsc(copy=True)
    for matrix in (first, second):
        matrix.sum_duplicates()
    return (
        np.array_equal(first.indptr, second.indptr)
        and np.array_equal(first.indices, second.indices)
        and np.array_equal(first.data, second.data, equal_nan=True)
    )
