"""What happened round by round where numbers are boosted (AdaBoost.R2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.params import Real, bad_parameter
from nonet._base.results import PlottableResult
from nonet._native.loss import add_weights
from nonet.boosting.adaboost.methods.method import TrainingRows, Verdict, weighted_mean
from nonet.boosting.adaboost.round_log import heaviest_rows, weight_after

RELATIVE_LOSSES: dict[str, Callable[[Floats], Floats]] = {
    "linear": lambda relative: relative,
    "square": np.square,
    "exponential": lambda relative: 1 - np.exp(-relative),
}
"""What an absolute error costs, relative to the largest one."""


@dataclass(frozen=True)
class RegressionLog(PlottableResult):
    """The rounds of a boosted regressor, one number a round; and where they left the rows.

    The error of the ensemble after each round is not among them, as a weighted median has to be
    taken anew every time: ``staged_predict`` has it.

    Attributes
    ----------
    error : ndarray of shape (n_rounds,)
        The average loss of the round's member, under the weights of the round.
    alpha : ndarray of shape (n_rounds,)
        Its weight ln(1 / beta) in the median: rows are multiplied by exp(-alpha (1 - loss)).
    z : ndarray of shape (n_rounds,)
        What the reweighted rows sum to, Z_t; at a learning rate of 1 at most twice the error.
    largest_error : ndarray of shape (n_rounds,)
        The largest absolute error of the member, which all its losses are relative to.
    member_error : ndarray of shape (n_rounds,)
        The mean absolute error of the member on the training rows, under their first weights.
    effective_rows : ndarray of shape (n_rounds,)
        1 / sum of squared weights: how many equally heavy rows the round's weights are worth.
    last_weights : ndarray of shape (n_rows,)
        Weights of the training rows in the last round.
    mean_weights : ndarray of shape (n_rows,)
        Weights of the training rows, averaged over rounds.
    loss : str
        What an error costs: 'linear', 'square' or 'exponential'.
    stopped : str
        Why there are no more rounds.

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
    largest_error: Floats
    member_error: Floats
    effective_rows: Floats
    last_weights: Floats
    mean_weights: Floats
    loss: str
    stopped: str

    _shown: ClassVar[tuple[str, ...]] = ("error", "alpha", "largest_error", "stopped")
    _plot: ClassVar[str] = "plot_rounds"

    def __len__(self) -> int:
        return len(self.error)

    def suspects(self, n: int = 10) -> Array:
        """Return the rows that attracted most weight, the heaviest first: perhaps wrong.

        Parameters
        ----------
        n : int, default=10
            How many.

        Returns
        -------
        rows : ndarray of int
            Positions in what was given to ``fit``.
        """
        return heaviest_rows(self.mean_weights, n)

    def error_bound(self, size: float) -> float:
        """Bound the share of training rows that the ensemble misses by a size or more.

        Where the weighted median is so far off, so are members of at least half of all weight. With
        t their least loss, such a row keeps at least exp(-sum of alpha (1 - t / 2)) of its first
        weight, and all rows together keep the product of Z.

        Parameters
        ----------
        size : float
            An absolute error, at least 0.

        Returns
        -------
        bound : float
            At most 1; it says nothing for small sizes.
        """
        if not Real(0).allows(size):
            raise bad_parameter("error_bound", "size", Real(0).describe(), size)
        if size > self.largest_error.max():
            return 0.0
        relative = size / (float(self.largest_error.max()) or 1.0)
        least = float(RELATIVE_LOSSES[self.loss](np.asarray(relative)))
        logs = np.log(self.z) + self.alpha * (1 - least / 2)
        return float(np.exp(min(logs.sum(), 0.0)))


@dataclass
class RegressionBook:
    """The log while it is written."""

    training: TrainingRows
    columns: dict[str, list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._weight_sum = np.zeros(len(self.training.weights))
        self._last_weights = self.training.weights

    def write(self, verdict: Verdict, weights: Floats, answers: Array) -> None:
        """Add a round: what its member found, under which weights."""
        self._last_weights = weights
        squares = add_weights(weights, self._weight_sum)
        errors = np.abs(answers - self.training.target)
        entries = {
            "error": verdict.error,
            "alpha": verdict.alpha,
            "z": weight_after(verdict, weights),
            "largest_error": float(errors[weights > 0].max()),
            "member_error": weighted_mean(self.training.weights, errors),
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
