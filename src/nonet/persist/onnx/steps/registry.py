"""Which step stands for a transformer: the table by class."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.parts.converted import can_convert, convert
from nonet.persist.onnx.tables import Table

Step = Callable[[Graph, Any, Table], Table]
"""(graph, transformer, table) -> table."""
Registered = TypeVar("Registered", bound=Step)

_MODULES = ("columns", "encoders", "numbers", "quantiles")
# By its name: the package imports packages above this one.
_ABOVE = ("auto.onnx_steps",)
_STEPS: dict[type, Step] = {}


def step_for(*kinds: type) -> Callable[[Registered], Registered]:
    """Register the step for classes of transformers, and for their subclasses."""

    def register(step: Registered) -> Registered:
        _STEPS.update(dict.fromkeys(kinds, step))
        return step

    return register


def transformed(graph: Graph, transformer: Any, table: Table) -> Table:
    """Return the table that a fitted transformer makes of another."""
    if transformer is None or transformer == "passthrough":
        return table
    for kind in type(transformer).__mro__:
        if kind in _steps():
            return _steps()[kind](graph, transformer, table)
    if not can_convert(transformer):
        raise graph.lack(transformer, "columns")
    return _converted(graph, transformer, table)


def _converted(graph: Graph, transformer: Any, table: Table) -> Table:
    """Return what skl2onnx makes of a transformer, in single precision."""
    matrix = graph.cast(convert(graph, transformer, table)[0], "double")
    return Table(graph, None, matrix, len(transformer.get_feature_names_out()))


@cache
def _steps() -> dict[type, Step]:
    for name in _MODULES:
        import_module(f"{__package__}.{name}")
    package = __name__.partition(".")[0]
    for name in _ABOVE:
        import_module(f"{package}.{name}")
    return _STEPS
