"""Errors of commands: one sentence and an exit code."""

from __future__ import annotations

from nonet.cli.exit_codes import ExitCode


class CommandError(Exception):
    """What ends a command.

    Parameters
    ----------
    sentence : str
        What is wrong, and the way out.
    code : ExitCode, default=ExitCode.BAD_DATA

    Examples
    --------
    >>> CommandError("there is no such table.").code
    <ExitCode.BAD_DATA: 3>
    """

    def __init__(self, sentence: str, code: ExitCode = ExitCode.BAD_DATA) -> None:
        super().__init__(sentence)
        self.code = code


class UsageError(CommandError):
    """A command was not given what it needs.

    Examples
    --------
    >>> UsageError("name the column to predict with --target.").code
    <ExitCode.USAGE: 2>
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, ExitCode.USAGE)
