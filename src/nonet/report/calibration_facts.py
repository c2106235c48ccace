"""Calibration: events against their probabilities, true against predicted values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.stats import norm

from nonet._base.aliases import Array, Codes, Floats
from nonet.report.evidence import Evidence, mean_and_error
from nonet.report.plain import missing, plain
from nonet.report.subject import Subject

_N_BINS = 10
_MAX_CLASSES = 10
_LEVEL = 1.96  # of a 95 % interval


def calibration_facts(subject: Subject) -> dict[str, Any]:
    """Return how well predictions are calibrated.

    Parameters
    ----------
    subject : Subject

    Returns
    -------
    facts : dict
    """
    evidence = subject.evidence
    head = {"rows": evidence.words, "n_rows": evidence.n_rows}
    if evidence.is_regression:
        return {**head, **_of_values(evidence)}
    if not evidence.has_probabilities:
        return missing(
            f"{type(subject.model).__name__} predicts classes without probabilities, so there is "
            "nothing to calibrate."
        )
    if subject.is_binary:
        what = f"Predicted probability of {subject.positive!r} against how often it is right."
        event, p = evidence.y == 1, evidence.predictions[:, 1]
        return {**head, "kind": "positive", "what": what, **_curve(event, p, evidence), **_none()}
    top = evidence.predictions.argmax(axis=1)
    p = evidence.predictions[np.arange(evidence.n_rows), top]
    what = "Probability of the most probable class against how often that class is right."
    curve = _curve(top == evidence.y, p, evidence)
    return {**head, "kind": "top label", "what": what, **curve, **_by_class(subject)}


def _none() -> dict[str, Any]:
    return {"classes": [], "n_left_out": 0}


def _by_class(subject: Subject) -> dict[str, Any]:
    evidence = subject.evidence
    counts = np.bincount(evidence.y, minlength=evidence.n_classes)
    common = np.sort(np.argsort(-counts, kind="stable")[:_MAX_CLASSES])
    labels, found = subject.labels(), []
    for code in common.tolist():
        curve = _curve(evidence.y == code, evidence.predictions[:, code], evidence)
        kept = {name: curve[name] for name in ("expected_calibration_error", "bins")}
        found.append({"label": plain(labels[code]), **kept})
    return {"classes": found, "n_left_out": evidence.n_classes - len(common)}


# ---- Probabilities -------------------------------------------------------------------------------


def _curve(event: Array, p: Floats, evidence: Evidence) -> dict[str, Any]:
    return reliability(event.astype(np.float64), np.clip(p, 0.0, 1.0), evidence.weights)


def reliability(event: Floats, p: Floats, weights: Floats, n_bins: int = _N_BINS) -> dict[str, Any]:
    """Return bins of equal width of a probability, with how often the event happened in each.

    Parameters
    ----------
    event : ndarray of shape (n_rows,)
        1 where it happened, else 0.
    p : ndarray of shape (n_rows,)
        Its predicted probability.
    weights : ndarray of shape (n_rows,)
    n_bins : int

    Returns
    -------
    facts : dict
        The bins that hold rows, with Wilson's intervals, and the calibration errors.

    Examples
    --------
    >>> facts = reliability(np.array([0.0, 1.0, 1.0]), np.array([0.2, 0.2, 0.8]), np.ones(3), 5)
    >>> round(facts["expected_calibration_error"], 3)
    0.267
    """
    edges = np.linspace(0.0, 1.0, n_bins + 1)
    bins = np.searchsorted(edges[1:-1], p, side="left")
    found = []
    for rows, mass in _groups(bins, weights):
        observed = float(np.average(event[rows], weights=mass))
        low, high = wilson_interval(observed, float(mass.sum() ** 2 / (mass @ mass)))
        predicted = float(np.average(p[rows], weights=mass))
        found.append(_bin(predicted, observed, low, high, rows, mass.sum() / weights.sum()))
    return {"bins": found, **_errors_of(found)}


def wilson_interval(fraction: float, n: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a fraction of n rows.

    Examples
    --------
    >>> low, high = wilson_interval(0.5, 100)
    >>> round(low, 3), round(high, 3)
    (0.404, 0.596)
    """
    square = _LEVEL**2 / n
    centre = (fraction + square / 2) / (1 + square)
    half = np.sqrt(square * (fraction * (1 - fraction) + square / 4)) / (1 + square)
    return max(float(centre - half), 0.0), min(float(centre + half), 1.0)


def _bin(
    predicted: float, observed: float, low: float, high: float, rows: Array, fraction: float
) -> dict[str, Any]:
    return {
        "predicted": predicted,
        "observed": observed,
        "low": low,
        "high": high,
        "n_rows": int(np.count_nonzero(rows)),
        "weight": float(fraction),
    }


def _groups(groups: Codes, weights: Floats) -> Iterator[tuple[Array, Floats]]:
    """Yield which rows are in each group that has weight, and their weights."""
    for group in np.unique(groups).tolist():
        rows = groups == group
        if weights[rows].sum() > 0:
            yield rows, weights[rows]


def _errors_of(bins: list[dict[str, Any]]) -> dict[str, float]:
    apart = [one["predicted"] - one["observed"] for one in bins]
    fractions = [one["weight"] for one in bins]
    return {
        "expected_calibration_error": float(np.abs(apart) @ np.array(fractions)),
        "maximum_calibration_error": float(np.abs(apart).max()),
        "bias": float(np.array(apart) @ np.array(fractions)),
    }


# ---- Values --------------------------------------------------------------------------------------


def _of_values(evidence: Evidence) -> dict[str, Any]:
    bins = _bins_of_equal_size(evidence.predictions)
    level = float(norm.ppf(0.975))
    found = []
    for rows, mass in _groups(bins, evidence.weights):
        mean, error = mean_and_error(evidence.y[rows], mass)
        predicted = float(np.average(evidence.predictions[rows], weights=mass))
        fraction = float(mass.sum() / evidence.weights.sum())
        half = level * error
        found.append(_bin(predicted, mean, mean - half, mean + half, rows, fraction))
    what = "Mean predicted value against the mean true value, in ten groups of equal size."
    return {"kind": "values", "what": what, "bins": found, **_errors_of(found), **_none()}


def _bins_of_equal_size(values: Floats) -> Codes:
    """Return ten groups by value; equal values are in the same one."""
    inner = np.quantile(values, np.arange(1, _N_BINS) / _N_BINS)
    groups: Codes = np.searchsorted(np.unique(inner), values, side="left")
    return groups
