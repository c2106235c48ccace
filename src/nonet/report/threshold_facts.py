"""What a threshold does: precision, recall and cost against it, and risk against coverage."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score

from nonet._base.aliases import Array, Floats
from nonet.decide.risk_coverage import RiskCoverage, risk_coverage_curve
from nonet.report.evidence import Evidence
from nonet.report.plain import is_missing, missing, plain, shortened
from nonet.report.subject import Subject

_N_POINTS = 101
_MISS_COSTS = (1, 2, 5, 10, 20)
_COVERAGES = (0.5, 0.7, 0.8, 0.9, 0.95)
_CAUTION = (
    "A threshold that is chosen on these rows is fitted to them: on new rows it does a little "
    "worse."
)


def threshold_facts(subject: Subject) -> dict[str, Any]:
    """Return what thresholds of the probability would do.

    Parameters
    ----------
    subject : Subject

    Returns
    -------
    facts : dict
    """
    evidence = subject.evidence
    if evidence.is_regression:
        return missing("A threshold is chosen in classification; this is a regression.")
    if not evidence.has_probabilities:
        return missing(
            f"{type(subject.model).__name__} predicts classes without probabilities, so there is "
            "no threshold to choose."
        )
    curve = _curve(subject)
    return {
        "rows": evidence.words,
        "n_rows": evidence.n_rows,
        "curve": curve,
        "costs": curve if is_missing(curve) else _costs(evidence),
        "risk_coverage": _risk_coverage(subject),
        "caution": _CAUTION,
    }


# ---- Two classes ---------------------------------------------------------------------------------


def _curve(subject: Subject) -> dict[str, Any]:
    evidence = subject.evidence
    if not subject.is_binary:
        n_classes = subject.n_classes
        return missing(f"A threshold is for two classes; this model has {n_classes}.")
    if len(np.unique(evidence.y)) < 2:
        return missing("All of these rows are of one class, so no threshold can be compared.")
    thresholds = _thresholds()
    rates = rates_at(evidence.y == 1, evidence.predictions[:, 1], evidence.weights, thresholds)
    scores = evidence.predictions[:, 1]
    return {
        "positive": plain(subject.positive),
        "thresholds": shortened(thresholds),
        **{name: shortened(rates[name]) for name in _SHOWN},
        "base_rate": evidence.mean(evidence.y),
        "roc_auc": float(roc_auc_score(evidence.y, scores, sample_weight=evidence.weight)),
        "average_precision": float(
            average_precision_score(evidence.y, scores, sample_weight=evidence.weight)
        ),
        "best": {name: _best(thresholds, rates[name]) for name in _CHOSEN},
        "roc": _roc(evidence),
    }


_SHOWN = ("precision", "recall", "false_positive_rate", "f1", "accuracy", "called_positive")
_CHOSEN = ("f1", "accuracy", "balanced_accuracy")


def _thresholds() -> Floats:
    return np.linspace(0.0, 1.0, _N_POINTS)


def rates_at(event: Array, p: Floats, weights: Floats, thresholds: Floats) -> dict[str, Floats]:
    """Return rates of right and wrong decisions when p is compared with thresholds.

    Parameters
    ----------
    event : ndarray of bool of shape (n_rows,)
    p, weights : ndarray of shape (n_rows,)
    thresholds : ndarray of shape (n_thresholds,)
        A row is called positive if its p is at least this.

    Returns
    -------
    rates : dict of str to ndarray of shape (n_thresholds,)
        NaN where a rate is not defined.

    Examples
    --------
    >>> event, p = np.array([True, False]), np.array([0.9, 0.4])
    >>> rates_at(event, p, np.ones(2), np.array([0.0, 0.5]))["precision"]
    array([0.5, 1. ])
    """
    total = weights.sum()
    hits = _mass_at_least(p[event], weights[event], thresholds)
    alarms = _mass_at_least(p[~event], weights[~event], thresholds)
    n_positive = weights[event].sum()
    n_negative = total - n_positive
    called = hits + alarms
    misses, rejected = n_positive - hits, n_negative - alarms
    recall, specificity = hits / n_positive, rejected / n_negative
    return {
        "precision": np.divide(hits, called, out=np.full(len(called), np.nan), where=called > 0),
        "recall": recall,
        "false_positive_rate": alarms / n_negative,
        "f1": 2 * hits / (2 * hits + alarms + misses),
        "accuracy": (hits + rejected) / total,
        "balanced_accuracy": (recall + specificity) / 2,
        "called_positive": called / total,
        "false_alarms": alarms / total,
        "misses": misses / total,
    }


def _mass_at_least(p: Floats, weights: Floats, thresholds: Floats) -> Floats:
    """Return the weight of the rows with at least each threshold."""
    order = np.argsort(p, kind="stable")
    below = np.concatenate([[0.0], np.cumsum(weights[order])])
    mass: Floats = below[-1] - below[np.searchsorted(p[order], thresholds, side="left")]
    return mass


def _best(thresholds: Floats, values: Floats) -> dict[str, float]:
    at = int(np.argmax(values))
    return {"threshold": float(thresholds[at]), "value": float(values[at])}


def _roc(evidence: Evidence) -> dict[str, list[float | None]]:
    """Return points of the ROC curve, at thresholds that are quantiles of the probabilities."""
    p = evidence.predictions[:, 1]
    levels = np.unique(np.quantile(p, np.linspace(1.0, 0.0, _N_POINTS - 1), method="nearest"))
    thresholds = np.concatenate([[np.inf], levels[::-1]])
    rates = rates_at(evidence.y == 1, p, evidence.weights, thresholds)
    return {
        "false_positive_rate": shortened(rates["false_positive_rate"]),
        "true_positive_rate": shortened(rates["recall"]),
    }


def _costs(evidence: Evidence) -> list[dict[str, Any]]:
    thresholds = _thresholds()
    rates = rates_at(evidence.y == 1, evidence.predictions[:, 1], evidence.weights, thresholds)
    base_rate = evidence.mean(evidence.y)
    return [_cost(thresholds, rates, base_rate, miss_cost) for miss_cost in _MISS_COSTS]


def _cost(
    thresholds: Floats, rates: dict[str, Floats], base_rate: float, miss_cost: int
) -> dict[str, Any]:
    mean_cost = rates["false_alarms"] + miss_cost * rates["misses"]
    best = int(np.argmin(mean_cost))
    return {
        "miss_cost": miss_cost,
        "mean_cost": shortened(mean_cost),
        "best_threshold": float(thresholds[best]),
        "best_cost": float(mean_cost[best]),
        "cost_at_half": float(mean_cost[_N_POINTS // 2]),
        "cost_of_none": miss_cost * base_rate,
        "cost_of_all": 1.0 - base_rate,
    }


# ---- Any number of classes -----------------------------------------------------------------------


def _risk_coverage(subject: Subject) -> dict[str, Any]:
    evidence = subject.evidence
    codes = np.arange(subject.n_classes)
    curve = risk_coverage_curve(
        evidence.y, evidence.predictions, classes=codes, sample_weight=evidence.weight
    )
    at = np.unique(np.linspace(0, len(curve.coverage) - 1, _N_POINTS).astype(np.intp))
    return {
        "coverage": shortened(curve.coverage[at]),
        "risk": shortened(curve.risk[at]),
        "threshold": shortened(curve.threshold[at]),
        "area": curve.area,
        "full_risk": float(curve.risk[-1]),
        "at": [_at_coverage(curve, coverage) for coverage in _COVERAGES],
        "what": "Fraction of errors among the rows whose most probable class is at least as "
        "probable as a threshold, against the fraction of such rows.",
    }


def _at_coverage(curve: RiskCoverage, coverage: float) -> dict[str, float]:
    """Return the point of the highest threshold that accepts this fraction of rows."""
    at = min(int(np.searchsorted(curve.coverage, coverage)), len(curve.coverage) - 1)
    return {
        "coverage": coverage,
        "risk": float(curve.risk[at]),
        "threshold": float(curve.threshold[at]),
    }
