"""Rounds of several boosters that are averaged, each without one fold of the rows.

Bagged boosters share the binned columns and the constant they start from. The trees of booster b
never see the targets of fold b: its rows get the scores of these trees, and their loss after every
round shows how many rounds are best. All rows are used, since each is seen by all boosters but one,
and the average of the boosters varies less than a booster does.

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
from nonet.boosting.gradient.boosted_trees.held_out_patience import is_worth_waiting
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.newton_stage import NewtonStage
from nonet.boosting.gradient.rounds import Watcher
from nonet.boosting.gradient.row_sampling import RowSampling
from nonet.boosting.gradient.rows import as_loss_takes
from nonet.losses import Loss
from nonet.losses.joint import JointLoss

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
        if factors is None:
            return self.is_seen
        seen = factors * self.is_seen
        has_weight = seen > 0 if weights is None else seen * weights > 0
        return seen if has_weight.any() else self.is_seen  # a tree needs a row


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
    losses: list[Floats] = field(default_factory=list)  # of held-out rows, after every round
    rounds: list[list[Tree]] = field(default_factory=list)

    def grow(self, n_rounds: int) -> None:
        """Add rounds, and the losses of held-out rows."""
        for number in range(len(self.rounds), len(self.rounds) + n_rounds):
            self.rounds.append(self.stage.add_round(number))
            self.losses.append(self.held_out_loss())

    def held_out_loss(self) -> Floats:
        """Return the summed loss of held-out rows; of each output, where outputs have their own."""
        total: Floats = self.held_out_row_losses().sum(axis=1)
        return total

    def held_out_row_losses(self) -> Floats:
        """Return the weighted losses of held-out rows, by output where outputs have their own."""
        rows, loss = self.stage.rows, self.stage.loss
        target, scores = rows.target[self.held_out], rows.scores[:, self.held_out]
        if isinstance(loss, JointLoss):
            parts = [loss.part(k, target) for k in range(loss.n_scores)]
            values = np.array([part.value(y, scores[k]) for k, (part, y) in enumerate(parts)])
        else:
            values = loss.value(target, as_loss_takes(loss, scores))[np.newaxis]
        return values if rows.weights is None else values * rows.weights[self.held_out]


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
        """Return the mean loss of all held-out rows after so many rounds of every booster.

        Of several outputs each counts by its fraction of its loss after the first round: otherwise
        the one of largest scale would choose the rounds of all.
        """
        if not self._held_out_weight:
            return np.nan
        totals = self._totals(turn)
        if len(totals) == 1:
            return float(totals[0] / self._held_out_weight)
        first = self._totals(1)
        return float(np.mean(totals[first > 0] / first[first > 0])) if (first > 0).any() else 0.0

    def has_no_split(self, turn: int) -> bool:
        """Return whether no tree of a round has a split, so that more rounds would be in vain."""
        grown = (tree for member in self.members for tree in member.rounds[turn - 1])
        return all(tree.n_leaves == 1 for tree in grown)

    def _totals(self, turn: int) -> Floats:
        totals: Floats = np.sum([member.losses[turn - 1] for member in self.members], axis=0)
        return totals

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
        if self._stage.has_no_split(len(self.losses)):
            return True
        return not is_worth_waiting(self.losses, self._stage.settings.patience)

    def best_round(self) -> int:
        """Return the number of rounds of every booster to keep: those up to the lowest loss."""
        if self._stage is None or not self._stage.settings.stops:
            return len(self.losses)
        return int(np.nanargmin(self.losses)) + 1 if np.isfinite(self.losses).any() else 1
