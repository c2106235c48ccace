"""Target encoding: each level of a column, or pair of levels of two, as a mean of the target.

A row must not see its own target in its encoding, or models would trust the encoding too much.
Rows of the fit are therefore encoded by the means of other parts of the fit; all other rows by
those of the whole fit. Means are drawn towards that of all rows where a level has few.

Reference: D. Micci-Barreca (2001), A preprocessing scheme for high-cardinality categorical
attributes in classification and prediction problems, ACM SIGKDD Explorations 3(1), 27-32.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.tables.group_features import smoothed_means
from nonet.tables.level_codes import LevelCodes


@dataclass(frozen=True, eq=False)
class TargetEncoding:
    """Means of targets by level.

    Attributes
    ----------
    levels : LevelCodes
        The levels of one column, or the pairs of levels of two.
    means : ndarray of shape (n_levels + 1, n_features)
        The means by level; the last one, of all rows, is for levels that are not known.
    kept : ndarray of int of shape (n_features,)
        The targets whose means they are.

    Examples
    --------
    >>> X, y = np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([[0.0], [0.0], [1.0], [1.0]])
    >>> TargetEncoding.learn(X, y, [0]).compute(np.array([[1.0], [5.0]])).round(2).tolist()
    [[0.58], [0.5]]
    >>> cross_fitted_encoding(X, y, [0], np.array([0, 1, 0, 1])).round(2).ravel().tolist()
    [0.45, 0.45, 0.55, 0.55]
    """

    levels: LevelCodes
    means: Floats
    kept: Array

    @classmethod
    def learn(
        cls,
        X: Floats,
        targets: Floats,
        columns: Sequence[int] | Array,
        weights: Floats | None = None,
    ) -> TargetEncoding:
        """Return the means of all rows of a fit.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_columns)
        targets : ndarray of shape (n_rows, n_targets)
        columns : sequence of one or two int
        weights : ndarray of shape (n_rows,), optional
        """
        levels = LevelCodes.learn(X, columns)
        means = _means(levels.encode(X), targets, levels.n_levels, weights)
        return cls(levels, means, np.arange(targets.shape[1]))

    @property
    def n_features(self) -> int:
        """The number of features."""
        return len(self.kept)

    def take(self, chosen: Array) -> TargetEncoding:
        """Return some of the features."""
        return TargetEncoding(self.levels, self.means[:, chosen], self.kept[chosen])

    def learn_again(
        self, X: Floats, targets: Floats, weights: Floats | None = None
    ) -> TargetEncoding:
        """Return the same features, learned from other rows."""
        kept = targets[:, self.kept]
        learned = TargetEncoding.learn(X, kept, self.levels.columns, weights)
        return TargetEncoding(learned.levels, learned.means, self.kept)

    def compute(self, X: Floats) -> Floats:
        """Return the means of rows that the fit did not see, (n_rows, n_features)."""
        found: Floats = self.means[self.levels.encode(X)]
        return found


def cross_fitted_encoding(
    X: Floats,
    targets: Floats,
    columns: Sequence[int] | Array,
    parts: Array,
    weights: Floats | None = None,
) -> Floats:
    """Return the encoding of the rows of a fit, each by the means of the other parts.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_columns)
    targets : ndarray of shape (n_rows, n_targets)
    columns : sequence of one or two int
    parts : ndarray of int of shape (n_rows,)
        The part of each row.
    weights : ndarray of shape (n_rows,), optional

    Returns
    -------
    encoded : ndarray of shape (n_rows, n_targets)
    """
    levels = LevelCodes.learn(X, columns)  # of X alone: no target takes part in them
    codes = levels.encode(X)
    encoded = np.empty(targets.shape)
    for part in np.unique(parts):
        own, others = parts == part, parts != part
        other_weights = None if weights is None else weights[others]
        means = _means(codes[others], targets[others], levels.n_levels, other_weights)
        encoded[own] = means[codes[own]]
    return encoded


def _means(codes: Array, targets: Floats, n_levels: int, weights: Floats | None) -> Floats:
    return np.column_stack([smoothed_means(codes, y, n_levels, weights) for y in targets.T])
