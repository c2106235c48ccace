"""How alike the members of an ensemble are: their errors, their disagreement, their margins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.diagnostics.margins import margins
from nonet.diagnostics.member_predictions import MemberPredictions
from nonet.report.evidence import Evidence
from nonet.report.leaderboard_facts import heaviest
from nonet.report.plain import missing, shortened
from nonet.report.table_facts import count_in_bins
from nonet.theory import class_margins

_MAX_MEMBERS = 25
_N_BINS = 20


def correlation_facts(record: MemberPredictions) -> dict[str, Any]:
    """Return the correlations of the errors of members.

    Parameters
    ----------
    record : MemberPredictions

    Returns
    -------
    facts : dict
    """
    shown = heaviest(record, _MAX_MEMBERS)
    errors = _row_errors(record, shown)
    matrix = _correlations(errors, _presence(record, shown))
    squares = _member_errors(record, shown)
    return {
        **_head(record, shown),
        "errors": shortened(squares),
        "matrix": [shortened(line) for line in matrix],
        "mean": _mean_of_pairs(matrix),
        "what": _ERRORS[record.kind],
    }


_ERRORS = {
    "values": "Correlation, over the rows, of the members' errors (truth less prediction); "
    "'errors' are root mean squared errors.",
    "probabilities": "Correlation, over the rows, of what the members' probabilities of the true "
    "class lack to 1; 'errors' are fractions of wrong classes.",
    "labels": "Correlation, over the rows, of being wrong; 'errors' are fractions of wrong "
    "classes.",
}


def _head(record: MemberPredictions, shown: list[int]) -> dict[str, Any]:
    names = [record.names[j] for j in shown]
    return {"names": names, "n_left_out": record.n_members - len(shown)}


def _row_errors(record: MemberPredictions, shown: list[int]) -> Floats:
    """Return the error of each member on each row, (n, k)."""
    outputs = record.outputs[:, shown]
    if record.kind == "values":
        return np.asarray(record.truth[:, np.newaxis] - np.nan_to_num(outputs))
    if record.kind == "labels":
        return np.asarray(outputs != record.truth[:, np.newaxis], dtype=np.float64)
    rows = np.arange(record.n_rows)[:, np.newaxis]
    of_truth = np.nan_to_num(outputs)[rows, np.arange(len(shown)), record.truth[:, np.newaxis]]
    return np.asarray(1.0 - of_truth)


def _member_errors(record: MemberPredictions, shown: list[int]) -> Floats:
    there = _presence(record, shown)
    if record.kind == "values":
        squares = np.average(_row_errors(record, shown) ** 2, axis=0, weights=there)
        return np.asarray(np.sqrt(squares))
    wrong = _codes(record, shown) != record.truth[:, np.newaxis]
    return np.asarray(np.average(wrong, axis=0, weights=there))


def _codes(record: MemberPredictions, shown: list[int]) -> Array:
    outputs = record.outputs[:, shown]
    return outputs if record.kind == "labels" else np.asarray(outputs.argmax(axis=2))


def _presence(record: MemberPredictions, shown: list[int]) -> Floats:
    """Return 1 where a member predicts a row, else 0."""
    if record.present is None:
        return np.ones((record.n_rows, len(shown)))
    return record.present[:, shown].astype(np.float64)


def _correlations(errors: Floats, there: Floats) -> Floats:
    """Return the correlations of columns over the rows that two share; NaN if one is constant."""
    kept = errors * there
    n = there.T @ there
    with np.errstate(invalid="ignore", divide="ignore"):
        own, other = kept.T @ there / n, there.T @ kept / n
        covariances = kept.T @ kept / n - own * other
        squares = kept**2
        spread = (squares.T @ there / n - own**2) * (there.T @ squares / n - other**2)
        found = covariances / np.sqrt(np.where(spread > 1e-24, spread, np.nan))
    return np.clip(found, -1.0, 1.0)


def _mean_of_pairs(matrix: Floats) -> float | None:
    pairs = matrix[np.triu_indices(len(matrix), 1)]
    known = pairs[~np.isnan(pairs)]
    return float(known.mean()) if len(known) else None


# ---- Disagreement --------------------------------------------------------------------------------


def disagreement_facts(record: MemberPredictions) -> dict[str, Any]:
    """Return how often, or how far, pairs of members differ.

    Parameters
    ----------
    record : MemberPredictions

    Returns
    -------
    facts : dict
    """
    shown = heaviest(record, _MAX_MEMBERS)
    differ = _distances if record.kind == "values" else _differences
    matrix = differ(record, shown)
    return {
        **_head(record, shown),
        "matrix": [shortened(line) for line in matrix],
        "mean": _mean_of_pairs(matrix),
        "what": "Root mean squared difference of the values of two members."
        if record.kind == "values"
        else "Fraction of rows for which two members name different classes.",
    }


def _distances(record: MemberPredictions, shown: list[int]) -> Floats:
    outputs = np.nan_to_num(record.outputs[:, shown])
    squares = _means_of_pairs(outputs, _presence(record, shown), lambda a, b: (a - b) ** 2)
    return np.asarray(np.sqrt(squares))


def _differences(record: MemberPredictions, shown: list[int]) -> Floats:
    return _means_of_pairs(_codes(record, shown), _presence(record, shown), np.not_equal)


def _means_of_pairs(
    outputs: Array, there: Floats, differ: Callable[[Array, Array], Array]
) -> Floats:
    """Return the mean difference of two columns over the rows that both have."""
    found = np.zeros((outputs.shape[1], outputs.shape[1]))
    for j in range(outputs.shape[1]):
        both = there * there[:, [j]]
        apart = both * differ(outputs, outputs[:, [j]])
        found[j] = apart.sum(axis=0) / np.maximum(both.sum(axis=0), 1.0)
    return found


# ---- Agreement with the ensemble -----------------------------------------------------------------


def agreement_facts(record: MemberPredictions) -> dict[str, Any]:
    """Return how many members agree with the ensemble, and how good it is where they do.

    Parameters
    ----------
    record : MemberPredictions

    Returns
    -------
    facts : dict
    """
    if record.kind == "values":
        return _spread_of_values(record)
    codes = _codes(record, list(range(record.n_members)))
    own = record.prediction.argmax(axis=1) if record.kind == "probabilities" else record.prediction
    agreement = record.row_means(codes == own[:, np.newaxis])
    edges = np.linspace(0.0, 1.0, 11)
    counts = count_in_bins(agreement, edges)
    wrong = count_in_bins(agreement, edges, 1.0 * ~record.is_correct)
    return {
        "edges": shortened(edges),
        "counts": counts.tolist(),
        "error": _ratios(wrong, counts),
        "what": "Rows by the fraction of the members, by weight, that name the ensemble's class; "
        "'error' is the fraction of them on which the ensemble is wrong.",
    }


def _ratios(sums: Array, counts: Array) -> list[float | None]:
    return [float(s / n) if n else None for s, n in zip(sums, counts, strict=True)]


def _spread_of_values(record: MemberPredictions) -> dict[str, Any]:
    outputs = record.outputs
    if record.present is not None:
        outputs = np.where(record.present, outputs, 0.0)
    centre = record.row_means(outputs)
    spread = np.sqrt(record.row_means((outputs - centre[:, np.newaxis]) ** 2))
    edges = np.unique(np.quantile(spread, np.linspace(0.0, 1.0, 11)))
    if len(edges) < 2:
        return missing("All members predict the same values.")
    counts = count_in_bins(spread, edges)
    errors = count_in_bins(spread, edges, np.abs(record.prediction - record.truth))
    return {
        "edges": shortened(edges),
        "counts": counts.tolist(),
        "error": _ratios(errors, counts),
        "what": "Rows by the standard deviation of the members' values, by weight; 'error' is the "
        "mean absolute error of the ensemble.",
    }


# ---- Margins -------------------------------------------------------------------------------------


def margin_facts(
    record: MemberPredictions | None, evidence: Evidence | None = None
) -> dict[str, Any]:
    """Return the margins of the rows.

    Parameters
    ----------
    record : MemberPredictions or None
        Of an ensemble whose members vote or give probabilities.
    evidence : Evidence, optional
        Instead of members: the probabilities of the model.

    Returns
    -------
    facts : dict
    """
    if record is not None and record.kind == "values":
        return missing("Margins are of classes; this is a regression.")
    if record is None:
        assert evidence is not None
        if evidence.is_regression or not evidence.has_probabilities:
            return missing("Margins are of classes with probabilities.")
        values, support = class_margins(evidence.y, evidence.predictions), "probability"
    else:
        found = margins(record)
        values = found.values
        support = "probability" if found.support == "probabilities" else "fraction of the vote"
    edges = np.linspace(-1.0, 1.0, _N_BINS + 1)
    return {
        "edges": shortened(edges),
        "counts": count_in_bins(values, edges).tolist(),
        "mean": float(values.mean()),
        "median": float(np.median(values)),
        "negative_fraction": float(np.mean(values < 0)),
        "what": f"The {support} of the true class less the highest of another class: positive "
        "where the ensemble is right.",
    }
