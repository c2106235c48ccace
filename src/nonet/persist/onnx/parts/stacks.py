"""Stacks: level one of the outputs of the members, and the final model."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from nonet._base.aliases import Kind
from nonet.persist.onnx.parts.ensembles import DecidedPart
from nonet.persist.onnx.parts.member_predictions import n_targets_of, predict_member
from nonet.persist.onnx.parts.part import Part
from nonet.persist.onnx.parts.registry import part_for, part_of
from nonet.persist.onnx.rules.calibration import calibrate
from nonet.persist.onnx.rules.decision import argmax
from nonet.persist.onnx.step_function import rank_in
from nonet.persist.onnx.tables import Column, Table
from nonet.stacking.learned.class_by_class import _MINIMUM, ClassByClass
from nonet.stacking.learned.level_one import _MINIMUM as _MINIMUM_PROBABILITY
from nonet.stacking.learned.stacked import StackedModels


@part_for(StackedModels)
class StackPart(DecidedPart):
    """A stacked ensemble: F is a model on the outputs of the members."""

    @cached_property
    def _final(self) -> Part:
        table = self._level_one()
        with self.graph.within("the final model"):
            return part_of(self.graph, self.model.final_estimator_, table)

    def _level_one(self) -> Table:
        """Return the table that the final model reads."""
        combine = self.model.combine_.level_one
        if combine.inner is not None:
            raise self.refusal(
                "passes the inner representations of its members on, which have no form in ONNX",
                "use passthrough=True or False",
            )
        level_one = combine.level_one
        blocks = []
        for member, kind in zip(self.model.members_, level_one.kinds, strict=True):
            with self.graph.within(f"member {member.name!r}"):
                part = part_of(self.graph, member.estimator, self.table.take(member.columns))
                blocks.append(self._block(part, kind))
        block = self.graph.concat(blocks)
        if level_one.held_out_columns is not None:
            block = self._ranked(block)
        if not combine.passthrough:
            return Table(self.graph, None, block, len(combine.columns))
        return self._joined(block, combine.columns)

    def _ranked(self, block: str) -> str:
        known = self.model.level_one_.held_out_columns
        columns = [
            rank_in(self.graph, self.graph.columns(block, [j]), of_column)
            for j, of_column in enumerate(known)
        ]
        return self.graph.concat(columns)

    def _joined(self, block: str, names: tuple[str, ...]) -> Table:
        """Put the original columns behind those of the members."""
        graph, table = self.graph, self.table
        if table.columns is None or all(column.kind != "text" for column in table.columns):
            width = len(names) + table.n_columns
            return Table(graph, None, graph.concat([block, table.matrix()]), width)
        added = [Column(name, graph.columns(block, [j]), "double") for j, name in enumerate(names)]
        return Table(graph, [*added, *table.columns])

    def _block(self, part: Part, kind: Kind) -> str:
        """Return the columns of one member."""
        graph, form = self.graph, self.model.level_one_.form
        if kind == "values":
            if n_targets_of(part.model) > 1:
                raise part.refusal("predicts several values", "export a stack per target")
            return graph.expand(part.values, 1)
        if kind == "labels" or form == "labels":
            return self._label_columns(part, form)
        by_class = predict_member(part, kind, self.classes)
        return self._without_first(self._logits(by_class) if form == "logits" else by_class)

    def _label_columns(self, part: Part, form: str | None) -> str:
        codes = predict_member(part, "labels", self.classes)
        if form == "labels":
            return self._without_first(self.graph.one_hot(codes, len(self.classes)))
        return self.graph.cast(self.graph.expand(codes, 1), "double")

    def _without_first(self, by_class: str) -> str:
        n_classes = len(self.classes)
        if n_classes != 2 or self.model.level_one_.every_class:
            return by_class
        return self.graph.columns(by_class, [1])

    def _logits(self, probabilities: str) -> str:
        graph, n_classes = self.graph, len(self.classes)
        raised = graph.apply("Max", probabilities, _MINIMUM_PROBABILITY)
        logs = graph.add("Log", graph.apply("Min", raised, 1.0))
        if n_classes == 2:
            return graph.apply("MatMul", logs, np.array([[1.0, -1.0], [-1.0, 1.0]]))
        mean = graph.apply("Div", graph.sum(logs, keepdims=True), float(n_classes))
        return graph.add("Sub", logs, mean)

    @cached_property
    def support(self) -> str:
        """The probabilities of the final model, or 1 for the class that it predicts."""
        if self.model.combine_.gives == "probabilities":
            return self.probabilities
        codes = predict_member(self._final, "labels", self.classes)
        return self.graph.one_hot(codes, len(self.classes))

    @cached_property
    def probabilities(self) -> str:
        """The probabilities of the final model, calibrated if it has a calibration."""
        probabilities = predict_member(self._final, "probabilities", self.classes)
        calibration = self.model.combine_.calibration
        if calibration is None:
            return probabilities
        return calibrate(self.graph, calibration, probabilities, len(self.classes))

    @cached_property
    def scores(self) -> str:
        """The scores of the final model."""
        return self._final.scores

    @cached_property
    def values(self) -> str:
        """The values of the final model."""
        self.check_identity(self.model.decide_)
        return self._final.values


@part_for(ClassByClass)
class ClassByClassPart(Part):
    """One model per class on the outputs of the members for that class."""

    @cached_property
    def probabilities(self) -> str:
        """The support of each class, scaled to sum to one."""
        graph = self.graph
        raw = [self._probability(code) for code in range(len(self.classes))]
        clipped = graph.apply("Min", graph.apply("Max", graph.stack(raw), _MINIMUM), 1.0)
        return graph.add("Div", clipped, graph.sum(clipped, keepdims=True))

    def _probability(self, code: int) -> str:
        model = self.model.models_[code]
        if model is None:
            return self.graph.for_each_row(self.table.first, np.float64(0))
        n_classes, n_columns = len(self.classes), self.table.n_columns
        n_predictions = self.model.n_members * n_classes
        positions = [*range(code, n_predictions, n_classes), *range(n_predictions, n_columns)]
        part = part_of(self.graph, model, self.table.take(positions))
        if hasattr(model, "classes_"):
            return self.graph.column(part.probabilities, 1)
        return part.values

    @cached_property
    def codes(self) -> str:
        """The class of the highest support."""
        return argmax(self.graph, self.probabilities)
