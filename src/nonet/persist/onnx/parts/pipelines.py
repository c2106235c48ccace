"""Pipelines, and other models of scikit-learn around models."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.parts.part import Part
from nonet.persist.onnx.parts.registry import part_for, part_of
from nonet.persist.onnx.rules.decision import argmax
from nonet.persist.onnx.steps.registry import transformed
from nonet.persist.onnx.tables import Table


@part_for(Pipeline)
def pipeline(graph: Graph, model: Pipeline, table: Table) -> Part:
    """Return the part of the last step, on the table that the others make."""
    for name, step in model.steps[:-1]:
        with graph.within(f"step {name!r}"):
            table = transformed(graph, step, table)
    name, last = model.steps[-1]
    with graph.within(f"step {name!r}"):
        return part_of(graph, last, table)


@part_for(TransformedTargetRegressor)
class TransformedTargetPart(Part):
    """A regressor of a scaled target."""

    @cached_property
    def values(self) -> str:
        """The predictions of the model inside, scaled back."""
        graph, transformer = self.graph, self.model.transformer_
        inner = part_of(graph, self.model.regressor_, self.table).values
        column = graph.reshape(inner, [-1, 1])
        if type(transformer) is StandardScaler:
            scale = transformer.scale_ if transformer.with_std else 1.0
            column = graph.apply("Mul", column, scale)
            column = (
                graph.apply("Add", column, transformer.mean_) if transformer.with_mean else column
            )
        elif type(transformer) is MinMaxScaler:
            column = graph.apply("Sub", column, transformer.min_)
            column = graph.apply("Div", column, transformer.scale_)
        elif getattr(transformer, "inverse_func", None) in (np.exp, np.expm1):
            column = graph.add("Exp", column)
            is_shifted = transformer.inverse_func is np.expm1
            column = graph.apply("Sub", column, 1.0) if is_shifted else column
        else:
            raise self.refusal("transforms its target in a way without a form", "scale it by hand")
        return graph.column(column, 0)


@part_for(MLPClassifier, MLPRegressor)
class NetworkPart(Part):
    """A multi-layer perceptron."""

    @cached_property
    def _output(self) -> str:
        """The activations of the last layer: doubles of shape (n, n_outputs)."""
        graph, model, layer = self.graph, self.model, self.table.matrix()
        pairs = list(zip(model.coefs_, model.intercepts_, strict=True))
        for position, (weights, intercepts) in enumerate(pairs):
            layer = graph.apply("MatMul", layer, np.asarray(weights, dtype=np.float64))
            layer = graph.apply("Add", layer, np.asarray(intercepts, dtype=np.float64))
            is_last = position == len(pairs) - 1
            layer = _activated(graph, model.out_activation_ if is_last else model.activation, layer)
        return layer

    @cached_property
    def values(self) -> str:
        """The activation of the last layer."""
        return self._output if self.n_targets > 1 else self.graph.column(self._output, 0)

    @cached_property
    def probabilities(self) -> str:
        """The activations of the last layer; the rest for the first of two classes."""
        if len(self.classes) != 2:
            return self._output
        return self.graph.both(self._output)

    @cached_property
    def codes(self) -> str:
        """The class of the highest probability; of two, the second above one half."""
        if len(self.classes) != 2:
            return argmax(self.graph, self._output)
        is_second = self.graph.apply("Greater", self.graph.column(self._output, 0), 0.5)
        return self.graph.cast(is_second, "int64")


def _activated(graph: Graph, name: str, layer: str) -> str:
    if name == "softmax":
        return graph.add("Softmax", layer, axis=1)
    if name == "relu":
        return graph.apply("Max", layer, 0.0)
    operators = {"logistic": "Sigmoid", "tanh": "Tanh"}
    return graph.add(operators[name], layer) if name in operators else layer


@part_for(CalibratedClassifierCV)
class CalibratedPart(Part):
    """scikit-learn's calibration: sigmoid curves on scores, averaged over folds."""

    @cached_property
    def probabilities(self) -> str:
        """The mean of the calibrated models."""
        graph = self.graph
        of_models = [self._one(model) for model in self.model.calibrated_classifiers_]
        total = of_models[0] if len(of_models) == 1 else graph.add("Sum", *of_models)
        return graph.apply("Div", total, float(len(of_models)))

    def _one(self, model: Any) -> str:
        graph = self.graph
        inner = part_of(graph, model.estimator, self.table)
        curves = model.calibrators
        is_sigmoid = all(hasattr(curve, "a_") and hasattr(curve, "b_") for curve in curves)
        if not is_sigmoid or len(self.classes) != 2 or len(inner.classes) != 2:
            raise self.refusal(
                "is calibrated other than by a sigmoid of two classes",
                "calibrate with a rule of nonet, such as StackingClassifier(calibrate=...)",
            )
        score = inner.scores if inner.has_scores else graph.column(inner.probabilities, 1)
        line = graph.apply("Mul", graph.expand(score, 1), -float(curves[0].a_))
        second = graph.add("Sigmoid", graph.apply("Sub", line, float(curves[0].b_)))
        return graph.both(second)

    @cached_property
    def codes(self) -> str:
        """The class of the highest probability."""
        return argmax(self.graph, self.probabilities)
