"""Which part stands for a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nonet.persist.onnx.by_class import ByClass
from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.parts.part import Part
from nonet.persist.onnx.tables import Table

MakePart = Callable[[Graph, Any, Table], Part]

_MODULES = (
    "adaboost",
    "boosters",
    "coded",
    "ensembles",
    "forests",
    "linear",
    "neighbors",
    "pipelines",
    "read_models",
    "routed",
    "single_trees",
    "stacks",
    "wrappers",
)
_PARTS: ByClass[Any] = ByClass(
    *(f"persist.onnx.parts.{name}" for name in _MODULES), "auto.onnx_parts"
)
part_for = _PARTS.register


def part_of(graph: Graph, model: Any, table: Table) -> Part:
    """Return the part for a model that reads a table."""
    make: MakePart | None = _PARTS.find(model)
    return _converted(graph, model, table) if make is None else make(graph, model, table)


def _converted(graph: Graph, model: Any, table: Table) -> Part:
    """Return the part of a model of another library, which is read or converted."""
    from nonet.persist.onnx.parts.converted import ConvertedPart, can_convert
    from nonet.persist.onnx.parts.read_models import read_booster

    read = read_booster(model)
    if read is not None:
        return part_of(graph, read, table)
    if can_convert(model):
        return ConvertedPart(graph, model, table)
    raise graph.lack(model)
