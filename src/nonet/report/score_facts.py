"""The result of a report: the score on rows, beside the simplest baseline on the same rows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from nonet._base.aliases import Array, Floats
from nonet._base.errors import one_sentence
from nonet.auto.metric import Metric
from nonet.report.evidence import Evidence, losses_of
from nonet.report.plain import missing
from nonet.report.subject import Missing, Subject
from nonet.report.wording import number, with_commas

_MAX_CLASSES = 100
_CLEAR = 2.0  # standard errors


def score_facts(subject: Subject) -> dict[str, Any]:
    """Return the result.

    Parameters
    ----------
    subject : Subject

    Returns
    -------
    facts : dict
    """
    evidence, metric = subject.everything, subject.metric
    score, error = _score(subject)
    baseline = baseline_facts(subject)
    facts = {
        "target": subject.target,
        "task": subject.task,
        "n_classes": subject.n_classes or None,
        "classes": subject.labels()[:_MAX_CLASSES],
        "positive": subject.positive,
        "model": type(subject.model).__name__,
        "n_members": _count_members(subject),
        "metric": metric.name,
        "better": metric.better,
        "score": score,
        "standard_error": error,
        "rows": evidence.words,
        "n_rows": evidence.n_rows,
        "are_held_out": subject.sampling["are_held_out"],
        "baseline": baseline,
        "gain": _gain(subject, score, baseline["score"]),
        "untouched": _untouched(subject),
        "more": more_scores(evidence, metric.name),
    }
    return {**facts, "sentence": _sentence(facts)}


def _count_members(subject: Subject) -> int | None:
    if not isinstance(subject.members, Missing):
        return subject.members.predictions.n_members
    members = getattr(subject.model, "members_", None)
    return None if members is None else len(members)


def _score(subject: Subject) -> tuple[float, float]:
    """Return the score and its standard error: those of the run where it has them."""
    if subject.run is not None and subject.sampling["are_held_out"]:
        known = subject.run.honest_score
        return float(known.score), float(known.standard_error)
    metric, evidence = subject.metric, subject.everything
    loss = _loss(metric, evidence)
    return metric.shown(loss), _error(metric, evidence, evidence.predictions)


def _loss(metric: Metric, evidence: Evidence) -> float:
    """Return the loss, or raise if these rows have none: ROC AUC needs two classes, for example."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loss = metric.loss(evidence.y, evidence.predictions, evidence.weight)
        why = "it is not defined for them"
    except (TypeError, ValueError) as error:
        loss, why = float("nan"), one_sentence(str(error)).rstrip(".")
    if not np.isfinite(loss):
        raise ValueError(
            f"metric {metric.name!r} cannot score these rows: {why}; give more rows, of all "
            "classes."
        )
    return loss


def _error(
    metric: Metric, evidence: Evidence, predictions: Floats, reference: Floats | None = None
) -> float:
    if evidence.n_rows < 2:
        return float("nan")
    y, shown = evidence.y, _what_is_read(metric, evidence.y, predictions)
    other = None if reference is None else _what_is_read(metric, evidence.y, reference)
    if shown.ndim == 2 and shown.shape[1] == 1:
        y = np.zeros_like(y)
    groups = evidence.rows  # a row that was held out several times counts once
    return metric.standard_error(y, shown, evidence.weight, groups, other)


def _what_is_read(metric: Metric, y: Array, predictions: Floats) -> Floats:
    """Return predictions, of log loss the one column that it reads: errors copy them 50 times."""
    if metric.is_own and metric.classes is not None:
        return predictions[np.arange(len(y)), y][:, np.newaxis]
    return predictions


# ---- The baseline --------------------------------------------------------------------------------


def baseline_predictions(evidence: Evidence) -> Floats:
    """Return the simplest predictions: the class frequencies, or the mean, of these rows.

    Examples
    --------
    >>> y, predictions = np.array([0, 1, 1, 1]), np.full((4, 2), 0.5)
    >>> rows = Evidence(y, predictions, y, True, np.arange(4), "4 rows")
    >>> baseline_predictions(rows)[0]
    array([0.25, 0.75])
    """
    if evidence.is_regression:
        return np.full(evidence.n_rows, evidence.mean(evidence.y))
    counts = np.bincount(evidence.y, evidence.weights, evidence.n_classes)
    return np.tile(counts / counts.sum(), (evidence.n_rows, 1))


def baseline_facts(subject: Subject) -> dict[str, Any]:
    """Return the score of the simplest predictions on the rows of the score.

    Parameters
    ----------
    subject : Subject

    Returns
    -------
    facts : dict
    """
    evidence, metric = subject.everything, subject.metric
    predictions = baseline_predictions(evidence)
    return {
        "name": "mean" if evidence.is_regression else "class frequencies",
        "score": metric.shown(metric.loss(evidence.y, predictions, evidence.weight)),
        "standard_error": _error(metric, evidence, predictions),
        "rows": evidence.words,
    }


