"""Where a model errs: the confusion of classes, residuals, and the worst rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet._base.aliases import Floats
from nonet.report.evidence import Evidence
from nonet.report.plain import missing, plain, shortened
from nonet.report.sampling import sample_positions
from nonet.report.slice_facts import slice_facts
from nonet.report.subject import Subject
from nonet.report.table_facts import count_in_bins
from nonet.report.wording import LOSS_NAMES, some_of

_MAX_CLASSES = 20
_N_WORST = 10
_MAX_VALUES = 12
_N_POINTS = 500
_N_BINS = 30
_QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_TAIL = 0.005


def error_facts(subject: Subject, important: list[str]) -> dict[str, Any]:
    """Return where the model errs.

    Parameters
    ----------
    subject : Subject
    important : list of str
        Columns, the most important first, for the values of the worst rows.

    Returns
    -------
    facts : dict
    """
    evidence = subject.evidence
    return {
        "rows": evidence.words,
        "n_rows": evidence.n_rows,
        "loss": evidence.loss,
        "mean_loss": evidence.mean(evidence.losses),
        "confusion": _confusion(subject),
        "residuals": _residuals(subject),
        "worst": _worst(subject, important),
        "slices": slice_facts(subject),
    }


# ---- Classes -------------------------------------------------------------------------------------


def _confusion(subject: Subject) -> dict[str, Any]:
    evidence = subject.evidence
    if evidence.is_regression:
        return missing("Classes are confused in classification; this is a regression.")
    n_classes = evidence.n_classes
    counts = np.bincount(evidence.y, minlength=n_classes)
    shown = np.sort(np.argsort(-counts, kind="stable")[:_MAX_CLASSES])
    has_others, abstains = len(shown) < n_classes, bool((evidence.decisions < 0).any())
    position = np.full(n_classes + 1, len(shown), dtype=np.intp)
    position[shown] = np.arange(len(shown))
    position[-1] = len(shown) + has_others  # the code -1 of an abstention
    shape = len(shown) + has_others, len(shown) + has_others + abstains
    flat = position[evidence.y] * shape[1] + position[evidence.decisions]
    matrix = np.bincount(flat, minlength=shape[0] * shape[1]).reshape(shape)
    labels = [plain(subject.labels()[code]) for code in shown.tolist()]
    rows = [*labels, *(["other"] if has_others else [])]
    return {
        "labels": rows,
        "predicted_labels": [*rows, *(["abstains"] if abstains else [])],
        "counts": matrix.tolist(),
        "n_other_classes": n_classes - len(shown),
        "classes": [
            _of_class(evidence, label, code)
            for label, code in zip(labels, shown.tolist(), strict=True)
        ],
    }


def _of_class(evidence: Evidence, label: Any, code: int) -> dict[str, Any]:
    weights = evidence.weights
    is_true, is_called = evidence.y == code, evidence.decisions == code
    both = float(weights[is_true & is_called].sum())
    true, called = float(weights[is_true].sum()), float(weights[is_called].sum())
    return {
        "label": label,
        "n_rows": int(np.count_nonzero(is_true)),
        "recall": both / true if true else None,
        "precision": both / called if called else None,
        "f1": 2 * both / (true + called) if true + called else None,
    }


# ---- Values --------------------------------------------------------------------------------------


def _residuals(subject: Subject) -> dict[str, Any]:
    evidence = subject.evidence
    if not evidence.is_regression:
        return missing("Residuals are defined in regression; this is a classification.")
    residuals = evidence.y - evidence.predictions
    mean = evidence.mean(residuals)
    return {
        "mean": mean,
        "standard_deviation": float(np.sqrt(evidence.mean((residuals - mean) ** 2))),
        "mean_absolute": evidence.mean(np.abs(residuals)),
        "median_absolute": float(np.median(np.abs(residuals))),
        "quantiles": {
            str(q): float(v)
            for q, v in zip(_QUANTILES, np.quantile(residuals, _QUANTILES), strict=True)
        },
        "histogram": _histogram(residuals),
        "by_prediction": _by_prediction(evidence.predictions, residuals),
        "predicted_true": _points(evidence, subject.seed),
    }


def _histogram(residuals: Floats) -> dict[str, Any]:
    low, high = np.quantile(residuals, [_TAIL, 1 - _TAIL])
    if low == high:
        low, high = low - 0.5, high + 0.5
    edges = np.linspace(low, high, _N_BINS + 1)
    return {"edges": shortened(edges), "counts": count_in_bins(residuals, edges).tolist()}


def _by_prediction(predictions: Floats, residuals: Floats) -> list[dict[str, Any]]:
    """Return quantiles of the residuals in groups of equal size by prediction."""
    inner = np.unique(np.quantile(predictions, np.arange(1, 10) / 10))
    groups = np.searchsorted(inner, predictions, side="left")
    found = []
    for group in np.unique(groups).tolist():
        rows = groups == group
        low, middle, high = np.quantile(residuals[rows], [0.05, 0.5, 0.95])
        found.append(
            {
                "low": float(predictions[rows].min()),
                "high": float(predictions[rows].max()),
                "n_rows": int(np.count_nonzero(rows)),
                "mean": float(residuals[rows].mean()),
                "quantile_05": float(low),
                "quantile_50": float(middle),
                "quantile_95": float(high),
            }
        )
    return found


def _points(evidence: Evidence, seed: int) -> dict[str, Any]:
    at = sample_positions(evidence.n_rows, _N_POINTS, seed)
    return {
        "predicted": shortened(evidence.predictions[at]),
        "true": shortened(evidence.y[at]),
        "rows": some_of(len(at), evidence.words),
    }


# ---- Rows ----------------------------------------------------------------------------------------


def _worst(subject: Subject, important: list[str]) -> dict[str, Any]:
    evidence = subject.evidence
    losses = np.where(evidence.weights > 0, evidence.losses, -np.inf)
    worst = np.argsort(-losses, kind="stable")[:_N_WORST]
    worst = worst[np.isfinite(losses[worst])]
    name, is_of_run = LOSS_NAMES[evidence.loss], subject.sampling["are_held_out"]
    columns = _columns_in_order(subject, important)
    return {
        "rows": f"the {len(worst)} rows of largest {name} among {evidence.words}",
        "what": "Row 1 is the first below the names, as for nonet explain --row"
        # A run keeps no others.
        + ("; rows whose target is missing are not counted." if is_of_run else "."),
        "list": [_bad_row(subject, int(row), float(losses[row]), columns) for row in worst],
    }


def _columns_in_order(subject: Subject, important: list[str]) -> list[Any]:
    by_name = {column.name: column for column in subject.columns}
    names = dict.fromkeys([*(name for name in important if name in by_name), *by_name])
    return [by_name[name] for name in [*names][:_MAX_VALUES]]


def _bad_row(subject: Subject, row: int, loss: float, columns: list[Any]) -> dict[str, Any]:
    evidence = subject.evidence
    probability = None
    if evidence.has_probabilities:
        probability = float(evidence.predictions[row, evidence.y[row]])
    return {
        "row": int(evidence.rows[row]) + 1,
        "loss": loss,
        "true": _named(subject, evidence.y[row]),
        "predicted": _named(subject, evidence.decisions[row]),
        "probability": probability,
        "values": {column.name: column.shown(row) for column in columns},
    }


def _named(subject: Subject, entry: Any) -> Any:
    """Return a class code as its label, a value as a number."""
    if subject.classes is None:
        return float(entry)
    return plain(subject.labels()[int(entry)]) if entry >= 0 else "abstains"
