"""Nearest neighbors: the training rows are constants of the graph."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from nonet._base.aliases import Array
from nonet.persist.onnx.parts.part import Part
from nonet.persist.onnx.parts.registry import part_for
from nonet.persist.onnx.rules.decision import argmax

# Squared distances below this fraction of the squared lengths are rounding of zero.
_ROUNDING = 1e-14
_MAX_NUMBERS = 1 << 26  # of the training rows: 512 MB


@part_for(KNeighborsClassifier, KNeighborsRegressor)
class NeighborsPart(Part):
    """The mean of the nearest training rows, weighted by distance or not."""

    def _check(self) -> None:
        model = self.model
        is_euclidean = model.effective_metric_ == "euclidean"
        if not is_euclidean or model.weights not in ("uniform", "distance"):
            raise self.refusal("has a metric or weights of its own", "use Euclidean distances")
        if model._fit_X.size > _MAX_NUMBERS:
            raise self.refusal("has too many training rows for a graph", "fit it on fewer rows")

    @cached_property
    def _nearest(self) -> tuple[str, str]:
        """Return the weights and the numbers of the nearest rows: shape (n, k)."""
        self._check()
        graph, known = self.graph, np.asarray(self.model._fit_X, dtype=np.float64)
        X = self.table.matrix()
        own = graph.sum(graph.add("Mul", X, X), keepdims=True)
        lengths = graph.apply("Add", own, (known**2).sum(axis=1))
        product = graph.apply("MatMul", X, -2 * known.T)
        squares = graph.add("Add", lengths, product)
        is_zero = graph.add("LessOrEqual", squares, graph.apply("Mul", lengths, _ROUNDING))
        squares = graph.where(is_zero, graph.constant(0.0), squares)
        k = graph.constant(np.array([self.model.n_neighbors]))
        nearest, rows = graph.add_many("TopK", squares, k, n_outputs=2, axis=1, largest=0)
        return self._weights(nearest), rows

    def _weights(self, squares: str) -> str:
        graph = self.graph
        if self.model.weights == "uniform":
            return graph.apply("Add", graph.apply("Mul", squares, 0.0), 1.0)
        is_zero = graph.apply("Equal", squares, 0.0)
        equal = graph.cast(is_zero, "double")
        has_equal = graph.extreme("Max", equal, keepdims=True)
        distance = graph.add("Sqrt", graph.where(is_zero, graph.constant(1.0), squares))
        inverse = graph.add("Reciprocal", distance)
        return graph.where(graph.apply("Greater", has_equal, 0.0), equal, inverse)

    def _mean(self, of_rows: Array) -> str:
        """Average values of training rows, shape (m, c), over the nearest ones."""
        graph, (weights, rows) = self.graph, self._nearest
        values = graph.add("Gather", graph.constant(of_rows), rows, axis=0)
        total = graph.sum(graph.add("Mul", values, graph.expand(weights, 2)))
        return graph.add("Div", total, graph.sum(weights, keepdims=True))

    @cached_property
    def values(self) -> str:
        """The mean of the targets."""
        targets = np.asarray(self.model._y, dtype=np.float64)
        mean = self._mean(targets.reshape(len(targets), -1))
        return mean if targets.ndim == 2 and targets.shape[1] > 1 else self.graph.column(mean, 0)

    @cached_property
    def probabilities(self) -> str:
        """The fractions of the classes."""
        return self._mean(np.eye(len(self.classes))[np.ravel(self.model._y)])

    @cached_property
    def codes(self) -> str:
        """The most frequent class."""
        return argmax(self.graph, self.probabilities)
