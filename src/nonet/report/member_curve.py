"""The loss of an ensemble as members are added: in the order of their weights, or by rounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.diagnostics.ensemble_predictions import is_sum_of_steps
from nonet.diagnostics.member_predictions import MemberPredictions
from nonet.report.evidence import losses_of
from nonet.report.plain import shortened
from nonet.report.sampling import sample_positions
from nonet.report.subject import Subject

_MAX_POINTS = 60
_MAX_ROUND_ROWS = 2_000


def members_curve(record: MemberPredictions) -> dict[str, Any]:
    """Return the loss of the first members in the order of their weights.

    Parameters
    ----------
    record : MemberPredictions

    Returns
    -------
    facts : dict
    """
    order = np.argsort(-record.weights, kind="stable")
    sizes = _sizes(record.n_members)
    loss = {"values": "squared_error", "labels": "zero_one"}.get(record.kind, "log_loss")
    losses, total, mass = [], np.zeros(_support_shape(record)), np.zeros(record.n_rows)
    for position, member in enumerate(order.tolist()):
        weight = _weight_by_row(record, member)
        outputs = np.nan_to_num(record.outputs[:, member])
        total += _as_support(record, outputs) * _against(weight, total)
        mass += weight
        if position + 1 in sizes:
            losses.append(_loss(loss, record, total / _against(np.maximum(mass, 1e-300), total)))
    full = _loss(loss, record, _as_support(record, record.prediction))
    return {
        "loss": loss,
        "sizes": sizes,
        "losses": shortened(losses),
        "names": [record.names[order[size - 1]] for size in sizes],
        "full": full,
        "what": "Loss of the first members in the order of their weights, combined by these "
        "weights; 'full' is the ensemble as the model combines all of them.",
    }


def _sizes(n_members: int) -> list[int]:
    """Return the numbers of members that are shown: all of few, about 60 of many."""
    if n_members <= _MAX_POINTS:
        return list(range(1, n_members + 1))
    sizes = np.geomspace(1, n_members, _MAX_POINTS).round().astype(int)
    return [int(size) for size in np.unique(sizes)]


def _support_shape(record: MemberPredictions) -> tuple[int, ...]:
    if record.classes is None:
        return (record.n_rows,)
    return record.n_rows, len(record.classes)


def _weight_by_row(record: MemberPredictions, member: int) -> Floats:
    weight = np.full(record.n_rows, record.weights[member])
    return weight if record.present is None else weight * record.present[:, member]


def _against(weight: Floats, support: Floats) -> Floats:
    return weight if support.ndim == 1 else weight[:, np.newaxis]


def _as_support(record: MemberPredictions, outputs: Array) -> Array:
    """Return outputs, labels among them as votes."""
    if record.kind != "labels":
        return outputs
    assert record.classes is not None
    votes = np.vstack([np.eye(len(record.classes)), np.zeros(len(record.classes))])
    return votes[outputs]  # an abstention, -1, votes for none


def _loss(loss: str, record: MemberPredictions, support: Array) -> float:
    return float(losses_of(loss, record.truth, support).mean())


# ---- Rounds --------------------------------------------------------------------------------------


def rounds_curve(subject: Subject) -> dict[str, Any] | None:
    """Return the loss after each round of gradient boosting; None for other models.

    Parameters
    ----------
    subject : Subject

    Returns
    -------
    facts : dict or None
    """
    model, X = subject.model, subject.X
    if X is None or not hasattr(model, "staged_predict") or not is_sum_of_steps(model):
        return None
    evidence = subject.evidence
    at = sample_positions(evidence.n_rows, _MAX_ROUND_ROWS, subject.seed)
    rows = X.iloc[at] if hasattr(X, "iloc") else X[at]
    y = evidence.y[at]
    staged = _stages(model, rows)
    losses = [float(losses_of(evidence.loss, y, stage).mean()) for stage in staged]
    sizes = _sizes(len(losses))
    words = f"{len(at):,} rows" if len(at) < evidence.n_rows else "all rows"
    return {
        "loss": evidence.loss,
        "sizes": sizes,
        "losses": shortened(losses[size - 1] for size in sizes),
        "names": None,
        "full": losses[-1],
        "what": f"Loss after each round of boosting, on {words} of the report.",
    }


def _stages(model: Any, rows: Any) -> Any:
    if hasattr(model, "staged_predict_proba"):
        return model.staged_predict_proba(rows)
    return model.staged_predict(rows)
