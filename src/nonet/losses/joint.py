"""Sums of losses with one score each: several outputs, or several quantiles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.losses.loss import Loss
from nonet.losses.robust import QuantileLoss


class JointLoss(Loss):
    """The sum of several losses, each with its own score.

    Parameters
    ----------
    losses : sequence of Loss
        One loss per score. The target has one column per loss, or one column for all.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.losses import JointLoss, SquaredLoss
    >>> JointLoss([SquaredLoss(), SquaredLoss()]).start(np.array([[1.0, 5.0], [3.0, 7.0]]))
    array([2., 6.])
    """

    def __init__(self, losses: Sequence[Loss]) -> None:
        self.losses = list(losses)
        if len(self.losses) < 2:
            raise ValueError(
                f"{type(self).__name__} joins at least two losses, got {len(self.losses)}; use "
                "that loss itself."
            )
        self.n_scores = len(self.losses)
        self.has_constant_hessian = all(loss.has_constant_hessian for loss in self.losses)
        self.has_exact_leaves = all(loss.has_exact_leaves for loss in self.losses)
        self.is_self_concordant = all(loss.is_self_concordant for loss in self.losses)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.losses!r})"

    def part(self, k: int, y: Array) -> tuple[Loss, Array]:
        return self.losses[k], y if y.ndim == 1 else np.ascontiguousarray(y[:, k])

    def value(self, y: Array, score: Floats) -> Floats:
        parts = [self.part(k, y) for k in range(self.n_scores)]
        values = [loss.value(of_k, score[k]) for k, (loss, of_k) in enumerate(parts)]
        return np.asarray(np.sum(values, axis=0))

    def gradient_hessian(self, y: Array, score: Floats) -> tuple[Floats, Floats]:
        gradients, hessians = np.empty_like(score), np.ones_like(score)
        self.fill(y, score, gradients, hessians)
        return gradients, hessians

    def fill(self, y: Array, score: Floats, gradients: Floats, hessians: Floats | None) -> None:
        for k in range(self.n_scores):
            loss, of_k = self.part(k, y)
            loss.fill(of_k, score[k], gradients[k], None if hessians is None else hessians[k])

    def mean_loss(self, y: Array, score: Floats, sample_weight: Floats | None = None) -> float:
        parts = [self.part(k, y) for k in range(self.n_scores)]
        return sum(
            loss.mean_loss(of_k, score[k], sample_weight) for k, (loss, of_k) in enumerate(parts)
        )

    def inverse_link(self, score: Floats) -> Floats:
        return np.stack([loss.inverse_link(score[k]) for k, loss in enumerate(self.losses)])

    def start(self, y: Array, sample_weight: Floats | None = None) -> Floats:
        parts = [self.part(k, y) for k in range(self.n_scores)]
        return np.array([loss.start(of_k, sample_weight) for loss, of_k in parts])

    def check_targets(self, y: Array) -> None:
        for k in range(self.n_scores):
            loss, of_k = self.part(k, y)
            loss.check_targets(of_k)


class QuantilesLoss(JointLoss):
    """Quantile losses of several levels, with sorted predictions per row.

    Sorting predictions that cross never increases the sum of the losses, and the predictions of a
    row then rise with the level.

    Parameters
    ----------
    levels : sequence of float
        Levels of the quantiles, between 0 and 1, in ascending order.

    References
    ----------
    V. Chernozhukov, I. Fernández-Val and A. Galichon, "Quantile and probability curves without
    crossing", *Econometrica* 78, 2010.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.losses import QuantilesLoss
    >>> QuantilesLoss([0.1, 0.9]).inverse_link(np.array([[3.0], [2.0]]))
    array([[2.],
           [3.]])
    """

    def __init__(self, levels: Sequence[float]) -> None:
        self.levels = [float(level) for level in levels]
        if not self.levels or any(np.diff(self.levels) <= 0):
            raise ValueError(
                f"levels of several quantiles must be in ascending order, got {self.levels}."
            )
        super().__init__([QuantileLoss(level) for level in self.levels])

    def __repr__(self) -> str:
        return f"QuantilesLoss(levels={self.levels!r})"

    def inverse_link(self, score: Floats) -> Floats:
        return np.sort(score, axis=0)
