"""Splits of ratings: the last ones in time, or some of each user."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from nonet._base.aliases import Codes
from nonet._base.frames import count_rows
from nonet._base.params import Integer, Real, bad_parameter
from nonet._base.streams import root_seed, stream
from nonet.unsupervised.ratings.rating_table import Identifiers, read_pairs

_FRACTION = Real(0, 1, open_low=True, open_high=True)


class TimeSplit:
    """Hold out the last ratings: rows are in the order of time.

    Ratings are predicted from earlier ones, as in use. It is a splitter for ``cv=`` with one split.

    Parameters
    ----------
    test_size : float, default=0.2
        The fraction of the rows that is held out.

    Examples
    --------
    >>> from nonet import TimeSplit
    >>> X = [("ann", "a"), ("bob", "a"), ("ann", "b"), ("eve", "b")]
    >>> train, test = next(TimeSplit(0.25).split(X))
    >>> train.tolist(), test.tolist()
    ([0, 1, 2], [3])
    """

    def __init__(self, test_size: float = 0.2) -> None:
        self.test_size = test_size

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Codes, Codes]]:
        """Yield the rows to fit on and the rows held out.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_ratings, 2)
            User and item of each rating, in the order of time.
        y : Ignored
        groups : Ignored

        Yields
        ------
        train, test : ndarray of int
        """
        _check_fraction(self, self.test_size)
        n_rows = count_rows(X)
        n_test = max(1, round(self.test_size * n_rows))
        _check_leaves_rows(self, n_rows - n_test, n_rows)
        rows = np.arange(n_rows)
        yield rows[: n_rows - n_test], rows[n_rows - n_test :]

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits: 1.

        Parameters
        ----------
        X : Ignored
        y : Ignored
        groups : Ignored

        Returns
        -------
        n_splits : int
        """
        return 1


class UserSplit:
    """Hold out some ratings of each user, at random.

    Each user keeps at least one rating, so that every held-out rating is of a known user. A user
    with a single rating has none held out.

    Parameters
    ----------
    test_size : float, default=0.2
        The fraction of the ratings of each user that is held out, rounded down.
    n_splits : int, default=1
        Number of splits, drawn independently.
    random_state : int, RandomState, Generator or None, default=None
        Draws the ratings.

    Examples
    --------
    >>> from nonet import UserSplit
    >>> X = [("ann", "a"), ("ann", "b"), ("bob", "a"), ("bob", "c")]
    >>> train, test = next(UserSplit(0.5, random_state=0).split(X))
    >>> sorted(X[row][0] for row in test)
    ['ann', 'bob']
    """

    def __init__(
        self, test_size: float = 0.2, n_splits: int = 1, *, random_state: Any = None
    ) -> None:
        self.test_size = test_size
        self.n_splits = n_splits
        self.random_state = random_state

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Codes, Codes]]:
        """Yield the rows to fit on and the rows held out.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_ratings, 2)
            User and item of each rating.
        y : Ignored
        groups : Ignored

        Yields
        ------
        train, test : ndarray of int
        """
        _check_fraction(self, self.test_size)
        if not Integer(1).allows(self.n_splits):
            raise bad_parameter(self, "n_splits", Integer(1).describe(), self.n_splits)
        column = read_pairs(self, X)[0]
        users = Identifiers.learn(column).encode(column)
        root = root_seed(self.random_state)
        for split in range(self.n_splits):
            held_out = self._draw(users, stream(root, split))
            _check_leaves_rows(self, int(held_out.sum()), len(users))
            yield np.flatnonzero(~held_out), np.flatnonzero(held_out)

    def _draw(self, users: Codes, rng: np.random.Generator) -> Any:
        """Return which rows are held out: the first ones of each user in a random order."""
        order = rng.permutation(len(users))
        order = order[np.argsort(users[order], kind="stable")]
        counts = np.bincount(users)
        starts = np.cumsum(counts) - counts
        position = np.arange(len(users)) - starts[users[order]]
        # The product may fall just below a whole number: 0.29 * 100 is 28.999999999999996.
        n_held_out = np.minimum(counts - 1, np.floor(self.test_size * counts + 1e-9))
        held_out = np.zeros(len(users), dtype=bool)
        held_out[order] = position < n_held_out[users[order]]
        return held_out

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits.

        Parameters
        ----------
        X : Ignored
        y : Ignored
        groups : Ignored

        Returns
        -------
        n_splits : int
        """
        return self.n_splits


def _check_fraction(owner: Any, test_size: Any) -> None:
    if not _FRACTION.allows(test_size):
        raise bad_parameter(owner, "test_size", _FRACTION.describe(), test_size)


def _check_leaves_rows(owner: Any, n_rows: int, total: int) -> None:
    if n_rows <= 0:
        raise ValueError(
            f"{type(owner).__name__}: test_size={owner.test_size} leaves one side of the split of "
            f"{total} ratings without rows; choose another fraction or give more ratings."
        )
