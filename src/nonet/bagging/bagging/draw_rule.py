"""Interface of draw rules, which sample the rows of a bag. The rules are in `draws`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from sklearn.base import BaseEstimator

from nonet._base.aliases import Array
from nonet._base.params import Rule, check_params
from nonet._native.bags import ForestBags
from nonet.bagging.bagging.population import Population


class DrawRule(BaseEstimator):
    """Parent of the rules that draw the rows of a bag.

    A child implements ``draw``. A rule that the compiled core can sample implements ``core_bags``
    as well; forests accept it once it is in the table of names.

    Attributes
    ----------
    draws_single_rows : bool
        Whether rows are drawn one by one, so that row weights can serve as probabilities.
    needs_classes, needs_groups : bool
        Whether the rule needs the classes or the groups of the rows.
    way_out : str
        Advice for the error message if a class is in no bag.

    Examples
    --------
    A custom rule, in which each member leaves out one row:

    >>> import numpy as np
    >>> from nonet.bagging import BaggingRegressor, DrawRule
    >>> class LeaveOneOut(DrawRule):
    ...     def draw(self, population, member):
    ...         return np.delete(np.arange(population.n_rows), member % population.n_rows)
    >>> X, y = np.arange(10.0).reshape(-1, 1), np.arange(10.0)
    >>> bagging = BaggingRegressor(draw=LeaveOneOut(), n_estimators=10).fit(X, y)
    >>> bagging.estimators_samples_[1]
    array([0, 2, 3, 4, 5, 6, 7, 8, 9])
    """

    draws_single_rows: ClassVar[bool] = False
    needs_classes: ClassVar[bool] = False
    needs_groups: ClassVar[bool] = False
    way_out: ClassVar[str] = "raise n_estimators"
    _rules: ClassVar[Mapping[str, Rule]] = {}

    @property
    def can_grow(self) -> bool:
        """Whether the bags do not change when members are added."""
        return True

    def check(self, population: Population) -> None:
        """Check the parameters, and that the rows are suitable for this rule."""
        check_params(self, self._rules)

    def draw(self, population: Population, member: int) -> Array:
        """Return the rows of one member's bag, repeats allowed."""
        raise NotImplementedError

    def core_bags(self, population: Population) -> ForestBags:
        """Return the bags in the form in which the core draws them, one per tree."""
        raise NotImplementedError
