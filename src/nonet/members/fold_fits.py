"""Fits of members on folds of one table: in threads on shared bins, or through joblib.

The library's own boosters and forests spend their time in the core, which releases Python's lock.
On folds they run in threads that share X and the edges of its bins. All other members run through
joblib, which may start processes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

import numpy as np

from nonet._base.aliases import Floats
from nonet._base.frames import count_rows, take_columns
from nonet._base.parallel import count_jobs, run_all, run_counted
from nonet._base.progress import Progress, Steps, counted
from nonet._native.runtime import get_num_threads
from nonet.members.plan import MemberPlan
from nonet.members.turns import run_in_turns
from nonet.trees.shared_bins import SharedBins

T = TypeVar("T")


def run_fold_fits(
    function: Callable[..., T],
    calls: Sequence[tuple[Any, ...]],
    plans: Sequence[MemberPlan],
    X: Any,
    *,
    n_jobs: int | None,
    steps: Steps | None = None,
) -> list[T]:
    """Call a function that fits a member on a fold, once per tuple of arguments.

    Parameters
    ----------
    function : callable
        Fits one member on some rows of X.
    calls : sequence of tuples
        Arguments of the calls.
    plans : sequence of MemberPlan
        The plan of the member of each call.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
    n_jobs : int, optional
        How many fits run at a time. None is one; of boosters, which use all threads in any case,
        it is as many as there are threads.
    steps : Steps, optional
        What is shown of the progress; nothing by default.

    Returns
    -------
    results : list
        In the order of the calls, and the same for any ``n_jobs``.
    """
    in_threads: dict[int, list[int]] = {}
    for position, plan in enumerate(plans):
        if shares_bins(plan.estimator):
            in_threads.setdefault(count_fits(plan.estimator, n_jobs), []).append(position)
    if not in_threads:
        return run_all(function, calls, n_jobs=n_jobs, steps=steps)
    bins = _BinsOfPlans(X)
    found: dict[int, T] = {}
    with _track(steps, len(calls)) as progress:
        run = counted(_run_on_bins, progress)
        for n_at_once, positions in in_threads.items():
            fits = [(bins.of_plan(plans[p]), function, calls[p]) for p in positions]
            found |= zip(positions, run_in_turns(run, fits, n_at_once), strict=True)
        others = [position for position in range(len(calls)) if position not in found]
        results = run_counted(function, [calls[p] for p in others], progress, n_jobs=n_jobs)
        found |= zip(others, results, strict=True)
    return [found[position] for position in range(len(calls))]


def _track(steps: Steps | None, n_steps: int) -> AbstractContextManager[Progress]:
    return nullcontext(Progress(None, n_steps)) if steps is None else steps.track(n_steps)


def shares_bins(estimator: Any) -> bool:
    """Return whether fits of an estimator on folds can share their bins."""
    return bool(getattr(estimator, "_shares_bins", False))


def count_fits(estimator: Any, n_jobs: int | None) -> int:
    """Return how many fits of an estimator that shares bins run at a time."""
    own = getattr(estimator, "n_jobs", None)
    uses_all_threads = getattr(estimator, "_uses_all_threads", False) and own is None
    return get_num_threads() if n_jobs is None and uses_all_threads else count_jobs(n_jobs)


def _run_on_bins(bins: SharedBins, function: Callable[..., T], arguments: tuple[Any, ...]) -> T:
    with bins.in_use():
        return function(*arguments)


class _BinsOfPlans:
    """The shared bins of each set of columns and weights that plans name."""

    def __init__(self, X: Any) -> None:
        self._X = X
        self._made: dict[tuple[bytes | None, int], SharedBins] = {}

    def of_plan(self, plan: MemberPlan) -> SharedBins:
        weights = _row_weights(plan, count_rows(self._X))
        given = plan.fit_params.get("sample_weight", plan.sample_weight)
        key = None if plan.columns is None else np.asarray(plan.columns).tobytes(), id(given)
        if key not in self._made:
            self._made[key] = SharedBins(take_columns(self._X, plan.columns), weights)
        return self._made[key]


def _row_weights(plan: MemberPlan, n_rows: int) -> Floats | None:
    """Return the weights of a plan; None if there are none, or such as fit is going to reject."""
    given = plan.fit_params.get("sample_weight", plan.sample_weight)
    try:
        weights = None if given is None else np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        return None
    if weights is None or weights.shape != (n_rows,) or not (weights >= 0).all():
        return None
    return weights
