"""Tables whose columns come from different rows of one table."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nonet._base.aliases import Array
from nonet.tables.table import Column, LeveledColumn, Table


def mix_rows(table: Table, rows: Mapping[str, Array], others: Array) -> Table:
    """Return a table in which some columns are those of other rows.

    Parameters
    ----------
    table : Table
    rows : mapping of str to ndarray of int
        For columns by name, the rows of ``table`` that their values are taken from.
    others : ndarray of int
        The same for all other columns.

    Returns
    -------
    mixed : Table

    Examples
    --------
    >>> table = Table(("a", "b"), (np.array([1, 2]), np.array([3, 4])))
    >>> mix_rows(table, {"b": np.array([1, 0])}, np.array([0, 1]))["b"]
    array([4, 3])
    """
    columns: list[Column] = []
    for name, column in zip(table.names, table.columns, strict=True):
        chosen = rows.get(name, others)
        if isinstance(column, LeveledColumn):
            columns.append(column.take(chosen))
        else:
            columns.append(column[chosen])
    return Table(table.names, tuple(columns))


def sample_rows(n_rows: int, n_wanted: int, seed: int) -> Array:
    """Return sorted positions of rows: all, or a random sample of some.

    Examples
    --------
    >>> sample_rows(3, 10, 0)
    array([0, 1, 2])
    """
    if n_rows <= n_wanted:
        return np.arange(n_rows)
    return np.sort(np.random.default_rng(seed).choice(n_rows, n_wanted, replace=False))
