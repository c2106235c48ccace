"""A model that reads tables, for the explanations of reports."""

from __future__ import annotations

from collections.abc import Callable

from nonet._base.aliases import Array, Codes, Floats
from nonet.report.explained_models import ExplainedModels, Swaps, as_columns
from nonet.tables.table import Column, LeveledColumn, Table

Predict = Callable[[Table], Floats]
"""From a table to probabilities of classes, or to values."""


class ExplainedTable(ExplainedModels):
    """A table and a function that predicts its rows.

    Parameters
    ----------
    predict_table : callable
        From a table to probabilities, (n, n_classes), or values, (n,).
    table : Table

    Examples
    --------
    >>> import numpy as np
    >>> table = Table(("a", "b"), (np.array([1, 2]), np.array([30, 40])))
    >>> explained = ExplainedTable(lambda rows: rows["a"] + rows["b"], table)
    >>> explained.predict(np.array([0, 1]), {1: np.array([1, 0])})
    array([[41.],
           [32.]])
    """

    def __init__(self, predict_table: Predict, table: Table) -> None:
        super().__init__(table.n_rows, len(table.names), "the model", 1.0)
        self._predict_table, self._table = predict_table, table

    def _predict(self, rows: Codes, swaps: Swaps) -> Floats:
        columns = [
            _take(column, swaps.get(position, rows))
            for position, column in enumerate(self._table.columns)
        ]
        return as_columns(self._predict_table(Table(self._table.names, tuple(columns))))


def _take(column: Column, rows: Array) -> Column:
    return column.take(rows) if isinstance(column, LeveledColumn) else column[rows]
