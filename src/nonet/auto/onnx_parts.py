"""The auto-ensembler's model in an ONNX graph: encoded columns, prepared ones, the blend."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.frames import as_frame, column_names
from nonet.auto.fold_blend import FoldModels, SmoothedCombination
from nonet.auto.preparation import PreparedColumns
from nonet.auto.searched_ensemble import AutoEnsemble
from nonet.persist.onnx.category_codes import encode_column
from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.inputs import Input, inputs_for, kinds_in_rows, matrix_input
from nonet.persist.onnx.parts.ensembles import EnsemblePart
from nonet.persist.onnx.parts.part import Part
from nonet.persist.onnx.parts.registry import part_for, part_of
from nonet.persist.onnx.rules.calibration import calibrate
from nonet.persist.onnx.rules.decision import argmax
from nonet.persist.onnx.rules.probability_rules import as_probabilities
from nonet.persist.onnx.tables import Column, Table
from nonet.tables.arithmetic_features import ArithmeticFeatures
from nonet.tables.column_encoders import (
    _PLAIN_NUMBER,
    BooleanEncoder,
    CategoryEncoder,
    ColumnEncoder,
    NumberEncoder,
)
from nonet.tables.level_codes import LevelCodes

_UNKNOWN = -1.0


# ---- Inputs --------------------------------------------------------------------------------------


@inputs_for(AutoEnsemble)
def declare_columns(graph: Graph, model: AutoEnsemble, X: Any) -> list[Input]:
    """Return an input per column that is used, or one matrix."""
    encoder = model.encoder_
    if not encoder.kinds_:
        return [matrix_input(encoder.n_features_in_)]
    if encoder.text_names_:
        raise graph.refusal(
            f"reads text in column {encoder.text_names_[0]!r}, by weights of its words",
            "set kinds={column: 'identifier'} in the fit, so that it is not used",
        )
    given = {} if X is None else dict(zip(column_names(as_frame(X)) or [], kinds_in_rows(X)))  # noqa: B905
    return [Input(one.name, _kind_of(graph, one, given)) for one in encoder.encoders_]


def _kind_of(graph: Graph, encoder: ColumnEncoder, given: dict[str, str]) -> str:
    """Return the type of a column: as in the rows that were given, or as its kind suggests."""
    with graph.within(f"column {encoder.name!r}"):
        if isinstance(encoder, NumberEncoder):
            if given.get(encoder.name) == "text":
                raise graph.refusal("holds numbers in writing", "turn them into numbers before")
            return given.get(encoder.name, "real")
        if isinstance(encoder, CategoryEncoder):
            are_numbers = all(_PLAIN_NUMBER.fullmatch(level) for level in encoder.levels)
            return given.get(encoder.name, "real" if are_numbers else "text")
        if isinstance(encoder, BooleanEncoder):
            return given.get(encoder.name, "text" if encoder.kind.true_values else "real")
        raise graph.refusal(
            "holds dates, for which ONNX has no type", "turn them into numbers before the fit"
        )


# ---- Columns -------------------------------------------------------------------------------------


def encoded(graph: Graph, model: AutoEnsemble, table: Table) -> Table:
    """Return the table that the members read: encoded columns, then prepared ones."""
    encoders = model.encoder_.encoders_
    if not model.encoder_.kinds_:
        matrix, width = table.matrix(), table.n_columns
    else:
        columns = [
            _encoded_column(graph, encoder, table.column(j)) for j, encoder in enumerate(encoders)
        ]
        matrix, width = graph.concat(columns), len(columns)
    parts = [matrix]
    for prepared in model.preparations_:
        parts += _prepared(graph, prepared, matrix)
        width += prepared.n_features
    return Table(graph, None, graph.concat(parts), width)


def _encoded_column(graph: Graph, encoder: ColumnEncoder, column: Column) -> str:
    if isinstance(encoder, CategoryEncoder):
        codes = {level: float(code) for code, level in enumerate(encoder.levels)}
        if column.kind == "text":
            return encode_column(graph, column, codes, np.nan)
        numbers = {float(level): codes[level] for level in codes if _PLAIN_NUMBER.fullmatch(level)}
        return encode_column(graph, column, numbers, np.nan)
    if isinstance(encoder, BooleanEncoder) and column.kind == "text":
        return encode_column(graph, column, _words(encoder), np.nan)
    values = column.tensor if column.kind == "double" else graph.cast(column.tensor, "double")
    return values if isinstance(encoder, BooleanEncoder) else _finite(graph, values)


def _words(encoder: BooleanEncoder) -> dict[str, float]:
    """Return what words mean, in the ways that they are usually written."""
    known = {word: 1.0 for word in (*encoder.kind.true_values, "true", "1")}
    known |= {word: 0.0 for word in (*encoder.kind.false_values, "false", "0")}
    return {
        written: value
        for word, value in known.items()
        for written in (word, word.upper(), word.capitalize())
    }


# ---- Prepared columns ----------------------------------------------------------------------------


def _prepared(graph: Graph, columns: PreparedColumns, X: str) -> list[str]:
    found = [_arithmetic(graph, columns.arithmetic, X)] if columns.arithmetic.n_features else []
    for group in columns.groups:
        means = _level_means(graph, group.levels, group.means, X)
        found.append(_finite(graph, graph.add("Sub", graph.columns(X, group.columns), means)))
    found += [_level_means(graph, one.levels, one.means, X) for one in columns.encodings]
    return found


def _arithmetic(graph: Graph, features: ArithmeticFeatures, X: str) -> str:
    columns = []
    for operation, left, right in zip(
        features.operations, features.left, features.right, strict=True
    ):
        operator = ("Add", "Sub", "Mul", "Div")[operation]
        pair = (graph.columns(X, [left]), graph.columns(X, [right]))
        columns.append(graph.add(operator, *pair))
    return _finite(graph, graph.concat(columns))


def _finite(graph: Graph, numbers: str) -> str:
    """Return numbers with NaN in place of infinities."""
    return graph.where(graph.add("IsInf", numbers), graph.constant(np.nan), numbers)


def _level_means(graph: Graph, levels: LevelCodes, means: Floats, X: str) -> str:
    """Look up means by level; the last ones are for levels that are not known."""
    codes = _level_codes(graph, levels, X)
    return graph.add("Gather", graph.constant(means), codes, axis=0)


def _level_codes(graph: Graph, levels: LevelCodes, X: str) -> str:
    """Return the codes of levels: int64 of shape (n,)."""
    joined, is_unknown = None, None
    for j, values in zip(levels.columns, levels.values, strict=True):
        at = _positions(graph, graph.columns(X, [int(j)]), values)
        misses = graph.apply("Less", at, 0.0)
        if joined is None or is_unknown is None:
            joined, is_unknown = at, misses
        else:
            joined = graph.add("Add", graph.apply("Mul", joined, float(len(values) + 1)), at)
            is_unknown = graph.add("Or", is_unknown, misses)
    assert joined is not None
    assert is_unknown is not None
    position = graph.where(is_unknown, graph.constant(_UNKNOWN), joined)
    known = {float(number): float(code) for code, number in enumerate(levels.known)}
    column = Column("levels", position, "double")
    codes = encode_column(graph, column, known, float(levels.n_levels))
    return graph.column(graph.cast(codes, "int64"), 0)


def _positions(graph: Graph, column: str, values: Array) -> str:
    """Return the position of each number among some, their count for NaN, -1 for others."""
    known = {float(value): float(position) for position, value in enumerate(values)}
    at = encode_column(graph, Column("numbers", column, "double"), known, _UNKNOWN)
    is_missing = graph.add("IsNaN", column)
    return graph.where(is_missing, graph.constant(float(len(values))), at)


# ---- Models --------------------------------------------------------------------------------------


@part_for(AutoEnsemble)
class AutoPart(EnsemblePart):
    """The ensemble of a search, on the columns of a table as they are."""

    def __init__(self, graph: Graph, model: AutoEnsemble, table: Table) -> None:
        super().__init__(graph, model, encoded(graph, model, table))

    def combined(self, combination: Any) -> str:
        """Add F; in classification its probabilities are smoothed, and tempered if that helps."""
        if not isinstance(combination, SmoothedCombination):
            return super().combined(combination)
        mean = super().combined(combination.combination)
        probabilities = self._smooth(
            as_probabilities(self.graph, mean, len(self.classes)), combination
        )
        if combination.temperature is None:
            return probabilities
        n_classes = len(self.classes)
        tempered = calibrate(self.graph, combination.temperature, probabilities, n_classes)
        return self._smooth(tempered, combination)

    def _smooth(self, probabilities: str, combination: SmoothedCombination) -> str:
        n_rows, prior_rows = float(combination.n_rows), combination.prior_rows
        scaled = self.graph.apply("Mul", probabilities, n_rows)
        more = self.graph.apply("Add", scaled, prior_rows / len(self.classes))
        return self.graph.apply("Div", more, n_rows + prior_rows)


@part_for(FoldModels)
class FoldModelsPart(Part):
    """The mean of models that were fitted without different folds, on class codes."""

    def _parts(self) -> list[Part]:
        found = []
        columns = self.model.columns or [None] * len(self.model.models)
        for position, (model, read) in enumerate(zip(self.model.models, columns, strict=True)):
            with self.graph.within(f"fold {position}"):
                found.append(part_of(self.graph, model, self.table.take(read)))
        return found

    def _mean(self, tensors: list[str]) -> str:
        total = tensors[0] if len(tensors) == 1 else self.graph.add("Sum", *tensors)
        return self.graph.apply("Div", total, float(len(tensors)))

    @cached_property
    def values(self) -> str:
        """The mean of the values."""
        return self._mean([part.values for part in self._parts()])

    @cached_property
    def probabilities(self) -> str:
        """The mean of the probabilities."""
        return self._mean([part.probabilities for part in self._parts()])

    @cached_property
    def codes(self) -> str:
        """The class of the highest mean probability."""
        return argmax(self.graph, self.probabilities)
