"""Identical rows: folds must keep them together, or the held-out rows have been seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet._base.row_hash import mix_words
from nonet.tables.column_names import count_rows
from nonet.tables.encoder import EncodedTable
from nonet.tables.table import LeveledColumn, Table
from nonet.tables.table_warning import TableWarning


def row_groups(table: Table | EncodedTable) -> Array:
    """Return a number for each row that identical rows have in common.

    Parameters
    ----------
    table : Table or EncodedTable
        An encoded table leaves out identifiers, in which all rows differ.

    Returns
    -------
    ndarray of int of shape (n_rows,)
        In the order of the first rows.

    Examples
    --------
    >>> table = Table(("a", "b"), (np.array([1.0, 2.0, 1.0]), np.array([0, 0, 0])))
    >>> row_groups(table)
    array([0, 1, 0])
    """
    hashes = np.zeros(table.n_rows, dtype=np.uint64)
    for j, column in enumerate(_all_columns(table)):
        key = mix_words(np.array([j], dtype=np.uint64))
        hashes += mix_words(_cell_words(column) ^ key)
    _, first, groups = np.unique(hashes, return_index=True, return_inverse=True)
    order = np.empty(len(first), dtype=np.int64)
    order[np.argsort(first)] = np.arange(len(first))
    numbered: Array = order[groups]
    return numbered


def _all_columns(table: Table | EncodedTable) -> Sequence[Any]:
    if isinstance(table, Table):
        return table.columns
    return [*table.values.T, *table.texts.values()]


def _cell_words(column: Array | LeveledColumn) -> Array:
    """Return a word per row that equal values have in common."""
    if isinstance(column, LeveledColumn):
        return column.codes.astype(np.int64).view(np.uint64)
    if column.dtype.kind == "M":
        return column.astype(np.int64).view(np.uint64)
    numbers = column.astype(np.float64) + 0.0  # no negative zero
    numbers[np.isnan(numbers)] = np.nan  # one of many
    return numbers.view(np.uint64)


def identical_rows(groups: Array) -> list[TableWarning]:
    """Return a warning about rows that are equal in all columns.

    Parameters
    ----------
    groups : ndarray of int of shape (n_rows,)
        From `row_groups`.

    Returns
    -------
    list of TableWarning

    Examples
    --------
    >>> identical_rows(np.array([0, 1, 0]))[0].sentence
    '1 row of 3 equals an earlier one in all columns; folds must not separate such rows.'
    """
    n_repeated = len(groups) - len(np.unique(groups))
    if not n_repeated:
        return []
    sentence = (
        f"{count_rows(n_repeated)} of {len(groups)} {'equals' if n_repeated == 1 else 'equal'} an "
        "earlier one in all columns; folds must not separate such rows."
    )
    return [TableWarning("identical rows", (), sentence)]
