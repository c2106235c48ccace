"""The facts of a report: one dictionary that JSON holds, section by section.

`README.md` in this folder describes every key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nonet._base.errors import one_sentence
from nonet.report.calibration_facts import calibration_facts
from nonet.report.column_facts import column_facts
from nonet.report.error_facts import error_facts
from nonet.report.leaderboard_facts import leaderboard_facts
from nonet.report.plain import missing, plain
from nonet.report.reproduction_facts import reproduction_facts
from nonet.report.score_facts import score_facts
from nonet.report.subject import Subject
from nonet.report.table_facts import table_facts
from nonet.report.threshold_facts import threshold_facts
from nonet.report.warning_facts import warning_facts
from nonet.report.why_facts import why_facts

FORMAT = 1


def collect_facts(subject: Subject, title: str) -> dict[str, Any]:
    """Return the facts of a report.

    Parameters
    ----------
    subject : Subject
    title : str

    Returns
    -------
    facts : dict
        Plain: numbers, text, lists, dictionaries, None.
    """
    result = score_facts(subject)
    # Members and explanations call models of any library, which may refuse.
    columns = _or_missing(column_facts, subject)
    sections = {
        "result": result,
        "table": table_facts(subject),
        "leaderboard": leaderboard_facts(subject, result["baseline"]),
        "why": _or_missing(why_facts, subject),
        "calibration": calibration_facts(subject),
        "threshold": threshold_facts(subject),
        "errors": error_facts(subject, _important(columns)),
        "columns": columns,
        "reproduction": reproduction_facts(subject),
    }
    head = {"format": FORMAT, "title": title, "kind": subject.kind, "task": subject.task}
    order = (
        "result",
        "table",
        "warnings",
        "leaderboard",
        "why",
        "calibration",
        "threshold",
        "errors",
        "columns",
        "reproduction",
    )
    sections["warnings"] = warning_facts(subject, sections)
    ordered = {name: sections[name] for name in order}
    facts: dict[str, Any] = plain({**head, "sampling": subject.sampling, **ordered})
    return facts


def _or_missing(compute: Callable[[Subject], dict[str, Any]], subject: Subject) -> dict[str, Any]:
    try:
        return compute(subject)
    except Exception as why:
        reason = one_sentence(str(why) or type(why).__name__)
        return missing(f"{type(subject.model).__name__} failed here: {reason}")


def _important(columns: dict[str, Any]) -> list[str]:
    """Return the names of columns, the most important first."""
    listed = columns.get("importance", {}).get("list", [])
    return [entry["column"] for entry in listed]
