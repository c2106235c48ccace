"""Steps that encode categories."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

from nonet._base.aliases import Array
from nonet._base.frames import is_missing
from nonet.persist.onnx.category_codes import encode_column
from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.steps.registry import step_for
from nonet.persist.onnx.tables import Column, Table

_UNKNOWN = -1.0


@step_for(OneHotEncoder)
def one_hot_encoder(graph: Graph, model: OneHotEncoder, table: Table) -> Table:
    """Make a column per category; a category that fit did not see has none."""
    _refuse_infrequent(graph, model)
    columns, width = [], 0
    for j, categories in enumerate(model.categories_):
        column = table.column(j)
        with graph.within(f"column {column.name!r}"):
            codes = category_codes(graph, column, categories)
        kept = np.arange(len(categories), dtype=np.float64)
        dropped = None if model.drop_idx_ is None else model.drop_idx_[j]
        kept = kept if dropped is None else np.delete(kept, dropped)
        columns.append(graph.cast(graph.apply("Equal", codes, kept), "double"))
        width += len(kept)
    return Table(graph, None, graph.concat(columns), width)


@step_for(OrdinalEncoder)
def ordinal_encoder(graph: Graph, model: OrdinalEncoder, table: Table) -> Table:
    """Return the numbers of categories."""
    _refuse_infrequent(graph, model)
    columns = []
    for j, categories in enumerate(model.categories_):
        column = table.column(j)
        with graph.within(f"column {column.name!r}"):
            codes = category_codes(graph, column, categories)
        values = np.arange(len(categories), dtype=np.float64)
        if len(categories) and is_missing(categories[-1]):
            values[-1] = model.encoded_missing_value
        is_known = model.handle_unknown != "use_encoded_value"
        unknown = np.nan if is_known else float(model.unknown_value)
        table_of_codes = graph.constant(np.append(values, unknown))
        columns.append(graph.add("Gather", table_of_codes, graph.cast(codes, "int64"), axis=0))
    return Table(graph, None, graph.concat(columns), len(columns))


def _refuse_infrequent(graph: Graph, model: Any) -> None:
    if getattr(model, "_infrequent_enabled", False):
        raise graph.refusal(
            "joins infrequent categories", "leave min_frequency=None and max_categories=None"
        )


def category_codes(graph: Graph, column: Column, categories: Array) -> str:
    """Return the position of each value among categories, -1 if it has none: (n, 1)."""
    known = {value: float(code) for code, value in enumerate(categories.tolist())}
    missing = [code for value, code in known.items() if is_missing(value)]
    if column.kind == "text" and missing:
        known.setdefault("", missing[0])
    codes = encode_column(graph, column, known, _UNKNOWN)
    if column.kind == "text" or not missing:
        return codes
    is_gap = graph.add("IsNaN", graph.cast(column.tensor, "double"))
    return graph.where(is_gap, graph.constant(missing[0]), codes)
