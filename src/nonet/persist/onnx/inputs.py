"""The inputs of a graph: a matrix, or one input per named column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet._base.frames import as_frame, column_dtypes, column_names
from nonet.persist.onnx.by_class import ByClass
from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.tables import Column, Table
from nonet.trees.category_codes import CategoryCodes


@dataclass(frozen=True)
class Input:
    """An input of a graph.

    Attributes
    ----------
    name : str
    kind : {'real', 'text', 'int64', 'bool'}
    width : int
        Number of columns.
    is_matrix : bool
        Whether it is the whole table.
    """

    name: str
    kind: str
    width: int = 1
    is_matrix: bool = False

    def type_name(self, graph: Graph) -> str:
        """Return the name of its type in a graph."""
        return graph.real.str[1:] if self.kind == "real" else self.kind


Declare = Callable[[Graph, Any, Any], list[Input]]
"""(graph, model, X) -> inputs."""
_DECLARED_BY: ByClass[Any] = ByClass("auto.onnx_parts")
inputs_for = _DECLARED_BY.register


def declare_inputs(graph: Graph, model: Any, X: Any) -> list[Input]:
    """Return the inputs of a model: from rows of the table, or from what the model knows."""
    declare: Declare | None = _DECLARED_BY.find(model)
    inputs = _inputs_of(graph, model, X) if declare is None else declare(graph, model, X)
    _check_names(graph, inputs)
    graph.reserve(one.name for one in inputs)
    return inputs


def _inputs_of(graph: Graph, model: Any, X: Any) -> list[Input]:
    known = _known_names(model)
    given = None if X is None else _named_kinds(graph, X)
    if known is None and given is None:
        return [matrix_input(_n_features_of(graph, model, X))]
    if known is None:
        assert given is not None
        _check_width(graph, model, len(given))
        return [Input(name, kind) for name, kind in given.items()]
    if X is None:
        return [
            Input(*both) for both in zip(known, _kinds_in_model(model, len(known)), strict=True)
        ]
    absent = known if given is None else [name for name in known if name not in given]
    if given is None or absent:
        raise graph.refusal(
            f"was fitted on named columns, of which X= lacks {', '.join(map(repr, absent[:5]))}",
            "give X= with all columns of the fit, by their names",
        )
    return [Input(name, given[name]) for name in known]


def _named_kinds(graph: Graph, X: Any) -> dict[str, str] | None:
    """Return the types of the columns of a table by their names; None if it has no names."""
    if np.ndim(X) != 2 and column_names(as_frame(X)) is None:
        raise graph.refusal("needs rows of a table in X=", "give a frame or an array of two axes")
    names = column_names(as_frame(X))
    if names is None:
        return None
    return dict(zip(map(str, names), kinds_in_rows(X), strict=True))


# Outputs have these names.
_OUTPUTS = frozenset({"label", "probabilities", "scores", "variable"})


def _check_names(graph: Graph, inputs: list[Input]) -> None:
    for one in inputs:
        if one.name in _OUTPUTS or not one.name:
            raise graph.refusal(
                f"has a column named {one.name!r}, which a graph needs for an output"
                if one.name
                else "has a column without a name, which a graph cannot have",
                "rename the column before the fit",
            )


def _check_width(graph: Graph, model: Any, width: int) -> None:
    known = getattr(model, "n_features_in_", width)
    if known != width:
        raise graph.refusal(
            f"was fitted on {known} columns, but X= has {width}", "give X= with the columns of fit"
        )


def matrix_input(n_columns: int) -> Input:
    """Return the input of a model that was fitted on an array."""
    return Input("X", "real", n_columns, is_matrix=True)


def read_inputs(graph: Graph, inputs: list[Input]) -> Table:
    """Return the table of the inputs, with numbers as doubles."""
    if inputs[0].is_matrix:
        only = inputs[0]
        return Table(graph, None, graph.cast(only.name, "double"), only.width)
    columns = []
    for one in inputs:
        if one.kind == "real":
            columns.append(Column(one.name, graph.cast(one.name, "double"), "double"))
        else:
            columns.append(Column(one.name, one.name, one.kind))
    return Table(graph, columns)


def _known_names(model: Any) -> list[str] | None:
    known = getattr(model, "feature_names_in_", None)
    return None if known is None else [str(name) for name in known]


def _n_features_of(graph: Graph, model: Any, X: Any) -> int:
    found = getattr(model, "n_features_in_", None)
    if X is not None:
        _check_width(graph, model, int(np.shape(X)[1]))
        return int(np.shape(X)[1])
    if found is None:
        raise graph.refusal(
            "does not report its number of columns", "give X=, a few rows of the table"
        )
    return int(found)


def kinds_in_rows(X: Any) -> list[str]:
    """Return the type of input of each column of a table."""
    return [_kind_of_dtype(str(dtype), X, j) for j, dtype in enumerate(column_dtypes(as_frame(X)))]


def _kind_of_dtype(dtype: str, X: Any, j: int) -> str:
    lowered = dtype.lower()
    if lowered.startswith("bool"):
        return "bool"
    if lowered.startswith(("int", "uint")):
        return "int64"
    if lowered.startswith("float") or lowered == "double":
        return "real"
    return "real" if _holds_numbers(X, j) else "text"


def _holds_numbers(X: Any, j: int) -> bool:
    """Return whether a column of objects or categories holds numbers."""
    frame = as_frame(X)
    column: Array = np.asarray(frame[column_names(frame)[j]])  # type: ignore[index]
    if column.dtype.kind in "biuf":
        return True
    present = [value for value in column.tolist() if value is not None and value == value]
    return bool(present) and not any(isinstance(value, str) for value in present)


def _kinds_in_model(model: Any, n_columns: int) -> list[str]:
    """Return text for the columns whose categories are text."""
    texts = text_columns(model)
    return ["text" if j in texts else "real" for j in range(n_columns)]


def text_columns(model: Any) -> set[int]:
    """Return the columns that the model, or a member of it, knows as categories of text."""
    found: set[int] = set()
    for name in ("_codes", "_category_codes"):
        codes = getattr(model, name, None)
        if isinstance(codes, CategoryCodes):
            found |= {j for j, known in codes.known.items() if _is_text(known)}
    if found:
        return found
    for member in getattr(model, "members_", ()) if hasattr(model, "combine_") else ():
        own = text_columns(member.estimator)
        columns = member.columns
        found |= own if columns is None else {int(columns[j]) for j in own}
    return found


def _is_text(known: Array) -> bool:
    return len(known) > 0 and all(isinstance(value, str) for value in known.tolist())
