"""Models that stand for others: codes for labels, means over folds, thresholds on scores."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from nonet.bagging.bagging.bagged_classifier import BaggedClassifier
from nonet.bagging.bagging.one_sided import OneSidedClassifier
from nonet.bagging.bagging.perceptron import PocketPerceptron, RandomPerceptron
from nonet.members.label_codes import LabelEncodedClassifier
from nonet.members.member import Member
from nonet.persist.onnx.parts.ensembles import EnsemblePart
from nonet.persist.onnx.parts.member_predictions import predict_members
from nonet.persist.onnx.parts.part import Part
from nonet.persist.onnx.parts.registry import part_for, part_of
from nonet.persist.onnx.rules.decision import argmax
from nonet.persist.onnx.rules.label_rules import votes
from nonet.persist.onnx.rules.member_outputs import MemberOutputs
from nonet.stacking.fold_average import FoldAverage


@part_for(LabelEncodedClassifier)
class LabelEncodedPart(Part):
    """A classifier of codes: its classes are the positions of the labels."""

    @cached_property
    def _inner(self) -> Part:
        return part_of(self.graph, self.model.estimator_, self.table)

    @cached_property
    def codes(self) -> str:
        """The classes of the model inside are positions among the labels."""
        positions = np.append(self._inner.classes.astype(np.int64), -1)
        return self.graph.add("Gather", self.graph.constant(positions), self._inner.codes, axis=0)

    @cached_property
    def probabilities(self) -> str:
        """Those of the model inside; 1 for the only class."""
        if len(self.classes) == 1:
            return self.graph.for_each_row(self.table.first, np.ones(1))
        return self._inner.probabilities

    @cached_property
    def scores(self) -> str:
        """Those of the model inside."""
        return self._inner.scores

    @property
    def has_scores(self) -> bool:
        """Whether the model inside has a decision function."""
        return self._inner.has_scores


@part_for(FoldAverage)
class FoldAveragePart(Part):
    """The mean, or the vote, of models fitted on different folds."""

    def _outputs(self, kind: str) -> MemberOutputs:
        members = [Member(f"fold {i}", model) for i, model in enumerate(self.model.models)]
        classes = None if self.model.classes is None else self.classes
        tensor, n_axes = predict_members(self.graph, members, self.table, kind, classes)  # type: ignore[arg-type]
        return MemberOutputs(self.graph, tensor, len(members), n_axes, classes)

    def _mean(self, kind: str) -> str:
        outputs = self._outputs(kind)
        return self.graph.apply("Div", outputs.weighted_sum(), float(outputs.n_members))

    @cached_property
    def values(self) -> str:
        """The mean of the values."""
        return self._mean("values")

    @cached_property
    def probabilities(self) -> str:
        """The mean of the probabilities."""
        return self._mean("probabilities")

    @cached_property
    def scores(self) -> str:
        """The mean of the scores."""
        by_class = self._mean("scores")
        return self.graph.column(by_class, 1) if len(self.classes) == 2 else by_class

    @cached_property
    def codes(self) -> str:
        """The class predicted most often."""
        return argmax(self.graph, votes(self._outputs("labels")))


@part_for(BaggedClassifier)
class BaggedClassifierPart(EnsemblePart):
    """Bagged classifiers, whose decision function is the mean of those of the members."""

    @cached_property
    def scores(self) -> str:
        """The mean of the members' scores."""
        members = self.model.members_
        tensor, n_axes = predict_members(self.graph, members, self.table, "scores", self.classes)
        outputs = MemberOutputs(self.graph, tensor, len(members), n_axes, self.classes)
        mean = self.graph.apply("Div", outputs.weighted_sum(), float(len(members)))
        return self.graph.column(mean, 1) if len(self.classes) == 2 else mean


@part_for(OneSidedClassifier)
class OneSidedClassifierPart(Part):
    """A score less a threshold, positive for the second class."""

    @cached_property
    def scores(self) -> str:
        """The distance from the threshold."""
        graph, model = self.graph, self.model
        inner = part_of(graph, model.estimator_, self.table)
        certain = int(np.flatnonzero(inner.classes == model.certain_class_)[0])
        if inner.has_scores:
            score = inner.scores if certain == 1 else graph.add("Neg", inner.scores)
        else:
            score = graph.column(inner.probabilities, certain)
        above = graph.apply("Sub", score, float(model.threshold_))
        return above if self._second_is_certain else graph.add("Neg", above)

    @property
    def _second_is_certain(self) -> bool:
        return bool(self.model.certain_class_ == self.classes[1])

    @cached_property
    def codes(self) -> str:
        """The certain class above the threshold."""
        operator = "Greater" if self._second_is_certain else "GreaterOrEqual"
        return self.graph.cast(self.graph.apply(operator, self.scores, 0.0), "int64")


@part_for(PocketPerceptron, RandomPerceptron)
class PerceptronPart(Part):
    """A hyperplane."""

    @cached_property
    def scores(self) -> str:
        """The side of the hyperplane, as a height."""
        model = self.model
        product = self.graph.apply("MatMul", self.table.matrix(), model.coef_[0])
        return self.graph.apply("Add", product, float(model.intercept_[0]))

    @cached_property
    def codes(self) -> str:
        """The second class on the hyperplane and above it."""
        return self.graph.cast(self.graph.apply("GreaterOrEqual", self.scores, 0.0), "int64")
