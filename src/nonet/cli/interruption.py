"""Ctrl-C, noted: a fit that is interrupted returns normally, with the best ensemble so far."""

from __future__ import annotations

import signal
from types import FrameType, TracebackType
from typing import Any, Self


class Interruption:
    """Notes whether Ctrl-C came inside a block; it still raises KeyboardInterrupt.

    Examples
    --------
    >>> import os, signal
    >>> with Interruption() as interruption:
    ...     try:
    ...         os.kill(os.getpid(), signal.SIGINT)
    ...         signal.sigtimedwait([], 1)
    ...     except KeyboardInterrupt:
    ...         pass
    >>> interruption.has_come
    True
    """

    def __init__(self) -> None:
        self.has_come = False
        self._former: Any = None

    def __enter__(self) -> Self:
        try:
            self._former = signal.signal(signal.SIGINT, self._note)
        except ValueError:  # not the main thread, to which no signal comes
            self._former = None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        why: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._former is not None:
            signal.signal(signal.SIGINT, self._former)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.has_come = True
        raise KeyboardInterrupt
