"""Group features: how far a number is from the mean of the rows of the same level.

An income means more when it is compared with those of the same city. The means are learned from the
rows of a fit, and drawn towards the mean of all rows where a level has few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.tables.level_codes import LevelCodes

_SMOOTHING = 10.0  # rows of the mean of all that a level's mean is drawn towards


@dataclass(frozen=True, eq=False)
class GroupFeatures:
    """Differences of columns of numbers from their means by level of another column.

    Attributes
    ----------
    levels : LevelCodes
        The levels of one column.
    columns : ndarray of int of shape (n_features,)
        The columns of numbers.
    means : ndarray of shape (n_levels + 1, n_features)
        Their means by level; the last one is that of all rows.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0], [0.0, 3.0], [1.0, 8.0], [np.nan, 4.0]])
    >>> features = GroupFeatures.learn(X, 0, [1])
    >>> features.means.round(2).ravel().tolist()
    [3.67, 4.36, 4.0, 4.0]
    >>> features.compute(np.array([[1.0, 5.0], [7.0, 5.0]])).round(2).ravel().tolist()
    [0.64, 1.0]
    """

    levels: LevelCodes
    columns: Array
    means: Floats

    @classmethod
    def learn(
        cls, X: Floats, group: int, columns: Sequence[int] | Array, weights: Floats | None = None
    ) -> GroupFeatures:
        """Return the differences of some columns from their means by the levels of a group."""
        levels = LevelCodes.learn(X, [group])
        codes = levels.encode(X)
        means = [smoothed_means(codes, X[:, j], levels.n_levels, weights) for j in columns]
        return cls(levels, np.array(columns, dtype=np.intp), np.column_stack(means))

    @property
    def n_features(self) -> int:
        """The number of features."""
        return len(self.columns)

    def take(self, chosen: Array) -> GroupFeatures:
        """Return some of the features."""
        return GroupFeatures(self.levels, self.columns[chosen], self.means[:, chosen])

    def learn_again(self, X: Floats, weights: Floats | None = None) -> GroupFeatures:
        """Return the same features, learned from other rows."""
        return GroupFeatures.learn(X, self.levels.columns[0], self.columns, weights)

    def compute(self, X: Floats) -> Floats:
        """Return the features of rows, NaN where the number is missing.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_columns)

        Returns
        -------
        features : ndarray of shape (n_rows, n_features)
        """
        with np.errstate(over="ignore"):
            features = X[:, self.columns] - self.means[self.levels.encode(X)]
        features[~np.isfinite(features)] = np.nan
        return features


def smoothed_means(
    codes: Array, values: Floats, n_levels: int, weights: Floats | None = None
) -> Floats:
    """Return the means of values by level, drawn towards the mean of all, which comes last.

    Parameters
    ----------
    codes : ndarray of int of shape (n_rows,)
    values : ndarray of shape (n_rows,)
        NaN where one is missing.
    n_levels : int
    weights : ndarray of shape (n_rows,), optional

    Returns
    -------
    means : ndarray of shape (n_levels + 1,)

    Examples
    --------
    >>> smoothed_means(np.array([0, 0, 1]), np.array([1.0, 1.0, 4.0]), 2).round(2).tolist()
    [1.83, 2.18, 2.0]
    """
    weights = np.ones(len(values)) if weights is None else weights
    weights = np.where(np.isnan(values), 0.0, weights)
    total = weights.sum()
    with np.errstate(over="ignore", invalid="ignore"):
        parts = np.nan_to_num(values) * (weights / total if total > 0 else 0.0)
        mean = parts.sum()
        sums = np.bincount(codes, parts, n_levels) * total
        counts = np.bincount(codes, weights, n_levels)
        means = (sums + _SMOOTHING * mean) / (counts + _SMOOTHING)
    return np.append(means, mean)
