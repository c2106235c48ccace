"""What a command is: a name, its arguments, and what it does."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass

from nonet.cli.exit_codes import ExitCode
from nonet.cli.output import Output


@dataclass(frozen=True)
class Command:
    """A command of the command line.

    Attributes
    ----------
    name : str
        ``nonet NAME``.
    summary : str
        One line for the list of commands.
    add_arguments : callable
        Adds the arguments to a parser.
    run : callable
        Takes the arguments and the output, and returns the exit code.

    Examples
    --------
    >>> greet = Command("greet", "Print hello.", lambda parser: None, lambda options, output: None)
    >>> greet.name
    'greet'
    """

    name: str
    summary: str
    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace, Output], ExitCode | None]


def add_model(parser: ArgumentParser) -> None:
    """Add the argument MODEL."""
    parser.add_argument("model", metavar="MODEL", help="a .nonet file, or the folder of a run")


def add_table(parser: ArgumentParser, what: str, *, is_optional: bool = False) -> None:
    """Add the argument TABLE.

    Parameters
    ----------
    parser : ArgumentParser
    what : str
        What the rows are for.
    is_optional : bool, default=False
    """
    text = f"{what}: CSV, TSV, Parquet, Arrow or JSON lines, also compressed; - is standard input"
    parser.add_argument("table", metavar="TABLE", nargs="?" if is_optional else None, help=text)


def add_target(parser: ArgumentParser) -> None:
    """Add the option --target of commands that read a fitted model."""
    parser.add_argument(
        "--target", metavar="COLUMN", help="the column with the truth; that of the run by default"
    )


def add_metric(parser: ArgumentParser) -> None:
    """Add the option --metric."""
    parser.add_argument(
        "--metric",
        metavar="M",
        help="log_loss, rmse, or a scorer of scikit-learn such as roc_auc; that of the run by "
        "default",
    )
