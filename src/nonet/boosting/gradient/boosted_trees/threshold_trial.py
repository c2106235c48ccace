"""A short trial of each kind of thresholds, which leaves out those that do not suit the data.

Thresholds sampled between the minimum and the maximum of a node miss the rows of a column with a
very long tail; sampled thresholds of any kind rarely find an interaction of two columns without
main effects. A few rounds with a large learning rate show it: boosters of each kind are fitted
without the same folds, and the losses of the rows held out are compared.
"""

from __future__ import annotations

import contextvars
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from nonet._base.aliases import Floats
from nonet._native.runtime import get_num_threads, limit_threads
from nonet.boosting.gradient.boosted_trees.auto_settings import Settings
from nonet.boosting.gradient.boosted_trees.bagged_stage import BagMember
from nonet.boosting.gradient.boosted_trees.held_out_patience import is_worth_waiting
from nonet.boosting.gradient.boosted_trees.threshold_kinds import COMPARED_KINDS
from nonet.members.deadline import is_past_deadline

_MAX_ROUNDS = 100
_PATIENCE = 10
_MAX_RATE = 0.3
# Rows held out together: with fewer, one row of large loss decides.
_MIN_HELD_OUT = 500
# At most so large a fraction of the rounds of the bagged boosters.
_MAX_COST = 0.25
# Fewer rows cannot show which kind is better, and a trial would take longer than the boosters.
MIN_ROWS = 200

MakeMember = Callable[[str, int, float], BagMember]


def trial_losses(make_member: MakeMember, n_rows: int, settings: Settings) -> dict[str, Floats]:
    """Return the losses of held-out rows of each kind of thresholds.

    Parameters
    ----------
    make_member : callable
        Makes a booster from a kind, the fold to hold out, and a learning rate.
    n_rows : int
        Number of rows of all folds.
    settings : Settings
        Number of boosters, folds and rounds, and the learning rate, of which three times as much
        is taken.

    Returns
    -------
    losses : dict of str to array
        For each kind, the losses of the same rows, as fractions of the summed loss of the starting
        constant, after the round that is best for their fold.
    """
    rate = min(_MAX_RATE, 3 * settings.learning_rate)
    n_rounds = min(_MAX_ROUNDS, settings.n_rounds)
    n_folds = _number_of_folds(n_rows, n_rounds, settings)

    def try_kind(kind: str, fold: int) -> Floats:
        return _lowest_losses(make_member(kind, fold, rate), n_rounds)

    pairs = [(kind, fold) for kind in COMPARED_KINDS for fold in range(n_folds)]
    losses = _run_side_by_side(try_kind, pairs)
    return {
        kind: np.concatenate([losses[kind, fold] for fold in range(n_folds)])
        for kind in COMPARED_KINDS
    }


def _number_of_folds(n_rows: int, n_rounds: int, settings: Settings) -> int:
    wanted = math.ceil(_MIN_HELD_OUT * settings.n_folds / n_rows)
    affordable = _MAX_COST * settings.n_bags * settings.n_rounds / (len(COMPARED_KINDS) * n_rounds)
    return max(1, min(wanted, settings.n_bags, int(affordable)))


def _run_side_by_side(
    task: Callable[[str, int], Floats], pairs: list[tuple[str, int]]
) -> dict[tuple[str, int], Floats]:
    """Run a task for each pair, each on one thread, so that results depend on the pair alone."""

    def run_alone(pair: tuple[str, int]) -> Floats:
        with limit_threads(1):
            return task(*pair)

    with ThreadPoolExecutor(min(get_num_threads(), len(pairs))) as pool:
        runs = {
            pair: pool.submit(contextvars.copy_context().run, run_alone, pair) for pair in pairs
        }
        return {pair: run.result() for pair, run in runs.items()}


def _lowest_losses(member: BagMember, n_rounds: int) -> Floats:
    """Grow rounds until the loss of held-out rows no longer falls; return the losses at the lowest.

    Each output counts by its fraction of the loss of the start.
    """
    start = member.held_out_loss()
    scale = np.where(start > 0, start, 1.0)[:, np.newaxis]
    losses: list[float] = []
    lowest = member.held_out_row_losses()
    for _ in range(n_rounds):
        member.grow(1)
        losses.append(float((member.losses[-1] / scale[:, 0]).sum()))
        if losses[-1] == min(losses):
            lowest = member.held_out_row_losses()
        if is_past_deadline() or not is_worth_waiting(losses, _PATIENCE):
            break
    summed: Floats = (lowest / scale).sum(axis=0)
    return summed
