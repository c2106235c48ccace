"""``nonet show``: what a model file, or the folder of a run, holds."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from typing import Any

from nonet.auto import Run, open_run
from nonet.auto.run_store import RunStore
from nonet.cli.command import Command
from nonet.cli.duration import duration_in_words
from nonet.cli.opened_model import open_model
from nonet.cli.output import Output
from nonet.cli.run_folder import facts_of
from nonet.cli.run_words import classes_of, run_document, run_lines
from nonet.persist import describe_file
from nonet.persist.description import ModelFileDescription
from nonet.tables.column_names import list_names


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("model", metavar="MODEL|FOLDER", help="a .nonet file or a run's folder")


def run(options: Namespace, output: Output) -> None:
    """Show."""
    path = options.model
    if not os.path.exists(path):
        open_model(path)  # which raises
    if os.path.isdir(path):
        _show_folder(path, output)
    else:
        _show_file(path, output)


# ---- Runs --------------------------------------------------------------------------------------


def _show_folder(folder: str, output: Output) -> None:
    facts = facts_of(folder)
    records = _count_records(folder)
    try:
        ended: Run | None = open_run(folder)
    except ValueError:
        ended = None
    document: dict[str, Any] = {"kind": "run", "folder": folder, "tasks": records}
    if ended is None:
        lines = _lines_of_left_run(folder, facts, records)
        document |= {"state": "left", "task": facts.get("task"), "target": facts.get("target")}
    else:
        lines = _lines_of_run(ended, facts)
        document |= {"state": "ended", "table": facts.get("table"), "run": run_document(ended)}
    output.print_result(lines, document)


def _count_records(folder: str) -> dict[str, int]:
    with RunStore.open(folder, read_only=True) as store:
        states = [record.state for record in store.records()]
    return {state: states.count(state) for state in ("done", "failed")}


def _lines_of_left_run(folder: str, facts: dict[str, Any], records: dict[str, int]) -> list[str]:
    return [
        f"run       {folder}: {facts.get('task')} of {facts.get('target')!r}, left before it had a "
        "model",
        f"tasks     {records['done']} done, {records['failed']} failed",
        f"go on     nonet resume {folder}",
    ]


def _lines_of_run(run: Run, facts: dict[str, Any]) -> list[str]:
    classes = classes_of(run.model)
    of = "" if classes is None else f", classes {list_names(list(map(str, classes)))}"
    file = "" if facts.get("table") is None else f" in {facts['table']}"
    return [
        f"run       {run.folder}: {run.task} of {run.target!r}{file}{of}",
        f"took      {duration_in_words(run.seconds)}",
        *(f"note      {note}" for note in run.notes),
        "",
        *run_lines(run, is_whole=True),
    ]


# ---- Model files -------------------------------------------------------------------------------


def _show_file(path: str, output: Output) -> None:
    about = describe_file(path)
    fields = {
        "class": about.class_name,
        "classes": about.classes,
        "columns": about.columns,
        "parameters": about.parameters,
        "facts": about.facts,
        "written_by": about.written_by,
        "requires": about.requires,
        "trust": about.trust,
        "format_version": about.format_version,
        "n_bytes": about.n_bytes,
    }
    output.print_result(_lines_of_file(path, about), {"kind": "model", "file": path, **fields})


def _lines_of_file(path: str, about: ModelFileDescription) -> list[str]:
    names = about.columns.get("names")
    columns = str(about.columns.get("count"))
    if names:
        columns += f": {list_names([str(name) for name in names])}"
    versions = ", ".join(f"{name} {version}" for name, version in about.written_by.items())
    lines = [
        f"model     {path}: {about.class_name}, {about.n_bytes:,} bytes",
        f"columns   {columns}",
        f"versions  {versions}",
    ]
    if about.classes is not None:
        lines.insert(1, f"classes   {list_names([str(label) for label in about.classes])}")
    if about.trust:
        lines.append(f"trust     holds {', '.join(about.trust)}, which runs code when it is loaded")
    return lines


COMMAND = Command(
    "show", "Show what a model file or the folder of a run holds.", add_arguments, run
)
