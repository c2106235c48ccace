"""Tables of ratings: pairs of user and item as X, values as y.

Users and items are any hashable identifiers. They are encoded as positions; ``UNKNOWN`` is the code
of one that was not there in fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import _safe_indexing

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.arrays import as_numbers, check_sample_weight
from nonet._base.errors import show
from nonet._base.frames import column_names, find_missing
from nonet._base.warn import warn_caller

UNKNOWN = -1


class _Nobody:
    """An identifier that equals no other."""


@dataclass(frozen=True)
class Identifiers:
    """The known identifiers of users or items, in order, and the lookup of their positions.

    Attributes
    ----------
    values : ndarray
        The identifiers: sorted, or in the order of first occurrence if they cannot be sorted.
    is_sorted : bool
        Whether they are sorted.
    """

    values: Array
    is_sorted: bool

    @classmethod
    def learn(cls, column: Array) -> Identifiers:
        """Collect the different identifiers of a column."""
        try:
            return cls(np.unique(column), True)
        except TypeError:  # identifiers of several types
            first = np.empty(len(set(column.tolist())), dtype=object)
            first[:] = list(dict.fromkeys(column.tolist()))
            return cls(first, False)

    def __len__(self) -> int:
        return len(self.values)

    def decode(self, codes: Codes) -> Array:
        """Return the identifiers of positions; a new object stands for an unknown one."""
        if not len(codes) or codes.min() > UNKNOWN:
            return self.values[codes]
        named = self.values.astype(object)[codes]
        named[codes == UNKNOWN] = _Nobody()
        return named

    def encode(self, column: Array) -> Codes:
        """Return the position of each identifier, ``UNKNOWN`` where it is not known."""
        if not self.is_sorted or not _comparable(self.values, column):
            positions = {name: code for code, name in enumerate(self.values.tolist())}
            found = [positions.get(name, UNKNOWN) for name in column.tolist()]
            self._warn_of_types(column, found)
            return np.array(found, dtype=int)
        codes = np.searchsorted(self.values, column)
        codes[codes == len(self.values)] = 0
        return np.where(self.values[codes] == column, codes, UNKNOWN)

    def _warn_of_types(self, column: Array, found: list[int]) -> None:
        """Warn if nothing is known, and the first identifier has another type than those of fit."""
        if not found or max(found) > UNKNOWN:
            return
        now, known = column.tolist()[0], self.values.tolist()[0]
        if not isinstance(now, _Nobody) and type(now) is not type(known):
            warn_caller(
                f"no identifier such as {now!r} is known: fit saw identifiers such as {known!r}, "
                "of another type; all are treated as new."
            )


def _comparable(one: Array, other: Array) -> bool:
    numbers = "biuf"
    both_numbers = one.dtype.kind in numbers and other.dtype.kind in numbers
    return both_numbers or (one.dtype.kind == other.dtype.kind == "U")


@dataclass(frozen=True)
class Ratings:
    """Encoded ratings: one entry per row.

    Attributes
    ----------
    users, items : ndarray of int of shape (n,)
        Positions of the user and the item.
    values : ndarray of shape (n,)
        The ratings.
    weights : ndarray of shape (n,)
        How often each row counts.
    n_users, n_items : int
        The numbers of known users and items.
    """

    users: Codes
    items: Codes
    values: Floats
    weights: Floats
    n_users: int
    n_items: int

    def with_values(self, values: Floats) -> Ratings:
        """Return the same rows with other values."""
        return Ratings(self.users, self.items, values, self.weights, self.n_users, self.n_items)

    def swapped(self) -> Ratings:
        """Return the ratings with users and items exchanged."""
        return Ratings(
            self.items, self.users, self.values, self.weights, self.n_items, self.n_users
        )

    def matrix(self) -> tuple[sparse.csr_array, sparse.csr_array]:
        """Return the (users, items) matrix of mean values and that of summed weights.

        Several ratings of an item by one user become their weighted mean.
        """
        shape, where = (self.n_users, self.n_items), (self.users, self.items)
        total = sparse.coo_array((self.values * self.weights, where), shape=shape).tocsr()
        weight = sparse.coo_array((self.weights, where), shape=shape).tocsr()
        means = total.copy()
        means.data = np.divide(
            total.data, weight.data, out=np.zeros_like(total.data), where=weight.data > 0
        )
        return means, weight


def check_names(owner: Any, X: Any) -> None:
    """Raise if the columns of X have other names than in fit; a table without names is fine."""
    known, names = getattr(owner, "feature_names_in_", None), column_names(X)
    if known is not None and names is not None and list(known) != names:
        raise ValueError(
            f"{type(owner).__name__}: X must have the columns {list(known)} as in fit, but has "
            f"{names}."
        )


def read_pairs(owner: Any, X: Any) -> tuple[Array, Array]:
    """Return the columns of users and items; raise unless X has these two columns."""
    who = type(owner).__name__
    if sparse.issparse(X):
        raise TypeError(
            f"{who}: X is a sparse matrix, but must have the two columns user and item; "
            "np.column_stack(X.nonzero()) has the pairs of a matrix of ratings."
        )
    n_columns = _count_columns(X)
    if n_columns != 2:
        hint = ""
        if n_columns == 3:
            hint = " (values are passed as y: fit(X[:, :2], X[:, 2]))"
        raise ValueError(
            f"{who}: X must have the two columns user and item, but has {n_columns} column(s)"
            f"{hint}."
        )
    columns = _column(X, 0), _column(X, 1)
    for name, column in zip(("user", "item"), columns, strict=True):
        missing = np.flatnonzero(find_missing(column))
        if missing.size:
            raise ValueError(
                f"{who}: the {name} of row {missing[0]} of X is missing "
                f"({show(column[missing[0]])}); drop rows without a user or an item."
            )
        check_hashable(who, f"the {name}s of X", column)
    return columns


def check_hashable(who: str, what: str, column: Array) -> None:
    """Raise unless identifiers can be looked up: lists, arrays and dictionaries cannot."""
    if column.dtype.kind != "O":
        return
    for position, value in enumerate(column.tolist()):
        try:
            hash(value)
        except TypeError as why:
            raise TypeError(
                f"{who}: {what} must be numbers, text or other hashable identifiers, but number "
                f"{position} is {show(value)}; use its text or a tuple."
            ) from why


def _count_columns(X: Any) -> int:
    if hasattr(X, "shape"):
        return int(X.shape[1]) if len(X.shape) == 2 else 1
    lengths = {len(row) if isinstance(row, list | tuple | np.ndarray) else 1 for row in X}
    return lengths.pop() if len(lengths) == 1 else 0


def _column(X: Any, position: int) -> Array:
    if hasattr(X, "shape"):
        column = np.asarray(_safe_indexing(X, position, axis=1))
    else:  # NumPy would make one type of rows of several
        column = as_identifiers([row[position] for row in X])
    return column if column.dtype.kind in "biufU" else as_identifiers(column.tolist())


def as_identifiers(values: list[Any]) -> Array:
    """Return an array of one natural type, or of objects if there are several types."""
    if len({type(value) for value in values}) == 1 and isinstance(values[0], str | int | float):
        natural = np.array(values)
        if natural.dtype.kind in "biufU":
            return natural
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def read_values(owner: Any, y: Any, n_rows: int) -> Floats:
    """Return the ratings as numbers; raise if one is missing or infinite."""
    who = type(owner).__name__
    values = as_numbers(y, f"{who}: the ratings y")
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.shape != (n_rows,):
        raise ValueError(
            f"{who}: y must have one rating per row of X, that is shape ({n_rows},), but has shape "
            f"{values.shape}."
        )
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        raise ValueError(
            f"{who}: the rating in row {bad[0]} of y is {values[bad[0]]}, but must be finite; drop "
            "rows without a rating (NaN in y)."
        )
    return values


def read_ratings(
    owner: Any, X: Any, y: Any, sample_weight: Any
) -> tuple[Identifiers, Identifiers, Ratings]:
    """Read X and y of fit; return the known users and items, and the encoded ratings.

    Rows of weight 0 are left out: their users and items stay unknown.
    """
    if y is None:
        raise ValueError(f"{type(owner).__name__} requires y to be passed, but y is None.")
    users, items = read_pairs(owner, X)
    values = read_values(owner, y, len(users))
    weights = check_sample_weight(sample_weight, len(users))
    weights = np.ones(len(users)) if weights is None else np.asarray(weights, dtype=np.float64)
    counted = weights > 0
    if not counted.all():
        users, items, values, weights = (a[counted] for a in (users, items, values, weights))
    known_users, known_items = Identifiers.learn(users), Identifiers.learn(items)
    ratings = Ratings(
        known_users.encode(users),
        known_items.encode(items),
        values,
        weights,
        len(known_users),
        len(known_items),
    )
    return known_users, known_items, ratings
