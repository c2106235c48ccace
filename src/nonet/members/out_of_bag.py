"""Out-of-bag predictions of forests and bagging: held out without a refit.

Each row is predicted by the trees (or bags) that have not seen it. It costs one fit on all rows
instead of one for each fold.

References
----------
L. Breiman, *Out-of-bag estimation*, technical report, University of California, 1996.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import clone

from nonet._base.aliases import Array, Codes, Kind
from nonet.members.fit import fit_member
from nonet.members.member import Member
from nonet.members.outputs import Targets, align_columns
from nonet.members.plan import MemberPlan


def gives_out_of_bag(plan: MemberPlan, kind: Kind, classes: Targets | None) -> bool:
    """Return whether the member samples bootstrap rows itself and stores out-of-bag predictions."""
    params = plan.estimator.get_params(deep=False)
    return (
        params.get("bootstrap") is True
        and "oob_score" in params
        and hasattr(type(plan.estimator), "estimators_samples_")
        and kind != "scores"
        and (classes is None or len(classes) == 1)
        and plan.rows is None
        and plan.counts is None
    )


def fit_out_of_bag(
    plan: MemberPlan,
    X: Any,
    y: Any,
    kind: Kind,
    classes: Targets | None,
    position: int,
    total: int,
) -> tuple[Member, Array, Targets]:
    """Fit a forest or bagging on all rows; return it, its out-of-bag rows and predictions."""
    scored = clone(plan.estimator).set_params(oob_score=True)
    with warnings.catch_warnings():
        # Rows in every bag are left uncovered in the ledger, which reports more than the warning.
        warnings.filterwarnings("ignore", message=".*(OOB|out-of-bag).*")
        member = fit_member(plan.with_estimator(scored), X, y, position, total)
    n_samples = len(y)
    rows = np.flatnonzero(_count_unseen(member.estimator, n_samples))
    return member, rows, [_predictions(member.estimator, kind, classes)[rows]]


def _count_unseen(estimator: Any, n_samples: int) -> Codes:
    """Return the number of bags that each row is not in."""
    unseen = np.zeros(n_samples, dtype=np.int32)
    for rows in estimator.estimators_samples_:
        seen = np.zeros(n_samples, dtype=bool)
        seen[rows] = True
        unseen += ~seen
    return unseen


def _predictions(estimator: Any, kind: Kind, classes: Targets | None) -> Array:
    if classes is None:
        return np.asarray(estimator.oob_prediction_, dtype=np.float64)
    probabilities = align_columns(
        np.asarray(estimator.oob_decision_function_), estimator.classes_, classes[0], 0
    )
    return probabilities if kind == "probabilities" else probabilities.argmax(axis=1)
