"""Bias of cross-validation if columns are selected by y before the folds are made.

Reference: T. Hastie, R. Tibshirani & J. Friedman (2009), The Elements of Statistical Learning,
section 7.10.2, "The wrong and right way to do cross-validation".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from nonet._base.params import Having, bad_parameter
from nonet._base.results import Result
from nonet.resampling.error_estimates.cross_validation import cv_error
from nonet.resampling.error_estimates.cv_result import CVError, error_over_folds
from nonet.resampling.error_estimates.held_out import list_splits, make_trial

_SELECTOR = Having("a transformer with fit and transform", "fit", "transform")


@dataclass(frozen=True)
class SelectionLeak(Result):
    """Two cross-validations on the same folds: selection outside, and inside.

    Attributes
    ----------
    wrong : CVError
        The selector was fitted once, on all rows: it has seen the held-out ones.
    right : CVError
        The selector was fitted anew in each fold.

    Examples
    --------
    >>> from sklearn.feature_selection import SelectKBest
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from nonet.resampling import selection_leak
    >>> random = np.random.default_rng(0)
    >>> X, y = random.normal(size=(50, 1000)), np.tile([0, 1], 25)  # nothing to be learned
    >>> leak = selection_leak(SelectKBest(k=20), KNeighborsClassifier(1), X, y)
    >>> leak.wrong.error < 0.3, leak.right.error > 0.4
    (True, True)
    """

    wrong: CVError
    right: CVError

    _shown: ClassVar[tuple[str, ...]] = ("wrong_error", "right_error", "flattery", "standard_error")

    @property
    def wrong_error(self) -> float:
        """Error with the selection outside the folds."""
        return self.wrong.error

    @property
    def right_error(self) -> float:
        """Error with the selection inside the folds."""
        return self.right.error

    @property
    def flattery(self) -> float:
        """Bias of the error with the selection outside the folds."""
        return self.right_error - self.wrong_error

    @property
    def standard_error(self) -> float:
        """Standard error of the bias over the paired folds."""
        gaps = self.right.fold_errors - self.wrong.fold_errors
        return float(error_over_folds(gaps, self.right.fold_fractions))


def selection_leak(
    selector: Any,
    estimator: Any,
    X: Any,
    y: ArrayLike,
    *,
    cv: Any = 5,
    loss: Any = None,
    groups: ArrayLike | None = None,
    n_jobs: int | None = None,
) -> SelectionLeak:
    """Measure how much a selection outside the folds lowers the estimated error.

    Parameters
    ----------
    selector : transformer
        What looks at X and y before the estimator, such as ``SelectKBest(k=100)``.
    estimator : estimator
        What is fitted on the selected columns.
    X : array-like or data frame of shape (n, n_features)
        The rows.
    y : array-like of shape (n,)
        The truth.
    cv : int, splitter or iterable, default=5
        As in `cv_error`, with at least 2 splits; made once.
    loss : str or callable, default=None
        As in `cv_error`.
    groups : array-like of shape (n,), default=None
        Labels for splitters that keep groups together.
    n_jobs : int, default=None
        Number of splits in parallel, as in joblib.

    Returns
    -------
    leak : SelectionLeak

    Examples
    --------
    >>> from sklearn.feature_selection import SelectKBest, f_regression
    >>> from sklearn.linear_model import LinearRegression
    >>> from nonet.resampling import selection_leak
    >>> random = np.random.default_rng(0)
    >>> X, y = random.normal(size=(40, 500)), random.normal(size=40)
    >>> leak = selection_leak(SelectKBest(f_regression, k=5), LinearRegression(), X, y)
    >>> leak.flattery > 0
    True
    """
    if not _SELECTOR.allows(selector):
        raise bad_parameter("selection_leak", "selector", _SELECTOR.describe(), selector)
    trial = make_trial(estimator, X, y, loss)
    splits = list_splits(cv, trial, groups)
    if len(splits) < 2:
        raise ValueError("selection_leak compares folds: cv must make at least 2 splits.")
    seen = clone(selector).fit(trial.X, trial.y).transform(trial.X)
    same: dict[str, Any] = {"cv": splits, "loss": loss, "n_jobs": n_jobs}
    wrong = cv_error(estimator, seen, np.asarray(y), **same)
    right = cv_error(make_pipeline(selector, estimator), trial.X, trial.y, **same)
    return SelectionLeak(wrong, right)
