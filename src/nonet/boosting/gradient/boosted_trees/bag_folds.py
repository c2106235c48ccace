"""Folds of rows that bagged boosters hold out, one fold each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from nonet._base.aliases import Array, Floats
from nonet.boosting.gradient.rows import Rows
from nonet.trees.binned_table import BinnedTable, needs_values

NEVER = -1  # the fold of rows that no booster holds out
_MIN_ROWS_PER_FOLD = 2
# Some repeated rows are part of the data, as new rows repeat old ones, too. Of a table that was
# resampled or oversampled, a smaller fraction of the rows is different.
_MAX_DISTINCT = 0.75


def assign_folds(
    rows: Rows, groups: Array | None, n_folds: int, seed: int, *, is_class: bool
) -> NDArray[np.int64]:
    """Assign every row to a fold, at random.

    Folds have a similar number of each class, or a similar distribution of numbers. If a quarter of
    the rows or more are repeated, as by oversampling, equal rows are in one fold: boosters that see
    one of them would know the others.

    Parameters
    ----------
    rows : Rows
        Columns, targets and weights; rows of weight 0 are held out by nobody.
    groups : array of shape (n_rows,) or None
        Rows of one group are in one fold.
    n_folds : int
        Maximum number of folds; there are fewer if there are fewer groups.
    seed : int
        Seed of the random assignment.
    is_class : bool
        Whether the target is a class.

    Returns
    -------
    folds : int array of shape (n_rows,)
        0 to n_folds - 1, or -1 for rows that are never held out: all, if they are too few.

    Examples
    --------
    >>> rows = Rows(np.arange(8.0)[:, np.newaxis], np.array([0, 0, 0, 0, 0, 0, 1, 1]), None)
    >>> folds = assign_folds(rows, None, 2, 0, is_class=True)
    >>> np.bincount(folds[:6]), np.bincount(folds[6:])
    (array([3, 3]), array([1, 1]))
    """
    rng = np.random.default_rng(seed)
    target, weights = rows.target, rows.weights
    folds = np.full(len(target), NEVER)
    present = np.arange(len(target)) if weights is None else np.flatnonzero(weights > 0)
    if len(present) < _MIN_ROWS_PER_FOLD * n_folds:
        return folds
    if groups is not None:
        return _fold_groups(folds, present, groups, n_folds, rng)
    if isinstance(rows.X, BinnedTable):
        raise needs_values(
            "A number of rounds that is chosen on held-out rows (n_estimators='auto')"
        )
    first, unit_of = _find_repeated(rows.X[present], target[present])
    folds[present] = _fold_units(target[present[first]], n_folds, rng, is_class)[unit_of]
    return folds


def _fold_units(
    target: Array, n_folds: int, rng: np.random.Generator, is_class: bool
) -> NDArray[np.int64]:
    folds = np.empty(len(target), dtype=np.int64)
    if is_class:
        for code in np.unique(target):
            units = np.flatnonzero(target == code)
            folds[rng.permutation(units)] = _deal(len(units), n_folds, rng)
        return folds
    shuffled = rng.permutation(len(target))
    numbers = target[shuffled] if target.ndim == 1 else target[shuffled].mean(axis=1)
    folds[shuffled[np.argsort(numbers, kind="stable")]] = _deal(len(target), n_folds, rng)
    return folds


def _deal(n_rows: int, n_folds: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return folds of rows in order: every n_folds neighbours are in folds of their own."""
    hands = rng.permuted(np.tile(np.arange(n_folds), (-(-n_rows // n_folds), 1)), axis=1)
    return hands.ravel()[:n_rows]


def _find_repeated(X: Any, target: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first row of each unit of repeated rows, and the unit of each row.

    Rows of equal columns are repeated if their targets never differ. Where they differ, columns
    have few values, rows meet by chance, and each row is a unit; so it is where only some rows
    are repeated.
    """
    _, first, unit_of = np.unique(_hash_rows(X), return_index=True, return_inverse=True)
    alone = np.arange(len(target))
    if len(first) > _MAX_DISTINCT * len(target):
        return alone, alone
    is_repeated = np.array_equal(target[first][unit_of], target)
    is_repeated = is_repeated and _are_equal(X[first][unit_of], X)
    return (first, unit_of) if is_repeated else (alone, alone)


def _are_equal(X: Any, other: Any) -> bool:
    """Return whether two tables are equal; two missing values are."""
    if not issparse(X):
        return np.array_equal(X, other, equal_nan=True)
    ours, theirs = _sorted_rows(X), _sorted_rows(other)
    return all(
        np.array_equal(getattr(ours, part), getattr(theirs, part), equal_nan=True)
        for part in ("indptr", "indices", "data")
    )


def _sorted_rows(X: Any) -> Any:
    rows = X.tocsr(copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    return rows


def _hash_rows(X: Any) -> NDArray[np.uint64]:
    """Return numbers that are equal for equal rows, from the bits of their values.

    A zero adds nothing, so that sparse rows have the keys of dense ones.
    """
    keys = np.zeros(X.shape[0], dtype=np.uint64)
    factors = 2 * np.random.default_rng(0).integers(2**63, size=X.shape[1], dtype=np.uint64) + 1
    if issparse(X):
        rows = _sorted_rows(X)
        row_of = np.repeat(np.arange(X.shape[0]), np.diff(rows.indptr))
        np.add.at(keys, row_of, _mixed_bits(rows.data) * factors[rows.indices])
        return keys
    for column, factor in zip(X.T, factors, strict=True):
        keys += _mixed_bits(column) * factor
    return keys


def _mixed_bits(numbers: Any) -> NDArray[np.uint64]:
    values = np.where(np.isnan(numbers), np.nan, numbers) + 0.0  # one NaN, and no -0.0
    bits = np.asarray(values, dtype=np.float64).view(np.uint64)
    return bits ^ bits >> np.uint64(32)  # small integers differ in high bits only


def _fold_groups(
    folds: NDArray[np.int64],
    present: NDArray[np.int64],
    groups: Array,
    n_folds: int,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Put each group into the fold that has the fewest rows so far, large groups first."""
    codes, sizes = np.unique(groups[present], return_inverse=True, return_counts=True)[1:]
    if len(sizes) < 2:
        raise ValueError(
            "groups must have at least two different values to hold out rows of one of them, but "
            f"there is {len(sizes)}; leave groups out, or set n_estimators to a number."
        )
    order = rng.permutation(len(sizes))
    order = order[np.argsort(-sizes[order], kind="stable")]
    n_rows = np.zeros(min(n_folds, len(sizes)), dtype=np.int64)
    fold_of = np.empty(len(sizes), dtype=np.int64)
    for group in order:
        fold_of[group] = np.argmin(n_rows)
        n_rows[fold_of[group]] += sizes[group]
    folds[present] = fold_of[codes]
    return folds


def check_groups(groups: Any, n_rows: int) -> Array | None:
    """Return groups as an array with one label per row, or None.

    Examples
    --------
    >>> check_groups(["a", "a", "b"], 3)
    array(['a', 'a', 'b'], dtype='<U1')
    """
    if groups is None:
        return None
    labels = np.asarray(groups)
    if labels.shape != (n_rows,):
        raise ValueError(
            f"groups must have one label for each of the {n_rows} rows, but has the shape "
            f"{labels.shape}."
        )
    is_missing = [label is None or label != label for label in labels.tolist()]
    if any(is_missing):
        raise ValueError(
            f"groups must have a label for every row, but row {is_missing.index(True)} has none; "
            "give rows without a group a label of their own."
        )
    return labels


def count_present(weights: Floats | None, n_rows: int) -> int:
    """Count the rows that have weight."""
    return n_rows if weights is None else int(np.count_nonzero(weights > 0))
