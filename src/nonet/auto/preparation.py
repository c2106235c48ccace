"""Prepared columns: features that boosters would need many splits for, chosen by short boosters.

1. A short booster finds the numbers and the groups (columns of few values) that matter.
2. Candidates are made of them: arithmetic on pairs of numbers, without those that order the rows as
   one of the pair does; differences of numbers from their means by group; and means of the target
   by pair of groups.
3. Two short boosters, each on half of the rows, read the candidates besides the columns of the
   table. Those that reduce the losses of both most are kept: what one of many candidates does for
   one half alone is luck.

All of it is learned from the rows of one fit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.boosting import BoostedTreesClassifier, BoostedTreesRegressor
from nonet.tables.arithmetic_features import ArithmeticFeatures, reorders_rows
from nonet.tables.group_features import GroupFeatures
from nonet.tables.target_encoding import TargetEncoding, cross_fitted_encoding

PREPARATIONS: dict[str, tuple[str, ...]] = {
    "numbers": ("arithmetic", "groups"),
    "all": ("arithmetic", "groups", "encodings"),
}
"""What configurations name as their preparation: the kinds of features among which are chosen."""

_MAX_ROWS = 10_000  # from which features are chosen
_MAX_NUMBERS = 12  # whose pairs are tried
_MAX_GROUPS = 6
_MAX_NUMBERS_PER_GROUP = 8
_MAX_LEVELS = 40  # of a column of numbers that is a group
_MAX_TARGETS = 4
_N_PARTS = 5  # of a fit, for means of the target
_ROUNDS = 60  # trees, of all classes together
_MIN_ROUNDS = 10


@dataclass(frozen=True, eq=False)
class FitRows:
    """The rows of one fit.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_all)
    columns : ndarray of int of shape (n_columns,)
        The columns of X that may be used.
    y : ndarray of shape (n_rows,)
        Class codes, or values.
    categorical : ndarray of bool of shape (n_columns,)
        Which of the columns hold codes.
    n_classes : int
        0 in regression.
    weights : ndarray of shape (n_rows,) or None
    seed : int
    """

    X: Floats
    columns: Array
    y: Array
    categorical: Array
    n_classes: int
    weights: Floats | None
    seed: int

    def take(self, rows: Array) -> FitRows:
        """Return some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, X=self.X[rows], y=self.y[rows], weights=weights)

    def sample(self, n_rows: int) -> FitRows:
        """Return a random sample of the rows, or all if they are not more."""
        if len(self.y) <= n_rows:
            return self
        chosen = np.random.default_rng(self.seed).permutation(len(self.y))[:n_rows]
        return self.take(np.sort(chosen))

    def targets(self) -> Floats:
        """Return what is averaged in target encodings: values, or members of common classes."""
        if self.n_classes == 0:
            return self.y.astype(np.float64)[:, np.newaxis]
        counts = np.bincount(self.y, minlength=self.n_classes)
        common = np.sort(np.argsort(-counts, kind="stable")[:_MAX_TARGETS])
        classes = np.array([1]) if self.n_classes == 2 else common
        members: Floats = (self.y[:, np.newaxis] == classes).astype(np.float64)
        return members


Features = ArithmeticFeatures | GroupFeatures | TargetEncoding


@dataclass(frozen=True, eq=False)
class PreparedColumns:
    """Features that are made of the columns of a table.

    Attributes
    ----------
    arithmetic : ArithmeticFeatures
    groups : list of GroupFeatures
    encodings : list of TargetEncoding
    """

    arithmetic: ArithmeticFeatures
    groups: list[GroupFeatures]
    encodings: list[TargetEncoding]

    @property
    def n_features(self) -> int:
        """The number of features."""
        return sum(part.n_features for part in self._parts())

    def _parts(self) -> list[Features]:
        return [self.arithmetic, *self.groups, *self.encodings]

    def compute(self, X: Floats) -> Floats:
        """Return the features of rows that the fit did not see, (n_rows, n_features)."""
        return np.hstack([part.compute(X) for part in self._parts()])

    def compute_fitted(self, rows: FitRows) -> Floats:
        """Return the features of the rows of the fit: no target takes part in its own row's."""
        parts = np.random.default_rng(rows.seed).permutation(len(rows.y)) % _N_PARTS
        encoded = [
            cross_fitted_encoding(
                rows.X, rows.targets(), encoding.levels.columns, parts, rows.weights
            )[:, encoding.kept]
            for encoding in self.encodings
        ]
        others = [self.arithmetic.compute(rows.X), *(part.compute(rows.X) for part in self.groups)]
        return np.hstack([*others, *encoded])

    def take(self, is_chosen: Array) -> PreparedColumns:
        """Return some of the features."""
        ends = np.cumsum([part.n_features for part in self._parts()])[:-1]
        arithmetic, *others = (np.flatnonzero(part) for part in np.split(is_chosen, ends))
        groups, encodings = others[: len(self.groups)], others[len(self.groups) :]
        return PreparedColumns(
            self.arithmetic.take(arithmetic),
            _take_used(self.groups, groups),
            _take_used(self.encodings, encodings),
        )

    def learn_again(self, rows: FitRows) -> PreparedColumns:
        """Return the same features, learned from other rows."""
        groups = [part.learn_again(rows.X, rows.weights) for part in self.groups]
        targets = rows.targets()
        encodings = [part.learn_again(rows.X, targets, rows.weights) for part in self.encodings]
        return PreparedColumns(self.arithmetic, groups, encodings)


