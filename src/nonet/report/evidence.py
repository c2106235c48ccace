"""Rows with their truth and a model's predictions: what the numbers of a report are from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonet._base.aliases import Array, Codes, Floats
from nonet.auto.fold_task import row_losses


@dataclass(frozen=True, eq=False)
class Evidence:
    """Rows with their truth and predictions.

    Attributes
    ----------
    y : ndarray of shape (n_rows,)
        Class codes, or values.
    predictions : ndarray of shape (n_rows, n_classes) or (n_rows,)
        Probabilities, or one-hot classes of a model without them; values in regression.
    decisions : ndarray of shape (n_rows,)
        Class codes, -1 where the model abstains; values in regression.
    has_probabilities : bool
    rows : ndarray of int of shape (n_rows,)
        Positions in the table.
    words : str
        Which rows these are.
    weight : ndarray of shape (n_rows,) or None
        Weights of rows.

    Examples
    --------
    >>> predictions = np.array([[0.9, 0.1], [0.5, 0.5]])
    >>> rows = Evidence(np.array([0, 1]), predictions, np.array([0, 0]), True, np.arange(2), "two")
    >>> rows.loss, rows.losses.round(2)
    ('log_loss', array([0.11, 0.69]))
    """

    y: Array
    predictions: Floats
    decisions: Array
    has_probabilities: bool
    rows: Codes
    words: str
    weight: Floats | None = None

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.y)

    @property
    def is_regression(self) -> bool:
        """Whether the predictions are values."""
        return self.predictions.ndim == 1

    @property
    def n_classes(self) -> int:
        """The number of classes; 0 in regression."""
        return 0 if self.is_regression else self.predictions.shape[1]

    @property
    def weights(self) -> Floats:
        """The weight of each row; 1 where rows have none."""
        return np.ones(self.n_rows) if self.weight is None else self.weight

    @property
    def loss(self) -> str:
        """What the loss of a row is: 'log_loss', 'zero_one' or 'squared_error'."""
        if self.is_regression:
            return "squared_error"
        return "log_loss" if self.has_probabilities else "zero_one"

    @property
    def losses(self) -> Floats:
        """The loss of each row."""
        return losses_of(self.loss, self.y, self.predictions, self.decisions)

    def mean(self, entries: Array) -> float:
        """Return the weighted mean over the rows."""
        return float(np.average(entries, weights=self.weight))

    def standard_error(self, entries: Array) -> float:
        """Return the standard error of the weighted mean over the rows."""
        return mean_and_error(np.asarray(entries, dtype=np.float64), self.weights)[1]

    def take(self, positions: Codes, words: str) -> Evidence:
        """Return some of the rows."""
        return Evidence(
            self.y[positions],
            self.predictions[positions],
            self.decisions[positions],
            self.has_probabilities,
            self.rows[positions],
            words,
            None if self.weight is None else self.weight[positions],
        )


def losses_of(loss: str, y: Array, predictions: Floats, decisions: Array | None = None) -> Floats:
    """Return the loss of each row.

    Parameters
    ----------
    loss : {'log_loss', 'zero_one', 'squared_error'}
    y : ndarray of shape (n_rows,)
        Class codes, or values.
    predictions : ndarray of shape (n_rows, n_classes) or (n_rows,)
    decisions : ndarray of shape (n_rows,), optional
        Class codes; None is the class of the highest prediction.
    """
    if loss != "zero_one":
        return row_losses(y, predictions)
    codes = np.argmax(predictions, axis=1) if decisions is None else decisions
    return np.asarray(codes != y, dtype=np.float64)


def mean_and_error(entries: Floats, weights: Floats) -> tuple[float, float]:
    """Return a weighted mean and its standard error; NaN from a single row.

    Examples
    --------
    >>> mean, error = mean_and_error(np.array([0.0, 2.0]), np.ones(2))
    >>> mean, round(error, 6)
    (1.0, 1.0)
    """
    total = float(weights.sum())
    mean = float(weights @ entries) / total
    n_effective = total**2 / float(weights @ weights)
    if n_effective <= 1:
        return mean, float("nan")
    variance = float(weights @ (entries - mean) ** 2) / total
    return mean, float(np.sqrt(variance / (n_effective - 1)))


def one_hot(codes: Codes, y: Codes, n_classes: int) -> Floats:
    """Return classes as columns; an abstention counts as a class that is wrong.

    Examples
    --------
    >>> one_hot(np.array([1, -1]), np.array([1, 0]), 2)
    array([[0., 1.],
           [0., 1.]])
    """
    wrong = (y + 1) % n_classes
    columns: Floats = np.eye(n_classes)[np.where(codes < 0, wrong, codes)]
    return columns
