"""Columns of a table that a command is told the names of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nonet._base.aliases import Floats
from nonet.cli.command_error import CommandError
from nonet.tables.column_encoders import read_numbers
from nonet.tables.column_names import count_rows
from nonet.tables.table import Table
from nonet.tables.target import find_target


def find_columns(table: Table, names: Sequence[str]) -> list[str]:
    """Return the names as the table has them, or raise with those that are near.

    Parameters
    ----------
    table : Table
    names : sequence of str

    Returns
    -------
    names : list of str

    Examples
    --------
    >>> from nonet.tables.as_table import as_table
    >>> find_columns(as_table({"Key": [1, 2], "size": [3, 4]}), ["key"])
    ['Key']
    """
    return [find_target(table, name) for name in names]


def numbers_of(table: Table, name: str, what: str) -> Floats:
    """Return a column as numbers; raise if a row has none.

    Parameters
    ----------
    table : Table
    name : str
    what : str
        What the numbers are, for messages.

    Returns
    -------
    numbers : ndarray of shape (n_rows,)

    Examples
    --------
    >>> from nonet.tables.as_table import as_table
    >>> numbers_of(as_table({"times": ["1", "2.5"]}), "times", "weights")
    array([1. , 2.5])
    """
    readings = [read_numbers(table[name], has_comma) for has_comma in (False, True)]
    numbers: Floats = min(readings, key=lambda one: int(np.isnan(one).sum()))
    _check_all(np.isfinite(numbers), name, what, "a number")
    return numbers


def _check_all(is_there: np.ndarray, name: str, what: str, needed: str) -> None:
    n_missing = int((~is_there).sum())
    if n_missing:
        first = int(np.argmin(is_there)) + 1
        raise CommandError(
            f"the {what} in column {name!r} must be {needed} in each row, but "
            f"{count_rows(n_missing)} have none, first row {first}; leave these rows out."
        )
