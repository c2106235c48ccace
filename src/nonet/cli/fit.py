"""``nonet fit``: from a table to a run with a model, and an honest score."""

from __future__ import annotations

import time
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import replace
from typing import Any

from nonet.auto import Run, fit_table
from nonet.cli.command import Command, add_table
from nonet.cli.config_file import write_config
from nonet.cli.duration import parse_duration
from nonet.cli.ended_run import check_can_report, finish_run, watched_run
from nonet.cli.exit_codes import ExitCode
from nonet.cli.file_label import label_of, stem_of
from nonet.cli.fit_request import TASKS, FitRequest
from nonet.cli.kinds_action import KindsAction
from nonet.cli.output import Output
from nonet.cli.run_folder import CONFIG_FILE, add_facts, check_is_new, new_run_folder
from nonet.cli.understanding import Understanding, understand_table

_MIN_SECONDS = 1.0


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command; what is not given is None, for the config file."""
    add_table(parser, "the table with the target", is_optional=True)
    text = parser.add_argument
    text("--target", metavar="COLUMN", help="the column to predict")
    text("--task", choices=TASKS, help="by default found out from the values of the target")
    text("--time", type=parse_duration, metavar="10m", help="time to spend: 90s, 10m, 1h, none")
    text("--max-tasks", type=positive_number, metavar="N", help="how many models to fit at most")
    text("--metric", metavar="M", help="log_loss, rmse, or a scorer of scikit-learn: roc_auc, ...")
    text("--group", metavar="COL", help="rows of a group stay together in the folds")
    text("--time-column", metavar="COL", help="folds in the order of this column")
    text("--id", nargs="+", action="extend", metavar="COL", help="passed through to predictions")
    text("--drop", nargs="+", action="extend", metavar="COL", help="columns that are not used")
    text("--weight", metavar="COL", help="weights of the rows")
    text("--kind", nargs="+", action=KindsAction, metavar="COL=KIND", help=_KIND_HELP)
    text("--out", metavar="FOLDER", help="the folder of the run; TABLE's name with .run by default")
    text("--seed", type=whole_number, metavar="N", help="0 by default")
    text("--config", metavar="FILE", help="settings, such as config.toml of an earlier run")
    text("--test", metavar="TABLE", help="rows to be predicted later: warn if they differ")
    text("--report", action="store_true", default=None, help="write report.html as well")
    text("--families", nargs="+", metavar="NAME", help=SUPPRESS)


_KIND_HELP = "set the kind of a column: number, boolean, date, category, text or identifier"


def whole_number(text: str) -> int:
    """Return a number of at least 0.

    Examples
    --------
    >>> whole_number("8")
    8
    """
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is no whole number")
    return int(text)


def positive_number(text: str) -> int:
    """Return a number of at least 1.

    Examples
    --------
    >>> positive_number("8")
    8
    """
    number = whole_number(text)
    if number < 1:
        raise ArgumentTypeError(f"{text!r} is less than 1")
    return number


def run(options: Namespace, output: Output) -> ExitCode:
    """Fit."""
    began = time.monotonic()
    request = FitRequest.of(options)
    folder = request.out or f"{stem_of(request.table)}.run"
    check_is_new(folder)
    if request.report:
        check_can_report()
    understood = understand_table(request)
    output.talk(*understood.lines(request.time_limit, request.max_tasks))
    with watched_run(folder) as interruption:
        with new_run_folder(folder):
            fitted = _fit(request, understood, folder, began, output)
        _keep_facts(fitted, request, understood, folder)
        return finish_run(
            fitted, interruption, output, table=understood.document(), report=request.report
        )


def _fit(
    request: FitRequest, understood: Understanding, folder: str, began: float, output: Output
) -> Run:
    fitted = fit_table(
        understood.table,
        understood.target.name,
        task=request.task,  # type: ignore[arg-type]
        drop=[*understood.roles.get("drop", ()), *understood.roles.get("id", ())],
        test=request.test,
        folder=folder,
        verbose=int(not output.is_quiet),
        **_columns(understood),
        **_settings(request, understood, began),
    )
    earlier = [note for note in understood.notes if note not in fitted.notes]
    return replace(fitted, notes=[*earlier, *fitted.notes])


def _columns(understood: Understanding) -> dict[str, Any]:
    names = {"group": "group", "weight": "weight", "time": "time_column"}
    roles = understood.roles
    return {name: roles[role][0] for role, name in names.items() if role in roles}


def _settings(request: FitRequest, understood: Understanding, began: float) -> dict[str, Any]:
    limit = request.time_limit
    if limit is not None:  # reading the table is a part of the time
        limit = max(limit - (time.monotonic() - began), _MIN_SECONDS)
    optional = {
        "metric": request.metric,
        "kinds": request.kind or None,
        "families": request.families,
        "max_tasks": request.max_tasks,
    }
    given = {name: value for name, value in optional.items() if value is not None}
    return {"time_limit": limit, "random_state": request.seed, **given}


def _keep_facts(fitted: Run, request: FitRequest, understood: Understanding, folder: str) -> None:
    """Keep in the folder what predictions and reports need, and a config that repeats the run."""
    add_facts(
        folder,
        notes=fitted.notes,
        table=label_of(request.table),
        id_columns=understood.roles.get("id", []),
        time_limit=request.time_limit,
    )
    write_config(f"{folder}/{CONFIG_FILE}", request.config(folder))


COMMAND = Command("fit", "Find the best ensemble for a table.", add_arguments, run)