def _take_used(parts: Sequence[Any], chosen: Iterable[Array]) -> list[Any]:
    return [part.take(at) for part, at in zip(parts, chosen, strict=True) if len(at)]


# ---- What is chosen ------------------------------------------------------------------------------


def prepare(rows: FitRows, kinds: Collection[str], max_features: int) -> PreparedColumns:
    """Choose the features of a fit, and learn them.

    Parameters
    ----------
    rows : FitRows
    kinds : collection of str
        'arithmetic', 'groups' and 'encodings', or some of them.
    max_features : int

    Returns
    -------
    columns : PreparedColumns

    Examples
    --------
    >>> X = np.random.default_rng(0).uniform(1, 9, size=(400, 3))
    >>> rows = FitRows(X, np.arange(3), X[:, 0] / X[:, 2], np.zeros(3, bool), 0, None, seed=0)
    >>> prepare(rows, ["arithmetic"], 1).arithmetic.names("abc")
    ['c / a']
    """
    sample = rows.sample(_MAX_ROWS)
    candidates = _candidates(sample, kinds if max_features else ())
    if not candidates.n_features:
        return candidates
    gains = _lower_gains(sample, candidates.compute_fitted(sample))
    order = np.argsort(-gains, kind="stable")[:max_features]
    is_chosen = np.zeros(len(gains), dtype=bool)
    is_chosen[order[gains[order] > 0]] = True
    chosen = candidates.take(is_chosen)
    return chosen if sample is rows else chosen.learn_again(rows)


def _candidates(rows: FitRows, kinds: Collection[str]) -> PreparedColumns:
    """Return features of the columns that matter most."""
    if not kinds:
        return PreparedColumns(_arithmetic(rows.X, []), [], [])
    gains = _gains(rows, np.empty((len(rows.y), 0)))
    order = [j for j in np.argsort(-gains, kind="stable") if gains[j] > 0]
    n_levels = [_count_levels(rows.X[:, j]) for j in rows.columns]
    numbers = [j for j in order if not rows.categorical[j] and n_levels[j] > 2]
    groups = [
        j for j in order if n_levels[j] > 1 and (rows.categorical[j] or n_levels[j] <= _MAX_LEVELS)
    ]
    numbers, groups = rows.columns[numbers].tolist(), rows.columns[groups].tolist()
    pairs = combinations(groups[:_MAX_GROUPS], 2) if "encodings" in kinds else ()
    return PreparedColumns(
        _arithmetic(rows.X, numbers[:_MAX_NUMBERS] if "arithmetic" in kinds else []),
        _groups(rows, groups, numbers) if "groups" in kinds else [],
        [TargetEncoding.learn(rows.X, rows.targets(), pair, rows.weights) for pair in pairs],
    )


def _count_levels(column: Floats) -> int:
    """Return the number of distinct values, missing ones left out."""
    return len(np.unique(column[~np.isnan(column)]))


def _arithmetic(X: Floats, numbers: Sequence[int]) -> ArithmeticFeatures:
    features = ArithmeticFeatures.of_pairs(numbers)
    return features.take(np.flatnonzero(reorders_rows(features, X)))


def _groups(rows: FitRows, groups: Sequence[int], numbers: Sequence[int]) -> list[GroupFeatures]:
    found = []
    for group in groups[:_MAX_GROUPS]:
        others = [j for j in numbers[:_MAX_NUMBERS_PER_GROUP] if j != group]
        if others:
            found.append(GroupFeatures.learn(rows.X, group, others, rows.weights))
    return found


def _lower_gains(rows: FitRows, features: Floats) -> Floats:
    """Return for each feature the lower of its gains on two halves of the rows."""
    order = np.lexsort((np.random.default_rng(rows.seed).random(len(rows.y)), rows.y))
    halves = [np.sort(order[start::2]) for start in range(2)]
    if rows.n_classes and min(len(np.unique(rows.y[half])) for half in halves) < 2:
        halves = [order]
    gains = [_gains(rows.take(half), features[half]) for half in halves]
    lower: Floats = np.min(gains, axis=0)[len(rows.columns) :]
    return lower


def _gains(rows: FitRows, features: Floats) -> Floats:
    """Return how much each column, then each feature, reduces the loss of a short booster."""
    n_scores = rows.n_classes if rows.n_classes > 2 else 1
    kind = BoostedTreesClassifier if rows.n_classes else BoostedTreesRegressor
    booster = kind(
        n_estimators=max(_MIN_ROUNDS, _ROUNDS // n_scores),
        learning_rate=0.1,
        num_leaves=15,
        min_child_samples=10,
        colsample_bynode=0.3,
        reg_lambda=2.0,
        extra_trees=False,
        categorical_features=np.flatnonzero(rows.categorical).tolist() or None,
        random_state=rows.seed,
    )
    booster.fit(np.hstack([rows.X[:, rows.columns], features]), rows.y, rows.weights)
    gains: Floats = booster.feature_importances_
    return gains
