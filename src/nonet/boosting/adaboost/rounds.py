"""The reweighting loop: fit a member on weighted rows, evaluate it, reweight the rows, repeat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nonet._base.aliases import Array
from nonet._base.progress import Progress
from nonet.boosting.adaboost.learners.learners import RoundLearner
from nonet.boosting.adaboost.methods.method import BoostingMethod, TrainingRows, normalise
from nonet.boosting.adaboost.regression_log import RegressionLogBuilder
from nonet.boosting.adaboost.round_log import RoundLogBuilder
from nonet.boosting.adaboost.stopping import StopRule
from nonet.members.member import Member

ALL_ROUNDS = "all rounds are done"


@dataclass(frozen=True)
class Rounds:
    """Result of the reweighting loop.

    Attributes
    ----------
    members : list of Member
    weights : list of float
        The members' weights in the vote.
    errors : list of float
        Their weighted errors.
    stopped : str
        Why boosting stopped.
    """

    members: list[Member]
    weights: list[float]
    errors: list[float]
    stopped: str


def run_reweighting(
    method: BoostingMethod,
    learner: RoundLearner,
    rows: TrainingRows,
    n_rounds: int,
    log: RoundLogBuilder | RegressionLogBuilder | None = None,
    stop_rules: Sequence[StopRule] = (),
    n_redraws: int = 0,
    progress: Progress | None = None,
) -> Rounds:
    """Boost until all rounds are done, the method stops, or a stop rule applies.

    If rows are sampled, a member may be rejected because of an unlucky sample. That many more
    samples are then tried before boosting ends.
    """
    members: list[Member] = []
    vote_weights: list[float] = []
    errors: list[float] = []
    n_rejected = 0
    absent = rows.weights == 0
    absent = absent if absent.any() else None
    weights, stopped = normalise(method.first_weights(rows), absent), ""
    while not stopped and len(members) < n_rounds:
        member = learner.fit(len(members), weights, method.target(rows))
        predictions = learner.predict_training(member)
        evaluation = method.evaluate(predictions, weights, rows)
        if not evaluation.is_kept and n_redraws > n_rejected:
            n_rejected += 1
            continue
        n_rejected, stopped = 0, evaluation.stop
        if not evaluation.is_kept:
            break
        if evaluation.is_perfect and method.perfect_member_weighs_most:
            evaluation = evaluation.at_least(max(map(abs, vote_weights), default=0.0))
        members.append(member)
        vote_weights.append(evaluation.weight)
        errors.append(evaluation.error)
        if progress is not None:
            progress.advance(values={"weighted error": evaluation.error})
        if isinstance(log, RegressionLogBuilder):
            log.write(evaluation, weights, predictions)
        elif log is not None:
            log.write(evaluation, weights, predictions, _held_predictions(log, learner, member))
            stopped = stopped or next(filter(None, (r.reason(log) for r in stop_rules)), "")
        # A method that stops by itself leaves the weights as they are: no row is wrong.
        if not evaluation.stop:
            weights = normalise(method.reweight(weights, evaluation), absent)
    if isinstance(log, RoundLogBuilder):
        log.keep(weights)
    final_weights = method.final_weights(vote_weights) if members else []
    return Rounds(members, final_weights, errors, stopped or ALL_ROUNDS)


def _held_predictions(log: RoundLogBuilder, learner: RoundLearner, member: Member) -> Array | None:
    return None if log.held_out is None else learner.predict(member, log.held_out.table)
