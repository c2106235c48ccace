"""Shapley values of one prediction of any model, by sampling orders of the columns.

For a random order and a random other row, the columns of the row to be explained are put into the
other row one after another; the change of the prediction is the contribution of a column. The
contributions of an order sum to the prediction minus that of the other row.

References
----------
E. Strumbelj, I. Kononenko, "Explaining prediction models and individual predictions with feature
contributions", *Knowledge and Information Systems* 41, 2014.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.cli.mixed_rows import mix_rows
from nonet.tables.table import Table

_N_ROWS = 20_000  # that are predicted in all
_MIN_ORDERS, _MAX_ORDERS = 20, 400


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
    predict: Callable[[Table], Floats], table: Table, row: int, names: Sequence[str], seed: int = 0
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
    n_columns = len(names)
    n_orders = int(np.clip(_N_ROWS // (n_columns + 1), _MIN_ORDERS, _MAX_ORDERS))
    rng = np.random.default_rng(seed)
    orders = np.argsort(rng.random((n_orders, n_columns)), axis=1)
    others = rng.integers(table.n_rows, size=n_orders)
    predictions = _predict_paths(predict, table, row, names, orders, others)
    contributions = np.empty((n_orders, n_columns))
    np.put_along_axis(contributions, orders, np.diff(predictions, axis=1), axis=1)
    errors = contributions.std(axis=0, ddof=1) / np.sqrt(n_orders)
    base, prediction = float(predictions[:, 0].mean()), float(predictions[0, -1])
    return SampledShapley(contributions.mean(axis=0), errors, base, prediction, n_orders)


def _predict_paths(
    predict: Callable[[Table], Floats],
    table: Table,
    row: int,
    names: Sequence[str],
    orders: Array,
    others: Array,
) -> Floats:
    """Return predictions after 0, 1, ... columns are the row's: (n_orders, n_columns + 1)."""
    n_orders, n_columns = orders.shape
    ranks = np.argsort(orders, axis=1)  # the step at which a column comes in
    steps = np.arange(n_columns + 1)
    is_own = ranks[:, np.newaxis, :] < steps[np.newaxis, :, np.newaxis]
    rows = np.where(is_own, row, others[:, np.newaxis, np.newaxis]).reshape(-1, n_columns)
    by_column = {name: rows[:, j] for j, name in enumerate(names)}
    mixed = mix_rows(table, by_column, np.repeat(others, n_columns + 1))
    return predict(mixed).reshape(n_orders, n_columns + 1)
