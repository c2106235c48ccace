"""Scores of outlier detectors, on new rows and on held-out training rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.model_selection import KFold

from nonet._base.aliases import Floats
from nonet._base.errors import member_error
from nonet._base.frames import count_rows, take_rows
from nonet._base.inputs import check_is_table
from nonet._base.number_tables import explain_refusal
from nonet.members.fit import fit_members
from nonet.members.member import Member
from nonet.members.outputs import check_finite, stack_predictions
from nonet.members.plan import MemberPlan

_SCORE_METHODS = ("score_samples", "decision_function")


def has_scores(model: Any) -> bool:
    """Return whether a model scores new rows."""
    return any(hasattr(model, method) for method in _SCORE_METHODS)


def score_members(members: Sequence[Member], X: Any) -> Floats:
    """Return the scores of all detectors, an (n, k) array: the lower, the more abnormal."""
    check_is_table(None, X)
    total = len(members)
    return stack_predictions([_score(member, X, i, total) for i, member in enumerate(members)])


def _score(member: Member, X: Any, position: int, total: int) -> Floats:
    try:
        method = next(name for name in _SCORE_METHODS if hasattr(member.estimator, name))
        scores = np.asarray(getattr(member.estimator, method)(X), dtype=np.float64)
        scores = scores.reshape(len(scores), -1)[:, 0]
        check_finite([scores])
    except Exception as why:
        reason = explain_refusal(why, member.estimator, X)
        raise member_error(member.name, position, total, "score rows", reason) from why
    return scores


def held_out_scores(
    plans: Sequence[MemberPlan], X: Any, n_folds: int, seed: int, n_jobs: int | None
) -> Floats:
    """Return the score of each training row by detectors that were fitted without it."""
    n_rows = count_rows(X)
    scores = np.empty((n_rows, len(plans)))
    folds = KFold(n_folds, shuffle=True, random_state=seed % 2**32)
    for train, test in folds.split(np.zeros((n_rows, 1))):
        members = fit_members([plan.on_rows(train) for plan in plans], X, None, n_jobs=n_jobs)
        scores[test] = score_members(members, take_rows(X, test))
    return scores
