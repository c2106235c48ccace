"""A sum of trees: members are trees, F is a starting score plus their sum, C the inverse link."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.sparse import issparse

from nonet._base.aliases import Floats
from nonet._native.tree import Tree, TreeSum, predict_values
from nonet.boosting.gradient.row_leaves import find_row_leaves
from nonet.losses import Loss
from nonet.trees.binned_table import BinnedTable
from nonet.trees.columns import predict_in_blocks

_ALL = slice(None)


@dataclass
class Booster:
    """A fitted gradient boosting model: a starting score and rounds of trees.

    Parameters
    ----------
    loss : Loss
        The loss that was minimized.
    start : array of shape (n_scores,)
        Scores before the first round.
    rounds : list of lists of Tree
        The trees of each round; the learning rate is in their leaves. There is one tree per score,
        or a single tree whose leaves hold all scores.

    Examples
    --------
    >>> from nonet.losses import SquaredLoss
    >>> Booster(SquaredLoss(), np.array([2.0])).scores(np.zeros((3, 1)))
    array([[2., 2., 2.]])
    """

    loss: Loss
    start: Floats
    rounds: list[list[Tree]] = field(default_factory=list)
    # The rounds of the last prediction, and their trees packed for fast prediction.
    _packed: tuple[list[list[Tree]], list[TreeSum]] | None = field(
        default=None, repr=False, compare=False
    )

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_packed": None}

    def copy(self, n_rounds: int | None = None) -> Booster:
        """Return a booster with copies of the first rounds (by default all), to be extended."""
        return Booster(self.loss, self.start, self.rounds[:n_rounds])

    def scores(self, X: Any, rounds: slice = _ALL) -> Floats:
        """Sum the trees over rows.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_rows, n_columns)
            Rows.
        rounds : slice, optional
            Which rounds to sum; all if not given.

        Returns
        -------
        array of shape (n_scores, n_rows)
        """
        if issparse(X) and self.rounds[rounds]:
            parts = predict_in_blocks(lambda rows: self.scores(rows, rounds), X)
            return np.concatenate(parts, axis=1)
        scores = self._starts(X.shape[0])
        if isinstance(X, BinnedTable) and self.rounds[rounds]:
            scores += _sum_of_bins(self.rounds[rounds], X)
            return scores
        position = 0
        for trees in self._tree_sums(rounds):
            predictions = trees.values(X).T
            scores[position : position + len(predictions)] += predictions
            position += len(predictions)
        return scores

    def staged_scores(self, X: Floats) -> Iterator[Floats]:
        """Yield the scores after each round.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_rows, n_columns)
            Rows.

        Yields
        ------
        array of shape (n_scores, n_rows)
        """
        scores = self._starts(X.shape[0])
        for trees in self.rounds:
            add_round(scores, trees, X)
            yield scores.copy()

    def _starts(self, n_rows: int) -> Floats:
        return np.repeat(self.start[:, np.newaxis], n_rows, axis=1)

    def _tree_sums(self, rounds: slice) -> list[TreeSum]:
        chosen = self.rounds[rounds]
        # Lists compare by identity first, so that equal rounds cost no call per tree.
        if self._packed is None or self._packed[0] != chosen:
            self._packed = chosen, [TreeSum(trees) for trees in zip(*chosen, strict=True)]
        return self._packed[1]


def round_scores(trees: Sequence[Tree], X: Any) -> Floats:
    """Predict rows with the trees of one round: one tree per score, or one for all.

    Parameters
    ----------
    trees : sequence of Tree
        The trees.
    X : array or sparse matrix of shape (n_rows, n_columns)
        Rows.

    Returns
    -------
    array of shape (n_scores, n_rows)
    """
    if isinstance(X, BinnedTable):
        return _sum_of_bins([list(trees)], X)

    def predict(rows: Floats) -> Floats:
        return np.concatenate([predict_values([tree], rows).T for tree in trees])

    return np.concatenate(predict_in_blocks(predict, X), axis=1)


def _sum_of_bins(rounds: Sequence[Sequence[Tree]], X: BinnedTable) -> Floats:
    """Sum trees over rows of which only the bins are known."""
    parts = (np.concatenate([_values_of_bins(tree, X) for tree in trees]) for trees in rounds)
    sums: Floats = next(parts)
    for values in parts:
        sums += values
    return sums


def _values_of_bins(tree: Tree, X: BinnedTable) -> Floats:
    leaves = np.full(len(X), -1, dtype=np.int32)
    find_row_leaves(tree, X.dataset, X, leaves)
    values: Floats = tree.arrays()["values"].reshape(tree.n_nodes, -1)[leaves].T
    return values


def add_round(scores: Floats, trees: Sequence[Tree], X: Any) -> None:
    """Add the predictions of one round's trees to scores of shape (n_scores, n_rows)."""
    scores += round_scores(trees, X)


def by_row(scores: Floats) -> Floats:
    """Turn scores of shape (n_scores, n_rows) into a vector, or into rows of several scores.

    Examples
    --------
    >>> by_row(np.array([[0.5, 2.0]])), by_row(np.zeros((3, 2))).shape
    (array([0.5, 2. ]), (2, 3))
    """
    return scores[0] if len(scores) == 1 else scores.T
