"""The moment at which fits should end: boosting stops there, with the rounds that are complete."""

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
    """Let boosters that are fitted in the block stop at a moment of ``time.monotonic()``.

    A booster that is stopped keeps its complete rounds, at least one. None is no deadline.

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


def is_past_deadline() -> bool:
    """Return whether the deadline of this thread is over."""
    deadline = _deadline.get()
    return deadline is not None and time.monotonic() >= deadline
