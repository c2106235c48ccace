"""Folds: which rows are trained on, which are held out; from any splitter, checked.

Rows may be held out once (k-fold), several times (repeated, shuffled) or never (forward
chaining). What no fold may do is hold out a row that it trains on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

import numpy as np
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit, check_cv

from nonet._base.aliases import Array, Codes
from nonet._base.frames import count_rows
from nonet._base.params import Integer, Real, Rule, bad_parameter
from nonet._base.warn import warn_caller

Fold = tuple[Array, Array]
"""Rows trained on, rows held out."""


class CrossValidation(Rule):
    """What `make_folds` takes: None, a number of folds, a share, a splitter or pairs of rows."""

    def allows(self, value: Any) -> bool:
        """Tell whether folds can be made of it; pairs of rows are looked at when they are."""
        if isinstance(value, str | bytes | type | Mapping | Set | np.ndarray):
            return False
        is_number = Integer(2).allows(value) or _SHARE.allows(value)
        return value is None or is_number or hasattr(value, "split") or hasattr(value, "__iter__")

    def describe(self) -> str:
        """Say in words what is allowed."""
        return (
            "None, a number of folds of at least 2, a fraction of rows above 0 and below 1, a "
            "splitter, or an iterable of (train, test) pairs"
        )


_SHARE = Real(0, 1, open_low=True, open_high=True)


def make_folds(cv: Any, X: Any, y: Any, groups: Any = None, *, classifier: bool) -> list[Fold]:
    """Return the folds of a splitter, in an order that does not depend on the splitter's.

    Parameters
    ----------
    cv : int, float, splitter, iterable of (train, test) pairs or None
        Anything scikit-learn takes; None is 5 folds, stratified for classifiers. A share
        between 0 and 1 holds out one part of that size, always the same.
    X, y : the data
    groups : array-like of shape (n_samples,), optional
        The group of each row, for splitters that keep groups together.
    classifier : bool
        Whether a number of folds means stratified ones.

    Returns
    -------
    folds : list of (train, test) pairs of row positions
        Sorted by their held-out rows, so that averages over folds add up in one order only.
    """
    n_samples = count_rows(X)
    folds = [
        (_positions(train, n_samples), np.unique(_positions(test, n_samples)))
        for train, test in _split(cv, X, y, groups, classifier)
    ]
    _check_held_out(folds)
    return sorted(folds, key=_sort_key)


def _split(cv: Any, X: Any, y: Any, groups: Any, classifier: bool) -> Any:
    if not isinstance(cv, list | tuple):
        return _resolve_splitter(cv, y, classifier).split(X, y, groups)
    if not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in cv):
        raise bad_parameter("held-out answers", "cv", "an iterable of (train, test) pairs", cv)
    return cv


def _resolve_splitter(cv: Any, y: Any, classifier: bool) -> Any:
    if not isinstance(cv, float):
        return check_cv(cv, y, classifier=classifier)
    if not _SHARE.allows(cv):
        raise bad_parameter("held-out answers", "cv", f"as a share, {_SHARE.describe()}", cv)
    by_class = classifier and np.ndim(y) == 1
    parting = StratifiedShuffleSplit if by_class else ShuffleSplit
    return parting(1, test_size=cv, random_state=0)


def _positions(rows: Any, n_samples: int) -> Array:
    """Return rows given as positions, negative ones included, or as a mask, as positions."""
    try:
        positions: Array = np.arange(n_samples)[np.asarray(rows)]
    except IndexError as why:
        raise ValueError(
            f"cv names rows that the {n_samples} rows of X do not have: {why}"
        ) from why
    return positions


def _check_held_out(folds: Sequence[Fold]) -> None:
    for place, (train, test) in enumerate(folds):
        shared = np.intersect1d(train, test)
        if shared.size:
            raise ValueError(
                f"cv gives a fold (number {place}) whose held-out row {shared[0]} is also trained "
                "on, so that no answer on it is honest; leave such rows out of one of the two."
            )
        if not train.size:
            raise ValueError(f"cv gives a fold (number {place}) without rows to train on.")
    if not any(test.size for _, test in folds):
        raise ValueError(
            "cv holds out no row at all, so there is no held-out answer to learn from; "
            "use a splitter with held-out rows such as KFold."
        )


def _sort_key(fold: Fold) -> tuple[bytes, bytes]:
    # Big-endian bytes compare as the numbers do.
    train, test = fold
    return test.astype(">i8").tobytes(), np.sort(train).astype(">i8").tobytes()


def warn_of_missing_classes(folds: Sequence[Fold], codes: Codes, classes: Array) -> None:
    """Say which classes some training rows lack: members fitted there cannot name them."""
    missing = np.zeros(len(classes), dtype=np.intp)
    for train, _ in folds:
        missing += np.bincount(codes[train], minlength=len(classes)) == 0
    if missing.any():
        names = classes[missing > 0].tolist()
        warn_caller(
            f"up to {missing.max()} of the {len(folds)} folds train without the classes {names}: "
            "the probabilities of these classes are 0 in the answers of their members; use "
            "fewer or stratified folds.",
        )
