"""Calls in threads that take turns, so that all processors are busy up to the end.

Five fits on two processors would leave one of them idle while the fifth runs. Here the last three
are fitted side by side, and pass their turn on between boosting rounds. Calls that never pass it on
keep it until they are done, as in any pool of threads.
"""

from __future__ import annotations

import contextvars
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

from sklearn import config_context, get_config

from nonet._native.runtime import get_num_threads, limit_threads

T = TypeVar("T")

# A turn is long enough for the caches to pay.
_SECONDS_PER_TURN = 0.02
# Ctrl-C is seen when the main thread looks up, if another thread got the signal.
_SECONDS_PER_LOOK = 0.1


def run_in_turns(
    function: Callable[..., T], calls: Iterable[tuple[Any, ...]], n_at_once: int
) -> list[T]:
    """Call the function once per tuple of arguments; return results in the order of the calls.

    The threads of native calls are divided among the calls that run at once. If a call fails, or
    the user interrupts, the others end at their next turn.

    Parameters
    ----------
    function : callable
        Spends its time in the core, or in other code that releases Python's lock.
    calls : iterable of tuples
        Arguments of the calls.
    n_at_once : int
        Maximum number of calls that run at the same time.

    Returns
    -------
    results : list

    Examples
    --------
    >>> run_in_turns(pow, [(2, 3), (3, 2), (4, 1)], 2)
    [8, 9, 4]
    """
    calls = list(calls)
    if min(n_at_once, len(calls)) <= 1:
        return [function(*arguments) for arguments in calls]
    turns = _Turns(min(n_at_once, len(calls)), len(calls))
    n_threads = max(1, get_num_threads() // turns.n_at_once)
    config = get_config()  # scikit-learn's belongs to the thread

    def run(arguments: tuple[Any, ...]) -> T:
        with limit_threads(n_threads), config_context(**config):
            return turns.run(function, arguments)

    with ThreadPoolExecutor(min(len(calls), 2 * turns.n_at_once - 1)) as pool:
        try:
            tasks = [pool.submit(contextvars.copy_context().run, run, call) for call in calls]
            while wait(tasks, _SECONDS_PER_LOOK).not_done:
                pass
        except BaseException:  # Ctrl-C reaches the main thread alone
            turns.stop()
            raise
    return _results(tasks)


def _results(tasks: list[Future[T]]) -> list[T]:
    """Return the results, or raise the first error that is not a consequence of another."""
    for task in tasks:
        error = task.exception()
        if error is not None and not isinstance(error, _Stopped):
            raise error
    return [task.result() for task in tasks]


def pass_turn() -> None:
    """Let another call go on, if calls of `run_in_turns` have to take turns."""
    turn = _turn.get()
    if turn is not None:
        turn.pass_on()


class _Stopped(BaseException):
    """Ends a call because another one failed; no error, which others could take for their own."""


class _Turns:
    """Who runs, and who waits in which order.

    Parameters
    ----------
    n_at_once : int
        How many run at a time.
    n_calls : int
        How many calls there are.
    """

    def __init__(self, n_at_once: int, n_calls: int) -> None:
        self.n_at_once, self._n_left, self._n_free = n_at_once, n_calls, n_at_once
        self._waiting: deque[_Turn] = deque()
        self._changed = threading.Condition()
        self.is_stopped = False

    def run(self, function: Callable[..., T], arguments: tuple[Any, ...]) -> T:
        """Call the function when it is its turn."""
        turn = _Turn(self)
        _turn.set(turn)
        self.take(turn)
        try:
            turn.begin()
            return function(*arguments)
        except BaseException:
            self.stop()
            raise
        finally:
            self.give(is_done=True)

    def take(self, turn: _Turn) -> None:
        """Wait for a turn, behind those who wait already."""
        with self._changed:
            self._waiting.append(turn)
            self._changed.wait_for(lambda: self._n_free and self._waiting[0] is turn)
            self._waiting.popleft()
            self._n_free -= 1
            self._changed.notify_all()

    def give(self, *, is_done: bool = False) -> None:
        """Let the first of those who wait run."""
        with self._changed:
            self._n_left -= is_done
            self._n_free += 1
            self._changed.notify_all()

    def stop(self) -> None:
        """End all calls at their next turn."""
        self.is_stopped = True

    def must_rotate(self) -> bool:
        """Return whether some would have to run alone at the end."""
        return bool(self._waiting) and self.n_at_once < self._n_left < 2 * self.n_at_once


class _Turn:
    """The turn of one call."""

    def __init__(self, turns: _Turns) -> None:
        self._turns, self._since = turns, 0.0

    def begin(self) -> None:
        if self._turns.is_stopped:
            raise _Stopped
        self._since = time.perf_counter()

    def pass_on(self) -> None:
        if self._turns.is_stopped:
            raise _Stopped
        if time.perf_counter() - self._since < _SECONDS_PER_TURN or not self._turns.must_rotate():
            return
        self._turns.give()
        self._turns.take(self)
        self.begin()


_turn: contextvars.ContextVar[_Turn | None] = contextvars.ContextVar("nonet_turn", default=None)
