"""``nonet resume``: go on with a run that was left, or give it more time."""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace

from nonet import auto
from nonet.cli.command import Command
from nonet.cli.duration import limits_in_words, parse_duration
from nonet.cli.ended_run import finish_run, watched_run
from nonet.cli.exit_codes import ExitCode
from nonet.cli.fit import positive_number
from nonet.cli.output import Output
from nonet.cli.run_folder import count_results, facts_of
from nonet.tables.column_names import count_of


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("folder", metavar="FOLDER", help="the folder of the run")
    parser.add_argument(
        "--time",
        type=parse_duration,
        metavar="10m",
        help="time to spend now; that of the run by default",
    )
    parser.add_argument(
        "--max-tasks",
        type=positive_number,
        metavar="N",
        help="how many models to fit at most, those that are there included",
    )


def run(options: Namespace, output: Output) -> ExitCode:
    """Go on with the run."""
    folder = options.folder
    time_limit, max_tasks = _limits(options)
    n_results = count_results(folder)
    are = "is" if n_results == 1 else "are"
    output.talk(
        f"run       {folder}: {count_of(n_results, 'fitted model')} {are} there already",
        f"time      {limits_in_words(time_limit, max_tasks)}",
    )
    with watched_run(folder) as interruption:
        resumed = auto.resume(
            folder,
            time_limit=time_limit,
            max_tasks=max_tasks,
            verbose=int(not output.is_quiet),
        )
        return finish_run(resumed, interruption, output)


def _limits(options: Namespace) -> tuple[float | None, int | None]:
    """Return the seconds and the number of tasks: those given, or those of the run."""
    facts = facts_of(options.folder)
    if options.time is not None or options.max_tasks is not None:
        is_unlimited = options.time is None or math.isinf(options.time)
        return (None if is_unlimited else float(options.time)), options.max_tasks
    settings = facts.get("settings", {})
    limit = facts.get("time_limit", settings.get("time_limit"))
    return (None if limit is None else float(limit)), settings.get("max_tasks")


COMMAND = Command("resume", "Go on with a run that was left.", add_arguments, run)
