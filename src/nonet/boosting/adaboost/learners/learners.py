"""How a round gets its member: any learner with weights, or on rows drawn by weight."""

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
from nonet.members.outputs import ask_member
from nonet.members.plan import MemberPlan


class Learner(Protocol):
    """Makes the member of a round and says what it answers."""

    def fit(self, place: int, weights: Floats, target: Floats | None = None) -> Member:
        """Fit the member of that round on the weighted rows, perhaps on a target of its own."""

    def answer(self, member: Member, table: Any) -> Array:
        """Return the answers of the member on a table."""

    def answer_training(self, member: Member) -> Array:
        """Return the answers of the member just fitted on the training rows."""


def draw_rows(seed: int, place: int, weights: Floats) -> Array:
    """Draw as many rows as there are, each with its weight as its chance; return their counts.

    Parameters
    ----------
    seed : int
        The root of all random streams.
    place : int
        The number of the draw.
    weights : ndarray of shape (n_rows,)
        Of sum 1.

    Returns
    -------
    counts : ndarray of int of shape (n_rows,)
    """
    n_rows = len(weights)
    random = stream(seed, place, StreamUse.BOOSTED_ROWS)
    drawn = random.choice(n_rows, n_rows, p=weights / weights.sum())
    return np.bincount(drawn, minlength=n_rows)


def twin_of(model: Any) -> Any:
    """Return a shallow copy of a model.

    ``copy.copy`` goes through scikit-learn's way of pickling, which takes as long as a tenth of a
    round on small data.
    """
    twin = object.__new__(type(model))
    vars(twin).update(vars(model))
    return twin


@dataclass(frozen=True)
class LearnerTask:
    """What a learner is to do.

    Attributes
    ----------
    prototype : estimator
        What the members are clones of.
    rows : TrainingRows
        What they are fitted on.
    kind : {'labels', 'probabilities', 'scores', 'values'}
        What they are asked for.
    seed : int
        The root of all random streams.
    resample : bool
        Whether rows are drawn by weight.
    max_bins : int
        Into how many bins columns are put, for learners that bin them.
    """

    prototype: Any
    rows: TrainingRows
    kind: Kind
    seed: int
    resample: bool
    max_bins: int


class AnyLearner:
    """Clones of the user's learner, fitted on weights or on rows drawn by them."""

    def __init__(self, task: LearnerTask) -> None:
        if not task.resample and not has_fit_parameter(task.prototype, "sample_weight"):
            raise ValueError(
                f"{type(task.prototype).__name__} doesn't support sample_weight; resample=True "
                "draws rows by their weight instead."
            )
        self._task, self._rows = task, task.rows
        self._n_draws = 0

    def draw(self, weights: Floats) -> Array | None:
        """Draw rows, each time others; None if rows are weighted instead."""
        if not self._task.resample:
            return None
        self._n_draws += 1
        by_row = weights if weights.ndim == 1 else weights.sum(axis=1)
        return draw_rows(self._task.seed, self._n_draws, by_row)

    def fit(self, place: int, weights: Floats, target: Floats | None = None) -> Member:
        """Fit a clone on the weighted rows."""
        drawn = self.draw(weights)
        plan = MemberPlan(
            f"{type(self._task.prototype).__name__}[{place}]",
            self._task.prototype,
            counts=drawn,
            sample_weight=weights if drawn is None else None,
            y=target,
            seed=member_seed(self._task.seed, place),
        )
        return fit_member(plan, self._rows.table, self._rows.target, place, place + 1)

    def answer(self, member: Member, table: Any) -> Array:
        """Ask the member about a table."""
        if not count_rows(table):
            return np.empty(0)
        classes = [self._rows.classes] if self._rows.n_classes else None
        return ask_member(member, table, self._task.kind, classes)[0]

    def answer_training(self, member: Member) -> Array:
        """Ask the member about the training rows."""
        return self.answer(member, self._rows.table)
