"""What runs on the other side of `run_killable`: a process that is made to be killed.

The process imports nonet once and then only waits. Each call runs in a fork of it. The waiting
process has never run a model, so no thread of OpenMP or BLAS is under way when it forks, which is
what makes a fork of the user's own process unsafe. Where fork is missing or unsafe (Windows,
macOS), the process runs one call itself and ends.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pickle
import random
import select
import shutil
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from nonet._base.parallel import dump_for_worker

SETTINGS = "settings.json"
CALL = "call.pickle"
RESULT = "result.pickle"


def dump(value: Any, path: Path) -> None:
    """Write a value as a pickle for the other side."""
    with path.open("wb") as file:
        dump_for_worker(value, file)


def load(path: Path) -> Any:
    """Read a pickle that the other side has written."""
    with path.open("rb") as file:
        return pickle.load(file)


# ---- The waiting process -------------------------------------------------------------------------


def serve(replies: int, *, forks: bool) -> None:
    """Run calls until the parent closes our standard input, by ending for example.

    A call is the path of a folder with its settings, its function and its arguments.

    Parameters
    ----------
    replies : int
        Descriptor of the pipe to which the exit status of each call is written.
    forks : bool
        Whether each call runs in a fork; otherwise the process runs one call and ends.
    """
    importlib.import_module("nonet")  # so that no fork needs to

    if not forks:
        _end_with_parent(folder := _next_folder())
        _run_call(folder)
        return
    woken = _wake_at_end_of_child()
    while (folder := _next_folder()) != Path():
        _import_early(json.loads((folder / SETTINGS).read_text())["modules"])
        gc.freeze()  # objects that live on are not touched in forks, whose pages stay shared
        child = os.fork()
        if child == 0:
            os.close(replies)
            _run_in_fork(folder)
        os.write(replies, f"{_wait_for(child, woken, folder)}\n".encode())


def _next_folder() -> Path:
    # Not by sys.stdin, which would read ahead what `select` has to see.
    return Path(os.fsdecode(os.read(0, 2**16)))


def _wake_at_end_of_child() -> int:
    """Return a descriptor that can be read from when a child has ended."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(woken, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    return woken


def _import_early(names: list[str]) -> None:
    """Import the libraries of the call here, once, and not in every fork."""
    for name in names:
        with suppress(Exception):  # the fork will meet the error again, and report it
            importlib.import_module(name)


def _wait_for(child: int, woken: int, folder: Path) -> int:
    """Return the exit status of a child; end with it if the parent is gone."""
    while True:
        ready, _, _ = select.select([0, woken], [], [])
        if 0 in ready:  # nobody writes during a call, so this is the end of the parent
            _kill_group(folder)
        with suppress(BlockingIOError):
            os.read(woken, 1024)
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)


def _end_with_parent(folder: Path) -> None:
    """Watch for the end of the parent in a thread, while the call runs in the main thread."""

    def watch() -> None:
        os.read(0, 1)
        _kill_group(folder)

    threading.Thread(target=watch, daemon=True).start()


def _kill_group(folder: Path) -> None:
    """End this process and all that it has started, and remove what the call has written."""
    shutil.rmtree(folder, ignore_errors=True)
    os.killpg(os.getpgrp(), signal.SIGKILL)


# ---- The call ------------------------------------------------------------------------------------


def _run_in_fork(folder: Path) -> None:
    """Run the call and end the process, whatever happens."""
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # the call must not read what is for us
        random.seed()  # as in a new process: forks must not draw the same numbers
        np.random.seed()  # noqa: NPY002
        _run_call(folder)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(Exception):
                stream.flush()
        os._exit(code)


def _run_call(folder: Path) -> None:
    settings = json.loads((folder / SETTINGS).read_text())
    sys.path[:] = settings["path"]
    with suppress(OSError):  # a folder that was removed since
        os.chdir(settings["cwd"])
    outcome = _outcome(lambda: load(folder / CALL))
    if outcome[0] == "result":
        function, args = outcome[1]
        outcome = _outcome(lambda: function(*args))
    try:
        dump(outcome, folder / RESULT)
    except Exception as why:
        what = "its result" if outcome[0] == "result" else f"its {type(outcome[1]).__name__}"
        reason = f"{what} cannot be sent from its process: {why}"
        dump(("error", TypeError(reason), ""), folder / RESULT)


def _outcome(function: Callable[[], Any]) -> tuple[Any, ...]:
    """Return ('result', value) or ('error', exception, traceback)."""
    try:
        return "result", function()
    except (Exception, SystemExit) as why:
        text = traceback.format_exc()
        return "error", why.with_traceback(None), text
