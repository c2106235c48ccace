"""AdaBoost and its family."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from nonet.boosting.adaboost.boosted_classifier import BoostedClassifier
from nonet.boosting.adaboost.methods.label_methods import LabelMethod
from nonet.boosting.adaboost.methods.method import BoostingMethod
from nonet.boosting.adaboost.methods.multiclass_methods import M2, OneVsRestMember
from nonet.persist.onnx.parts.ensembles import EnsemblePart
from nonet.persist.onnx.parts.part import Part
from nonet.persist.onnx.parts.registry import part_for, part_of
from nonet.persist.onnx.rules.decision import argmax
from nonet.persist.onnx.rules.probability_rules import normalized
from nonet.persist.onnx.trees import sum_of_trees


@part_for(BoostedClassifier)
class BoostedClassifierPart(EnsemblePart):
    """A boosted classifier: F of its method, or a rule of the user's."""

    @cached_property
    def support(self) -> str:
        """F of the members; votes of native trees are summed by one node."""
        if self.model._vote_sum is not None:
            return self._sum_of_votes()
        return super().support

    def _sum_of_votes(self) -> str:
        graph, votes = self.graph, self.model._vote_sum
        total = sum_of_trees(graph, self.table.matrix(), votes._trees, {})
        fractions = graph.apply("Div", total, float(votes._weights.sum()))
        if len(self.classes) != 2:
            return fractions
        # The trees sum the votes for the second class minus those for the first.
        signed = graph.apply("Mul", fractions, np.array([-0.5, 0.5]))
        return graph.apply("Add", signed, 0.5)

    @cached_property
    def decided_support(self) -> str:
        """Probabilities in place of scores for a rule that needs them."""
        is_scores = self.model.combine is None and not self.model.method_.gives_fractions
        reads_size = is_scores and self.model.decide_.rule.needs_probabilities
        return self.probabilities if reads_size else self.support

    @cached_property
    def _class_scores(self) -> str:
        """The support as scores of sum 0."""
        n_classes, method = len(self.classes), self.model.method_
        if self.model.combine is not None or not isinstance(method, LabelMethod):
            return self.support
        if n_classes == 1:
            return self.graph.apply("Mul", self.support, 0.0)
        scaled = self.graph.apply("Sub", self.graph.apply("Mul", self.support, n_classes), 1.0)
        return self.graph.apply("Div", scaled, float(n_classes - 1))

    @cached_property
    def scores(self) -> str:
        """The scores; for two classes the second less the first."""
        if len(self.classes) != 2:
            return self._class_scores
        first, second = (self.graph.column(self._class_scores, c) for c in (0, 1))
        return self.graph.add("Sub", second, first)

    @cached_property
    def probabilities(self) -> str:
        """The softmax of the scores over K - 1, or fractions of a rule of the user's."""
        probabilities = type(self.model.method_).probabilities
        if self.model.combine is not None:
            return normalized(self.graph, self.support, len(self.classes))
        if probabilities is M2.probabilities:
            return self.support
        if probabilities is not BoostingMethod.probabilities:
            raise self._lacks("probabilities")
        divisor = float(max(len(self.classes) - 1, 1))
        return self.graph.add(
            "Softmax", self.graph.apply("Div", self._class_scores, divisor), axis=1
        )


@part_for(OneVsRestMember)
class OneVsRestMemberPart(Part):
    """A member of AdaBoost.MH: +1 for the class, -1 for the rest."""

    @cached_property
    def scores(self) -> str:
        """+1 or -1 for each class."""
        signs = []
        for model in self.model.estimators_:
            part = part_of(self.graph, model, self.table)
            known = self.graph.constant(part.classes.astype(np.float64))
            signs.append(self.graph.add("Gather", known, part.codes, axis=0))
        by_class = self.graph.stack(signs)
        # Two classes are given as the second's, as by other decision functions.
        return self.graph.column(by_class, 1) if len(signs) == 2 else by_class

    @cached_property
    def codes(self) -> str:
        """The first class predicted with +1."""
        return argmax(self.graph, self.scores)
