"""Contributions of columns to predictions: how large they are, and in which direction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import rankdata

from nonet._base.aliases import Codes, Floats
from nonet.report.plain import plain, shortened
from nonet.report.sampling import sample_positions
from nonet.report.shown_columns import ShownColumn
from nonet.report.subject import Subject
from nonet.report.wording import some_of
from nonet.trees.shap import shap_values

_MAX_POINTS = 150
_MAX_CLASSES = 10
_NODE_ROWS = 50_000_000  # nodes x rows of exact Shapley values
_MIN_ROWS, _MAX_ROWS = 20, 300
_CLEAR = 0.5  # rank correlation from which a direction is named


@dataclass(frozen=True, eq=False)
class Contributions:
    """Contributions of columns to predictions of rows.

    Attributes
    ----------
    method : {'sampled', 'exact, of trees'}
    scale : str
        'probability', 'value', 'log-odds' or 'score'.
    columns : ndarray of int of shape (n_columns,)
    rows : ndarray of int of shape (n,)
    values : ndarray of shape (n, n_columns, t)
    words : str
        The rows.
    what : str
    """

    method: str
    scale: str
    columns: Codes
    rows: Codes
    values: Floats
    words: str
    what: str


def contribution_facts(subject: Subject, found: Contributions) -> dict[str, Any]:
    """Return how large contributions are, their direction, and points for a picture.

    Parameters
    ----------
    subject : Subject
    found : Contributions

    Returns
    -------
    facts : dict
    """
    output = _output_shown(subject, found)
    own = found.values[:, :, output]
    sizes = np.abs(found.values).mean(axis=0)  # (d, t)
    shown = sizes[:, 0] if sizes.shape[1] == 1 else sizes[:, output]
    mean_sizes = sizes.sum(axis=1) if subject.n_classes > 2 else shown
    order = np.argsort(-mean_sizes, kind="stable")
    return {
        "method": found.method,
        "scale": found.scale,
        "output": _output_in_words(subject, found, output),
        "rows": found.words,
        "n_rows": len(found.rows),
        "what": found.what,
        "list": [
            _of_column(
                subject.columns[int(found.columns[j])],
                found,
                own[:, j],
                np.abs(found.values[:, j]).sum(axis=1)
                if subject.n_classes > 2
                else np.abs(own[:, j]),
                has_direction=subject.n_classes <= 2,
            )
            for j in order.tolist()
        ],
        "classes": _by_class(subject, sizes[order]),
    }


def _output_shown(subject: Subject, found: Contributions) -> int:
    """Return which output the points are of: the positive class, or the most frequent one."""
    if found.values.shape[2] == 1:
        return 0
    if subject.is_binary:
        return 1
    return int(np.bincount(subject.evidence.y, minlength=subject.n_classes).argmax())


def _output_in_words(subject: Subject, found: Contributions, output: int) -> str:
    if subject.classes is None:
        return "predicted value" if found.scale == "value" else "score of the prediction"
    label = subject.positive if subject.is_binary else subject.labels()[output]
    return f"{found.scale} of {label!r}"


def _of_column(
    column: ShownColumn, found: Contributions, own: Floats, sizes: Floats, *, has_direction: bool
) -> dict[str, Any]:
    strength = _direction(column.take(found.rows), own) if has_direction else None
    n_rows = len(sizes)
    is_exact = found.method != "sampled"
    error = float(sizes.std(ddof=1) / np.sqrt(n_rows)) if n_rows > 1 else None
    return {
        "column": column.name,
        "kind": column.kind,
        "mean_absolute": float(sizes.mean()),
        "standard_error": None if is_exact else error,
        "direction": _named(strength),
        "direction_strength": strength,
        "points": _points(column.take(found.rows), own),
    }


def _direction(column: ShownColumn, own: Floats) -> float | None:
    """Return the rank correlation of values and contributions; None for columns without order."""
    if not column.is_ordered:
        return None
    numbers = column.numbers()
    there = ~np.isnan(numbers)
    values, changes = numbers[there], own[there]
    if len(values) < 3 or np.ptp(values) == 0 or np.ptp(changes) == 0:
        return None
    return float(np.corrcoef(rankdata(values), rankdata(changes))[0, 1])


def _named(strength: float | None) -> str | None:
    if strength is None:
        return None
    if abs(strength) < _CLEAR:
        return "mixed"
    return "raises" if strength > 0 else "lowers"


def _points(column: ShownColumn, own: Floats) -> list[list[Any]]:
    at = sample_positions(len(own), _MAX_POINTS, 0)
    positions: list[float | None] = [None] * len(at)
    if column.is_ordered:
        numbers = column.numbers()[at]
        there = ~np.isnan(numbers)
        ranks = np.full(len(at), np.nan)
        if there.any():
            ranked = rankdata(numbers[there]) - 1
            ranks[there] = ranked / max(there.sum() - 1, 1)
        positions = shortened(ranks)
    changes = shortened(own[at])
    values = [column.shown(row) for row in at.tolist()]
    return [[p, c, v] for p, c, v in zip(positions, changes, values, strict=True)]


def _by_class(subject: Subject, sizes: Floats) -> list[dict[str, Any]]:
    if subject.n_classes <= 2 or sizes.shape[1] != subject.n_classes:
        return []
    counts = np.bincount(subject.evidence.y, minlength=subject.n_classes)
    common = np.sort(np.argsort(-counts, kind="stable")[:_MAX_CLASSES])
    labels = subject.labels()
    return [
        {"label": plain(labels[code]), "mean_absolute": shortened(sizes[:, code])}
        for code in common.tolist()
    ]


# ---- Trees ---------------------------------------------------------------------------------------


def exact_contributions(subject: Subject, columns: Codes) -> Contributions | None:
    """Return the exact contributions to a model of this library's trees; None for other models.

    Parameters
    ----------
    subject : Subject
    columns : ndarray of int
        Those that are shown.

    Returns
    -------
    contributions : Contributions or None
    """
    model, X = subject.model, subject.X
    if X is None or not hasattr(model, "_score_trees"):
        return None
    parts = model._score_trees()
    if parts.besides or not parts.trees:
        return None
    n_nodes = sum(tree.n_nodes for tree in parts.trees)
    n_rows = int(np.clip(_NODE_ROWS / max(n_nodes, 1), _MIN_ROWS, _MAX_ROWS))
    rows = sample_positions(subject.evidence.n_rows, n_rows, subject.seed + 3_000)
    found = shap_values(model, X.iloc[rows] if hasattr(X, "iloc") else X[rows]).values
    values = found[:, :, np.newaxis] if found.ndim == 2 else found
    return Contributions(
        "exact, of trees",
        _scale(subject, parts),
        columns,
        rows,
        np.asarray(values)[:, columns],
        some_of(len(rows), subject.evidence.words),
        "Exact Shapley values of the trees: how far a column moves the score of a row from the "
        "mean score of the training rows.",
    )


def _scale(subject: Subject, parts: Any) -> str:
    is_regression = subject.classes is None
    if parts.loss is None:
        return "value" if is_regression else "probability"
    if is_regression:
        probe = np.array([0.25, 2.0])
        return "value" if np.allclose(parts.loss.inverse_link(probe), probe) else "score"
    return "log-odds"
