"""How progress looks: a bar of the package rich on a terminal, lines elsewhere.

Both are written to stderr, so that what a program prints to stdout stays its own.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

_SECONDS_PER_LINE = 1.0


@dataclass(frozen=True)
class State:
    """What is done of what, since when, and the last step's name and values, such as a loss.

    Work with a time limit also has the seconds that it has left, whatever its steps take.
    """

    n_done: int
    n_steps: int
    seconds: float
    name: str
    values: Mapping[str, float]
    allowed: float = float("inf")

    @property
    def is_complete(self) -> bool:
        return self.n_done >= self.n_steps

    @property
    def seconds_left(self) -> float:
        """The time that the other steps take if they take as long as those before."""
        expected = self.seconds / max(self.n_done, 1) * (self.n_steps - self.n_done)
        return min(expected, self.allowed)

    def describe(self, unit: str, *, has_ended: bool = False) -> str:
        """Return the text of lines and bars."""
        left = "stopped" if has_ended else f"about {duration(self.seconds_left)} left"
        words = [
            f"{self.n_done} of {self.n_steps} {unit}" + (f" ({self.name})" if self.name else ""),
            duration(self.seconds),
            "" if self.is_complete else left,
            *(f"{name} {value:.6g}" for name, value in self.values.items()),
        ]
        return ", ".join(filter(None, words))


class Display(Protocol):
    """What shows the progress of one piece of work."""

    def show(self, state: State) -> None:
        """Show a new state, or leave it out."""

    def end(self, state: State) -> None:
        """Show the last state; the work may have stopped before its last step."""

    def close(self) -> None:
        """Leave the terminal as it was, also after an error."""


def make_display(name: str, unit: str, n_steps: int, *, period: int | None) -> Display:
    """Return a bar if stderr is a terminal and rich is installed, lines otherwise."""
    if sys.stderr is not None and sys.stderr.isatty():
        try:
            return Bar(name, unit, n_steps)
        except ImportError:
            pass
    return Lines(name, unit, period=period)


class Lines:
    """One line per `period` steps; or the first, the last and about one per second in between."""

    def __init__(self, name: str, unit: str, *, period: int | None = None) -> None:
        self._name, self._unit, self._period = name, unit, period
        self._shown: State | None = None

    def show(self, state: State) -> None:
        """Print a line if it is due."""
        if self._is_due(state):
            self._print(state)

    def _is_due(self, state: State) -> bool:
        if self._period is not None:
            return state.is_complete or state.n_done % self._period == 0
        if self._shown is None or state.is_complete:
            return True
        return state.seconds - self._shown.seconds >= _SECONDS_PER_LINE

    def end(self, state: State) -> None:
        """Print the last line of work that stopped before its last step."""
        if self._shown is None or not state.is_complete:
            self._print(state, has_ended=True)

    def close(self) -> None:
        """Nothing is open."""

    def _print(self, state: State, *, has_ended: bool = False) -> None:
        self._shown = state
        text = f"[nonet] {self._name}: {state.describe(self._unit, has_ended=has_ended)}\n"
        if sys.stderr is not None:  # there is none in a program without a console
            sys.stderr.write(text)  # one call, so that workers do not mix their lines
            sys.stderr.flush()


class Bar:
    """A bar of rich, with the same numbers as a line."""

    def __init__(self, name: str, unit: str, n_steps: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        self._bar: Any = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[words]}"),
            console=Console(stderr=True),
        )
        self._unit = unit
        self._task = self._bar.add_task(name, total=n_steps, words="")
        self._bar.start()

    def show(self, state: State) -> None:
        """Move the bar."""
        self._move(state, state.describe(self._unit))

    def end(self, state: State) -> None:
        """Leave the bar where it is."""
        self._move(state, state.describe(self._unit, has_ended=True))

    def close(self) -> None:
        """Stop drawing."""
        self._bar.stop()

    def _move(self, state: State, words: str) -> None:
        self._bar.update(self._task, completed=state.n_done, words=words)


def duration(seconds: float) -> str:
    """Return a time in words: '3.2 s', '2 min 5 s', '1 h 3 min'."""
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"
