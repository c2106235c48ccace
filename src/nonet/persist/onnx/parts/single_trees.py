"""Single trees and the stump."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from nonet.persist.onnx.category_codes import coded_matrix, numbers_of_codes
from nonet.persist.onnx.parts.part import Part
from nonet.persist.onnx.parts.registry import part_for
from nonet.persist.onnx.rules.decision import argmax
from nonet.persist.onnx.trees import sum_of_trees
from nonet.trees.single_tree import SingleTree
from nonet.trees.stump import DecisionStump


@part_for(SingleTree)
class TreePart(Part):
    """A decision tree, or an extra tree."""

    @cached_property
    def _leaf_values(self) -> str:
        codes = self.model._category_codes
        X = coded_matrix(self.table, codes)
        return sum_of_trees(self.graph, X, [self.model.tree_._native], numbers_of_codes(codes))

    @cached_property
    def values(self) -> str:
        """The values of the leaf."""
        several = self.model.n_outputs_ > 1
        return self._leaf_values if several else self.graph.column(self._leaf_values, 0)

    @cached_property
    def probabilities(self) -> str:
        """The class fractions of the leaf."""
        assert self.classes is not None  # refuses several targets
        return self._leaf_values

    @cached_property
    def codes(self) -> str:
        """The most frequent class of the leaf."""
        return argmax(self.graph, self.probabilities)


@part_for(DecisionStump)
class StumpPart(Part):
    """A stump: x >= threshold is the side of the sign."""

    @cached_property
    def scores(self) -> str:
        """+1 or -1."""
        graph, stump = self.graph, self.model
        x = graph.column(self.table.matrix(), stump.column_)
        reaches = graph.apply("GreaterOrEqual", x, stump.threshold_)
        sides = (graph.constant(float(stump.sign_)), graph.constant(-float(stump.sign_)))
        return graph.where(reaches, *sides)

    @cached_property
    def codes(self) -> str:
        """The last class for +1, the first for -1."""
        is_last = self.graph.cast(self.graph.apply("Greater", self.scores, 0.0), "int64")
        last = self.graph.constant(np.int64(len(self.classes) - 1))
        return self.graph.add("Mul", is_last, last)
