"""Interrupts at a chosen depth: Ctrl-C as it may come between any two calls of a fit."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import CO_GENERATOR
from typing import Any


@contextmanager
def interrupt_after(n_calls: int | None) -> Iterator[list[int]]:
    """Raise KeyboardInterrupt at that call in the library; None never does, and counts them.

    A call is one of a function of the library, or one that such a function makes into compiled
    code: those of NumPy and of the core are among them.
    """
    count = [0]

    def look(frame: Any, event: str, arg: Any) -> None:
        is_ours = frame.f_globals.get("__name__", "").startswith("nonet")
        is_generator = frame.f_code.co_flags & CO_GENERATOR  # as one is closed, errors are lost
        if not is_ours or is_generator or event not in ("call", "c_call"):
            return
        count[0] += 1
        if count[0] == n_calls:
            sys.setprofile(None)
            raise KeyboardInterrupt

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        yield count
    finally:
        sys.setprofile(before)


def count_calls(function: Callable[[], Any]) -> int:
    """Return at how many points a function can be interrupted."""
    with interrupt_after(None) as count:
        function()
    return count[0]
