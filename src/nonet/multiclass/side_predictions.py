"""Outputs of the members of binary problems: scores, probabilities, votes.

The positive side is label 1 of a member's two labels 0 and 1. A regressor is
fitted on these numbers, and predicts the positive side above one half.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from sklearn.base import is_regressor

from nonet._base.aliases import Array, Floats
from nonet._base.errors import member_error
from nonet._base.frames import as_frame
from nonet._base.inputs import check_is_table
from nonet._base.number_tables import explain_refusal
from nonet.members.member import Member
from nonet.members.outputs import check_finite, stack_predictions

Prediction = Literal["scores", "probabilities", "votes", "votes_and_scores"]


def predict_sides(members: Sequence[Member], X: Any, kind: Prediction) -> Array:
    """Return the outputs of all members: (n, k), or (n, k, 2) for votes and scores."""
    X = as_frame(X)
    check_is_table(None, X)
    predictions = []
    for position, member in enumerate(members):
        try:
            predictions.append(_PREDICTION[kind](member.estimator, member.view(X)))
            check_finite(predictions[-1:])
        except Exception as why:
            reason, doing = explain_refusal(why, member.estimator, X), f"predict {kind}"
            raise member_error(member.name, position, len(members), doing, reason) from why
    return stack_predictions(predictions)


def middle_of(learner: Any) -> float:
    """Return the score at which a member changes sides: 0 for margins, 1/2 for probabilities."""
    return 0.0 if hasattr(learner, "decision_function") and not is_regressor(learner) else 0.5


def _score(learner: Any, X: Any) -> Floats:
    if is_regressor(learner):
        return np.asarray(learner.predict(X), dtype=np.float64).ravel()
    if hasattr(learner, "decision_function"):
        return np.ravel(learner.decision_function(X))
    return _probability(learner, X)


def _probability(learner: Any, X: Any) -> Floats:
    positive: Floats = np.asarray(learner.predict_proba(X))[:, 1]
    return positive


def _vote(learner: Any, X: Any) -> Array:
    """Return +1 and -1 for the two sides; 0 for a member that abstains."""
    if not hasattr(learner, "predict"):
        return np.where(_score(learner, X) > middle_of(learner), 1, -1)
    predicted = np.ravel(learner.predict(X))
    if is_regressor(learner):
        return np.where(predicted > 0.5, 1, -1)
    return np.where(predicted == 1, 1, np.where(predicted == 0, -1, 0))


def _vote_and_score(learner: Any, X: Any) -> Floats:
    return np.column_stack([_vote(learner, X), _score(learner, X)])


_PREDICTION: dict[Prediction, Callable[[Any, Any], Array]] = {
    "scores": _score,
    "probabilities": _probability,
    "votes": _vote,
    "votes_and_scores": _vote_and_score,
}
