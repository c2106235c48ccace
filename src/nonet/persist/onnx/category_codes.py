"""The codes of categories: columns of text or numbers as trees read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet._base.frames import is_missing
from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.tables import Column, Table
from nonet.trees.category_codes import CategoryCodes

_UNKNOWN = -1.0


def coded_matrix(table: Table, codes: CategoryCodes) -> str:
    """Return the matrix of a table with its categories as codes, -1 for unknown ones."""
    if not codes.known:
        return table.matrix()
    return table.graph.once(("coded", table.key, id(codes)), lambda: _encoded(table, codes))


def numbers_of_codes(codes: CategoryCodes) -> dict[int, int]:
    """Return the number of codes of each column of categories."""
    return {j: len(known) + (j in codes.joined) for j, known in codes.known.items()}


def _encoded(table: Table, codes: CategoryCodes) -> str:
    graph = table.graph
    columns = []
    for j in range(table.n_columns):
        column = table.column(j)
        if j in codes.known:
            with graph.within(f"column {column.name!r}"):
                tensor = encode_column(graph, column, _numbered(codes, j), _UNKNOWN)
        else:
            tensor = table.take([j]).matrix()
        columns.append(tensor)
    return graph.concat(columns)


def _numbered(codes: CategoryCodes, j: int) -> dict[Any, float]:
    """Return the code of each category of a column, joined ones included."""
    known = codes.known[j].tolist()
    rare = codes.joined[j].tolist() if j in codes.joined else []
    return {**dict.fromkeys(rare, float(len(known))), **{v: float(i) for i, v in enumerate(known)}}


def encode_column(
    graph: Graph, column: Column, numbers: Mapping[Any, float], unknown: float
) -> str:
    """Look up the number of each value of a column: doubles of shape (n, 1)."""
    numbers = {value: code for value, code in numbers.items() if not is_missing(value)}
    if not numbers:
        return graph.for_each_row(column.tensor, np.array([unknown]))
    if column.kind == "text":
        if column.fill in numbers:
            numbers = {**numbers, "": numbers[column.fill]}
        found = _look_up(
            graph, column.tensor, "strings", _strings(graph, numbers), numbers, unknown
        )
    else:
        tensor = graph.cast(column.tensor, "double") if column.kind != "double" else column.tensor
        found = _by_value(graph, tensor, _values(graph, numbers), numbers, unknown)
    return found


def _strings(graph: Graph, numbers: Mapping[Any, float]) -> list[str]:
    if not all(isinstance(value, str) for value in numbers):
        raise graph.refusal("holds text, but fit saw categories that are not", _GIVE_TYPES)
    return list(numbers)


def _values(graph: Graph, numbers: Mapping[Any, float]) -> Array:
    if any(isinstance(value, str) for value in numbers):
        raise graph.refusal("holds numbers, but fit saw text", _GIVE_TYPES)
    try:
        return np.array([float(value) for value in numbers])
    except (TypeError, ValueError):
        raise graph.refusal(
            "has categories that are neither text nor numbers", "turn them into text before fit"
        ) from None


_GIVE_TYPES = "declare the types of the columns with X=, a few rows of the table"


def _look_up(
    graph: Graph,
    tensor: str,
    kind: str,
    keys: list[str],
    numbers: Mapping[Any, float],
    unknown: float,
) -> str:
    found = graph.add(
        "LabelEncoder",
        tensor,
        domain="ai.onnx.ml",
        default_float=unknown,
        values_floats=list(numbers.values()),
        **{f"keys_{kind}": keys},
    )
    return graph.cast(found, "double")


def _by_value(
    graph: Graph, tensor: str, keys: Array, numbers: Mapping[Any, float], unknown: float
) -> str:
    """Look up numbers: those of single precision must be rounded as the inputs are."""
    from onnx import numpy_helper

    rounded = keys.astype(graph.real).astype(np.float64)
    if len(np.unique(rounded)) < len(rounded):
        raise graph.refusal(
            "has categories that differ beyond single precision", "export with double=True"
        )
    codes = np.array(list(numbers.values()))
    return graph.add(
        "LabelEncoder",
        tensor,
        domain="ai.onnx.ml",
        keys_tensor=numpy_helper.from_array(rounded),
        values_tensor=numpy_helper.from_array(codes),
        default_tensor=numpy_helper.from_array(np.array([unknown])),
    )
