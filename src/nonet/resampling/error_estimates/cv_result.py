"""Results of cross-validation: one model's error, or a curve over several models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Codes, Floats
from nonet._base.results import PlottableResult, Result
from nonet.resampling.error_estimates.many_models import BestOfMany, best_of_many
from nonet.resampling.error_estimates.selection_rules import one_standard_error


def fold_means(losses: Floats, fold_sizes: Codes, weights: Floats | None = None) -> Floats:
    """Return the mean loss of each fold, (n_folds,) or (n_folds, n_models)."""
    starts = np.concatenate([[0], np.cumsum(fold_sizes)[:-1]])
    if weights is None:
        sizes = fold_sizes if losses.ndim == 1 else fold_sizes[:, None]
        return np.asarray(np.add.reduceat(losses, starts, axis=0) / sizes)
    return np.asarray(np.add.reduceat(weights * losses, starts) / np.add.reduceat(weights, starts))


def error_over_folds(fold_errors: Floats, fractions: Floats) -> Floats:
    """Return the standard error of the mean over folds that weigh ``fractions`` (of sum 1).

    With folds of one size it is their standard deviation over the root of their number.
    """
    if len(fractions) < 2:
        raise ValueError(
            "a standard error needs at least 2 folds, or 2 held-out rows in one fold, but there is "
            "only one: hold out more."
        )
    mean = fractions @ fold_errors
    return np.asarray(np.sqrt(fractions @ (fold_errors - mean) ** 2 / (len(fractions) - 1)))


@dataclass(frozen=True)
class CVError(Result):
    """Losses on held-out rows, split after split.

    Attributes
    ----------
    losses : ndarray of shape (n_held_out,)
        The loss on each held-out row; a row is there as often as it was held out.
    rows : ndarray of shape (n_held_out,)
        The rows they belong to.
    fold_sizes : ndarray of shape (n_folds,)
        Held-out rows of each split, in order.
    train_sizes : ndarray of shape (n_folds,)
        Rows that each split was fitted on.
    weights : ndarray of shape (n_held_out,) or None
        The weight of each loss; None means all alike.
    loss : str
        Its name.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from nonet.resampling import cv_error
    >>> x, y = np.arange(6.0)[:, None], np.array([0.0, 1, 2, 3, 4, 6])
    >>> cv_error(LinearRegression(), x, y, cv=3).fold_errors.round(2)
    array([0.44, 0.07, 0.5 ])
    """

    losses: Floats
    rows: Codes
    fold_sizes: Codes
    train_sizes: Codes
    weights: Floats | None
    loss: str

    _shown: ClassVar[tuple[str, ...]] = ("error", "standard_error", "n_folds", "n_rows", "loss")

    @property
    def n_folds(self) -> int:
        """Number of splits."""
        return len(self.fold_sizes)

    @property
    def n_rows(self) -> int:
        """Different rows that were held out."""
        return len(np.unique(self.rows))

    @property
    def fold_errors(self) -> Floats:
        """Mean loss of each split."""
        return fold_means(self.losses, self.fold_sizes, self.weights)

    @property
    def fold_fractions(self) -> Floats:
        """Weight of each split in the error: n_k / n, or its fraction of the weights."""
        if self.weights is None:
            return np.asarray(self.fold_sizes / self.fold_sizes.sum())
        starts = np.concatenate([[0], np.cumsum(self.fold_sizes)[:-1]])
        return np.asarray(np.add.reduceat(self.weights, starts) / self.weights.sum())

    @property
    def error(self) -> float:
        """The pooled error: the mean loss of all held-out rows, sum of n_k / n times error k."""
        return float(np.average(self.losses, weights=self.weights))

    @property
    def mean_fold_error(self) -> float:
        """The mean of the fold errors, each fold counting alike: scikit-learn's average."""
        return float(self.fold_errors.mean())

    @property
    def standard_error(self) -> float:
        """Standard error of ``error`` over the folds; over the rows if there is one split.

        Folds share their training rows, so it is a rough guide, too small rather than too large
        (Bengio & Grandvalet 2004: no unbiased estimate exists).
        """
        if self.n_folds == 1:
            weights = np.ones(len(self.losses)) if self.weights is None else self.weights
            return float(error_over_folds(self.losses, weights / weights.sum()))
        return float(error_over_folds(self.fold_errors, self.fold_fractions))


@dataclass(frozen=True)
class CVCurve(PlottableResult):
    """Held-out losses of several models on the same splits, simplest model first.

    Attributes
    ----------
    names : tuple
        Complexity or name of each model.
    losses : ndarray of shape (n_held_out, n_models)
        The loss of each model on each held-out row.
    rows : ndarray of shape (n_held_out,)
        The rows they belong to.
    fold_sizes : ndarray of shape (n_folds,)
        Held-out rows of each split, in order.
    loss : str
        Its name.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> from sklearn.linear_model import LinearRegression
    >>> from nonet.resampling import cv_curve
    >>> x, y = np.arange(6.0)[:, None], np.array([0.0, 1, 2, 3, 4, 6])
    >>> curve = cv_curve({"mean": DummyRegressor(), "line": LinearRegression()}, x, y, cv=3)
    >>> curve.names[curve.best]
    'line'
    """

    names: tuple[Any, ...]
    losses: Floats
    rows: Codes
    fold_sizes: Codes
    loss: str

    _shown: ClassVar[tuple[str, ...]] = ("names", "errors", "standard_errors", "loss")
    _plot: ClassVar[str] = "plot_cv_curve"

    @property
    def fold_errors(self) -> Floats:
        """Mean loss of each split and model, (n_folds, n_models)."""
        return fold_means(self.losses, self.fold_sizes)

    @property
    def errors(self) -> Floats:
        """The pooled error of each model."""
        return np.asarray(self.losses.mean(axis=0))

    @property
    def standard_errors(self) -> Floats:
        """Standard errors over the folds; over the rows if there is one split."""
        if len(self.fold_sizes) == 1:
            return error_over_folds(self.losses, np.full(len(self.losses), 1 / len(self.losses)))
        return error_over_folds(self.fold_errors, self.fold_sizes / self.fold_sizes.sum())

    @property
    def best(self) -> int:
        """Position of the model with the lowest error."""
        return int(np.argmin(self.errors))

    def one_standard_error(self) -> int:
        """Return the position of the simplest model within one standard error of the best."""
        return one_standard_error(self.errors, self.standard_errors)

    def best_of_many(self, method: str = "bootstrap", **settings: Any) -> BestOfMany:
        """Return the best model's error, corrected for having been chosen: see `best_of_many`."""
        if method == "folds":
            return best_of_many(self.losses, self.fold_sizes, method=method, **settings)
        return best_of_many(self._losses_of_rows(), method=method, **settings)

    def _losses_of_rows(self) -> Floats:
        """Average over the times that a row was held out: a resample must draw a row as a whole."""
        rows, position, counts = np.unique(self.rows, return_inverse=True, return_counts=True)
        total = np.zeros((len(rows), self.losses.shape[1]))
        np.add.at(total, position, self.losses)
        return np.asarray(total / counts[:, None])
