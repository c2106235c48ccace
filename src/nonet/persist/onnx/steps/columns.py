"""Steps that choose and join columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.feature_selection import SelectorMixin
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import FunctionTransformer

from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.steps.registry import step_for, transformed
from nonet.persist.onnx.tables import Column, Table


@step_for(Pipeline)
def pipeline(graph: Graph, model: Pipeline, table: Table) -> Table:
    """Apply the steps one after another."""
    for name, step in model.steps:
        with graph.within(f"step {name!r}"):
            table = transformed(graph, step, table)
    return table


@step_for(ColumnTransformer)
def column_transformer(graph: Graph, model: ColumnTransformer, table: Table) -> Table:
    """Apply each transformer to its columns."""
    parts = []
    for name, step, _ in model.transformers_:
        positions = list(model._transformer_to_input_indices.get(name, []))
        if (isinstance(step, str) and step == "drop") or not positions:
            continue
        with graph.within(f"transformer {name!r}"):
            parts.append(transformed(graph, step, table.take(positions)))
    return join(graph, parts)


@step_for(FeatureUnion)
def feature_union(graph: Graph, model: FeatureUnion, table: Table) -> Table:
    """Join what all transformers make."""
    if model.transformer_weights:
        raise graph.refusal("has transformer_weights", "scale the columns by a step of its own")
    steps = [step for _, step in model.transformer_list if step != "drop"]
    return join(graph, [transformed(graph, step, table) for step in steps])


@step_for(FunctionTransformer)
def function_transformer(graph: Graph, model: FunctionTransformer, table: Table) -> Table:
    """Pass columns through; a function of the user's has no form."""
    if model.func is None:
        return table
    operators = {np.exp: "Exp", np.log: "Log", np.sqrt: "Sqrt", np.abs: "Abs"}
    if model.func is np.log1p:
        matrix = graph.add("Log", graph.apply("Add", table.matrix(), 1.0))
    elif model.func in operators:
        matrix = graph.add(operators[model.func], table.matrix())
    else:
        raise graph.refusal("applies a function of the user's", "use a transformer with a name")
    return Table(graph, None, matrix, table.n_columns)


@step_for(SelectorMixin)
def selector(graph: Graph, model: Any, table: Table) -> Table:
    """Keep the chosen columns."""
    return table.take(np.flatnonzero(model.get_support()))


def join(graph: Graph, tables: Sequence[Table]) -> Table:
    """Put tables side by side: one matrix, or named columns if some hold text."""
    if len(tables) == 1:
        return tables[0]
    if not any(column.kind == "text" for table in tables for column in table.columns or ()):
        matrix = graph.concat([table.matrix() for table in tables])
        return Table(graph, None, matrix, sum(table.n_columns for table in tables))
    columns: list[Column] = []
    for table in tables:
        columns += [table.column(j) for j in range(table.n_columns)]
    return Table(graph, columns)
