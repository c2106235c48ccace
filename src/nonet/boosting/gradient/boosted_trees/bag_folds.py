"""Folds of rows that bagged boosters hold out, one fold each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nonet._base.aliases import Array, Floats

NEVER = -1  # the fold of rows that no booster holds out


MIN_ROWS_OF_CLASS = 5  # rarer classes are not held out, whatever the number of folds is


def count_foldable(target: Array, weights: Floats | None, *, is_class: bool) -> int:
    """Count the rows that can be held out: they have weight, and their class is not too rare.

    Examples
    --------
    >>> count_foldable(np.array([0, 0, 0, 0, 0, 0, 1, 1]), None, is_class=True)
    6
    """
    present = target if weights is None else target[weights > 0]
    if not is_class:
        return len(present)
    counts = np.unique(present, return_counts=True)[1]
    return int(counts[counts >= MIN_ROWS_OF_CLASS].sum())


def assign_folds(
    target: Array,
    weights: Floats | None,
    groups: Array | None,
    n_folds: int,
    seed: int,
    *,
    is_class: bool,
) -> NDArray[np.int64]:
    """Assign every row to a fold, at random.

    Folds have the same fraction of each class, or a similar distribution of numbers. Rows of a
    class that has fewer of them than there are folds are held out by nobody: a booster without the
    class could not learn it.

    Parameters
    ----------
    target : array of shape (n_rows,) or (n_rows, n_outputs)
        Codes of classes, or numbers.
    weights : array of shape (n_rows,) or None
        Weights of rows; those of weight 0 are held out by nobody.
    groups : array of shape (n_rows,) or None
        Rows of one group are in one fold.
    n_folds : int
        Number of folds.
    seed : int
        Seed of the random assignment.
    is_class : bool
        Whether the target is a class.

    Returns
    -------
    folds : int array of shape (n_rows,)
        0 to n_folds - 1, or -1 for rows that are never held out.

    Examples
    --------
    >>> folds = assign_folds(np.array([0] * 6 + [1] * 2), None, None, 2, 0, is_class=True)
    >>> sorted(folds[:6].tolist()), folds[6:].tolist()
    ([0, 0, 0, 1, 1, 1], [-1, -1])
    """
    rng = np.random.default_rng(seed)
    n_rows = len(target)
    folds = np.full(n_rows, NEVER)
    present = np.arange(n_rows) if weights is None else np.flatnonzero(weights > 0)
    if groups is not None:
        return _fold_groups(folds, present, np.asarray(groups), n_folds, rng)
    if is_class:
        for code in np.unique(target[present]):
            rows = present[target[present] == code]
            if len(rows) >= max(n_folds, MIN_ROWS_OF_CLASS):
                folds[rng.permutation(rows)] = _deal(len(rows), n_folds, rng)
        return folds
    shuffled = rng.permutation(present)
    numbers = target[shuffled] if target.ndim == 1 else target[shuffled].mean(axis=1)
    folds[shuffled[np.argsort(numbers, kind="stable")]] = _deal(len(present), n_folds, rng)
    return folds


def _deal(n_rows: int, n_folds: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return folds of rows in order: every n_folds neighbours are in folds of their own."""
    hands = rng.permuted(np.tile(np.arange(n_folds), (-(-n_rows // n_folds), 1)), axis=1)
    return hands.ravel()[:n_rows]


def _fold_groups(
    folds: NDArray[np.int64],
    present: NDArray[np.int64],
    groups: Array,
    n_folds: int,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Put each group into the fold that has the fewest rows so far, large groups first."""
    codes, sizes = np.unique(groups[present], return_inverse=True, return_counts=True)[1:]
    if len(sizes) < n_folds:
        raise ValueError(
            f"groups must have at least {n_folds} different values to choose the number of rounds "
            f"on held-out groups, but there are {len(sizes)}; set n_estimators to a number."
        )
    order = rng.permutation(len(sizes))
    order = order[np.argsort(-sizes[order], kind="stable")]
    n_rows = np.zeros(n_folds, dtype=np.int64)
    fold_of = np.empty(len(sizes), dtype=np.int64)
    for group in order:
        fold_of[group] = np.argmin(n_rows)
        n_rows[fold_of[group]] += sizes[group]
    folds[present] = fold_of[codes]
    return folds
