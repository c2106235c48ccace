"""The leaderboard: what was run, how well it did, what it cost, and its weight."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet._base.aliases import Floats
from nonet.auto.metric import Metric
from nonet.diagnostics.member_predictions import MemberPredictions
from nonet.report.evidence import one_hot
from nonet.report.subject import Members, Missing, Subject
from nonet.report.wording import with_commas

_MAX_ENTRIES = 100
_MAX_SCORED = 50  # members, the heaviest first


def leaderboard_facts(subject: Subject, baseline: dict[str, Any]) -> dict[str, Any]:
    """Return all that can be compared by score, the best first.

    Parameters
    ----------
    subject : Subject
    baseline : dict
        The baseline of the result.

    Returns
    -------
    facts : dict
    """
    is_of_run = subject.run is not None and subject.sampling["are_held_out"]
    entries = _of_run(subject) if is_of_run else _of_model(subject)
    simplest = _entry(
        baseline["name"],
        "baseline",
        baseline["score"],
        baseline["standard_error"],
        None,
        baseline["rows"],
    )
    metric = subject.metric
    entries = sorted([*entries, simplest], key=lambda entry: _rank(entry, metric))
    return {
        "metric": metric.name,
        "better": metric.better,
        "rows": subject.everything.words,
        "entries": entries[:_MAX_ENTRIES],
        "n_left_out": max(len(entries) - _MAX_ENTRIES, 0) + _count_unscored(subject, is_of_run),
    }


def _entry(
    name: str,
    kind: str,
    score: float | None,
    error: float | None,
    weight: float | None,
    rows: str | None,
    seconds: float | None = None,
    why_not: str | None = None,
    us_per_row: float | None = None,
) -> dict[str, Any]:
    return {
        "name": name,
        "kind": kind,
        "score": score,
        "standard_error": error,
        "weight": weight,
        "seconds": seconds,
        "us_per_row": us_per_row,
        "rows": rows,
        "why_not": why_not,
    }


def _rank(entry: dict[str, Any], metric: Metric) -> tuple[bool, float]:
    """Return what the best entries have the lowest of; those without a score are last."""
    if entry["score"] is None:
        return True, 0.0
    return False, metric.sign * float(entry["score"])


# ---- Runs ----------------------------------------------------------------------------------------


def _of_run(subject: Subject) -> list[dict[str, Any]]:
    return [_of_row(row) for row in subject.run.leaderboard.rows]


def _of_row(row: Any) -> dict[str, Any]:
    kind = "ensemble" if row.name == "ensemble" else "member"
    if np.isnan(row.score):
        return _entry(row.name, kind, None, None, 0.0, None, row.seconds, row.rows)
    rows, cost = with_commas(row.rows), row.us_per_row
    scored = row.name, kind, row.score, row.standard_error, row.weight, rows, row.seconds
    return _entry(*scored, us_per_row=None if np.isnan(cost) else cost)


# ---- Models --------------------------------------------------------------------------------------


def _of_model(subject: Subject) -> list[dict[str, Any]]:
    evidence, metric = subject.everything, subject.metric
    name = "ensemble" if isinstance(subject.members, Members) else type(subject.model).__name__
    loss = metric.loss(evidence.y, evidence.predictions, evidence.weight)
    error = metric.standard_error(evidence.y, evidence.predictions, evidence.weight)
    whole = _entry(name, "ensemble", metric.shown(loss), error, 1.0, evidence.words)
    if isinstance(subject.members, Missing):
        return [whole]
    return [whole, *_of_members(subject, subject.members)]


def _of_members(subject: Subject, members: Members) -> list[dict[str, Any]]:
    record, metric = members.predictions, subject.metric
    if record.kind == "labels" and metric.name != "accuracy":
        return [_label_entry(record, j, metric) for j in heaviest(record)]
    found = []
    for j in heaviest(record):
        predictions = _of_member(record, j)
        loss = metric.loss(record.truth, predictions)
        error = metric.standard_error(record.truth, predictions)
        weight = float(record.weights[j])
        shown = metric.shown(loss)
        found.append(_entry(record.names[j], "member", shown, error, weight, members.words))
    return found


def _label_entry(record: MemberPredictions, j: int, metric: Metric) -> dict[str, Any]:
    accuracy = float(np.mean(record.outputs[:, j] == record.truth))
    why = f"It votes for classes, so it has no {metric.name}; its accuracy is {accuracy:.4g}."
    weight = float(record.weights[j])
    return _entry(record.names[j], "member", None, None, weight, None, why_not=why)


def _of_member(record: MemberPredictions, j: int) -> Floats:
    outputs = record.outputs[:, j]
    if record.kind != "labels":
        return np.asarray(outputs, dtype=np.float64)
    assert record.classes is not None
    return one_hot(outputs.astype(np.intp), record.truth.astype(np.intp), len(record.classes))


def heaviest(record: MemberPredictions, n_most: int = _MAX_SCORED) -> list[int]:
    """Return the members of the largest weights, the largest first.

    Parameters
    ----------
    record : MemberPredictions
    n_most : int

    Returns
    -------
    members : list of int
    """
    order: list[int] = np.argsort(-record.weights, kind="stable")[:n_most].tolist()
    return order


def _count_unscored(subject: Subject, is_of_run: bool) -> int:
    if is_of_run or isinstance(subject.members, Missing):
        return 0
    return max(subject.members.predictions.n_members - _MAX_SCORED, 0)
