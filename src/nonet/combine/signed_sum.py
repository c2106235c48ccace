"""Weights of either sign by plain least squares, and the sum that uses them.

A member of negative weight is subtracted. Least squares allows that at no extra cost, so
the constraint is often dropped; with nearly equal members, it also makes the weights very
large.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nonet._base.aliases import Array, Floats, Kind, Task
from nonet._base.arrays import check_real_outputs
from nonet.combine.held_out import HeldOut
from nonet.combine.least_squares import error_gram, small_design
from nonet.combine.rule import CombinationRule
from nonet.combine.weight_finder import WeightFinder, uniform_weights


class SignedSum(CombinationRule):
    """The sum of w_m f_m with weights of either sign, for regression.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.combine import SignedSum
    >>> SignedSum().support(np.array([[1.0, 4.0]]), np.array([3.0, -0.5]))
    array([1.])
    """

    reads: Mapping[Task, Kind] = {"regression": "values"}

    def support(
        self, outputs: Array, weights: Floats | None = None, classes: Array | None = None
    ) -> Floats:
        """Return the weighted sum of the members; without weights, their mean."""
        predictions = check_real_outputs(outputs, n_axes=(2, 3))
        used = uniform_weights(predictions.shape[1]) if weights is None else weights
        combined: Floats = np.moveaxis(predictions, 1, -1) @ used
        return combined


class LeastSquares(WeightFinder):
    """Weights of either sign with the minimum squared error: min_w ||sum_m w_m f_m - y||^2.

    If several weights are equally good (collinear members), those of minimum norm are taken.

    Examples
    --------
    >>> from nonet.combine import LeastSquares
    >>> LeastSquares().find([[1.0, 1.0], [2.0, -1.0], [3.0, 0.0]], [0.0, 3.0, 3.0]).round(6)
    array([ 1., -1.])
    """

    finds_factors = True

    def suited_rule(self, task: Task) -> str | CombinationRule:
        """Return the rule that takes weights of either sign."""
        if task == "classification":
            raise ValueError(
                "weights of either sign do not give probabilities; in classification use "
                "'non_negative', 'simplex', 'ridge_to_uniform' or 'log_loss'."
            )
        return SignedSum()

    def _find(self, held_out: HeldOut) -> Floats:
        weights: Floats = np.linalg.lstsq(*small_design(error_gram(held_out)), rcond=None)[0]
        return weights