def _gain(subject: Subject, score: float, baseline: float) -> dict[str, Any]:
    metric, evidence = subject.metric, subject.everything
    simplest = baseline_predictions(evidence)
    value = (baseline - score) * metric.sign
    error = _error(metric, evidence, evidence.predictions, simplest)
    is_loss = metric.sign > 0 and baseline > 0
    return {
        "value": value,
        "standard_error": error,
        "is_clear": bool(value > _CLEAR * error),  # False where the error is not known
        "is_clear_loss": bool(value < -_CLEAR * error),
        "fraction": value / baseline if is_loss else None,
    }


def _untouched(subject: Subject) -> dict[str, Any]:
    if subject.run is None or not subject.sampling["are_held_out"]:
        return missing("Rows that nothing has touched are known of runs only.")
    known = subject.run.honest_score
    if known.untouched_score is None:
        return missing("No rows were kept away from everything; that is done from 20,000 rows on.")
    return {
        "score": known.untouched_score,
        "standard_error": known.untouched_error,
        "rows": with_commas(known.untouched_rows),
    }


# ---- Other metrics -------------------------------------------------------------------------------


def more_scores(evidence: Evidence, metric: str) -> list[dict[str, Any]]:
    """Return other scores that readers know.

    Parameters
    ----------
    evidence : Evidence
    metric : str
        The metric of the result, which is left out.

    Returns
    -------
    scores : list of dict
    """
    found = _of_values(evidence) if evidence.is_regression else _of_classes(evidence)
    return [one for one in found if one["metric"] != metric]


def _entry(
    evidence: Evidence, metric: str, better: str, score: Any, error: Any, baseline: Any
) -> dict[str, Any]:
    return {
        "metric": metric,
        "better": better,
        "score": score,
        "standard_error": error,
        "baseline": baseline,
        "rows": evidence.words,
    }


def _mean_entry(
    evidence: Evidence, metric: str, better: str, entries: Array, simplest: Array
) -> dict[str, Any]:
    mean, error = evidence.mean(entries), evidence.standard_error(entries)
    return _entry(evidence, metric, better, mean, error, evidence.mean(simplest))


def _of_classes(evidence: Evidence) -> list[dict[str, Any]]:
    simplest = baseline_predictions(evidence)
    is_right = 1.0 * (evidence.decisions == evidence.y)
    is_common = 1.0 * (simplest.argmax(axis=1) == evidence.y)
    found = [_mean_entry(evidence, "accuracy", "larger", is_right, is_common)]
    if not evidence.has_probabilities:
        return found
    if evidence.n_classes == 2 and len(np.unique(evidence.y)) == 2:
        area = _roc_auc(evidence)
        found.append(_entry(evidence, "roc_auc", "larger", area, None, 0.5))
    for metric, losses in (("brier", brier_losses), ("log_loss", _log_losses)):
        own, plain = losses(evidence.y, evidence.predictions), losses(evidence.y, simplest)
        found.append(_mean_entry(evidence, metric, "smaller", own, plain))
    return found


def _roc_auc(evidence: Evidence) -> float:
    scores = evidence.predictions[:, 1]
    return float(roc_auc_score(evidence.y, scores, sample_weight=evidence.weight))


def brier_losses(y: Array, probabilities: Floats) -> Floats:
    """Return the squared distance of probabilities from the truth, summed over the classes."""
    truth = np.eye(probabilities.shape[1])[y]
    losses: Floats = np.square(probabilities - truth).sum(axis=1)
    return losses


def _log_losses(y: Array, probabilities: Floats) -> Floats:
    return losses_of("log_loss", y, probabilities)


def _of_values(evidence: Evidence) -> list[dict[str, Any]]:
    residuals = evidence.y - evidence.predictions
    simplest = evidence.y - baseline_predictions(evidence)
    squared, plain = evidence.mean(residuals**2), evidence.mean(simplest**2)
    r2 = 1.0 - squared / plain if plain > 0 else None
    error = evidence.standard_error(residuals**2) / (2 * np.sqrt(squared)) if squared > 0 else None
    return [
        _entry(evidence, "r2", "larger", r2, None, 0.0),
        _entry(evidence, "rmse", "smaller", np.sqrt(squared), error, np.sqrt(plain)),
        _mean_entry(
            evidence, "mean_absolute_error", "smaller", np.abs(residuals), np.abs(simplest)
        ),
    ]


# ---- In words ------------------------------------------------------------------------------------


def _sentence(facts: dict[str, Any]) -> str:
    baseline = facts["baseline"]
    name = facts["metric"].replace("_", " ")
    always = "class frequencies" if facts["task"] == "classification" else "mean"
    error = facts["standard_error"]
    spread = f" ± {error:.2g}" if np.isfinite(error) else ""
    return (
        f"On {facts['rows']} the {name} of {facts['target']!r} is {number(facts['score'])}{spread}"
        f" ({facts['better']} is better); always giving the {always} has "
        f"{number(baseline['score'])}."
    )
