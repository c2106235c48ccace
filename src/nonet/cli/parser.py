"""The parser of the command line, whose errors are one sentence."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from nonet import __version__
from nonet.cli.command import Command
from nonet.cli.exit_codes import ExitCode

_ABOUT = "From a table to an ensemble of models, an honest score, and predictions."
_CODES = (
    "Exit codes: 0 done, 1 a bug in nonet, 2 wrong usage, 3 a table or file that cannot be used, "
    "4 no model came out, 130 interrupted."
)


class OneSentenceParser(argparse.ArgumentParser):
    """A parser that reports an error in one sentence, without its whole usage."""

    def error(self, message: str) -> NoReturn:
        """Print the sentence and end with the code of wrong usage."""
        plain = " ".join(message.split()).rstrip(".")
        self.exit(ExitCode.USAGE, f"nonet: {plain}; see '{self.prog} --help'.\n")


def make_parser(commands: Sequence[Command]) -> OneSentenceParser:
    """Return the parser of all commands.

    Parameters
    ----------
    commands : sequence of Command

    Returns
    -------
    parser : OneSentenceParser
        What it parses has the attribute ``chosen``, the command.

    Examples
    --------
    >>> from nonet.cli.main import COMMANDS
    >>> make_parser(COMMANDS).parse_args(["show", "churn.run"]).chosen.name
    'show'
    """
    parser = OneSentenceParser(prog="nonet", description=_ABOUT, epilog=_CODES, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"nonet {__version__}")
    choices = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in commands:
        under = choices.add_parser(
            command.name, help=command.summary, description=command.summary, allow_abbrev=False
        )
        command.add_arguments(under)
        under.add_argument("--json", action="store_true", help="print one JSON document")
        under.add_argument("--quiet", "-q", action="store_true", help="print results and errors")
        under.set_defaults(chosen=command, commands=commands)
    return parser


def options_of(command: Command) -> list[argparse.Action]:
    """Return the options and arguments of a command that its help shows, for completion."""
    parser = OneSentenceParser(prog=command.name, add_help=True)
    command.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--quiet", "-q", action="store_true", help="print results and errors")
    # argparse has no public way to list what was added.
    return [action for action in parser._actions if action.help != argparse.SUPPRESS]
