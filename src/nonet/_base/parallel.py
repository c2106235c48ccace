"""Parallel calls through joblib, with scikit-learn's configuration kept.

joblib's backends work too: ``with joblib.parallel_config("dask"): ...``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from nonet._base.params import bad_parameter

T = TypeVar("T")


def run_all(
    function: Callable[..., T],
    calls: Iterable[tuple[Any, ...]],
    *,
    n_jobs: int | None,
    prefer: str | None = None,
) -> list[T]:
    """Call the function once per tuple of arguments; return results in the order of the calls.

    ``prefer="threads"`` is for calls that spend their time in the core on data they share.
    """
    if count_jobs(n_jobs) == 1:  # a plain loop: joblib would wrap every call for nothing
        return [function(*arguments) for arguments in calls]
    workers = Parallel(n_jobs=n_jobs, prefer=prefer)
    return list(workers(delayed(function)(*arguments) for arguments in calls))


def count_jobs(n_jobs: int | None) -> int:
    """Return how many workers ``n_jobs`` means here and now."""
    if n_jobs == 0:
        allowed = "None, a number of workers, or a negative number that counts back from all"
        raise bad_parameter("ensemble", "n_jobs", allowed, n_jobs)
    return int(effective_n_jobs(n_jobs))
