"""The moment at which fits should end: boosters and forests stop there, with what is complete."""

from __future__ import annotations

import contextvars
import time
from collections.abc import Iterator
from contextlib import contextmanager

_deadline: contextvars.ContextVar[float | None] = contextvars.ContextVar(
    "nonet_deadline", default=None
)


@contextmanager
def stop_fits_at(deadline: float | None) -> Iterator[None]:
    """Let boosters and forests that are fitted in the block stop at a moment of ``monotonic()``.

    A booster that is stopped keeps its complete rounds, a forest its trees, at least one. None is
    no deadline.

    Examples
    --------
    >>> with stop_fits_at(time.monotonic() - 1.0):
    ...     is_past_deadline()
    True
    >>> is_past_deadline()
    False
    """
    token = _deadline.set(deadline)
    try:
        yield
    finally:
        _deadline.reset(token)


def has_deadline() -> bool:
    """Return whether fits of this thread are to end at some moment."""
    return _deadline.get() is not None


def is_past_deadline() -> bool:
    """Return whether the deadline of this thread is over."""
    deadline = _deadline.get()
    return deadline is not None and time.monotonic() >= deadline
