"""All cases, group by group; one file each."""

from __future__ import annotations

from fuzz import (
    at_predict,
    copies,
    dtypes,
    frames,
    labels,
    layouts,
    parameters,
    refits,
    shapes,
    sparse_tables,
    values,
    weights,
)
from fuzz.case import Case
from fuzz.subject import Subject

GROUPS = {
    "values": values.CASES,
    "shapes": shapes.CASES,
    "dtypes": dtypes.CASES,
    "layouts": layouts.CASES,
    "sparse": sparse_tables.CASES,
    "frames": frames.CASES,
    "labels": labels.CASES,
    "weights": weights.CASES,
    "predict": at_predict.CASES,
    "refits": refits.CASES,
    "copies": copies.CASES,
}
GROUP_NAMES = (*GROUPS, "parameters")


def cases_of(subject: Subject, group: str) -> list[Case]:
    """Return the cases of a group that suit a subject."""
    found = parameters.cases(subject) if group == "parameters" else GROUPS[group]
    return [case for case in found if case.suits(subject)]


def half_of(subject: Subject, group: str, half: int) -> list[Case]:
    """Return every second case; which ones alternates from estimator to estimator.

    Every case is thus tried on half of the estimators in each half.
    """
    start = (half + len(subject.name)) % 2
    return cases_of(subject, group)[start::2]
