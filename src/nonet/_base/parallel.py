"""Parallel calls through joblib, with scikit-learn's configuration kept.

joblib's backends work too: ``with joblib.parallel_config("dask"): ...``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import zip_longest
from pickle import HIGHEST_PROTOCOL
from typing import Any, BinaryIO, TypeVar

from joblib import effective_n_jobs, parallel_config
from sklearn.utils.parallel import Parallel, delayed

from nonet._base.params import bad_parameter
from nonet._base.progress import Progress, Steps, carry_progress

T = TypeVar("T")


def run_all(
    function: Callable[..., T],
    calls: Iterable[tuple[Any, ...]],
    *,
    n_jobs: int | None,
    prefer: str | None = None,
    steps: Steps | None = None,
) -> list[T]:
    """Call the function once per tuple of arguments; return results in the order of the calls.

    ``prefer="threads"`` is for calls that spend their time in the core on data they share. With
    ``steps`` the calls are counted, and their progress is shown if that is wanted.
    """
    if steps is None or not steps.level:
        return _run_calls(function, calls, n_jobs, prefer)
    calls = list(calls)
    with steps.track(len(calls)) as progress:
        return run_counted(
            function, calls, progress, n_jobs=n_jobs, prefer=prefer, names=steps.names
        )


def run_counted(
    function: Callable[..., T],
    calls: Iterable[tuple[Any, ...]],
    progress: Progress,
    *,
    n_jobs: int | None,
    prefer: str | None = None,
    names: Sequence[str] = (),
) -> list[T]:
    """Do the same as part of work whose progress is counted already."""
    if count_jobs(n_jobs) == 1:
        return list(_count_calls(function, calls, names, progress))
    return _run_calls(function, calls, n_jobs, prefer, progress)


def _run_calls(
    function: Callable[..., T],
    calls: Iterable[tuple[Any, ...]],
    n_jobs: int | None,
    prefer: str | None,
    progress: Progress | None = None,
) -> list[T]:
    if count_jobs(n_jobs) == 1:  # a plain loop: joblib would wrap every call for nothing
        return [function(*arguments) for arguments in calls]
    workers = _CountedCalls(n_jobs=n_jobs, prefer=prefer)
    workers.progress, workers.n_before = progress, progress.n_done if progress else 0
    run = carry_progress(function)
    return list(workers(delayed(run)(*arguments) for arguments in calls))


def _count_calls(
    function: Callable[..., T],
    calls: Iterable[tuple[Any, ...]],
    names: Sequence[str],
    progress: Progress,
) -> Iterator[T]:
    for arguments, name in zip_longest(calls, names, fillvalue=""):
        yield function(*arguments)
        progress.advance(name=name)


class _CountedCalls(Parallel):
    """A parallel run that reports how many of its calls have returned, in any backend."""

    progress: Progress | None = None
    n_before: int = 0  # steps of the work that were done before

    def print_progress(self) -> None:
        """Report; joblib calls this whenever calls have returned."""
        if self.progress is not None:
            self.progress.reach(self.n_before + self.n_completed_tasks)


def prefer_threads(n_jobs: int | None) -> AbstractContextManager[Any]:
    """Let joblib run in threads inside a block, with a number of jobs if one is given."""
    given = {} if n_jobs is None else {"n_jobs": n_jobs}
    context: AbstractContextManager[Any] = parallel_config(backend="threading", **given)
    return context


def count_jobs(n_jobs: int | None) -> int:
    """Return how many workers ``n_jobs`` means here and now."""
    if n_jobs == 0:
        allowed = "None, a number of workers, or a negative number that counts back from all"
        raise bad_parameter("ensemble", "n_jobs", allowed, n_jobs)
    return int(effective_n_jobs(n_jobs))


def dump_for_worker(value: Any, file: BinaryIO) -> None:
    """Pickle a value as joblib does for its workers: what a script defines goes along."""
    try:
        import cloudpickle  # type: ignore[import-untyped]
    except ImportError:  # up to version 1.5 it is a part of joblib
        from joblib.externals import cloudpickle
    cloudpickle.dump(value, file, protocol=HIGHEST_PROTOCOL)
