"""Columns for linear members and networks in an ONNX graph."""

from __future__ import annotations

import numpy as np

from nonet.auto.clip import _LARGEST, Clip
from nonet.auto.dense_columns import CategoryColumns, DenseColumns
from nonet.persist.onnx.category_codes import encode_column
from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.steps.registry import step_for, transformed
from nonet.persist.onnx.tables import Column, Table


@step_for(Clip)
def clip(graph: Graph, model: Clip, table: Table) -> Table:
    """Move numbers within the bounds."""
    inside = graph.apply("Min", graph.apply("Max", table.matrix(), -_LARGEST), _LARGEST)
    return Table(graph, None, inside, table.n_columns)


@step_for(DenseColumns)
def dense_columns(graph: Graph, model: DenseColumns, table: Table) -> Table:
    """Fill and scale numbers, and turn category codes into one-hot columns."""
    parts, width = [], 0
    if len(model.number_positions_):
        scaled = transformed(graph, model.scaler_, _filled(graph, model, table))
        parts.append(scaled.matrix())
        width += scaled.n_columns
    for position, columns in zip(model.category_positions_, model.categories_, strict=True):
        parts.append(_one_hot(graph, columns, graph.columns(table.matrix(), [position])))
        width += columns.n_one_hot
    return Table(graph, None, graph.concat(parts), width)


def _filled(graph: Graph, model: DenseColumns, table: Table) -> Table:
    """Return numbers with medians in their gaps, followed by indicators of gaps."""
    numbers = graph.columns(table.matrix(), model.number_positions_)
    gaps = graph.add("IsNaN", numbers)
    parts = [graph.where(gaps, graph.constant(model.medians_), numbers)]
    width, marked = len(model.number_positions_), np.flatnonzero(model.has_missing_)
    if len(marked):
        parts.append(graph.cast(graph.columns(gaps, marked), "double"))
    return Table(graph, None, graph.concat(parts), width + len(marked))


def _one_hot(graph: Graph, columns: CategoryColumns, codes: str) -> str:
    """Return the one-hot columns of a column of codes."""
    *seen, of_missing, of_unknown = columns.positions.astype(np.float64).tolist()
    known = dict(zip(columns.codes.tolist(), seen, strict=False))
    found = encode_column(graph, Column("codes", codes, "double"), known, of_unknown)
    positions = graph.where(graph.add("IsNaN", codes), graph.constant(of_missing), found)
    wanted = np.arange(columns.n_one_hot, dtype=np.float64)
    return graph.cast(graph.apply("Equal", positions, wanted), "double")
