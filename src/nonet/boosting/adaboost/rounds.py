"""The reweighting loop: fit a member on weighted rows, judge it, reweigh the rows, again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nonet._base.aliases import Array
from nonet.boosting.adaboost.learners.learners import Learner
from nonet.boosting.adaboost.methods.method import BoostingMethod, TrainingRows, normalise
from nonet.boosting.adaboost.regression_log import RegressionBook
from nonet.boosting.adaboost.round_log import LogBook
from nonet.boosting.adaboost.stopping import StopRule
from nonet.members.member import Member

ALL_ROUNDS = "all rounds are done"


@dataclass(frozen=True)
class Rounds:
    """What the loop leaves behind.

    Attributes
    ----------
    members : list of Member
    weights : list of float
        The members' weights in the vote.
    errors : list of float
        Their weighted errors.
    stopped : str
        Why there are no more rounds.
    """

    members: list[Member]
    weights: list[float]
    errors: list[float]
    stopped: str


def run_rounds(
    method: BoostingMethod,
    learner: Learner,
    rows: TrainingRows,
    n_rounds: int,
    book: LogBook | RegressionBook | None = None,
    stop_rules: Sequence[StopRule] = (),
    n_redraws: int = 0,
) -> Rounds:
    """Boost until all rounds are done, the method has learned what it can, or a rule says stop.

    Where rows are drawn, a member that is turned down may be an unlucky draw: so many more are
    tried before boosting ends.
    """
    members: list[Member] = []
    vote_weights: list[float] = []
    errors: list[float] = []
    n_turned_down = 0
    absent = rows.weights == 0
    absent = absent if absent.any() else None
    weights, stopped = normalise(method.first_weights(rows), absent), ""
    while not stopped and len(members) < n_rounds:
        member = learner.fit(len(members), weights, method.target(rows))
        answers = learner.answer_training(member)
        verdict = method.judge(answers, weights, rows)
        if not verdict.is_kept and n_redraws > n_turned_down:
            n_turned_down += 1
            continue
        n_turned_down, stopped = 0, verdict.stop
        if not verdict.is_kept:
            break
        if verdict.is_perfect and method.perfect_member_weighs_most:
            verdict = verdict.at_least(max(map(abs, vote_weights), default=0.0))
        members.append(member)
        vote_weights.append(verdict.weight)
        errors.append(verdict.error)
        if isinstance(book, RegressionBook):
            book.write(verdict, weights, answers)
        elif book is not None:
            book.write(verdict, weights, answers, _held_answers(book, learner, member))
            stopped = stopped or next(filter(None, (r.reason(book) for r in stop_rules)), "")
        if not stopped:
            weights = normalise(method.reweigh(weights, verdict), absent)
    final_weights = method.final_weights(vote_weights) if members else []
    return Rounds(members, final_weights, errors, stopped or ALL_ROUNDS)


def _held_answers(book: LogBook, learner: Learner, member: Member) -> Array | None:
    return None if book.held_out is None else learner.answer(member, book.held_out.table)
