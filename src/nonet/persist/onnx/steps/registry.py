"""Which step stands for a transformer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nonet.persist.onnx.by_class import ByClass
from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.parts.converted import can_convert, convert
from nonet.persist.onnx.tables import Table

Step = Callable[[Graph, Any, Table], Table]
"""(graph, transformer, table) -> table."""

_MODULES = ("columns", "encoders", "numbers", "quantiles")
_STEPS: ByClass[Any] = ByClass(
    *(f"persist.onnx.steps.{name}" for name in _MODULES), "auto.onnx_steps"
)
step_for = _STEPS.register


def transformed(graph: Graph, transformer: Any, table: Table) -> Table:
    """Return the table that a fitted transformer makes of another."""
    if transformer is None or transformer == "passthrough":
        return table
    step: Step | None = _STEPS.find(transformer)
    if step is not None:
        return step(graph, transformer, table)
    if not can_convert(transformer):
        raise graph.lack(transformer, "columns")
    return _converted(graph, transformer, table)


def _converted(graph: Graph, transformer: Any, table: Table) -> Table:
    """Return what skl2onnx makes of a transformer, in single precision."""
    matrix = graph.cast(convert(graph, transformer, table)[0], "double")
    return Table(graph, None, matrix, len(transformer.get_feature_names_out()))
