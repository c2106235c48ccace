"""Calls that are killed at a deadline: fits of estimators that know of none.

The call runs in a child process. A child that is past its deadline is killed with all processes it
has started; a thread could not be. See `child_process` for the other side.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import wait
from multiprocessing.spawn import get_executable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, TypeVar, cast

from nonet._base.errors import one_sentence
from nonet.auto.child_process import CALL, RESULT, SETTINGS, dump, load

FORKS = sys.platform == "linux"

T = TypeVar("T")


class OutOfTime(ValueError):
    """A call was killed, because its deadline had come."""


class ChildDied(ValueError):
    """The process of a call ended without a result, because memory ran out for example."""


def run_killable(function: Callable[..., T], args: Sequence[Any], deadline: float | None) -> T:
    """Call a function in a child process, and kill it at a deadline.

    Parameters
    ----------
    function : callable
        Any function, also one of the script that is running.
    args : sequence
        Its arguments.
    deadline : float or None
        A reading of ``time.monotonic()``; None for no limit.

    Returns
    -------
    object
        A copy of what the function returned.

    Raises
    ------
    OutOfTime
        If the function has not returned before the deadline.
    ChildDied
        If its process ended early.
    Exception
        What the function raised, with its type and a message of one sentence; a note has the
        traceback.

    Notes
    -----
    Arguments and result travel as pickles in temporary files. Ctrl-C kills the child, and so does
    the end of this process, even by kill -9.

    Examples
    --------
    >>> run_killable(sum, ([1, 2, 3],), deadline=None)
    6
    >>> run_killable(time.sleep, (60,), deadline=time.monotonic() + 0.1)
    Traceback (most recent call last):
        ...
    nonet.auto.killable.OutOfTime: sleep had not returned at its deadline, and was killed.
    """
    name = getattr(function, "__name__", type(function).__name__)
    with TemporaryDirectory(prefix="nonet-call-", ignore_cleanup_errors=True) as folder:
        _check_time(name, deadline)
        _write_call(Path(folder), function, args)
        status = _run_in_child(name, folder, deadline)
        result = Path(folder, RESULT)
        if status != 0 or not result.exists():
            raise ChildDied(f"the process of {name} {_cause_of_end(status)}.")
        outcome = load(result)
    if outcome[0] == "error":
        raise _short_error(*outcome[1:])
    return cast("T", outcome[1])


def prepare_child() -> None:
    """Start a child in the background, so that the first `run_killable` need not wait for it."""
    _give_back(_take_child())


def _run_in_child(name: str, folder: str, deadline: float | None) -> int:
    child = _take_child()
    try:
        status = child.run(folder, deadline)
    except BaseException:  # Ctrl-C among them
        child.kill()
        raise
    if status is None:
        child.kill()
        raise OutOfTime(f"{name} had not returned at its deadline, and was killed.")
    if FORKS and child.is_alive():
        _give_back(child)
    else:
        child.kill()
    return status


def _check_time(name: str, deadline: float | None) -> None:
    if deadline is not None and time.monotonic() >= deadline:
        raise OutOfTime(f"{name} was not started, because its deadline had come.")


def _write_call(folder: Path, function: Any, args: Sequence[Any]) -> None:
    modules = {getattr(function, "__module__", None), *(type(arg).__module__ for arg in args)}
    named = sorted(name for name in modules if isinstance(name, str) and name != "__main__")
    settings = {"modules": named, "path": sys.path, "cwd": os.getcwd()}
    (folder / SETTINGS).write_text(json.dumps(settings))
    dump((function, tuple(args)), folder / CALL)


# ---- What comes back -----------------------------------------------------------------------------


def _cause_of_end(status: int) -> str:
    if status == -signal.SIGKILL:
        return (
            "was killed by the system, most likely because memory ran out; use fewer rows, a "
            "smaller model or a machine with more memory"
        )
    if status < 0:
        return f"crashed with signal {-status} ({signal.strsignal(-status)})"
    return f"ended with exit status {status} and without a result"


def _short_error(why: BaseException, remote_traceback: str) -> BaseException:
    """Return the exception with a message of one sentence, if its class takes a message alone."""
    sentence = one_sentence(str(why) or type(why).__name__)
    short = why
    with suppress(Exception):
        made = type(why)(sentence)
        short = made if str(made) == sentence else why
    if isinstance(short, SystemExit):  # an `exit()` in a library must not end this process
        short = ChildDied(f"the call ended its process by SystemExit: {sentence}")
    if remote_traceback:
        short.add_note(f"In the child process:\n{remote_traceback}")
    return short


# ---- Children ------------------------------------------------------------------------------------

_idle: list[_Child] = []
_guard = threading.Lock()


class _Child:
    """A child process, in a group of its own with whatever it starts."""

    def __init__(self) -> None:
        replies, write_end = os.pipe()
        code = (
            f"import sys; sys.path[:] = {sys.path!r}; from nonet.auto.child_process import serve; "
            f"serve({write_end}, forks={FORKS})"
        )
        self._replies: BinaryIO = os.fdopen(replies, "rb", buffering=0)
        try:
            self._process = subprocess.Popen(
                [get_executable(), "-c", code],
                stdin=subprocess.PIPE,
                pass_fds=(write_end,),
                start_new_session=True,
                bufsize=0,
            )
        finally:
            os.close(write_end)

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def run(self, folder: str, deadline: float | None) -> int | None:
        """Return the exit status of a call, or None at the deadline."""
        with suppress(BrokenPipeError):  # it has died: the replies end
            cast("BinaryIO", self._process.stdin).write(os.fsencode(folder))
        timeout = None if deadline is None else max(0.0, deadline - time.monotonic())
        if not wait([self._replies.fileno()], timeout):
            return None
        reply = self._replies.read(100)
        return int(reply) if reply else self._process.wait()

    def kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):  # it has ended by itself
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        cast("BinaryIO", self._process.stdin).close()
        self._replies.close()


def _take_child() -> _Child:
    with _guard:
        while _idle:
            child = _idle.pop()
            if child.is_alive():
                return child
            child.kill()
    return _Child()


def _give_back(child: _Child) -> None:
    with _guard:
        _idle.append(child)


@atexit.register
def _kill_idle_children() -> None:
    with _guard:
        while _idle:
            _idle.pop().kill()


if hasattr(os, "register_at_fork"):
    # The children of the parent are none of a fork's own.
    os.register_at_fork(after_in_child=_idle.clear)
