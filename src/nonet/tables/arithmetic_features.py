"""Arithmetic features: sums, differences, products and ratios of pairs of columns.

A tree needs many splits for what one split of a ratio separates. A feature depends on no other row,
so that nothing is learned but which of them are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.stats import rankdata

from nonet._base.aliases import Array, Floats

_OPERATIONS = (np.add, np.subtract, np.multiply, np.divide)
_SIGNS = ("+", "-", "*", "/")
_PER_PAIR = 5  # features: both ratios
_ROWS_PER_BLOCK = 20_000
_RANKED_ROWS = 1000
_SAME_ORDER = 0.98  # rank correlation from which a feature splits rows as its column does
_EQUAL_ORDER = 0.999  # and from which it does as another feature of the pair


@dataclass(frozen=True, eq=False)
class ArithmeticFeatures:
    """Operations on pairs of columns.

    Attributes
    ----------
    operations : ndarray of int of shape (n_features,)
        0 for a sum, 1 for a difference, 2 for a product, 3 for a ratio.
    left, right : ndarray of int of shape (n_features,)
        The columns.

    Examples
    --------
    >>> features = ArithmeticFeatures.of_pairs([0, 1])
    >>> features.names(["a", "b"])
    ['a + b', 'a - b', 'a * b', 'a / b', 'b / a']
    >>> features.compute(np.array([[6.0, 3.0], [1.0, 0.0]]))
    array([[ 9. ,  3. , 18. ,  2. ,  0.5],
           [ 1. ,  1. ,  0. ,  nan,  0. ]])
    """

    operations: Array
    left: Array
    right: Array

    @classmethod
    def of_pairs(cls, columns: Sequence[int]) -> ArithmeticFeatures:
        """Return all operations on all pairs of some columns."""
        terms = [
            term
            for one, other in combinations(columns, 2)
            for term in (*((k, one, other) for k in range(4)), (3, other, one))
        ]
        operations, left, right = np.array(terms, dtype=np.intp).reshape(-1, 3).T
        return cls(operations, left, right)

    @property
    def n_features(self) -> int:
        """The number of features."""
        return len(self.operations)

    def take(self, chosen: Array) -> ArithmeticFeatures:
        """Return some of the features."""
        return ArithmeticFeatures(self.operations[chosen], self.left[chosen], self.right[chosen])

    def names(self, columns: Sequence[str]) -> list[str]:
        """Return the features in writing, from the names of the columns."""
        terms = zip(self.operations, self.left, self.right, strict=True)
        return [f"{columns[i]} {_SIGNS[k]} {columns[j]}" for k, i, j in terms]

    def compute(self, X: Floats) -> Floats:
        """Return the features of rows: NaN where a value is missing, or the result not finite.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_columns)

        Returns
        -------
        features : ndarray of shape (n_rows, n_features), by columns in memory
        """
        features = np.empty((len(X), self.n_features), order="F")
        with np.errstate(all="ignore"):
            for start in range(0, len(X), _ROWS_PER_BLOCK):
                rows = slice(start, start + _ROWS_PER_BLOCK)
                self._fill(features[rows], X[rows])
        return features

    def _fill(self, features: Floats, X: Floats) -> None:
        for number, operation in enumerate(_OPERATIONS):
            at = np.flatnonzero(self.operations == number)
            features[:, at] = operation(X[:, self.left[at]], X[:, self.right[at]])
        features[~np.isfinite(features)] = np.nan


def reorders_rows(features: ArithmeticFeatures, X: Floats) -> Array:
    """Return for each feature whether no column of its pair, and no feature before, orders rows so.

    Trees split by order: a feature of about the same order as one of its columns adds nothing, nor
    does a ratio next to its inverse, if both columns are positive.

    Parameters
    ----------
    features : ArithmeticFeatures
        All operations on some pairs.
    X : ndarray of shape (n_rows, n_columns)
        Some 1,000 of the rows are compared.

    Returns
    -------
    reorders : ndarray of bool of shape (n_features,)

    Examples
    --------
    >>> X = np.random.default_rng(0).uniform(1, 9, size=(100, 2))
    >>> features = ArithmeticFeatures.of_pairs([0, 1])
    >>> features.take(np.flatnonzero(reorders_rows(features, X))).names(["a", "b"])
    ['a + b', 'a - b', 'a * b', 'a / b']
    """
    rows = X[:: max(1, len(X) // _RANKED_ROWS)]
    ranks, columns = _centered_ranks(features.compute(rows)), _centered_ranks(rows)
    reorders = np.asarray(ranks.any(axis=0))
    for side in (features.left, features.right):
        reorders = reorders & (_correlations(ranks, columns[:, side]) < _SAME_ORDER)
    pairs = np.sort(np.column_stack([features.left, features.right]), axis=1)
    for step in range(1, _PER_PAIR):
        is_pair = (pairs[step:] == pairs[:-step]).all(axis=1)
        is_same = _correlations(ranks[:, step:], ranks[:, :-step]) >= _EQUAL_ORDER
        reorders[step:] &= ~(is_pair & is_same)
    return reorders


def _correlations(ranks: Floats, others: Floats) -> Floats:
    """Return the absolute rank correlations of columns with as many others."""
    found: Floats = np.abs(np.einsum("ij,ij->j", ranks, others))
    return found


def _centered_ranks(columns: Floats) -> Floats:
    """Return ranks with mean 0 and length 1; missing values are in the middle."""
    is_missing = np.isnan(columns)
    ranks = np.where(is_missing, 0.0, rankdata(np.where(is_missing, np.inf, columns), axis=0))
    means = ranks.sum(axis=0) / np.maximum(1, (~is_missing).sum(axis=0))
    ranks = np.where(is_missing, 0.0, ranks - means)
    length = np.sqrt(np.einsum("ij,ij->j", ranks, ranks))
    centered: Floats = ranks / np.where(length > 0, length, 1.0)
    return centered
