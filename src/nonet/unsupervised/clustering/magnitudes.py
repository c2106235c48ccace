"""Rows whose squared distances are finite: clusterers compare nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse


def check_distances(name: str, table: Any) -> None:
    """Raise if squared distances of rows overflow: clusterers would label such rows at random.

    Parameters
    ----------
    name : str
        The class or function that was called, for the message.
    table : ndarray or sparse matrix of shape (n_rows, n_columns)
        Finite numbers.
    """
    values = table.data if issparse(table) else table
    largest = max(abs(float(values.max(initial=0.0))), abs(float(values.min(initial=0.0))))
    # Means of rows and differences of two means are summed over the columns.
    limit = np.sqrt(np.finfo(np.float64).max / (4 * max(table.shape)))
    if largest > limit:
        raise ValueError(
            f"{name}: X has numbers as large as {largest:.3g}, but squared distances of rows are "
            f"finite up to {limit:.3g} only; scale the columns of X."
        )
