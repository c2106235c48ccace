"""Calibrations as nodes: support in, probabilities out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.decide.calibrate import (
    _MINIMUM,
    IsotonicCalibration,
    SigmoidCalibration,
    TemperatureCalibration,
)
from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.rules.probability_rules import normalized


def calibrate(graph: Graph, calibration: Any, support: str, n_classes: int) -> str:
    """Add a fitted calibration: doubles of shape (n, n_classes)."""
    build = _CALIBRATIONS.get(type(calibration))
    if build is None:
        raise graph.refusal(
            f"is calibrated by {type(calibration).__name__}, which has no form in ONNX",
            "use 'temperature', 'sigmoid' or 'isotonic'",
        )
    raised = graph.apply("Max", support, _MINIMUM)
    probabilities = graph.add("Div", raised, graph.sum(raised, keepdims=True))
    return build(graph, calibration, probabilities, n_classes)


def _temperature(
    graph: Graph, calibration: TemperatureCalibration, probabilities: str, n_classes: int
) -> str:
    logs = graph.apply("Div", graph.add("Log", probabilities), calibration.temperature_)
    return graph.add("Softmax", logs, axis=1)


def _sigmoid(
    graph: Graph, calibration: SigmoidCalibration, probabilities: str, n_classes: int
) -> str:
    learned = graph.columns(probabilities, _learned(n_classes))
    inside = graph.apply("Min", graph.apply("Max", learned, _MINIMUM), 1 - _MINIMUM)
    rest = graph.rest(inside)
    odds = graph.add("Sub", graph.add("Log", inside), graph.add("Log", rest))
    line = graph.apply("Mul", odds, calibration.slopes_)
    line = graph.apply("Add", line, calibration.intercepts_)
    return _one_against_rest(graph, graph.add("Sigmoid", line), n_classes)


def _isotonic(
    graph: Graph, calibration: IsotonicCalibration, probabilities: str, n_classes: int
) -> str:
    curves = [
        interpolate(graph, graph.columns(probabilities, [c]), curve.f_.x, curve.f_.y)
        for curve, c in zip(calibration.curves_, _learned(n_classes), strict=True)
    ]
    return _one_against_rest(graph, graph.concat(curves), n_classes)


def interpolate(graph: Graph, values: str, x: Array, y: Array) -> str:
    """Interpolate between points, constant beyond them: doubles of shape (n, 1)."""
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    inside = graph.apply("Min", graph.apply("Max", values, x[0]), x[-1])
    if len(x) == 1:
        return graph.apply("Add", graph.apply("Mul", inside, 0.0), y[0])
    is_above = graph.apply("Greater", inside, x[1:-1])
    segment = graph.sum(graph.cast(is_above, "int64"), keepdims=True)
    first = [_at(graph, points, segment) for points in (x[:-1], y[:-1], _slopes(x, y))]
    distance = graph.add("Sub", inside, first[0])
    return graph.add("Add", first[1], graph.add("Mul", distance, first[2]))


def _slopes(x: Floats, y: Floats) -> Floats:
    slopes: Floats = np.diff(y) / np.diff(x)
    return slopes


def _at(graph: Graph, points: Floats, positions: str) -> str:
    return graph.add("Gather", graph.constant(points), positions, axis=0)


def _learned(n_classes: int) -> list[int]:
    """Return the classes that have a curve: one serves both of two."""
    return [1] if n_classes == 2 else list(range(n_classes))


def _one_against_rest(graph: Graph, probabilities: str, n_classes: int) -> str:
    if n_classes == 2:
        return graph.both(probabilities)
    return normalized(graph, probabilities, n_classes)


_CALIBRATIONS: dict[type, Callable[[Graph, Any, str, int], str]] = {
    IsotonicCalibration: _isotonic,
    SigmoidCalibration: _sigmoid,
    TemperatureCalibration: _temperature,
}
