"""What was understood of a table: its columns, what is missing, what is not used, the target."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Codes, Floats
from nonet.report.evidence import Evidence
from nonet.report.plain import plain, shown_date
from nonet.report.shown_columns import ShownColumn
from nonet.report.subject import Subject

_MAX_COLUMNS = 300
_MAX_LEVELS = 10
_MAX_CLASSES = 100
_N_BINS = 16
_DAY = 86_400
_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_FAR = 4.0  # times the range of the middle 98 %: values beyond that would squash a histogram


def table_facts(subject: Subject) -> dict[str, Any]:
    """Return what was understood of the table.

    Parameters
    ----------
    subject : Subject

    Returns
    -------
    facts : dict
    """
    columns, evidence = subject.columns, subject.evidence
    n_missing = sum(int(column.is_missing.sum()) for column in columns)
    n_cells = max(len(columns) * evidence.n_rows, 1)
    dropped = _dropped(subject)
    return {
        "rows": evidence.words,
        "n_rows": evidence.n_rows,
        "n_columns": len(columns) + len(dropped),
        "n_used": len(columns),
        "kinds": dict(Counter([c.kind for c in columns] + [d["kind"] for d in dropped])),
        "n_missing": n_missing,
        "missing_fraction": n_missing / n_cells,
        "notes": list(dict.fromkeys(subject.notes)),
        "dropped": dropped,
        "columns": [summarize(column) for column in columns[:_MAX_COLUMNS]],
        "n_left_out": max(len(columns) - _MAX_COLUMNS, 0),
        "target": _target(subject),
    }


def _dropped(subject: Subject) -> list[dict[str, str]]:
    return [
        {"name": name, "kind": kind.kind, "reason": kind.reason}
        for name, kind in subject.kinds.items()
        if not kind.is_used
    ]


def summarize(column: ShownColumn) -> dict[str, Any]:
    """Return a summary of a column.

    Parameters
    ----------
    column : ShownColumn

    Returns
    -------
    facts : dict
    """
    n_missing = int(column.is_missing.sum())
    head = {
        "name": column.name,
        "kind": column.kind,
        "n_missing": n_missing,
        "missing_fraction": n_missing / max(column.n_rows, 1),
    }
    if column.kind in ("number", "date"):
        numbers = np.sort(column.numbers()[~column.is_missing])
        n_distinct = int(np.count_nonzero(np.diff(numbers))) + 1 if len(numbers) else 0
        facts = describe_numbers(numbers)
        if column.kind == "date":
            has_times = bool((numbers % _DAY != 0).any())
            facts = _as_dates(facts, 1 if has_times else _DAY)
        return {**head, "n_distinct": n_distinct, **facts}
    return {**head, **_describe_levels(column)}


def _describe_levels(column: ShownColumn) -> dict[str, Any]:
    counts = column.levels.counts()
    order = np.argsort(-counts, kind="stable")[:_MAX_LEVELS]
    shown = [int(j) for j in order if counts[j] > 0]
    return {
        "n_distinct": int(np.count_nonzero(counts)),
        "levels": [{"level": str(column.levels.levels[j]), "count": int(counts[j])} for j in shown],
        "n_other": int(counts.sum() - counts[shown].sum()),
    }


def describe_numbers(numbers: Floats) -> dict[str, Any]:
    """Return extremes, mean, quantiles and a histogram of numbers; None for all if there are none.

    Parameters
    ----------
    numbers : ndarray of shape (n,)
        In increasing order, none missing.

    Examples
    --------
    >>> describe_numbers(np.array([1.0, 2.0, 6.0]))["mean"]
    3.0
    """
    if not len(numbers):
        empty = dict.fromkeys(("minimum", "maximum", "mean", "standard_deviation", "quantiles"))
        return {**empty, "histogram": None}
    quantiles = _sorted_quantiles(numbers, _QUANTILES)
    return {
        "minimum": float(numbers[0]),
        "maximum": float(numbers[-1]),
        "mean": float(numbers.mean()),
        "standard_deviation": float(numbers.std()),
        "quantiles": {str(q): v for q, v in zip(_QUANTILES, quantiles, strict=True)},
        "histogram": histogram(numbers),
    }


def _sorted_quantiles(numbers: Floats, fractions: tuple[float, ...]) -> list[float]:
    """Return quantiles of sorted numbers, as NumPy does without sorting again."""
    at = np.asarray(fractions) * (len(numbers) - 1)
    low = np.floor(at).astype(np.intp)
    high = np.minimum(low + 1, len(numbers) - 1)
    found = numbers[low] + (at - low) * (numbers[high] - numbers[low])
    return [float(value) for value in found]


def histogram(numbers: Floats, n_bins: int = _N_BINS) -> dict[str, Any]:
    """Return a histogram of sorted numbers; those far out are in the first and last bin.

    Parameters
    ----------
    numbers : ndarray of shape (n,)
        In increasing order, none missing.
    n_bins : int
        At most; fewer distinct whole numbers have a bin each.

    Examples
    --------
    >>> histogram(np.array([0.0, 1.0, 1.0, 4.0]), n_bins=2)
    {'edges': [0.0, 2.0, 4.0], 'counts': [3, 1]}
    >>> histogram(np.array([0.0, 1.0, 1.0]))
    {'edges': [-0.5, 0.5, 1.5], 'counts': [1, 2]}
    """
    low, high = float(numbers[0]), float(numbers[-1])
    inner_low, inner_high = _sorted_quantiles(numbers, (0.01, 0.99))
    if high - low > _FAR * (inner_high - inner_low) > 0:
        low, high = inner_low, inner_high
    edges = _edges(numbers, low, high, n_bins)
    return {"edges": edges.tolist(), "counts": count_in_bins(numbers, edges).tolist()}


def _edges(numbers: Floats, low: float, high: float, n_bins: int) -> Floats:
    """Return equal bins; of few whole numbers that are close, one bin for each."""
    if high == low:
        return np.array([low - 0.5, low + 0.5])
    if high - low < n_bins and bool((numbers == np.round(numbers)).all()):
        return np.arange(np.floor(low) - 0.5, high + 1.0)
    return np.linspace(low, high, n_bins + 1)


def count_in_bins(numbers: Floats, edges: Floats, weights: Floats | None = None) -> Array:
    """Return how many numbers are in each bin; those beyond the edges are in the outermost."""
    return np.bincount(bins_of(numbers, edges), weights, len(edges) - 1)


def bins_of(numbers: Floats, edges: Floats) -> Codes:
    """Return the bin of each number; a bin holds its lower edge, and the last one both."""
    bins: Codes = np.searchsorted(edges[1:-1], numbers, side="right")
    return bins


def _as_dates(facts: dict[str, Any], step: int) -> dict[str, Any]:
    """Return a summary of seconds as one of dates, in steps of days or of seconds."""
    if facts["minimum"] is None:
        return facts
    dated = {name: _date(facts[name], step) for name in ("minimum", "maximum", "mean")}
    edges = [_date(edge, step) for edge in facts["histogram"]["edges"]]
    return {
        **facts,
        **dated,
        "standard_deviation": None,
        "quantiles": {q: _date(value, step) for q, value in facts["quantiles"].items()},
        "histogram": {**facts["histogram"], "edges": edges},
    }


def _date(seconds: float, step: int) -> str | None:
    return shown_date(np.datetime64(round(seconds / step) * step, "s"))


# ---- The target ----------------------------------------------------------------------------------


def _target(subject: Subject) -> dict[str, Any]:
    evidence = subject.evidence
    head = {"name": subject.target, "rows": evidence.words}
    if subject.classes is None:
        return {**head, "kind": "values", **describe_numbers(np.sort(evidence.y))}
    return {**head, "kind": "classes", **_classes(subject, evidence)}


def _classes(subject: Subject, evidence: Evidence) -> dict[str, Any]:
    counts = np.bincount(evidence.y, minlength=subject.n_classes).tolist()
    labels = subject.labels()
    return {
        "classes": [
            {"label": plain(label), "count": count, "fraction": count / evidence.n_rows}
            for label, count in zip(labels[:_MAX_CLASSES], counts, strict=False)
        ],
        "n_left_out": max(len(labels) - _MAX_CLASSES, 0),
    }
