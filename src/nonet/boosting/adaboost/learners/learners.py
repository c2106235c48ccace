"""Fit the member of a round: any learner, on weighted rows or on rows sampled by weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from sklearn.utils.validation import has_fit_parameter

from nonet._base.aliases import Array, Floats, Kind
from nonet._base.frames import count_rows
from nonet._base.streams import StreamUse, member_seed, stream
from nonet.boosting.adaboost.methods.method import TrainingRows
from nonet.members.fit import fit_member
from nonet.members.member import Member
from nonet.members.outputs import predict_member
from nonet.members.plan import MemberPlan


class RoundLearner(Protocol):
    """Fits the member of a round and returns its predictions."""

    def fit(self, position: int, weights: Floats, target: Floats | None = None) -> Member:
        """Fit the member of that round on the weighted rows, on ``target`` if it is given."""

    def predict(self, member: Member, table: Any) -> Array:
        """Return the predictions of the member on a table."""

    def predict_training(self, member: Member) -> Array:
        """Return the predictions, on the training rows, of the member fitted last."""


def sample_by_weight(seed: int, position: int, weights: Floats) -> Array:
    """Sample as many rows as there are, with their weights as probabilities; return the counts.

    Parameters
    ----------
    seed : int
        The root of all random streams.
    position : int
        The index of the sample.
    weights : ndarray of shape (n_rows,)
        Probabilities of the rows, of sum 1.

    Returns
    -------
    counts : ndarray of int of shape (n_rows,)
    """
    n_rows = len(weights)
    random = stream(seed, position, StreamUse.BOOSTED_ROWS)
    drawn = random.choice(n_rows, n_rows, p=weights / weights.sum())
    return np.bincount(drawn, minlength=n_rows)


def shallow_copy(model: Any) -> Any:
    """Return a shallow copy of a model.

    ``copy.copy`` uses scikit-learn's pickling, which takes up to a tenth of the time of a round
    on small data.
    """
    twin = object.__new__(type(model))
    vars(twin).update(vars(model))
    return twin


@dataclass(frozen=True)
class LearnerTask:
    """The settings of a learner.

    Attributes
    ----------
    prototype : estimator
        The estimator that the members are clones of.
    rows : TrainingRows
        The rows that they are fitted on.
    kind : {'labels', 'probabilities', 'scores', 'values'}
        The kind of output that they return.
    seed : int
        The root of all random streams.
    resample : bool
        Whether rows are sampled by weight.
    max_bins : int
        Maximum number of bins per column, for learners that bin columns.
    """

    prototype: Any
    rows: TrainingRows
    kind: Kind
    seed: int
    resample: bool
    max_bins: int


class AnyLearner:
    """Clones of the user's learner, fitted on weighted rows or on rows sampled by weight."""

    def __init__(self, task: LearnerTask) -> None:
        if not task.resample and not has_fit_parameter(task.prototype, "sample_weight"):
            raise ValueError(
                f"{type(task.prototype).__name__} doesn't support sample_weight; resample=True "
                "samples rows by their weight instead."
            )
        self._task, self._rows = task, task.rows
        self._n_draws = 0

    def draw(self, weights: Floats) -> Array | None:
        """Sample rows, anew in each call; return None if rows are weighted instead."""
        if not self._task.resample:
            return None
        self._n_draws += 1
        by_row = weights if weights.ndim == 1 else weights.sum(axis=1)
        return sample_by_weight(self._task.seed, self._n_draws, by_row)

    def fit(self, position: int, weights: Floats, target: Floats | None = None) -> Member:
        """Fit a clone on the weighted rows."""
        drawn = self.draw(weights)
        plan = MemberPlan(
            f"{type(self._task.prototype).__name__}[{position}]",
            self._task.prototype,
            counts=drawn,
            sample_weight=weights if drawn is None else None,
            y=target,
            seed=member_seed(self._task.seed, position),
        )
        return fit_member(plan, self._rows.table, self._rows.target, position, position + 1)

    def predict(self, member: Member, table: Any) -> Array:
        """Return the member's predictions for a table."""
        if not count_rows(table):
            return np.empty(0)
        classes = [self._rows.classes] if self._rows.n_classes else None
        return predict_member(member, table, self._task.kind, classes)[0]

    def predict_training(self, member: Member) -> Array:
        """Return the member's predictions for the training rows."""
        return self.predict(member, self._rows.table)
