"""Gradient boosting of all three kinds: a start plus a sum of trees, and the inverse link."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from nonet._native.tree import Tree
from nonet.boosting.gradient.booster_estimator import GradientBoosted
from nonet.boosting.gradient.classic.boosted_sum import BoostedSum
from nonet.boosting.gradient.classic.starting_model import _CLIP
from nonet.boosting.gradient.decisions import LinkedDecision
from nonet.losses import ExponentialLoss, Loss
from nonet.persist.onnx.category_codes import coded_matrix, numbers_of_codes
from nonet.persist.onnx.parts.ensembles import DecidedPart
from nonet.persist.onnx.parts.registry import part_for, part_of
from nonet.persist.onnx.rules.inverse_link import inverse_link
from nonet.persist.onnx.trees import sum_of_groups, sum_of_trees
from nonet.trees.category_codes import CategoryCodes


@part_for(GradientBoosted)
class BoosterPart(DecidedPart):
    """A booster with Newton steps: the learning rate is in its leaves."""

    @property
    def _loss(self) -> Loss:
        loss: Loss = self.model._booster.loss
        return loss

    @property
    def _n_scores(self) -> int:
        return len(self.model._booster.start)

    @property
    def _codes(self) -> CategoryCodes:
        codes: CategoryCodes = self.model._codes
        return codes

    @cached_property
    def _scores(self) -> str:
        """The scores: doubles of shape (n, n_scores)."""
        if getattr(self.model, "_has_margin", False):
            raise self.refusal(
                "reads a base_margin with every row, which is no column of the table",
                "fit without base_margin",
            )
        return self._with_start(self._sums())

    def _with_start(self, sums: str) -> str:
        return self.graph.apply("Add", sums, self.model._booster.start)

    def _sums(self) -> str:
        """Sum the trees of each score."""
        rounds: list[list[Tree]] = self.model._rounds_used()
        if not rounds:
            return self.graph.for_each_row(self.table.first, np.zeros(self._n_scores))
        X, n_codes = coded_matrix(self.table, self._codes), numbers_of_codes(self._codes)
        if len(rounds[0]) < self._n_scores:  # one tree for all scores
            return sum_of_trees(self.graph, X, [trees[0] for trees in rounds], n_codes)
        return sum_of_groups(self.graph, X, list(zip(*rounds, strict=True)), n_codes)

    @cached_property
    def _predictions(self) -> str:
        """The inverse link of the scores: doubles of shape (n, n_scores)."""
        return inverse_link(self.graph, self._loss, self._scores, self._n_scores)

    def _of_row(self, by_score: str) -> str:
        return by_score if self._n_scores > 1 else self.graph.column(by_score, 0)

    @cached_property
    def scores(self) -> str:
        """Log-odds for two classes, one score per class for more."""
        return self._of_row(self._scores)

    @cached_property
    def decided_support(self) -> str:
        """The scores, or probabilities for a rule of the user's."""
        reads_probabilities = isinstance(self.model.decide_, LinkedDecision)
        return self.probabilities if reads_probabilities else self.scores

    @property
    def decided_axes(self) -> int:
        """Two for probabilities and for several scores."""
        return 2 if isinstance(self.model.decide_, LinkedDecision) or self._n_scores > 1 else 1

    @cached_property
    def probabilities(self) -> str:
        """The probabilities of the classes."""
        if getattr(self.model, "_has_labels", False):
            raise self.refusal("predicts several labels per row", "export a model per label")
        if self._n_scores > 1:
            return self._predictions
        both = self.graph.both(self._predictions)
        return both if len(self.classes) > 1 else self.graph.columns(both, [0])

    @cached_property
    def values(self) -> str:
        """The inverse link of the scores."""
        self.check_identity(self.model.decide_.decide)
        return self._of_row(self._predictions)


@part_for(BoostedSum)
class ClassicBoosterPart(BoosterPart):
    """Classic gradient boosting: the learning rate multiplies the sum, and a model may start it."""

    @property
    def _codes(self) -> CategoryCodes:
        codes: CategoryCodes = self.model._no_categories
        return codes

    def _with_start(self, sums: str) -> str:
        scaled = self.graph.apply("Mul", sums, float(self.model.learning_rate))
        if self.model._start is not None:
            return self.graph.apply("Add", scaled, self.model._start[:, 0])
        with self.graph.within("the model init"):
            return self.graph.add("Add", scaled, self._start_of_model())

    def _start_of_model(self) -> str:
        """Return the scores that the predictions of the starting model mean."""
        graph, start = self.graph, part_of(self.graph, self.model.init_, self.table)
        if not hasattr(self.model, "classes_"):
            return graph.reshape(start.values, [-1, 1])
        clipped = graph.apply("Min", graph.apply("Max", start.probabilities, _CLIP), 1 - _CLIP)
        if len(self.classes) > 2:
            logs = graph.add("Log", clipped)
            total = graph.sum(logs, keepdims=True)
            return graph.add("Sub", logs, graph.apply("Div", total, float(len(self.classes))))
        second = graph.columns(clipped, [1])
        rest = graph.rest(second)
        odds = graph.add("Sub", graph.add("Log", second), graph.add("Log", rest))
        return graph.apply("Mul", odds, 0.5 if isinstance(self._loss, ExponentialLoss) else 1.0)
