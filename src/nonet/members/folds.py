"""Folds of training and held-out rows from any splitter, with checks.

Rows may be held out once (k-fold), several times (repeated, shuffled) or never (forward
chaining). No fold may hold out a row that it trains on.
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
"""Training rows and held-out rows."""


class CrossValidation(Rule):
    """The values `make_folds` takes: None, an int, a fraction, a splitter or pairs of rows."""

    def allows(self, value: Any) -> bool:
        """Return whether folds can be made of it; pairs of rows are checked later."""
        if isinstance(value, str | bytes | type | Mapping | Set | np.ndarray):
            return False
        is_number = Integer(2).allows(value) or _FRACTION.allows(value)
        return value is None or is_number or hasattr(value, "split") or hasattr(value, "__iter__")

    def describe(self) -> str:
        """Describe what is allowed."""
        return (
            "None, a number of folds of at least 2, a fraction of rows above 0 and below 1, a "
            "splitter, or an iterable of (train, test) pairs"
        )


_FRACTION = Real(0, 1, open_low=True, open_high=True)


def make_folds(cv: Any, X: Any, y: Any, groups: Any = None, *, classifier: bool) -> list[Fold]:
    """Return the folds of a splitter, in an order that does not depend on the splitter.

    Parameters
    ----------
    cv : int, float, splitter, iterable of (train, test) pairs or None
        Anything scikit-learn takes; None is 5 folds, stratified for classifiers. A fraction
        between 0 and 1 holds out one test set of that size, always the same.
    X, y : the data
    groups : array-like of shape (n_samples,), optional
        The group of each row, for splitters that keep groups together.
    classifier : bool
        Whether an integer means stratified folds.

    Returns
    -------
    folds : list of (train, test) pairs of row positions
        Sorted by their held-out rows, so that averages over folds are summed in a fixed order.
    """
    n_samples = count_rows(X)
    folds = [
        (
            _positions(train, n_samples),
            np.flatnonzero(_mask(_positions(test, n_samples), n_samples)),
        )
        for train, test in _split(cv, X, y, groups, classifier)
    ]
    _check_held_out(folds, n_samples)
    return sorted(folds, key=_sort_key)


def _split(cv: Any, X: Any, y: Any, groups: Any, classifier: bool) -> Any:
    if not isinstance(cv, list | tuple):
        return _resolve_splitter(cv, y, classifier).split(X, y, groups)
    if not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in cv):
        raise bad_parameter("held-out predictions", "cv", "an iterable of (train, test) pairs", cv)
    return cv


def _resolve_splitter(cv: Any, y: Any, classifier: bool) -> Any:
    if not isinstance(cv, float):
        return check_cv(cv, y, classifier=classifier)
    if not _FRACTION.allows(cv):
        allowed = f"as a fraction, {_FRACTION.describe()}"
        raise bad_parameter("held-out predictions", "cv", allowed, cv)
    by_class = classifier and np.ndim(y) == 1
    splitting = StratifiedShuffleSplit if by_class else ShuffleSplit
    return splitting(1, test_size=cv, random_state=0)


def _positions(rows: Any, n_samples: int) -> Array:
    """Return rows given as positions (negative ones included) or as a mask, as positions."""
    try:
        positions: Array = np.arange(n_samples)[np.asarray(rows)]
    except IndexError as why:
        raise ValueError(
            f"cv contains rows that the {n_samples} rows of X do not have: {why}"
        ) from why
    return positions


def _mask(rows: Array, n_samples: int) -> Array:
    mask = np.zeros(n_samples, dtype=bool)
    mask[rows] = True
    return mask


def _check_held_out(folds: Sequence[Fold], n_samples: int) -> None:
    for position, (train, test) in enumerate(folds):
        shared = test[_mask(train, n_samples)[test]]
        if shared.size:
            raise ValueError(
                f"cv gives a fold (number {position}) whose held-out row {shared[0]} is also a "
                "training row, so its prediction would not be honest; leave such rows out of "
                "one of the two."
            )
        if not train.size:
            raise ValueError(f"cv gives a fold (number {position}) without rows to train on.")
    if not any(test.size for _, test in folds):
        raise ValueError(
            "cv holds out no row at all, so there is no held-out prediction to learn from; "
            "use a splitter with held-out rows such as KFold."
        )


def _sort_key(fold: Fold) -> tuple[bytes, bytes]:
    # Big-endian bytes sort in the same order as the integers.
    train, test = fold
    return test.astype(">i8").tobytes(), np.sort(train).astype(">i8").tobytes()


def warn_of_missing_classes(folds: Sequence[Fold], codes: Codes, classes: Array) -> None:
    """Warn of classes that some training folds lack: members fitted there cannot predict them."""
    missing = np.zeros(len(classes), dtype=np.intp)
    for train, _ in folds:
        missing += np.bincount(codes[train], minlength=len(classes)) == 0
    if missing.any():
        names = classes[missing > 0].tolist()
        warn_caller(
            f"up to {missing.max()} of the {len(folds)} folds train without the classes {names}: "
            "the probabilities of these classes are 0 in the predictions of their members; use "
            "fewer or stratified folds.",
        )
