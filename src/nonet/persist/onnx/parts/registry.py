"""Which part stands for a model: the table by class, in which a parent serves its children."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.parts.part import Part
from nonet.persist.onnx.tables import Table

MakePart = Callable[[Graph, Any, Table], Part]
Maker = TypeVar("Maker", bound=MakePart)

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
# By its name: the package imports packages above this one.
_ABOVE = ("auto.onnx_parts",)
_PARTS: dict[type, MakePart] = {}


def part_for(*kinds: type) -> Callable[[Maker], Maker]:
    """Register what makes the part for classes of models, and for their subclasses."""

    def register(make: Maker) -> Maker:
        _PARTS.update(dict.fromkeys(kinds, make))
        return make

    return register


def part_of(graph: Graph, model: Any, table: Table) -> Part:
    """Return the part for a model that reads a table.

    A model of a higher package makes its part itself, by the method ``_onnx_part``.
    """
    if hasattr(model, "_onnx_part"):
        part: Part = model._onnx_part(graph, table)
        return part
    for kind in type(model).__mro__:
        if kind in _parts():
            return _parts()[kind](graph, model, table)
    return _converted(graph, model, table)


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


def load_parts() -> None:
    """Import all modules that register parts and inputs."""
    _parts()


@cache
def _parts() -> dict[type, MakePart]:
    for name in _MODULES:
        import_module(f"{__package__}.{name}")
    package = __name__.partition(".")[0]
    for name in _ABOVE:
        import_module(f"{package}.{name}")
    return _PARTS
