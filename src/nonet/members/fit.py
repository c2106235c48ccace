"""Fit the members from their plans, one after another or in parallel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.utils.validation import _check_method_params, has_fit_parameter

from nonet._base.aliases import Array, Params
from nonet._base.errors import member_error
from nonet._base.frames import count_rows, take_columns, take_rows
from nonet._base.number_tables import explain_refusal
from nonet._base.parallel import run_all
from nonet._base.progress import Steps
from nonet._base.streams import seed_estimator
from nonet.members.label_codes import fit_on_labels
from nonet.members.member import Member
from nonet.members.plan import MemberPlan


def fit_members(
    plans: Sequence[MemberPlan],
    X: Any,
    y: Any,
    *,
    n_jobs: int | None = None,
    steps: Steps | None = None,
) -> list[Member]:
    """Fit one member for each plan, in the order of the plans.

    The result does not depend on ``n_jobs``. An error names the member that failed. With
    ``steps`` the progress is shown if that is wanted.
    """
    total = len(plans)
    calls = ((plan, X, y, position, total) for position, plan in enumerate(plans))
    names = [plan.name for plan in plans]
    return run_all(fit_member, calls, n_jobs=n_jobs, steps=steps and steps.named(names))


def fit_member(
    plan: MemberPlan,
    X: Any,
    y: Any,
    position: int = 0,
    total: int = 1,
) -> Member:
    """Fit one member from its plan."""
    n_samples = count_rows(X)
    estimator = clone(plan.estimator)
    if plan.seed is not None:
        estimator = seed_estimator(estimator, plan.seed)
    try:
        estimator = _fit(estimator, plan, X, y if plan.y is None else plan.y)
    except Exception as why:
        reason = explain_refusal(why, estimator, X)
        raise member_error(plan.name, position, total, "fit", reason) from why
    sees_all = plan.rows is None and plan.counts is None
    unseen = None if sees_all else plan.unseen_rows(n_samples)
    return Member(plan.name, estimator, plan.columns, unseen)


def _fit(estimator: Any, plan: MemberPlan, X: Any, target: Any) -> Any:
    rows, params = _rows_and_params(plan, estimator, X)
    view = take_rows(take_columns(X, plan.columns), rows)
    if target is None:
        estimator.fit(view, **params)
        return estimator
    try:
        return fit_on_labels(estimator, view, take_rows(target, rows), params)
    except ValueError as why:
        if rows is None or not _bag_lacks_class(plan, estimator, target, rows):
            raise
        return _fit_with_zeros(estimator, plan, X, target, why)


def _bag_lacks_class(plan: MemberPlan, estimator: Any, target: Any, rows: Array) -> bool:
    if plan.counts is None or not is_classifier(estimator):
        return False
    return len(np.unique(take_rows(target, rows))) < len(np.unique(target))


def _fit_with_zeros(
    estimator: Any, plan: MemberPlan, X: Any, target: Any, reason: ValueError
) -> Any:
    """Fit on all rows, with weight 0 for those out of the bag, as scikit-learn does.

    The estimator then sees the labels of all classes, which a two-class learner requires.
    """
    assert plan.counts is not None
    try:
        if not has_fit_parameter(estimator, "sample_weight"):
            raise reason
        weights = plan.counts.astype(np.float64)
        if plan.sample_weight is not None:
            weights = weights * plan.sample_weight
        params = dict(plan.fit_params) | {"sample_weight": weights}
        return fit_on_labels(estimator, take_columns(X, plan.columns), target, params)
    except ValueError as why:
        hint = "its bag lacks a class, and draw='stratified' would put every class in every bag"
        raise ValueError(f"{why} ({hint})") from why


def _rows_and_params(plan: MemberPlan, estimator: Any, X: Any) -> tuple[Array | None, Params]:
    """Return the rows to fit on and the fit parameters of those rows."""
    params = dict(plan.fit_params)
    if plan.sample_weight is not None:
        params["sample_weight"] = plan.sample_weight
    if plan.counts is None:
        return plan.rows, _slice_params(X, params, plan.rows)
    if not has_fit_parameter(estimator, "sample_weight"):
        rows = np.repeat(np.arange(len(plan.counts)), plan.counts)
        return rows, _slice_params(X, params, rows)
    # A bootstrap as weights: each distinct row is read once, its count multiplies its weight.
    rows = np.flatnonzero(plan.counts)
    params = dict(_slice_params(X, params, rows))
    counts = plan.counts[rows].astype(np.float64)
    base = params.get("sample_weight")
    params["sample_weight"] = counts if base is None else counts * np.asarray(base)
    return rows, params


def _slice_params(X: Any, params: Params, rows: Array | None) -> Params:
    if rows is None or not params:
        return params
    sliced: Params = _check_method_params(X, dict(params), indices=rows)
    return sliced
