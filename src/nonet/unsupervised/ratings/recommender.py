"""Recommendations: the items with the highest predictions among those a user has not rated."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import _check_feature_names, check_is_fitted

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.errors import show
from nonet._base.frames import find_missing
from nonet._base.params import Boolean, Integer, bad_parameter
from nonet.unsupervised.ratings.rating_table import (
    UNKNOWN,
    Ratings,
    as_identifiers,
    check_hashable,
    read_ratings,
)

_PAIRS_PER_BLOCK = 1 << 20


class Recommender:
    """Parent of the models of ratings: known users and items, and ``recommend``."""

    users_: Array
    items_: Array

    def _read_fit(self, X: Any, y: Any, sample_weight: Any) -> Ratings:
        """Read the ratings, and store users, items and what each user has rated."""
        users, items, ratings = read_ratings(self, X, y, sample_weight)
        _check_feature_names(self, X, reset=True)
        self._known_users, self._known_items = users, items
        self.users_, self.items_ = users.values, items.values
        shape, ones = (len(users), len(items)), np.ones(len(ratings.values), dtype=bool)
        self._seen = sparse.coo_array((ones, (ratings.users, ratings.items)), shape=shape).tocsr()
        return ratings

    def recommend(self, users: Any, n: int = 10, *, hide_seen: bool = True) -> list[Array]:
        """Return the items with the highest predictions for each user.

        Parameters
        ----------
        users : array-like of shape (n_users,)
            Identifiers of users. One that is not known gets the items that are best on average.
        n : int, default=10
            The number of items.
        hide_seen : bool, default=True
            Whether to leave out the items that a user rated in the training data.

        Returns
        -------
        items : list of ndarray
            For each user the identifiers of at most ``n`` items, best first; fewer if no more are
            left. Of equal predictions the item that comes first in ``items_`` wins.
        """
        check_is_fitted(self)
        if not Integer(1).allows(n):
            raise bad_parameter(self, "n", Integer(1).describe(), n)
        if not Boolean().allows(hide_seen):
            raise bad_parameter(self, "hide_seen", Boolean().describe(), hide_seen)
        codes = self._known_users.encode(self._read_users(users))
        per_block = max(1, _PAIRS_PER_BLOCK // len(self.items_))
        best: list[Array] = []
        for start in range(0, len(codes), per_block):
            block = codes[start : start + per_block]
            scores = self._score_items(block)
            if hide_seen:
                self._hide_seen(scores, block)
            best += [self.items_[_largest(row, n)] for row in scores]
        return best

    def _read_users(self, users: Any) -> Array:
        who = type(self).__name__
        column = as_identifiers(_listed(users))
        check_hashable(who, "users", column)
        missing = np.flatnonzero(find_missing(column))
        if missing.size:
            raise ValueError(
                f"{who}: number {missing[0]} of users is missing ({show(column[missing[0]])}); "
                "give an identifier, which need not be known."
            )
        return column

    def _score_items(self, users: Codes) -> Floats:
        """Return the predictions for all items, one row per user."""
        n_items = len(self.items_)
        items = np.tile(np.arange(n_items), len(users))
        scores = self._predict_codes(np.repeat(users, n_items), items)
        return scores.reshape(len(users), n_items)

    def _predict_codes(self, users: Codes, items: Codes) -> Floats:
        raise NotImplementedError

    def _hide_seen(self, scores: Floats, users: Codes) -> None:
        known = np.flatnonzero(users != UNKNOWN)
        rows, items = self._seen[users[known]].nonzero()
        scores[known[rows], items] = -np.inf

    def _encode(self, users: Array, items: Array) -> tuple[Codes, Codes]:
        return self._known_users.encode(users), self._known_items.encode(items)

    def _pairs(self, users: Codes, items: Codes) -> Array:
        """Return positions of users and items as a table of identifiers."""
        columns = self._known_users.decode(users), self._known_items.decode(items)
        if columns[0].dtype == columns[1].dtype:
            return np.column_stack(columns)
        return np.column_stack([column.astype(object) for column in columns])


def _listed(users: Any) -> list[Any]:
    is_table = getattr(users, "ndim", 1) != 1
    if is_table or isinstance(users, str) or not hasattr(users, "__iter__"):
        raise TypeError(f"users must be a list or an array of users, but got {show(users)}.")
    return users.tolist() if hasattr(users, "tolist") else list(users)


def _largest(scores: Floats, n: int) -> Codes:
    """Return the positions of the n largest finite scores, largest first."""
    order = np.argsort(-scores, kind="stable")[:n]
    return order[np.isfinite(scores[order])]
