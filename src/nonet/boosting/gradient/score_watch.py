"""Scores after every round of gradient boosting, and when they say that it is enough."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils import resample

from nonet._base.aliases import Array, Floats
from nonet._native.tree import Tree
from nonet.boosting.gradient.booster import Booster, add_round
from nonet.losses import Loss

_SCORED_TRAINING_ROWS = 10_000


def has_stalled(scores: Sequence[float], n_iter_no_change: int, tol: float) -> bool:
    """Tell whether none of the last scores beats the one before them by more than ``tol``.

    Examples
    --------
    >>> has_stalled([0.1, 0.5, 0.5, 0.5], n_iter_no_change=2, tol=0.0)
    True
    >>> has_stalled([0.1, 0.5, 0.5, 0.6], n_iter_no_change=2, tol=0.0)
    False
    """
    if len(scores) <= n_iter_no_change:
        return False
    reference = scores[-n_iter_no_change - 1] + tol
    return all(score <= reference for score in scores[-n_iter_no_change:])


@dataclass
class Rows:
    """Rows with their targets as the loss takes them, weights, and scores so far."""

    X: Any
    target: Array
    weights: Floats | None
    scores: Floats

    def mean_loss(self, loss: Loss) -> float:
        """Average the loss at the scores so far."""
        scores = self.scores[0] if loss.n_scores == 1 else self.scores
        return loss.mean_loss(self.target, scores, self.weights)

    def sample(self, n_rows: int, seed: int, stratify: bool) -> Array:
        """Draw the positions of some rows, all of them if they are few."""
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
        """Take the rows of the given positions."""
        weights = None if self.weights is None else self.weights[rows]
        return Rows(self.X[rows], self.target[rows], weights, self.scores[:, rows])


def ask_scorer(scorer: Any, estimator: Any, rows: Rows) -> float:
    """Let a scorer judge the scores so far of rows, as if the estimator had answered them."""
    twin = copy.copy(estimator)
    twin._ready_scores = rows.scores
    weights = {} if rows.weights is None else {"sample_weight": rows.weights}
    return float(scorer(twin, rows.X, twin._labels_of(rows.target), **weights))


@dataclass
class ScoreWatch:
    """Scores of training and validation rows after every round, larger is better.

    Parameters
    ----------
    estimator : object
        The booster's estimator, which answers for the scorer.
    scorer : callable or None
        scorer(estimator, X, y); None scores by minus the mean loss.
    training : Rows
        Training rows; a scorer sees 10,000 of them at most.
    validation : Rows or None
        Rows held out.
    seed : int
        Of the draw of training rows.
    """

    estimator: Any
    scorer: Any
    training: Rows
    validation: Rows | None
    seed: int
    train_score: list[float] = field(default_factory=list)
    validation_score: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.scorer is not None:
            stratify = is_classifier(self.estimator)
            self._scored_rows = self.training.sample(_SCORED_TRAINING_ROWS, self.seed, stratify)

    def look(self, booster: Booster) -> None:
        """Add the scores of the booster as it is now."""
        self.train_score.append(self._score_training(booster.loss))
        if self.validation is not None:
            self.validation_score.append(self._score(booster.loss, self.validation))

    def follow(self, trees: list[Tree]) -> None:
        """Bring the scores of held-out rows up to the round just grown."""
        if self.validation is not None:
            add_round(self.validation.scores, trees, self.validation.X)

    def is_enough(self, n_iter_no_change: int, tol: float) -> bool:
        """Tell whether the scores that count have stalled."""
        scores = self.train_score if self.validation is None else self.validation_score
        return has_stalled(scores, n_iter_no_change, tol)

    def _score_training(self, loss: Loss) -> float:
        if self.scorer is None:
            return -self.training.mean_loss(loss)
        return self._score(loss, self.training.take(self._scored_rows))

    def _score(self, loss: Loss, rows: Rows) -> float:
        if self.scorer is None:
            return -rows.mean_loss(loss)
        return ask_scorer(self.scorer, self.estimator, rows)
