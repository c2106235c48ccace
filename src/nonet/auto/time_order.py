"""Folds in the order of time: members never see rows that are later than those they predict."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from nonet._base.aliases import Array
from nonet.members.folds import Fold
from nonet.tables.encoder import TableEncoder
from nonet.tables.table import Table

_N_FOLDS = 3
_FIRST_PART = 0.55  # of the rows are always fitted on: fewer make a model unlike the last one


def read_times(table: Table, name: str, kinds: Mapping[str, str] | None = None) -> Array:
    """Return the rank of each row in the order of a column of dates or numbers.

    Parameters
    ----------
    table : Table
    name : str
        The column.
    kinds : dict of str to str, optional
        Kinds of columns that are set.

    Returns
    -------
    times : ndarray of int of shape (n_rows,)
        Rows of the same time have the same rank.

    Examples
    --------
    >>> from nonet.tables.as_table import as_table
    >>> read_times(as_table({"day": ["2024-03-01", "2024-02-01", "2024-03-01"]}), "day")
    array([1, 0, 1])
    """
    encoder = TableEncoder({name: kinds[name]} if kinds and name in kinds else None)
    values = encoder.fit_transform(table.select([name]), notes=[]).values
    known = encoder.kinds_.get(name)
    kind = "a constant" if known is None else known.kind
    if kind not in ("date", "number"):
        raise ValueError(
            f"time_column={name!r} must be a column of dates or numbers with different values, but "
            f"it holds {kind}; give another column, or set its kind to date."
        )
    moments = values[:, encoder.date_positions_.get(name, 0)]
    if np.isnan(moments).any():
        missing = int(np.isnan(moments).sum())
        raise ValueError(
            f"time_column={name!r} must be known for every row, but is missing in {missing}; leave "
            "these rows out, or give another column."
        )
    ranks: Array = np.unique(moments, return_inverse=True)[1]
    return ranks


def spare_latest(times: Array, n_spared: int) -> Array:
    """Return about as many of the latest rows; rows of the same time stay together.

    Examples
    --------
    >>> spare_latest(np.array([0, 3, 1, 3, 2]), 1)
    array([1, 3])
    """
    if not n_spared:
        return np.array([], dtype=np.intp)
    latest: Array = np.flatnonzero(times >= np.sort(times)[-n_spared])
    return latest


def make_time_folds(times: Array, y: Array, n_classes: int) -> list[Fold]:
    """Return folds each of which holds out rows that are later than all rows it is fitted on.

    Every member must know all classes: the first row of a class that comes late is fitted on, too.

    Parameters
    ----------
    times : ndarray of int of shape (n_rows,)
        Ranks in the order of time.
    y : ndarray of shape (n_rows,)
        Class codes, or values.
    n_classes : int
        0 in regression.

    Returns
    -------
    folds : list of (train, test) pairs

    Examples
    --------
    >>> for train, test in make_time_folds(np.arange(20)[::-1], np.zeros(20), 0):
    ...     print(len(train), test)
    11 [6 7 8]
    14 [3 4 5]
    17 [0 1 2]
    """
    ordered = np.sort(times)
    ends = np.linspace(_FIRST_PART, 1.0, _N_FOLDS + 1) * len(times)
    limits = np.unique([*ordered[np.ceil(ends[:-1] - 1e-9).astype(int)], ordered[-1] + 1])
    folds = []
    for start, end in pairwise(limits):
        train = np.flatnonzero(times < start)
        test = np.flatnonzero((times >= start) & (times < end))
        if n_classes:
            late = _first_rows(np.setdiff1d(np.arange(n_classes), y[train]), y, times)
            train, test = np.union1d(train, late), np.setdiff1d(test, late)
        if len(train) > 1 and len(test):
            folds.append((train, test))
    if not folds:
        raise ValueError(
            f"rows in the order of time cannot be divided: {len(times)} rows have "
            f"{len(np.unique(times))} different times; give a column with more of them."
        )
    return folds


def _first_rows(classes: Array, y: Array, times: Array) -> Array:
    """Return the first row of each of some classes, in the order of time."""
    rows = [np.flatnonzero(y == code) for code in classes]
    return np.array([of[np.argmin(times[of])] for of in rows if len(of)], dtype=np.intp)
