"""Predictions of the members of an ensemble, in the form that F reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Kind
from nonet._base.arrays import encode_labels
from nonet.members.member import Member
from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.parts.part import Part
from nonet.persist.onnx.parts.registry import part_of
from nonet.persist.onnx.tables import Table

_AXES = {"values": 2, "labels": 2, "probabilities": 3, "scores": 3}


def predict_members(
    graph: Graph, members: Sequence[Member], table: Table, kind: Kind, classes: Array | None
) -> tuple[str, int]:
    """Add the outputs of all members; return the tensor, side by side, and its number of axes."""
    predictions = []
    for member in members:
        with graph.within(f"member {member.name!r}"):
            part = part_of(graph, member.estimator, table.take(member.columns))
            predictions.append(predict_member(part, kind, classes))
    n_axes = _AXES[kind]
    if kind == "values" and n_targets_of(members[0].estimator) > 1:
        n_axes = 3
    return graph.stack(predictions), n_axes


def n_targets_of(model: Any) -> int:
    """Return the number of numbers that a regressor predicts for a row."""
    inner = getattr(model, "estimators_", None)
    found = getattr(model, "n_outputs_", None) or getattr(model, "_n_outputs", None)
    if found is None and inner is not None and len(inner) and hasattr(model, "members_"):
        return n_targets_of(model.members_[0].estimator)
    if found is None and getattr(model, "coef_", None) is not None:
        return len(model.coef_) if np.ndim(model.coef_) == 2 else 1
    return int(found or 1)


def predict_member(part: Part, kind: Kind, classes: Array | None) -> str:
    """Return the predictions of one member, by the classes of the ensemble."""
    if kind == "values":
        return part.values
    assert classes is not None
    if kind == "labels":
        return _in_classes(part, part.codes, classes)
    if kind == "scores" and part.has_scores:
        return _aligned(part, two_sided(part, part.scores), classes, None)
    return _aligned(part, part.probabilities, classes, 0.0)


def two_sided(part: Part, scores: str) -> str:
    """Turn the one score of two classes into a score per class."""
    if len(part.classes) != 2:
        return scores
    return part.graph.stack([part.graph.add("Neg", scores), scores])


def _in_classes(part: Part, codes: str, classes: Array) -> str:
    """Turn positions in a member's classes into those of the ensemble; -1 stays -1."""
    if np.array_equal(part.classes, classes):
        return codes
    positions = encode_labels(part.classes, classes)
    table = part.graph.constant(np.append(positions, -1))  # position -1 is the last one
    return part.graph.add("Gather", table, codes, axis=0)


def _aligned(part: Part, by_class: str, classes: Array, missing: float | None) -> str:
    """Reorder the columns of a member; a class that it has not seen gets ``missing``."""
    if np.array_equal(part.classes, classes):
        return by_class
    positions = encode_labels(part.classes, classes)
    if missing is None and len(positions) < len(classes):
        raise part.refusal(
            "has not seen all classes, so that its scores depend on the other rows",
            "use a rule that reads probabilities or labels",
        )
    placed = np.zeros((len(part.classes), len(classes)))
    placed[np.arange(len(positions)), positions] = 1.0
    return part.graph.add("MatMul", by_class, part.graph.constant(placed))
