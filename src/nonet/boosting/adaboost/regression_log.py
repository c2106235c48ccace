"""Round log of boosted regressors (AdaBoost.R2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.params import Real, bad_parameter
from nonet._base.results import PlottableResult
from nonet._native.loss import add_weights
from nonet.boosting.adaboost.methods.method import Evaluation, TrainingRows, expected_value
from nonet.boosting.adaboost.round_log import heaviest_rows, normalization_factor

RELATIVE_LOSSES: dict[str, Callable[[Floats], Floats]] = {
    "linear": lambda relative: relative,
    "square": np.square,
    "exponential": lambda relative: 1 - np.exp(-relative),
}
"""Losses as functions of the absolute error relative to the maximum one."""


@dataclass(frozen=True)
class RegressionLog(PlottableResult):
    """Round log of a boosted regressor: one value per round, and the final weights of the rows.

    The log has no error of the ensemble after each round, because a weighted median has to be
    computed anew in every round. Use ``staged_predict`` for it.

    Attributes
    ----------
    error : ndarray of shape (n_rounds,)
        The average loss of the round's member, under the weights of the round.
    alpha : ndarray of shape (n_rounds,)
        Its weight ln(1 / beta) in the median: rows are multiplied by exp(-alpha (1 - loss)).
    z : ndarray of shape (n_rounds,)
        The sum of the reweighted rows, Z_t; at a learning rate of 1 at most twice the error.
    max_error : ndarray of shape (n_rounds,)
        The maximum absolute error of the member, which scales all its losses.
    member_error : ndarray of shape (n_rounds,)
        The mean absolute error of the member on the training rows, under their first weights.
    effective_rows : ndarray of shape (n_rounds,)
        1 / sum of squared weights: the effective number of equally weighted rows in the round.
    last_weights : ndarray of shape (n_rows,)
        Weights of the training rows in the last round.
    mean_weights : ndarray of shape (n_rows,)
        Weights of the training rows, averaged over rounds.
    loss : str
        The loss: 'linear', 'square' or 'exponential'.
    stopped : str
        Why boosting stopped.

    Examples
    --------
    >>> from nonet import AdaBoostRegressor
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [1, 2, 3, 4, 5, 9]
    >>> model = AdaBoostRegressor(n_estimators=3, resample=False).fit(X, y)
    >>> log = model.round_log_
    >>> len(log), bool((log.z <= 2 * log.error).all())
    (3, True)
    >>> log.error_bound(0.5) <= 1
    True
    """

    error: Floats
    alpha: Floats
    z: Floats
    max_error: Floats
    member_error: Floats
    effective_rows: Floats
    last_weights: Floats
    mean_weights: Floats
    loss: str
    stopped: str

    _shown: ClassVar[tuple[str, ...]] = ("error", "alpha", "max_error", "stopped")
    _plot: ClassVar[str] = "plot_rounds"

    def __len__(self) -> int:
        return len(self.error)

    def suspects(self, n: int = 10) -> Array:
        """Return the rows with the highest mean weight, in descending order: possible outliers.

        Parameters
        ----------
        n : int, default=10
            Number of rows.

        Returns
        -------
        rows : ndarray of int
            Indices into the rows given to ``fit``.
        """
        return heaviest_rows(self.mean_weights, n)

    def error_bound(self, size: float) -> float:
        """Bound the fraction of training rows whose absolute error is at least a given size.

        Where the weighted median has such an error, so do members with at least half of the weight.
        Let t be their minimum loss. The row then keeps at least exp(-sum of alpha (1 - t / 2)) of
        its first weight, and all rows together keep the product of Z.

        Parameters
        ----------
        size : float
            An absolute error, at least 0.

        Returns
        -------
        bound : float
            At most 1; for small sizes the bound is vacuous.
        """
        if not Real(0).allows(size):
            raise bad_parameter("error_bound", "size", Real(0).describe(), size)
        if size > self.max_error.max():
            return 0.0
        relative = size / (float(self.max_error.max()) or 1.0)
        minimum = float(RELATIVE_LOSSES[self.loss](np.asarray(relative)))
        logs = np.log(self.z) + self.alpha * (1 - minimum / 2)
        return float(np.exp(min(logs.sum(), 0.0)))


@dataclass
class RegressionLogBuilder:
    """A round log under construction."""

    training: TrainingRows
    columns: dict[str, list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._weight_sum = np.zeros(len(self.training.weights))
        self._last_weights = self.training.weights

    def write(self, evaluation: Evaluation, weights: Floats, predictions: Array) -> None:
        """Add a round: the evaluation of its member and the weights of the rows."""
        self._last_weights = weights
        squares = add_weights(weights, self._weight_sum)
        errors = np.abs(predictions - self.training.target)
        entries = {
            "error": evaluation.error,
            "alpha": evaluation.alpha,
            "z": normalization_factor(evaluation, weights),
            "max_error": float(errors[weights > 0].max()),
            "member_error": expected_value(self.training.weights, errors),
            "effective_rows": 1 / squares,
        }
        for name, number in entries.items():
            self.columns.setdefault(name, []).append(number)

    def close(self, loss: str, stopped: str) -> RegressionLog:
        """Return the finished log."""
        columns = {name: np.array(numbers) for name, numbers in self.columns.items()}
        return RegressionLog(
            **columns,
            last_weights=self._last_weights,
            mean_weights=self._weight_sum / len(columns["error"]),
            loss=loss,
            stopped=stopped,
        )
