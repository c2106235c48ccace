"""Warnings of a report: what a reader should know before believing its numbers."""

from __future__ import annotations

from typing import Any

from nonet.report.plain import is_missing
from nonet.report.subject import Subject
from nonet.report.wording import number

_FEW_ROWS = 100
_POORLY_CALIBRATED = 0.1


def warning_facts(subject: Subject, facts: dict[str, Any]) -> dict[str, Any]:
    """Return what a reader should know.

    Parameters
    ----------
    subject : Subject
    facts : dict
        The other sections.

    Returns
    -------
    facts : dict
    """
    found = [
        *_about("rows", _about_rows(subject)),
        *_about("table", subject.warnings),
        *_about("score", _about_score(facts)),
        *_about("report", _about_report(facts)),
    ]
    return {"rows": subject.everything.words, "list": found}


def _about(what: str, sentences: list[str]) -> list[dict[str, str]]:
    return [{"sentence": sentence, "about": what} for sentence in sentences]


def _about_rows(subject: Subject) -> list[str]:
    found = []
    if subject.kind == "model":
        found.append(
            "The numbers are from rows that were given to the report; if the model was fitted on "
            "them, all numbers are too good: give rows that it has not seen."
        )
    n_rows = subject.everything.n_rows
    if n_rows < _FEW_ROWS:
        are = "There is only one row" if n_rows == 1 else f"There are only {n_rows} rows"
        found.append(f"{are}, so most differences may be accidental.")
    return found


def _about_score(facts: dict[str, Any]) -> list[str]:
    result, calibration = facts["result"], facts["calibration"]
    found = []
    gain, baseline = result["gain"], f"that of the baseline ({result['baseline']['name']})"
    if gain["is_clear_loss"]:
        found.append(f"The score is clearly worse than {baseline}: do not use this model.")
    elif not gain["is_clear"]:
        found.append(
            f"The score is not clearly better than {baseline}: the difference is below two "
            "standard errors."
        )
    error = calibration.get("expected_calibration_error")
    if calibration.get("kind") in ("positive", "top label") and error > _POORLY_CALIBRATED:
        found.append(
            f"Probabilities are {number(error)} off on average: do not read them as frequencies."
        )
    return found


def _about_report(facts: dict[str, Any]) -> list[str]:
    """Return why parts of the report that a reader expects could not be computed."""
    columns = facts["columns"]
    return [columns["missing"]] if is_missing(columns) else []
