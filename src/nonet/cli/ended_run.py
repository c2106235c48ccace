"""How fits and resumed runs end: what is saved, what is printed, and Ctrl-C on the way."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from nonet.auto import Run
from nonet.auto.outcome import NoModelError
from nonet.cli.command_error import CommandError
from nonet.cli.exit_codes import ExitCode
from nonet.cli.interruption import Interruption
from nonet.cli.output import Output
from nonet.cli.run_folder import (
    MODEL_FILE,
    REPORT_FILE,
    can_be_resumed,
    count_results,
)
from nonet.cli.run_words import run_document, run_lines
from nonet.tables.column_names import count_of


@contextmanager
def watched_run(folder: str) -> Iterator[Interruption]:
    """Watch a fit for Ctrl-C and for its failure.

    Parameters
    ----------
    folder : str
        Of the run.

    Yields
    ------
    interruption : Interruption
        Whether Ctrl-C came; if the fit has a first model, it goes on to its end.
    """
    try:
        with Interruption() as interruption:
            yield interruption
    except KeyboardInterrupt as why:
        raise CommandError(_what_is_saved(folder), ExitCode.INTERRUPTED) from why
    except NoModelError as why:
        raise CommandError(str(why), ExitCode.NO_MODEL) from why


def _what_is_saved(folder: str) -> str:
    if not can_be_resumed(folder):
        return "interrupted before anything could be saved."
    n_results = count_results(folder)
    kept = count_of(n_results, "fitted model") if n_results else "the table"
    return (
        f"interrupted; {kept} of the run {'are' if n_results > 1 else 'is'} saved in {folder!r}, "
        f"go on with 'nonet resume {folder}'."
    )


def check_can_report() -> None:
    """Raise before any time is spent if a report could not be written."""
    if importlib.util.find_spec("jinja2") is None:
        raise CommandError("the report needs jinja2: pip install nonet[app].")


def finish_run(
    run: Run,
    interruption: Interruption,
    output: Output,
    *,
    table: Mapping[str, Any] | None = None,
    report: bool = False,
) -> ExitCode:
    """Save the model of a run, print what came out, and return the exit code.

    Parameters
    ----------
    run : Run
        With a folder.
    interruption : Interruption
    output : Output
    table : mapping, optional
        What was understood of the table, for JSON.
    report : bool, default=False
        Whether a report is written, unless Ctrl-C came.
    """
    files = {"folder": str(run.folder), "model": os.path.join(str(run.folder), MODEL_FILE)}
    run.save(files["model"])
    if report and not interruption.has_come:
        files["report"] = write_report(run)
    document = {
        **({} if table is None else {"table": table}),
        "run": run_document(run),
        "files": files,
        "interrupted": interruption.has_come,
    }
    output.print_result([*run_lines(run), "", *_what_next(run, files)], document)
    if not interruption.has_come:
        return ExitCode.OK
    output.complain(
        f"interrupted; the best ensemble so far is saved in {files['model']!r}, go on with "
        f"'nonet resume {run.folder}'."
    )
    return ExitCode.INTERRUPTED


def write_report(run: Run) -> str:
    """Write the report of a run into its folder, and return its path."""
    from nonet.report import make_report

    path = os.path.join(str(run.folder), REPORT_FILE)
    make_report(run).save(path)
    return path


def _what_next(run: Run, files: Mapping[str, str]) -> list[str]:
    lines = [f"model     {files['model']}"]
    if "report" in files:
        lines.append(f"report    {files['report']}")
    return [
        *lines,
        f"predict   nonet predict {run.folder} NEW.csv --out predictions.csv",
        f"more      nonet show {run.folder}",
    ]
