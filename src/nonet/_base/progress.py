"""Progress of long work: one mechanism for all fits, written to stderr.

A fit counts its steps (trees, rounds, models, folds, ...) in a `Progress`. It is shown as a bar if
the package rich is installed and stderr is a terminal, and as lines otherwise. Work inside work
that is shown, such as the members of a stack, is not shown.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from threading import Event, Lock, Thread
from typing import Any

from nonet._base.params import Boolean, Integer, bad_parameter
from nonet._base.progress_display import Display, State, make_display

_POLL_SECONDS = 0.2  # how often the counter of a native call is read
_LEVEL = Boolean() | Integer(0)

# What `show_progress` requests, and whether work is shown of which this is a part. Both belong to
# the thread; `carry_progress` takes the second to the workers of a parallel call.
_wanted: ContextVar[int] = ContextVar("nonet_show_progress", default=0)
_is_inside: ContextVar[bool] = ContextVar("nonet_inside_progress", default=False)


@contextmanager
def show_progress(verbose: int = 1) -> Iterator[None]:
    """Show the progress of all long work inside the block, on stderr.

    It reaches every estimator and function that counts its steps, also those without a parameter
    ``verbose``. A bar is drawn if the package rich is installed and stderr is a terminal; otherwise
    lines are printed. Work inside other work (the members of a stack) is not shown separately. The
    setting belongs to the thread that opens the block.

    Parameters
    ----------
    verbose : int, default=1
        What the parameter ``verbose`` of all estimators is at least: 1 prints the first and the
        last step, and about one line per second in between; 2 prints a line for every step; 0
        changes nothing.

    Returns
    -------
    context manager

    Examples
    --------
    >>> from nonet import AdaBoostClassifier, show_progress
    >>> X, y = [[0], [1], [2], [3]], [0, 1, 0, 1]
    >>> with show_progress():  # on stderr: [nonet] AdaBoostClassifier: 5 of 5 rounds, ...
    ...     model = AdaBoostClassifier(n_estimators=5).fit(X, y)
    """
    if not _LEVEL.allows(verbose):
        raise bad_parameter("show_progress", "verbose", _LEVEL.describe(), verbose)
    token = _wanted.set(max(int(verbose), _wanted.get()))
    try:
        yield
    finally:
        _wanted.reset(token)


@dataclass(frozen=True)
class Steps:
    """What work consists of, and how much of its progress is to be shown.

    Parameters
    ----------
    source : object
        An estimator, or the name of a function.
    unit : str
        What a step is, in the plural: "trees", "rounds".
    verbose : int, default=0
        0 shows nothing, 1 some steps, 2 all.
    names : sequence of str, default=()
        What the steps are about; shown if they are done one after another.
    period : int, optional
        Show every so many steps and the last one, in place of some.
    """

    source: Any
    unit: str
    verbose: int = 0
    names: Sequence[str] = ()
    period: int | None = None

    def named(self, names: Sequence[str]) -> Steps:
        """Return the same with names of the steps."""
        return replace(self, names=names)

    @property
    def level(self) -> int:
        """What is shown: nothing within other work that is shown."""
        return 0 if _is_inside.get() else max(int(self.verbose), _wanted.get())

    @property
    def name(self) -> str:
        return self.source if isinstance(self.source, str) else type(self.source).__name__

    @contextmanager
    def track(self, n_steps: int) -> Iterator[Progress]:
        """Count the steps of a block; the progress is complete or ended when the block ends."""
        level = self.level
        if not level or not n_steps:
            yield Progress(None, n_steps)
            return
        token = _is_inside.set(True)
        period = 1 if level > 1 else self.period
        display = make_display(self.name, self.unit, n_steps, period=period)
        progress = Progress(display, n_steps)
        try:
            yield progress
            progress.end()
        finally:
            display.close()
            _is_inside.reset(token)


class Progress:
    """The number of steps that are done, and the display that shows it, if there is one."""

    def __init__(self, display: Display | None, n_steps: int) -> None:
        self._display, self._n_steps, self._n_done = display, n_steps, 0
        self._name, self._values = "", dict[str, float]()
        self._allowed = float("inf")
        self._began, self._lock = time.perf_counter(), Lock()

    @property
    def n_done(self) -> int:
        """How many steps are done."""
        return self._n_done

    @property
    def is_shown(self) -> bool:
        """Whether anybody looks."""
        return self._display is not None

    def advance(
        self,
        n_steps: int = 1,
        *,
        name: str = "",
        values: Mapping[str, float] | None = None,
        allowed: float | None = None,
    ) -> None:
        """Count steps that are done; show the name and the values (a loss) of the last one.

        Work with a time limit gives the seconds that are allowed for the rest.
        """
        self.reach(self._n_done + n_steps, name=name, values=values, allowed=allowed)

    def reach(
        self,
        n_done: int,
        *,
        name: str = "",
        values: Mapping[str, float] | None = None,
        allowed: float | None = None,
    ) -> None:
        """Note that so many steps are done in all."""
        if self._display is None:
            return
        with self._lock:  # joblib reports from several threads
            if n_done > self._n_done:
                self._n_done, self._name = min(n_done, self._n_steps), name
                self._values = dict(values or {})
                self._allowed = float("inf") if allowed is None else allowed
                self._display.show(self._state())

    def end(self) -> None:
        """Show the last step, unless it was shown."""
        if self._display is not None:
            self._display.end(self._state())

    @contextmanager
    def poll(self, count: Callable[[], int]) -> Iterator[None]:
        """Read a counter now and then while the block, such as a native call, runs."""
        if self._display is None:
            yield
            return
        first, is_over = self._n_done, Event()

        def read() -> None:
            while not is_over.wait(_POLL_SECONDS):
                self.reach(first + count())

        reader = Thread(target=read, daemon=True)
        reader.start()
        try:
            yield
        finally:
            is_over.set()
            reader.join()
        self.reach(first + count())

    def _state(self) -> State:
        seconds = time.perf_counter() - self._began
        return State(self._n_done, self._n_steps, seconds, self._name, self._values, self._allowed)


def counted(function: Callable[..., Any], progress: Progress) -> Callable[..., Any]:
    """Return a function whose calls, in any thread of this process, are steps of the progress."""

    def call(*arguments: Any) -> Any:
        result = function(*arguments)
        progress.advance()
        return result

    return call


def carry_progress(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose calls, also in other processes, are part of what is shown here."""
    return InsideProgress(function) if _is_inside.get() else function


@dataclass(frozen=True, slots=True)  # joblib's wrapper copies the attributes in a __dict__
class InsideProgress:
    """A function whose own work is not shown; it can be sent to another process."""

    function: Callable[..., Any]

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        token = _is_inside.set(True)
        try:
            return self.function(*arguments)
        finally:
            _is_inside.reset(token)
