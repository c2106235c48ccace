"""Rounds of several boosters that are averaged, each without one fold of the rows.

Bagged boosters share the binned columns. Booster b never sees the rows of fold b: they get
the scores of its trees, and their loss after every round shows how many rounds are best. All rows
are used, since each is seen by all boosters but one, and the average of the boosters varies less
than a booster does.

The average of boosters is a booster again: its rounds are those of the boosters in turn, with
leaves divided by their number.

References
----------
L. Breiman, "Bagging predictors", *Machine Learning* 24, 1996.

P. Geurts, D. Ernst and L. Wehenkel, "Extremely randomized trees", *Machine Learning* 63, 2006.
"""

from __future__ import annotations

import contextvars
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nonet._base.aliases import Array, Floats
from nonet._native.runtime import get_num_threads, limit_threads
from nonet._native.tree import Tree
from nonet.boosting.gradient.boosted_trees.auto_settings import Settings
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.newton_stage import NewtonStage
from nonet.boosting.gradient.rounds import Watcher
from nonet.boosting.gradient.row_sampling import RowSampling
from nonet.boosting.gradient.rows import as_loss_takes
from nonet.losses import Loss

# Boosters that run side by side wait for each other after so many rounds.
_ROUNDS_PER_TURN = 8


@dataclass(frozen=True)
class FoldRows(RowSampling):
    """Leave out the rows of a fold; of the others, take those of another rule.

    Parameters
    ----------
    is_seen : array of shape (n_rows,)
        1 for rows outside the fold, 0 for those in it.
    sampling : RowSampling or None
        How the other rows are sampled; None takes all.
    """

    is_seen: Floats
    sampling: RowSampling | None

    def draw(
        self, number: int, gradients: Floats, hessians: Floats, weights: Floats | None
    ) -> Floats | None:
        """Return the factors of rows, 0 for those of the fold."""
        if self.sampling is None:
            return self.is_seen
        factors = self.sampling.draw(number, gradients, hessians, weights)
        return self.is_seen if factors is None else factors * self.is_seen


class FoldStage(NewtonStage):
    """Newton's rounds that never see the rows of one fold."""

    def _rises(self, served: list[int], rows: Array, moves: Floats) -> Floats:
        """Ignore rows of the fold, whose losses must not decide about the length of a step."""
        assert isinstance(self.sampling, FoldRows)
        rises = super()._rises(served, rows, moves)
        return np.where(self.sampling.is_seen[rows] > 0, rises, 0.0)


@dataclass
class BagMember:
    """One of the bagged boosters.

    Parameters
    ----------
    stage : NewtonStage
        Grows its rounds.
    held_out : array of int
        The rows it does not see; none if it sees all.
    """

    stage: NewtonStage
    held_out: NDArray[np.int64]
    losses: list[float] = field(default_factory=list)  # of held-out rows, after every round
    rounds: list[list[Tree]] = field(default_factory=list)

    def grow(self, n_rounds: int) -> None:
        """Add rounds, and the losses of held-out rows."""
        for number in range(len(self.rounds), len(self.rounds) + n_rounds):
            self.rounds.append(self.stage.add_round(number))
            self.losses.append(self._held_out_loss())

    def _held_out_loss(self) -> float:
        if not len(self.held_out):
            return 0.0
        rows, loss = self.stage.rows, self.stage.loss
        scores = as_loss_takes(loss, rows.scores[:, self.held_out])
        values = loss.value(rows.target[self.held_out], scores)
        return float(values.sum() if rows.weights is None else values @ rows.weights[self.held_out])


class BaggedStage:
    """Grows the rounds of bagged boosters: round t of every booster in turn, then round t + 1.

    Parameters
    ----------
    members : sequence of BagMember
        The boosters.
    settings : Settings
        The maximum number of rounds of each, and whether to stop before.
    """

    def __init__(self, members: Sequence[BagMember], settings: Settings) -> None:
        self.members, self.settings = members, settings
        rows = members[0].stage.rows
        weights = np.ones(len(rows.target)) if rows.weights is None else rows.weights
        self._held_out_weight = sum(weights[member.held_out].sum() for member in members)

    @property
    def n_rounds(self) -> int:
        """Maximum number of rounds of all boosters together."""
        return len(self.members) * self.settings.n_rounds

    @property
    def loss(self) -> Loss:
        """The loss of the boosters."""
        return self.members[0].stage.loss

    def add_round(self, number: int) -> list[Tree]:
        """Return a round of one booster, as part of their average."""
        position, turn = number % len(self.members), number // len(self.members)
        if turn == len(self.members[0].rounds):
            self._grow_turn(min(_ROUNDS_PER_TURN, self.settings.n_rounds - turn))
        factor = 1 / len(self.members)
        return [
            tree.with_values(factor * tree.arrays()["values"].ravel())
            for tree in self.members[position].rounds[turn]
        ]

    def held_out_loss(self, turn: int) -> float:
        """Return the mean loss of all held-out rows after so many rounds of every booster."""
        total = sum(member.losses[turn - 1] for member in self.members)
        return float(total / self._held_out_weight)

    def _grow_turn(self, n_rounds: int) -> None:
        n_threads = get_num_threads()
        if n_threads == 1 or len(self.members) == 1:
            # One round at a time: no work is lost when boosting stops.
            for member in self.members:
                member.grow(1)
            return
        with ThreadPoolExecutor(min(n_threads, len(self.members))) as pool:
            tasks = [
                pool.submit(contextvars.copy_context().run, _grow_alone, member, n_rounds)
                for member in self.members
            ]
        for task in tasks:
            task.result()


def _grow_alone(member: BagMember, n_rounds: int) -> None:
    with limit_threads(1):
        member.grow(n_rounds)


class HeldOutWatch(Watcher):
    """Follows the loss of held-out rows, and stops when it no longer falls.

    Parameters
    ----------
    stage : BaggedStage or None
        The rounds; None for a single booster, where there is nothing to follow.
    """

    def __init__(self, stage: BaggedStage | None) -> None:
        self._stage = stage
        self.losses: list[float] = []

    def look(self, booster: Booster) -> None:
        """Record the loss once every booster has another round."""
        if self._stage is None:
            return
        turn, rest = divmod(len(booster.rounds), len(self._stage.members))
        if rest == 0:
            self.losses.append(self._stage.held_out_loss(turn))

    def last(self) -> dict[str, float]:
        """Return the last loss, by the name that progress lines print."""
        return {"held-out loss": self.losses[-1]} if self.losses else {}

    def is_enough(self) -> bool:
        """Return whether the loss has not fallen for as many rounds as patience allows."""
        if self._stage is None or not self._stage.settings.stops or not self.losses:
            return False
        return len(self.losses) - self.best_round() >= self._stage.settings.patience

    def best_round(self) -> int:
        """Return the number of rounds of every booster to keep: those up to the lowest loss."""
        if self._stage is None or not self._stage.settings.stops:
            return len(self.losses)
        return int(np.nanargmin(self.losses)) + 1 if np.isfinite(self.losses).any() else 1
