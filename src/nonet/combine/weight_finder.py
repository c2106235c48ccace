"""The base class of weight finders: one weight per member from held-out predictions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from nonet._base.aliases import Floats, Task
from nonet._base.params import Rule, check_params
from nonet.combine.held_out import HeldOut, check_held_out
from nonet.combine.rule import CombinationRule


class WeightFinder(BaseEstimator):
    """Parent of the methods that find the weights of members from held-out predictions.

    The parent checks the input. A child declares its parameters in ``_rules`` and implements
    ``_find``.

    Attributes
    ----------
    finds_factors : bool
        Whether the weights are factors of a sum, whose size matters, and not fractions of a mean.

    Examples
    --------
    A custom finder that gives all weight to the first member:

    >>> import numpy as np
    >>> from nonet.combine import WeightFinder
    >>> class First(WeightFinder):
    ...     def _find(self, held_out):
    ...         return np.eye(held_out.n_members)[0]
    >>> First().find([[1.0, 2.0], [2.0, 3.0]], [1.0, 2.0])
    array([1., 0.])
    """

    finds_factors: bool = False
    _rules: Mapping[str, Rule] = {}

    def check(self) -> None:
        """Check the parameters."""
        check_params(self, self._rules)

    def find(
        self,
        outputs: ArrayLike,
        target: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Floats:
        """Find one weight for each member.

        Parameters
        ----------
        outputs : array-like
            Predictions on rows the members have not seen. Regression: (n, k) or (n, k, t) values.
            Classification: (n, k, c) supports, or (n, k) class codes with -1 for an abstention.
        target : array-like
            Regression: (n,) or (n, t) numbers. Classification: (n,) positions in ``classes``.
        classes : array-like of shape (c,), default=None
            The classes, sorted; None means regression.
        sample_weight : array-like of shape (n,), default=None
            The weight of each row.

        Returns
        -------
        weights : ndarray of shape (k,)
            Finite, not all 0; negative only in plain least squares. Where the method
            would give every member the weight 0, all get the same weight 1/k instead.
        """
        self.check()
        held_out = check_held_out(outputs, target, classes, sample_weight)
        weights = self._find(held_out)
        return weights if weights.any() else uniform_weights(held_out.n_members)

    def suited_rule(self, task: Task) -> str | CombinationRule:
        """Return the combination rule that the weights are found for.

        Parameters
        ----------
        task : {'regression', 'classification'}

        Returns
        -------
        rule : str or CombinationRule
            Factors go with a sum, fractions with a mean; a mean of probabilities renormalises.
        """
        return "sum" if self.finds_factors and task == "regression" else "mean"

    def _find(self, held_out: HeldOut) -> Floats:
        raise NotImplementedError


def uniform_weights(n_members: int) -> Floats:
    """Return the weight 1/k for each of k members."""
    return np.full(n_members, 1.0 / n_members)
