"""Short work beside the caller's, in one thread that stays.

A new thread begins on the core of the thread that made it, and is moved to an idle one after a
millisecond or more. One that has waited wakes up where it was, and is of use for shorter work.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from typing import Any


@contextmanager
def run_beside(function: Callable[..., object], calls: Sequence[tuple[Any, ...]]) -> Iterator[None]:
    """Call a function in another thread while the body of the with statement runs.

    All calls have ended when the statement ends: those that the thread has not begun are made by
    the caller. An exception of a call replaces one of the body.

    Parameters
    ----------
    function : callable
        It should release the interpreter's lock for most of its time.
    calls : sequence of tuples
        The arguments of each call.

    Examples
    --------
    >>> found = []
    >>> with run_beside(found.append, [(1,), (2,)]):
    ...     total = 3
    >>> sorted(found)
    [1, 2]
    """
    begun = [_submit(function, call) for call in calls]
    try:
        yield
    finally:
        # From the end, as the thread began with the first.
        for future, call in zip(reversed(begun), reversed(calls), strict=True):
            if future is None or future.cancel():
                function(*call)
            else:
                future.result()


def _submit(function: Callable[..., object], call: tuple[Any, ...]) -> Future[object] | None:
    """Return the future of a call; None when the interpreter ends, and takes no more work."""
    try:
        return _thread(os.getpid()).submit(function, *call)
    except RuntimeError:
        return None


@lru_cache(maxsize=1)
def _thread(process: int) -> ThreadPoolExecutor:
    """Return the thread of a process; a fork inherits none."""
    return ThreadPoolExecutor(1, thread_name_prefix="nonet-background")
