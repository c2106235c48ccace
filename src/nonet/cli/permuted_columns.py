"""Permutation importance: what is lost if the values of a column are permuted.

References
----------
A. Fisher, C. Rudin, F. Dominici, "All models are wrong, but many are useful", *Journal of Machine
Learning Research* 20(177), 2019.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.auto.metric import Metric
from nonet.cli.column_effects import ColumnEffects
from nonet.cli.explained_table import ExplainedTable, Predict
from nonet.report.permutation_importance import shuffled_predictions
from nonet.tables.table import Table

_N_PERMUTATIONS = 5


def permutation_importances(
    predict: Predict,
    table: Table,
    names: Sequence[str],
    y: Array,
    metric: Metric,
    rows: str,
    seed: int = 0,
) -> ColumnEffects:
    """Return how much worse the metric is with the values of each column permuted.

    Parameters
    ----------
    predict : callable
        From a table to probabilities or values.
    table : Table
    names : sequence of str
        The columns.
    y : ndarray of shape (n_rows,)
        Class codes, or values.
    metric : Metric
    rows : str
        Which rows these are.
    seed : int, default=0
    """
    base = predict(table)
    loss = metric.loss(y, base)

    def worsening(permuted: Floats) -> float:
        return metric.loss(y, permuted) - loss

    unit = f"increase of {metric.name}" if metric.sign > 0 else f"decrease of {metric.name}"
    effects, errors = _permute(predict, table, names, base.shape, worsening, seed)
    method = f"Permutation importance, {_N_PERMUTATIONS} permutations per column"
    return ColumnEffects(method, unit, rows, names, effects, errors)


def prediction_changes(
    predict: Predict, table: Table, names: Sequence[str], rows: str, seed: int = 0
) -> ColumnEffects:
    """Return how much predictions change with the values of each column permuted.

    Parameters
    ----------
    predict : callable
        From a table to probabilities or values.
    table : Table
    names : sequence of str
        The columns.
    rows : str
        Which rows these are.
    seed : int, default=0
    """
    base = predict(table)
    is_classifier = base.ndim == 2

    def change(permuted: Floats) -> float:
        sizes = np.abs(permuted - base)
        # Half of the sum is the probability that moves from some classes to others.
        return float(sizes.sum(axis=1).mean() / 2 if is_classifier else sizes.mean())

    unit = "mean change of the probabilities" if is_classifier else "mean change of the prediction"
    effects, errors = _permute(predict, table, names, base.shape, change, seed)
    method = f"Change of predictions, {_N_PERMUTATIONS} permutations per column"
    return ColumnEffects(method, unit, rows, names, effects, errors)


def _permute(
    predict: Predict,
    table: Table,
    names: Sequence[str],
    shape: tuple[int, ...],
    measure: Callable[[Floats], float],
    seed: int,
) -> tuple[Floats, Floats]:
    """Return the mean of a measure over permutations of each column, and its standard error."""
    columns = np.array([table.names.index(name) for name in names])
    explained, rows = ExplainedTable(predict, table), np.arange(table.n_rows)
    repeats = shuffled_predictions(explained, columns, rows, _N_PERMUTATIONS, seed)
    measured = np.array([[measure(one.reshape(shape)) for one in column] for column in repeats])
    errors = measured.std(axis=1, ddof=1) / np.sqrt(_N_PERMUTATIONS)
    return measured.mean(axis=1), errors
