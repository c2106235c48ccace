"""Work that threads do together with their caller, begun before its results are needed.

A new thread begins on the core of the thread that made it, and is moved to an idle one after a
millisecond or more. One that has waited wakes up where it was, and is of use for shorter work,
unless its caller is there: so it is kept from the caller's core.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cache, lru_cache
from typing import Any, Generic, TypeVar

A = TypeVar("A")
T = TypeVar("T")


class SharedWork(Generic[A, T]):
    """Calls of a function, which helping threads and the caller take one after another.

    Helpers begin at once. What they have not begun when the results are needed, the caller does.

    Parameters
    ----------
    function : callable
        Takes one argument; it should release the interpreter's lock for most of its time.
    arguments : sequence
        One for each call.
    n_helpers : int
        Threads beside the caller: one stays for the next work, more are made for this one.

    Examples
    --------
    >>> work = SharedWork(abs, [1, -2, 3], n_helpers=1)
    >>> work.finish()
    [1, 2, 3]
    """

    def __init__(self, function: Callable[[A], T], arguments: Sequence[A], n_helpers: int) -> None:
        self._function = function
        self._arguments = arguments
        self._waiting = deque(range(len(arguments)))
        self._results: list[Any] = [None] * len(arguments)
        self._errors: dict[int, BaseException] = {}
        self._own_threads = ThreadPoolExecutor(n_helpers) if n_helpers > 1 else None
        self._helpers = [self._begin_helper() for _ in range(n_helpers)]

    def finish(self) -> list[T]:
        """Return the results of all calls in their order.

        Raises
        ------
        BaseException
            That of the first call that failed, whichever thread made it.
        """
        self._take_turns()
        self._join()
        if self._errors:
            raise self._errors[min(self._errors)]
        return self._results

    def stop(self) -> None:
        """Begin no more calls, and wait for those that have begun."""
        self._waiting.clear()
        self._join()

    def _take_turns(self) -> None:
        while self._waiting:
            try:
                position = self._waiting.popleft()
            except IndexError:  # another thread was faster
                return
            try:
                self._results[position] = self._function(self._arguments[position])
            except BaseException as why:  # raised by `finish`; all earlier calls have begun
                self._errors[position] = why
                self._waiting.clear()

    def _begin_helper(self) -> Future[None] | None:
        """Return the future of a helper; None when the interpreter ends, and takes no more work."""
        try:
            if self._own_threads is not None:
                return self._own_threads.submit(self._take_turns)
            return _helper(os.getpid()).submit(self._take_turns)
        except RuntimeError:
            return None

    def _join(self) -> None:
        for helper in self._helpers:
            if helper is not None and not helper.cancel():
                helper.result()
        if self._own_threads is not None:
            self._own_threads.shutdown()


class _Helper:
    """One thread that stays."""

    def __init__(self) -> None:
        self._system_id: int | None = None
        self._threads = ThreadPoolExecutor(
            1, thread_name_prefix="nonet-background", initializer=self._keep_system_id
        )

    def submit(self, function: Callable[[], None]) -> Future[None]:
        if self._system_id is not None:
            _keep_from_own_core(self._system_id)
        return self._threads.submit(function)

    def _keep_system_id(self) -> None:
        self._system_id = threading.get_native_id()


@lru_cache(maxsize=1)
def _helper(process: int) -> _Helper:
    """Return the thread of a process; a fork inherits none."""
    return _Helper()


def _keep_from_own_core(thread: int) -> None:
    """Let a sleeping thread wake up on any core that the caller may use, but on its present one."""
    current_core = _current_core()
    if current_core is None:
        return
    with suppress(OSError):  # the allowed cores change while a program runs
        others = os.sched_getaffinity(0) - {current_core()}
        if others:
            os.sched_setaffinity(thread, others)


@cache
def _current_core() -> Callable[[], int] | None:
    """Return the function for the core of the calling thread; None where a system has none."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    return getattr(ctypes.CDLL(None), "sched_getcpu", None)
