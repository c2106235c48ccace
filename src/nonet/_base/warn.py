"""Warnings that point at the user's line of code."""

from __future__ import annotations

import sys
import warnings

_PASSED_THROUGH = ("nonet", "sklearn")


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn, and report the line that called into the library as the source of the warning.

    Parameters
    ----------
    message : str
    category : type of warning, default=UserWarning
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and _is_passed_through(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def _is_passed_through(module: str) -> bool:
    return module.partition(".")[0] in _PASSED_THROUGH
