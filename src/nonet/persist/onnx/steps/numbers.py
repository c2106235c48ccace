"""Steps on numbers, in double precision: scaling, imputation, projection."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler

from nonet._base.frames import is_missing
from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.steps.registry import step_for
from nonet.persist.onnx.tables import Column, Table


def matrix_table(graph: Graph, matrix: str, n_columns: int) -> Table:
    """Return a table of a matrix."""
    return Table(graph, None, matrix, n_columns)


@step_for(StandardScaler)
def standard_scaler(graph: Graph, model: StandardScaler, table: Table) -> Table:
    """Subtract means and divide by standard deviations."""
    centre = model.mean_ if model.with_mean else 0.0
    return _scaled(graph, table, centre, model.scale_ if model.with_std else 1.0)


@step_for(RobustScaler)
def robust_scaler(graph: Graph, model: RobustScaler, table: Table) -> Table:
    """Subtract medians and divide by ranges of quantiles."""
    centre = model.center_ if model.with_centering else 0.0
    return _scaled(graph, table, centre, model.scale_ if model.with_scaling else 1.0)


@step_for(MaxAbsScaler)
def max_abs_scaler(graph: Graph, model: MaxAbsScaler, table: Table) -> Table:
    """Divide by maximum absolute values."""
    return _scaled(graph, table, 0.0, model.scale_)


def _scaled(graph: Graph, table: Table, centre: ArrayLike, scale: ArrayLike) -> Table:
    scaled = graph.apply("Div", graph.apply("Sub", table.matrix(), centre), scale)
    return matrix_table(graph, scaled, table.n_columns)


@step_for(MinMaxScaler)
def min_max_scaler(graph: Graph, model: MinMaxScaler, table: Table) -> Table:
    """Scale to a range."""
    matrix = graph.apply("Add", graph.apply("Mul", table.matrix(), model.scale_), model.min_)
    if model.clip:
        low, high = map(float, model.feature_range)
        matrix = graph.apply("Min", graph.apply("Max", matrix, low), high)
    return matrix_table(graph, matrix, table.n_columns)


@step_for(PCA)
def principal_components(graph: Graph, model: PCA, table: Table) -> Table:
    """Project on components."""
    centred = graph.apply("Sub", table.matrix(), model.mean_)
    matrix = graph.apply("MatMul", centred, model.components_.T)
    if model.whiten:
        scale = np.sqrt(model.explained_variance_)
        matrix = graph.apply("Div", matrix, np.maximum(scale, np.finfo(scale.dtype).eps))
    return matrix_table(graph, matrix, len(model.components_))


@step_for(TruncatedSVD)
def truncated_svd(graph: Graph, model: TruncatedSVD, table: Table) -> Table:
    """Project on singular vectors."""
    matrix = graph.apply("MatMul", table.matrix(), model.components_.T)
    return matrix_table(graph, matrix, len(model.components_))


# ---- Imputation ----------------------------------------------------------------------------------


@step_for(SimpleImputer)
def simple_imputer(graph: Graph, model: SimpleImputer, table: Table) -> Table:
    """Replace missing values by the statistic of their column."""
    if not is_missing(model.missing_values):
        raise graph.refusal("imputes another value than NaN", "use missing_values=np.nan")
    if any(column.kind == "text" for column in table.columns or ()):
        return _fill_text(graph, model, table)
    fills = np.asarray(model.statistics_, dtype=np.float64)
    kept = np.flatnonzero(~np.isnan(fills))
    numbers = table.take(kept) if len(kept) < table.n_columns else table
    matrix = numbers.matrix()
    gaps = graph.add("IsNaN", matrix)
    filled = graph.where(gaps, graph.constant(fills[kept]), matrix)
    if not model.add_indicator:
        return matrix_table(graph, filled, len(kept))
    marked = model.indicator_.features_
    gaps = graph.cast(graph.add("IsNaN", table.take(marked).matrix()), "double")
    return matrix_table(graph, graph.concat([filled, gaps]), len(kept) + len(marked))


def _fill_text(graph: Graph, model: SimpleImputer, table: Table) -> Table:
    """Note what a missing text stands for; the empty text is a missing one."""
    if model.add_indicator:
        raise graph.refusal("marks missing text", "use add_indicator=False")
    columns: list[Column] = []
    for j, fill in enumerate(model.statistics_):
        column = table.column(j)
        if column.kind != "text":
            raise graph.refusal("imputes text and numbers together", "give each an imputer")
        columns.append(replace(column, fill=str(fill)))
    return Table(graph, columns)
