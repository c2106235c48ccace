"""``nonet report``: a page about a run or a model, on its own rows or on new ones."""

from __future__ import annotations

import os
import webbrowser
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from nonet.cli.command import Command, add_target
from nonet.cli.command import add_table as add_rows
from nonet.cli.command_error import UsageError
from nonet.cli.ended_run import check_can_report
from nonet.cli.fitted_table import warn_if_fitted_on
from nonet.cli.opened_model import OpenedModel, open_model
from nonet.cli.output import Output
from nonet.cli.run_folder import REPORT_FILE


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("model", metavar="FOLDER|MODEL", help="a run's folder or a .nonet file")
    add_rows(parser, "new rows with the truth", is_optional=True)
    add_target(parser)
    parser.add_argument("--out", metavar="FILE", help="the page; report.html in FOLDER by default")
    parser.add_argument("--facts", metavar="FILE", help="write what the page shows as JSON as well")
    parser.add_argument("--open", action="store_true", help="open the page in a browser")


def run(options: Namespace, output: Output) -> None:
    """Write the page."""
    check_can_report()
    opened = open_model(options.model)
    report = _make_report(opened, options, output)
    path = options.out or _default_path(opened)
    report.save(path, **({} if options.facts is None else {"facts_path": options.facts}))
    if options.open:
        webbrowser.open(Path(path).resolve().as_uri())
    document = {"file": path, "n_bytes": os.path.getsize(path), "facts": report.facts}
    output.print_result([path], document)


def _make_report(opened: OpenedModel, options: Namespace, output: Output) -> Any:
    from nonet.report import make_report

    # A model file of a run is reported with its run.
    subject = opened.model if opened.folder is None else opened.run()
    if options.table is None:
        if opened.folder is None:
            raise UsageError(
                f"{opened.path!r} is a model file, which holds no rows; give a TABLE with the "
                "truth, or the folder of its run."
            )
        return make_report(subject)
    warn_if_fitted_on(opened, options.table, output)
    return make_report(subject, options.table, opened.target_name(options.target))


def _default_path(opened: OpenedModel) -> str:
    if opened.folder is not None:
        return os.path.join(opened.folder, REPORT_FILE)
    return str(Path(opened.path).with_suffix(".html"))


COMMAND = Command("report", "Write a page about a run or a model.", add_arguments, run)
