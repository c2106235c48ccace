"""Rows of gradient boosting, with targets in the form of the loss, weights and scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.model_selection import GroupShuffleSplit, train_test_split
from sklearn.utils import resample

from nonet._base.aliases import Array, Floats
from nonet._native.tree import Tree
from nonet.boosting.gradient.booster import add_round
from nonet.losses import Loss


def _no_scores() -> Floats:
    return np.empty((0, 0))


@dataclass
class Rows:
    """Rows with targets in the form of the loss, weights, and current scores.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_rows, n_columns)
        The rows.
    target : array of shape (n_rows,) or (n_rows, n_outputs)
        Their targets.
    weights : array of shape (n_rows,) or None
        Their weights.
    scores : array of shape (n_scores, n_rows)
        Their scores, updated in place; empty at first.
    """

    X: Any
    target: Array
    weights: Floats | None
    scores: Floats = field(default_factory=_no_scores)

    def now(self) -> Rows:
        """Return the rows with their current scores."""
        return self

    def follow(self, trees: Sequence[Tree]) -> None:
        """Update the scores with the round just grown."""
        add_round(self.scores, trees, self.X)

    def mean_loss(self, loss: Loss) -> float:
        """Average the loss at the current scores."""
        return loss.mean_loss(self.target, as_loss_takes(loss, self.scores), self.weights)

    def rises(self, served: list[int], rows: Array, moves: Floats, loss: Loss) -> Floats:
        """Return the increase of some rows' weighted losses if the served scores are moved."""
        y, before = self.target[rows], self.scores[:, rows]
        after = before.copy()
        after[served] += moves
        with np.errstate(over="ignore", invalid="ignore"):  # an infinite loss is an increase
            values = [loss.value(y, as_loss_takes(loss, scores)) for scores in (before, after)]
            rises: Floats = values[1] - values[0]
        if self.weights is None:
            return rises
        return np.where(self.weights[rows] > 0, self.weights[rows] * rises, 0.0)

    def sample(self, n_rows: int, seed: int, stratify: bool) -> Array:
        """Sample the positions of some rows; return all of them if they are few."""
        rows = np.arange(len(self.target))
        if len(rows) <= n_rows:
            return rows
        drawn: Array = resample(
            rows,
            n_samples=n_rows,
            replace=False,
            random_state=seed,
            stratify=self.target if stratify else None,
        )
        return drawn

    def take(self, rows: Array) -> Rows:
        """Return the rows at the given positions."""
        weights = None if self.weights is None else self.weights[rows]
        scores = self.scores[:, rows] if self.scores.size else _no_scores()
        return Rows(self.X[rows], self.target[rows], weights, scores)

    def split(
        self, test_size: Any, random_state: Any, *, strata: Array | None, groups: Any = None
    ) -> tuple[Rows, Rows]:
        """Split into rows to fit and rows to stop by: stratified, or by whole groups."""
        if groups is not None:
            grouped = GroupShuffleSplit(1, test_size=test_size, random_state=random_state)
            kept, held_out = next(grouped.split(self.target, groups=groups))
        else:
            kept, held_out = train_test_split(
                np.arange(len(self.target)),
                test_size=test_size,
                random_state=random_state,
                stratify=strata,
            )
        return self.take(kept), self.take(held_out)


@dataclass(frozen=True)
class TrainingRowsView:
    """Some of the training rows, for evaluation; the stage updates their scores.

    Parameters
    ----------
    rows : Rows
        All training rows.
    chosen : array of int or None
        Positions of the rows to evaluate; None is all.
    """

    rows: Rows
    chosen: Array | None

    def now(self) -> Rows:
        """Return the chosen rows with their current scores."""
        return self.rows if self.chosen is None else self.rows.take(self.chosen)

    def follow(self, trees: Sequence[Tree]) -> None:
        """Do nothing: the stage has updated the scores."""


def as_loss_takes(loss: Loss, scores: Floats) -> Floats:
    """Return scores of shape (n_scores, n_rows) in the form of a loss: a vector if n_scores=1."""
    return scores[0] if loss.n_scores == 1 else scores
