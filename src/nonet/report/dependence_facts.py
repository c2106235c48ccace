"""Partial dependence of the most important columns, with single rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet._base.aliases import Codes, Floats
from nonet.report.explained_models import ExplainedModels
from nonet.report.partial_dependence import Grid, grid_of, partial_dependence
from nonet.report.plain import plain, shortened
from nonet.report.shown_columns import ShownColumn
from nonet.report.subject import Subject

_N_LINES = 10


def dependence_facts(
    subject: Subject, explained: ExplainedModels, columns: Codes, rows: Codes, words: str
) -> dict[str, Any]:
    """Return the mean prediction at values of single columns.

    Parameters
    ----------
    subject : Subject
    explained : ExplainedModels
    columns : ndarray of int
    rows : ndarray of int
        That are given the values.
    words : str
        These rows in words.

    Returns
    -------
    facts : dict
    """
    label = _label(subject)
    found = []
    for j in columns.tolist():
        column = subject.columns[j]
        grid = grid_of(column) if column.kind != "text" else Grid(np.empty(0, int), np.empty(0))
        if len(grid.sources) > 1:
            lines = partial_dependence(explained, j, grid, rows)[:, :, _output(subject)]
            found.append({**_curve(column, grid, lines), "label": label})
    output = "predicted value" if subject.classes is None else f"probability of {label!r}"
    return {
        "output": output,
        "rows": words,
        "n_rows": len(rows),
        "what": "Mean prediction if all of these rows had one value of a column and kept their "
        "other values, which may not occur together.",
        "list": found,
    }


def _output(subject: Subject) -> int:
    """Return which output is drawn: the positive class, or the most frequent one."""
    if subject.classes is None:
        return 0
    if subject.is_binary:
        return 1
    return int(np.bincount(subject.evidence.y, minlength=subject.n_classes).argmax())


def _label(subject: Subject) -> Any:
    return None if subject.classes is None else plain(subject.labels()[_output(subject)])


def _curve(column: ShownColumn, grid: Grid, lines: Floats) -> dict[str, Any]:
    n_rows = len(lines)
    error = lines.std(axis=0, ddof=1) / np.sqrt(n_rows) if n_rows > 1 else lines[0] * np.nan
    shown = lines[np.unique(np.linspace(0, n_rows - 1, _N_LINES).astype(int))]
    numbers = column.numbers()[grid.sources] if column.kind == "date" else None
    return {
        "column": column.name,
        "kind": column.kind,
        "grid": [column.shown(row) for row in grid.sources.tolist()],
        "positions": None if numbers is None else numbers.tolist(),
        "mean": shortened(lines.mean(axis=0)),
        "standard_error": shortened(error),
        "density": shortened(grid.density),
        "lines": [shortened(line) for line in shown],
    }
