"""The folds of a run: how many, which rows stay together, and rows that nothing touches.

Rows of a class that has a single row are never held out, because no member could learn the class
without them. From 20,000 rows on, a small part is kept away from everything, for a second score.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import numpy as np
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedShuffleSplit,
)

from nonet._base.aliases import Array
from nonet.auto.time_order import spare_latest
from nonet.members.folds import Fold, make_folds

_MANY_ROWS = 1_000_000  # are scored on one part of the rows
_MAX_HELD_OUT = 100_000
_ROWS_TO_SPARE = 20_000
_SPARED_FRACTION = 0.05
_MAX_SPARED = 10_000


def count_folds(n_rows: int) -> int:
    """Return the number of folds for a number of rows.

    Parameters
    ----------
    n_rows : int

    Returns
    -------
    n_folds : int
        8 below 2,000 rows, 5 up to 200,000, then 3, and 1 beyond a million.

    Examples
    --------
    >>> [count_folds(n) for n in (5, 100, 10_000, 500_000, 5_000_000)]
    [5, 8, 5, 3, 1]
    """
    n_folds = 8 if n_rows < 2000 else 5 if n_rows <= 200_000 else 3
    return 1 if n_rows > _MANY_ROWS else min(n_folds, n_rows)


def spare_rows(
    y: Array, groups: Array | None, n_classes: int, seed: int, times: Array | None = None
) -> Array:
    """Return the rows that are kept away from everything; none below 20,000 rows.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
        Class codes or values.
    groups : ndarray of shape (n_rows,) or None
    n_classes : int
        0 in regression.
    seed : int
    times : ndarray of int of shape (n_rows,), optional
        Ranks in the order of time: the latest rows are spared.

    Returns
    -------
    rows : ndarray of int
    """
    if len(y) < _ROWS_TO_SPARE:
        return np.array([], dtype=np.intp)
    n_spared = min(_MAX_SPARED, int(_SPARED_FRACTION * len(y)))
    if times is not None:
        return spare_latest(times, n_spared)
    spared: Array = _split_once(y, groups, n_classes, n_spared, seed + 1)[1]
    return spared


def make_run_folds(
    cv: Any, X: Any, y: Array, groups: Array | None, n_classes: int, seed: int
) -> list[Fold]:
    """Return the folds of a run.

    Parameters
    ----------
    cv : int, splitter, iterable of (train, test) pairs or None
        None chooses the number of folds by the number of rows; integers and None shuffle the rows,
        keep groups together and, in classification, keep the proportions of classes.
    X : array-like of shape (n_rows, n_columns)
    y : ndarray of shape (n_rows,)
        Class codes or values.
    groups : ndarray of shape (n_rows,) or None
    n_classes : int
        0 in regression.
    seed : int

    Returns
    -------
    folds : list of (train, test) pairs
    """
    if cv is not None and not isinstance(cv, int | np.integer):
        return make_folds(cv, X, y, groups, classifier=n_classes > 0)
    n_units = len(y) if groups is None else len(np.unique(groups))
    n_folds = min(count_folds(len(y)) if cv is None else int(cv), n_units)
    if n_folds == 1:
        held_out = min(_MAX_HELD_OUT, len(y) // 10) if len(y) > 10 else 1
        return [_split_once(y, groups, n_classes, held_out, seed)]
    held_back = _single_rows(y, n_classes)
    folds = _spread(y, groups, n_classes, n_folds, seed)
    parts = [_hold_back(train, test, held_back) for train, test in folds]
    # Few large groups leave some of scikit-learn's stratified folds without rows.
    return [(train, test) for train, test in parts if len(test)]


def _spread(
    y: Array, groups: Array | None, n_classes: int, n_folds: int, seed: int
) -> Iterable[Fold]:
    if groups is not None:
        is_stratified = n_classes and np.bincount(y, minlength=n_classes).min() >= n_folds
        kind = StratifiedGroupKFold if is_stratified else GroupKFold
        splitter = kind(n_folds, shuffle=True, random_state=seed)
        return cast(Iterable[Fold], splitter.split(y, y, groups))
    # Rows are dealt out class by class, so that even two rows of a class are in different folds.
    shuffled = np.random.default_rng(seed).permutation(len(y))
    order = shuffled[np.argsort(y[shuffled], kind="stable")] if n_classes else shuffled
    return [
        (np.sort(np.delete(order, slice(fold, None, n_folds))), np.sort(order[fold::n_folds]))
        for fold in range(n_folds)
    ]


def _single_rows(y: Array, n_classes: int) -> Array:
    if not n_classes:
        return np.array([], dtype=np.intp)
    return np.flatnonzero(np.bincount(y, minlength=n_classes)[y] == 1)


def _split_once(y: Array, groups: Array | None, n_classes: int, n_held_out: int, seed: int) -> Fold:
    if groups is not None:
        fraction = n_held_out / len(y)
        splitter: Any = GroupShuffleSplit(1, test_size=fraction, random_state=seed)
    elif n_classes and np.bincount(y).min() > 1 and n_held_out >= n_classes:
        splitter = StratifiedShuffleSplit(1, test_size=n_held_out, random_state=seed)
    else:
        splitter = ShuffleSplit(1, test_size=n_held_out, random_state=seed)
    train, test = next(splitter.split(y, y, groups))
    return _hold_back(np.sort(train), np.sort(test), _single_rows(y, n_classes))


def _hold_back(train: Array, test: Array, held_back: Array) -> Fold:
    """Return a fold whose held-out rows are without those that members need."""
    if not len(held_back):  # set operations on millions of rows take seconds
        return train, test
    return np.union1d(train, held_back), np.setdiff1d(test, held_back)
