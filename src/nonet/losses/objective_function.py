"""A custom objective in the form of LightGBM and XGBoost: a function of gradient and hessian."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np
from scipy.special import expit, softmax

from nonet._base.aliases import Array, Floats
from nonet.losses.loss import Loss


class ObjectiveFunction(Loss):
    """A loss that is known by its derivatives alone.

    Boosting begins at a score of 0. The engine multiplies gradients and hessians by the weights of
    rows, so that a function with a third argument gets weights of 1.

    Parameters
    ----------
    function : callable
        ``function(y_true, y_pred)`` or ``function(y_true, y_pred, weight)``, which returns the
        gradient and the hessian with respect to the raw scores ``y_pred``, of the shape (n_rows,)
        or (n_rows, n_scores).
    n_scores : int
        Number of scores per row.
    is_class : bool
        Whether scores are turned into probabilities: by the logistic function, or by softmax.

    Examples
    --------
    >>> loss = ObjectiveFunction(lambda y, score: (score - y, np.ones(len(y))), 1, is_class=False)
    >>> loss.gradient_hessian(np.array([1.0]), np.array([3.0]))
    (array([2.]), array([1.]))
    """

    has_value = False

    def __init__(self, function: Callable[..., Any], n_scores: int, *, is_class: bool) -> None:
        self.function, self.n_scores, self.is_class = function, n_scores, is_class
        self.takes_weights = _count_needed(function) > 2

    def __repr__(self) -> str:
        return f"ObjectiveFunction({getattr(self.function, '__name__', self.function)})"

    def value(self, y: Array, score: Floats) -> Floats:
        raise ValueError(
            "an objective that is a function of derivatives has no value to be evaluated; set "
            "eval_metric to a metric, or objective to a nonet.losses.Loss."
        )

    def gradient_hessian(self, y: Array, score: Floats) -> tuple[Floats, Floats]:
        predictions = score.T.copy()  # in C order, and the user's to change
        weights = [np.ones(len(y))] if self.takes_weights else []
        derivatives = self.function(y, predictions, *weights)
        try:
            gradient, hessian = (np.asarray(each, dtype=np.float64) for each in derivatives)
        except (TypeError, ValueError):
            raise ValueError(
                f"objective must return the two arrays gradient and hessian, got "
                f"{type(derivatives).__name__}."
            ) from None
        return self._checked(gradient, score), self._checked(hessian, score, is_hessian=True)

    def _checked(self, numbers: Floats, score: Floats, *, is_hessian: bool = False) -> Floats:
        if numbers.shape == score.T.shape:
            numbers = numbers.T
        what = "hessian" if is_hessian else "gradient"
        if numbers.shape != score.shape:
            raise ValueError(
                f"objective must return a {what} of the shape of y_pred, {score.T.shape}, got "
                f"{numbers.shape}."
            )
        if not np.isfinite(numbers).all() or (is_hessian and (numbers < 0).any()):
            raise ValueError(
                "objective must return finite numbers, and hessians of at least 0 (use an upper "
                "bound where the second derivative is negative)."
            )
        return numbers

    def inverse_link(self, score: Floats) -> Floats:
        if not self.is_class:
            return score
        return np.asarray(expit(score) if self.n_scores == 1 else softmax(score, axis=0))

    def start(self, y: Array, sample_weight: Floats | None = None) -> Floats:
        return np.zeros(self.n_scores)


def _count_needed(function: Callable[..., Any]) -> int:
    """Return the number of positional arguments without a default."""
    try:
        taken = signature(function).parameters.values()
    except (TypeError, ValueError):  # some compiled functions have no signature
        return 2
    kinds = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")
    return sum(one.kind.name in kinds and one.default is one.empty for one in taken)
