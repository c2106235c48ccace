"""The exit codes of commands."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes of all commands.

    Examples
    --------
    >>> int(ExitCode.BAD_DATA)
    3
    """

    OK = 0
    BUG = 1
    """Something went wrong inside nonet."""
    USAGE = 2
    """The command was not given what it needs."""
    BAD_DATA = 3
    """A table, a file or a folder cannot be used."""
    NO_MODEL = 4
    """No model came out of a fit."""
    INTERRUPTED = 130
    """Ctrl-C; what was saved is reported."""
    BROKEN_PIPE = 141
    """The program that reads standard output has ended, as in ``nonet ... | head``."""
