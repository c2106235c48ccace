"""Models of scikit-learn that a few operators express in double precision."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from sklearn._loss.link import LogLink
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import (
    GammaRegressor,
    LogisticRegression,
    LogisticRegressionCV,
    PoissonRegressor,
    SGDRegressor,
    TweedieRegressor,
)
from sklearn.linear_model._base import LinearClassifierMixin, LinearModel
from sklearn.naive_bayes import GaussianNB

from nonet._base.aliases import Array
from nonet.persist.onnx.parts.part import Part
from nonet.persist.onnx.parts.registry import part_for
from nonet.persist.onnx.rules.decision import argmax
from nonet.persist.onnx.rules.probability_rules import normalized


def product_of(part: Part) -> str:
    """Return X times the coefficients, plus the intercepts: doubles of shape (n, n_scores)."""
    coefficients = np.atleast_2d(np.asarray(part.model.coef_, dtype=np.float64))
    product = part.graph.apply("MatMul", part.table.matrix(), coefficients.T)
    return part.graph.apply("Add", product, np.asarray(part.model.intercept_, dtype=np.float64))


@part_for(LinearModel, SGDRegressor)
class LinearPart(Part):
    """A linear regression of any penalty."""

    @cached_property
    def values(self) -> str:
        """X times the coefficients."""
        product = product_of(self)
        return product if self.n_targets > 1 else self.graph.column(product, 0)

    @property
    def n_targets(self) -> int:
        """One per row of the coefficients."""
        return len(self.model.coef_) if np.ndim(self.model.coef_) == 2 else 1


@part_for(LinearClassifierMixin)
class LinearClassifierPart(Part):
    """A linear classifier: the sign, or the class of the highest score."""

    @cached_property
    def scores(self) -> str:
        """X times the coefficients."""
        product = product_of(self)
        return product if self._has_many else self.graph.column(product, 0)

    @property
    def _has_many(self) -> bool:
        """Whether there is a score per class."""
        return np.ndim(self.model.coef_) == 2 and len(self.model.coef_) > 1

    @cached_property
    def codes(self) -> str:
        """The second class for a positive score; the class of the highest one."""
        if self._has_many:
            return argmax(self.graph, self.scores)
        return self.graph.cast(self.graph.apply("Greater", self.scores, 0.0), "int64")


@part_for(LogisticRegression, LogisticRegressionCV, LinearDiscriminantAnalysis)
class LogisticPart(LinearClassifierPart):
    """Logistic regression, and the linear discriminant that has its form."""

    @cached_property
    def probabilities(self) -> str:
        """The logistic function for two classes, softmax for more."""
        graph = self.graph
        if not self._has_many:
            second = graph.add("Sigmoid", graph.expand(self.scores, 1))
            return graph.both(second)
        if self.model.solver != "liblinear":
            return graph.add("Softmax", self.scores, axis=1)
        return normalized(graph, graph.add("Sigmoid", self.scores), len(self.classes))


@part_for(GammaRegressor, PoissonRegressor, TweedieRegressor)
class GeneralizedLinearPart(LinearPart):
    """A generalized linear model with a link of identity or logarithm."""

    @cached_property
    def values(self) -> str:
        """The inverse link of X times the coefficients."""
        product = self.graph.column(product_of(self), 0)
        link = type(self.model._base_loss.link)
        return self.graph.add("Exp", product) if link is LogLink else product


@part_for(GaussianNB)
class GaussianPart(Part):
    """Naive Bayes with normal densities."""

    @cached_property
    def _log_joint(self) -> str:
        graph, model = self.graph, self.model
        distance = graph.apply("Sub", graph.expand(self.table.matrix(), 1), model.theta_)
        squares = graph.apply("Div", graph.add("Mul", distance, distance), model.var_)
        constants = np.log(model.class_prior_) - 0.5 * np.log(2 * np.pi * model.var_).sum(axis=1)
        return graph.apply("Add", graph.apply("Mul", graph.sum(squares, axis=2), -0.5), constants)

    @cached_property
    def probabilities(self) -> str:
        """The softmax of the joint log densities."""
        return self.graph.add("Softmax", self._log_joint, axis=1)

    @cached_property
    def codes(self) -> str:
        """The class of the highest density."""
        return argmax(self.graph, self._log_joint)


@part_for(DummyClassifier)
class DummyClassifierPart(Part):
    """A classifier that does not read X."""

    def _constant(self, values: Any) -> str:
        if self.model._strategy not in ("prior", "most_frequent", "constant"):
            raise self.refusal("predicts at random", "use another strategy")
        return self.graph.for_each_row(self.table.first, values)

    @cached_property
    def _one_row(self) -> Array:
        row: Array = self.model.predict_proba(np.zeros((1, 1)))[0]
        return row

    @cached_property
    def probabilities(self) -> str:
        """The same for every row."""
        return self._constant(self._one_row)

    @cached_property
    def codes(self) -> str:
        """The same for every row."""
        return self._constant(np.int64(self._one_row.argmax()))


@part_for(DummyRegressor)
class DummyRegressorPart(Part):
    """A regressor that does not read X."""

    @cached_property
    def values(self) -> str:
        """The same for every row."""
        constant = np.asarray(self.model.constant_, dtype=np.float64)[0]
        values = constant if len(constant) > 1 else constant[0]
        return self.graph.for_each_row(self.table.first, values)
