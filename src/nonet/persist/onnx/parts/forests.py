"""Forests of native trees."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from nonet._base.aliases import Floats
from nonet._native.tree import Tree
from nonet.bagging.forest.forest import Forest
from nonet.bagging.forest.isolation_forest import IsolationForest
from nonet.ensemble import PerTarget
from nonet.persist.onnx.category_codes import coded_matrix, numbers_of_codes
from nonet.persist.onnx.parts.ensembles import EnsemblePart
from nonet.persist.onnx.parts.part import Part
from nonet.persist.onnx.parts.registry import part_for
from nonet.persist.onnx.rules.combination import combine
from nonet.persist.onnx.rules.member_outputs import MemberOutputs
from nonet.persist.onnx.trees import leaf_values, sum_of_trees, values_of_trees


@part_for(Forest)
class ForestPart(EnsemblePart):
    """A random forest or extra trees: the mean of the leaves, or another rule on them."""

    @cached_property
    def _X(self) -> str:
        return coded_matrix(self.table, self.model._category_codes)

    @property
    def _trees(self) -> list[Tree]:
        trees: list[Tree] = self.model._trees.trees
        return trees

    @cached_property
    def support(self) -> str:
        """The mean of the trees, or what another rule makes of them."""
        if isinstance(self.model.combine_, PerTarget):
            raise self.refusal("predicts several targets of classes", "export a model per target")
        return self._mean() if self.model._predicts_by_mean() else self._by_rule()

    @cached_property
    def probabilities(self) -> str:
        """The support; only rules other than the mean may need scaling."""
        return self.support if self.model._predicts_by_mean() else super().probabilities

    def _mean(self) -> str:
        graph, trees = self.graph, self._trees
        n_codes = numbers_of_codes(self.model._category_codes)
        total = sum_of_trees(graph, self._X, trees, n_codes)
        mean = graph.apply("Div", total, float(len(trees)))
        is_number = self.model._task == "regression" and self.model.n_outputs_ == 1
        return graph.column(mean, 0) if is_number else mean

    def _by_rule(self) -> str:
        """Apply F to the leaves of all trees."""
        combination, trees = self.model.combine_, self._trees
        values = [self._outputs_of(tree) for tree in trees]
        n_codes = numbers_of_codes(self.model._category_codes)
        tensor = values_of_trees(self.graph, self._X, trees, values, n_codes)
        n_axes = 3 if values[0].shape[1] > 1 or combination.classes is not None else 2
        if combination.reads == "labels" or n_axes == 2:
            tensor, n_axes = self.graph.reshape(tensor, [-1, len(trees)]), 2
        if combination.reads == "labels":
            tensor = self.graph.cast(tensor, "int64")
        outputs = MemberOutputs(self.graph, tensor, len(trees), n_axes, combination.classes)
        return combine(combination.rule, outputs)

    def _outputs_of(self, tree: Tree) -> Floats:
        """Return the outputs of the nodes of a tree as F reads them."""
        values = leaf_values(tree)
        if self.model.combine_.reads != "labels":
            return values
        votes: Floats = values.argmax(axis=1).astype(np.float64)[:, np.newaxis]
        return votes


@part_for(IsolationForest)
class IsolationForestPart(Part):
    """An isolation forest: scores by the mean path length, outliers below the offset."""

    @cached_property
    def samples_scores(self) -> str:
        """``score_samples``: doubles of shape (n,)."""
        graph, forest = self.graph, self.model
        trees = forest._trees.trees
        X = coded_matrix(self.table, forest._category_codes)
        total = sum_of_trees(graph, X, trees, {})
        usual = forest.combine_.usual_length
        if usual <= 0:
            return graph.column(graph.apply("Sub", graph.apply("Mul", total, 0.0), 0.5), 0)
        # 2 ** a is exp(a ln 2): ONNX has no power of doubles that all runtimes compute alike.
        exponents = graph.apply("Mul", total, -np.log(2) / (len(trees) * usual))
        return graph.column(graph.add("Neg", graph.add("Exp", exponents)), 0)

    @cached_property
    def scores(self) -> str:
        """The scores less the offset."""
        return self.graph.apply("Sub", self.samples_scores, float(self.model.offset_))

    @cached_property
    def signs(self) -> str:
        """-1 for outliers, 1 for the others."""
        graph = self.graph
        is_outlier = graph.apply("Less", self.scores, 0.0)
        return graph.where(is_outlier, graph.constant(np.int64(-1)), graph.constant(np.int64(1)))
