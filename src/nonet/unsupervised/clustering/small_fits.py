"""One thread for many fits on a small table."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from threadpoolctl import threadpool_limits

_LARGE_TABLE = 1_000_000  # numbers in X


def limit_small_fits(X: Any) -> AbstractContextManager[Any]:
    """Limit OpenMP to one thread while many clusterers are fitted on a small table.

    The limit holds for the calling thread only, so that fits in several threads do not interfere.
    Threads that wait for each other at every step of k-means take longer than the step itself; on
    a busy machine they take many times as long.
    """
    n_numbers = X.shape[0] * X.shape[1]
    return threadpool_limits(1, "openmp") if n_numbers < _LARGE_TABLE else nullcontext()
