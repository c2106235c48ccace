"""The contributions of columns to one prediction of any model, with their standard errors.

They are the Shapley values that reports sample (`nonet.report.sampled_shapley`), of a single row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nonet._base.aliases import Floats
from nonet.cli.explained_table import ExplainedTable, Predict
from nonet.report.sampled_shapley import sampled_walks
from nonet.tables.table import Table

_N_ROWS = 20_000  # that are predicted in all
_MIN_WALKS, _MAX_WALKS = 10, 200  # pairs: an order of the columns and its reverse


@dataclass(frozen=True, eq=False)
class SampledShapley:
    """Contributions of columns to a prediction.

    Attributes
    ----------
    contributions : ndarray of shape (n_columns,)
    errors : ndarray of shape (n_columns,)
        Standard errors from the sampling.
    base : float
        The mean prediction of the sampled rows; contributions are added to it.
    prediction : float
    n_orders : int
    """

    contributions: Floats
    errors: Floats
    base: float
    prediction: float
    n_orders: int


def sample_shapley(
    predict: Predict, table: Table, row: int, names: Sequence[str], seed: int = 0
) -> SampledShapley:
    """Return the contributions of columns to the prediction of a row.

    Parameters
    ----------
    predict : callable
        From a table to one number per row.
    table : Table
        With the row, and those that it is compared with.
    row : int
        The position of the row.
    names : sequence of str
        The columns.
    seed : int, default=0

    Returns
    -------
    found : SampledShapley

    Examples
    --------
    >>> table = Table(("a", "b"), (np.array([0.0, 4.0]), np.array([1.0, 3.0])))
    >>> found = sample_shapley(lambda rows: 2 * rows["a"] + rows["b"], table, 1, ["a", "b"])
    >>> bool(np.isclose(found.base + found.contributions.sum(), found.prediction))
    True
    """
    n_walks = int(np.clip(_N_ROWS // (2 * (len(names) + 1)), _MIN_WALKS, _MAX_WALKS))
    explained, rows = ExplainedTable(predict, table), np.array([row])
    columns = np.array([table.names.index(name) for name in names])
    everybody = np.arange(table.n_rows)
    walks = sampled_walks(explained, columns, rows, everybody, n_walks, seed)[0, :, :, 0]
    contributions = walks.mean(axis=0)
    errors = walks.std(axis=0, ddof=1) / np.sqrt(n_walks)
    prediction = float(explained.predict(rows, {})[0, 0])
    # The contributions of a walk sum to the prediction less that of the other row.
    base = prediction - float(contributions.sum())
    return SampledShapley(contributions, errors, base, prediction, 2 * n_walks)
