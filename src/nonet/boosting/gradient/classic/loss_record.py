"""Losses after every round of classic gradient boosting, in the bag and out of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.early_stopping.metrics import EvalMetric
from nonet.boosting.gradient.rounds import Watcher
from nonet.boosting.gradient.rows import Rows, as_loss_takes
from nonet.boosting.gradient.stage import Stage
from nonet.losses import LogisticLoss, Loss, SquaredLoss

_OUT_OF_BAG = ("oob_improvement_", "oob_scores_", "oob_score_")


def reported_loss(loss: Loss, y: Array, scores: Floats, weights: Floats | None) -> float:
    """Average a loss for reports: full deviances, although boosting minimizes half of them.

    Parameters
    ----------
    loss : Loss
        The loss.
    y : array of shape (n_rows,)
        Targets.
    scores : array of shape (n_scores, n_rows)
        Scores.
    weights : array of shape (n_rows,) or None
        Weights of rows.

    Returns
    -------
    float
    """
    mean = loss.mean_loss(y, as_loss_takes(loss, scores), weights)
    return 2 * mean if isinstance(loss, (LogisticLoss, SquaredLoss)) else mean


def _loss_of_rows(model: Any, loss: Loss, rows: Rows) -> float:
    return reported_loss(loss, rows.target, rows.scores, rows.weights)


REPORTED_LOSS = EvalMetric("loss", _loss_of_rows, -1.0)


def forget_losses(model: Any) -> None:
    """Clear the recorded losses of a model."""
    model.train_score_ = np.empty(0)
    for name in set(_OUT_OF_BAG) & set(vars(model)):
        delattr(model, name)


class LossRecord(Watcher):
    """Stores the losses of rows in the bag and out of it as attributes of a model.

    Parameters
    ----------
    model : estimator
        The booster's estimator.
    stage : Stage
        The stage that grows its rounds.
    """

    def __init__(self, model: Any, stage: Stage) -> None:
        self._model, self._stage = model, stage
        self._start: tuple[Loss, Floats] | None = None

    def begin_round(self) -> None:
        """Store the initial loss, which the first improvement is relative to."""
        model = self._model
        if model.subsample < 1 and "oob_scores_" not in vars(model):
            # Earlier rounds without bags have no such loss.
            model.oob_scores_ = np.zeros(len(model))
            model.oob_improvement_ = np.zeros(len(model))
            self._start = self._stage.loss, self._stage.rows.scores.copy()

    def look(self, booster: Booster) -> None:
        """Add the losses of the round just grown."""
        model, bag = self._model, self._stage.bag
        model.train_score_ = np.append(model.train_score_, self._loss_now(bag.inside))
        if bag.outside is None:
            return
        before, now = self._loss_before(bag.outside), self._loss_now(bag.outside)
        model.oob_scores_ = np.append(model.oob_scores_, now)
        model.oob_improvement_ = np.append(model.oob_improvement_, before - now)
        model.oob_score_ = float(now)

    def _loss_now(self, weights: Floats | None) -> float:
        rows = self._stage.rows
        return reported_loss(self._stage.loss, rows.target, rows.scores, weights)

    def _loss_before(self, outside: Floats) -> float:
        """Return the last loss outside the bag; before the first round, that of the start."""
        if self._start is None:
            return float(self._model.oob_scores_[-1])
        (loss, scores), self._start = self._start, None
        return reported_loss(loss, self._stage.rows.target, scores, outside)
