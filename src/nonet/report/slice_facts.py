"""Slices of the rows on which a model fails: levels and ranges of single columns.

The mean loss of a slice is compared with that of all other rows. Many slices are looked at, and
some are worse by chance, so p-values are corrected for their number by Holm's method.

Reference: S. Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian
Journal of Statistics 6, 65-70.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.stats import norm

from nonet._base.aliases import Array, Codes, Floats
from nonet.report.evidence import Evidence
from nonet.report.plain import missing, shown_date
from nonet.report.shown_columns import ShownColumn
from nonet.report.subject import Subject
from nonet.report.wording import number

_MAX_COLUMNS = 300
_MAX_LEVELS = 10
_MAX_VALUES = 6  # of a column of numbers whose values are slices themselves
_N_RANGES = 5
_MIN_ROWS = 20
_N_SHOWN = 12
_N_COLUMNS_SHOWN = 8
_CLEAR = 0.05


@dataclass(frozen=True, eq=False)
class Slices:
    """The slices of one column.

    Attributes
    ----------
    column : ShownColumn
    names : list of str
    of_row : ndarray of int of shape (n_rows,)
        The slice of each row.
    """

    column: ShownColumn
    names: list[str]
    of_row: Codes


def slice_facts(subject: Subject) -> dict[str, Any]:
    """Return the slices with larger losses than the other rows.

    Parameters
    ----------
    subject : Subject

    Returns
    -------
    facts : dict
    """
    evidence = subject.evidence
    if evidence.n_rows < 2 * _MIN_ROWS:
        return missing(
            f"Slices are compared from {2 * _MIN_ROWS} rows on; there are {evidence.n_rows}."
        )
    cut = [cut_column(column) for column in subject.columns[:_MAX_COLUMNS]]
    found = [entry for slices in cut for entry in losses_by_slice(slices, evidence)]
    compared = [entry for entry in found if entry["difference"] is not None]
    _correct(compared)
    worse = sorted(
        (entry for entry in compared if entry["difference"] > 0),
        key=lambda entry: (entry["corrected_p_value"], entry["p_value"], -entry["difference"]),
    )
    return {
        "rows": evidence.words,
        "loss": evidence.loss,
        "mean_loss": evidence.mean(evidence.losses),
        "n_looked": len(compared),
        "n_columns": len(cut),
        "what": "Levels of columns, and five ranges of numbers with about equally many rows, "
        f"of at least {_MIN_ROWS} rows; p-values are corrected for all that were compared (Holm).",
        "list": worse[:_N_SHOWN],
        "columns": _pictures(worse, found, cut),
    }


# ---- Cutting -------------------------------------------------------------------------------------


def cut_column(column: ShownColumn) -> Slices:
    """Return the slices of a column: its levels, or ranges of its numbers; missing values are one.

    Parameters
    ----------
    column : ShownColumn

    Returns
    -------
    slices : Slices
    """
    if column.kind == "text":
        names, codes = ["given"], np.where(column.is_missing, -1, 0)
    elif column.is_ordered and column.kind != "boolean":
        names, codes = _ranges(column)
    else:
        names, codes = _levels(column)
    of_row = np.where(column.is_missing, len(names), codes)
    return Slices(column, [*names, "missing"], of_row.astype(np.intp))


def _levels(column: ShownColumn) -> tuple[list[str], Codes]:
    levels = column.levels
    counts = levels.counts()
    order = np.argsort(-counts, kind="stable")
    shown = np.sort(order[: min(_MAX_LEVELS, np.count_nonzero(counts))])
    position = np.full(len(counts) + 1, len(shown), dtype=np.intp)
    position[shown] = np.arange(len(shown))
    names = [str(levels.levels[j]) for j in shown.tolist()]
    has_others = len(shown) < np.count_nonzero(counts)
    return [*names, *(["other levels"] if has_others else [])], position[levels.codes]


def _ranges(column: ShownColumn) -> tuple[list[str], Codes]:
    numbers = column.numbers()
    present = np.sort(numbers[~np.isnan(numbers)])
    if not len(present):
        return [], np.full(len(numbers), -1)
    is_first = np.concatenate([[True], np.diff(present) > 0])
    if np.count_nonzero(is_first) <= _MAX_VALUES:
        values = present[is_first]
        return [_end(column, v) for v in values], np.searchsorted(values, numbers)
    at = np.arange(1, _N_RANGES) * len(present) // _N_RANGES
    inner = np.unique(present[at])
    inner = inner[inner > present[0]]
    if not len(inner):  # nearly all rows have the lowest value: it is one range, the rest another
        inner = present[is_first][1:2]
    return _range_names(column, inner), np.searchsorted(inner, numbers, side="right")


def _range_names(column: ShownColumn, inner: Floats) -> list[str]:
    ends = [_end(column, end) for end in inner]
    middle = [f"{low} to {high}" for low, high in pairwise(ends)]
    return [f"below {ends[0]}", *middle, f"{ends[-1]} or more"]


def _end(column: ShownColumn, value: float) -> str:
    if column.kind == "date":
        return str(shown_date(np.datetime64(round(float(value) * 1e6), "us")))
    return number(float(value))


# ---- Comparing -----------------------------------------------------------------------------------


def losses_by_slice(slices: Slices, evidence: Evidence) -> list[dict[str, Any]]:
    """Return the mean loss of each slice that holds rows, beside that of all other rows.

    Parameters
    ----------
    slices : Slices
    evidence : Evidence

    Returns
    -------
    entries : list of dict
        ``difference`` is None where a slice, or the rest, has too few rows to be compared.
    """
    n_slices, weights, losses = len(slices.names), evidence.weights, evidence.losses
    counts = np.bincount(slices.of_row, minlength=n_slices)

    def sums(entries: Floats) -> Floats:
        return np.asarray(np.bincount(slices.of_row, entries, n_slices))

    # Around the mean, so that the squares do not cancel.
    centred = losses - evidence.mean(losses)
    inside = np.array([sums(weights * centred**power) for power in (0, 1, 2)])
    squares = sums(weights**2)
    rest = inside.sum(axis=1, keepdims=True) - inside
    return [
        {
            "column": slices.column.name,
            "slice": slices.names[j],
            "n_rows": int(counts[j]),
            "loss": float(inside[1, j] / inside[0, j] + evidence.mean(losses)),
            **_compare(
                _Moments.of(inside[:, j], squares[j]),
                _Moments.of(rest[:, j], squares.sum() - squares[j]),
                min(int(counts[j]), evidence.n_rows - int(counts[j])),
            ),
        }
        for j in range(n_slices)
        if inside[0, j] > 0
    ]


@dataclass(frozen=True)
class _Moments:
    """Mean of losses and its squared standard error."""

    mean: float
    squared_error: float

    @classmethod
    def of(cls, sums: Array, squares: float) -> _Moments:
        if sums[0] <= 0:
            return cls(float("nan"), float("nan"))
        mean = float(sums[1] / sums[0])
        variance = max(float(sums[2] / sums[0]) - mean**2, 0.0)
        n_effective = float(sums[0] ** 2 / squares) if squares > 0 else 1.0
        error = variance / (n_effective - 1) if n_effective > 1 else float("nan")
        return cls(mean, error)


def _compare(own: _Moments, rest: _Moments, n_rows: int) -> dict[str, Any]:
    entry: dict[str, Any] = {"standard_error": float(np.sqrt(own.squared_error))}
    error = float(np.sqrt(own.squared_error + rest.squared_error))
    if n_rows < _MIN_ROWS or not error > 0:
        return {**entry, "difference": None, "difference_error": None, "p_value": None}
    difference = own.mean - rest.mean
    p_value = float(norm.sf(difference / error))
    return {
        **entry,
        "difference": difference,
        "difference_error": error,
        "p_value": p_value,
    }


def _correct(entries: list[dict[str, Any]]) -> None:
    """Add Holm's corrected p-values."""
    corrected = holm([entry["p_value"] for entry in entries])
    for entry, p_value in zip(entries, corrected, strict=True):
        entry["corrected_p_value"] = float(p_value)
        entry["is_clear"] = bool(p_value < _CLEAR)


def holm(p_values: list[float]) -> Floats:
    """Return p-values corrected for their number, by Holm's method.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(2)
    array([0.03, 0.06, 0.06])
    """
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(order), 0, -1)
    steps = np.minimum(np.maximum.accumulate(factors * np.asarray(p_values)[order]), 1.0)
    corrected = np.empty(len(order))
    corrected[order] = steps
    return corrected


def _pictures(
    worse: list[dict[str, Any]], found: list[dict[str, Any]], cut: list[Slices]
) -> list[dict[str, Any]]:
    """Return all slices of the columns whose slices are the clearest."""
    names = list(dict.fromkeys(entry["column"] for entry in worse))[:_N_COLUMNS_SHOWN]
    kinds = {slices.column.name: slices.column.kind for slices in cut}
    keys = ("slice", "n_rows", "loss", "standard_error")
    return [
        {
            "column": name,
            "kind": kinds[name],
            "slices": [
                {key: entry[key] for key in keys} for entry in found if entry["column"] == name
            ],
        }
        for name in names
    ]
