"""Cross-validation with losses per fold, pooled, and their standard error.

The splitters are scikit-learn's: an integer, ``ShuffleSplit(1)`` for a validation set,
``LeaveOneOut()``, ``RepeatedKFold``, ``GroupKFold``, ``TimeSeriesSplit``, or a list of splits.
References: M. Stone (1974), Cross-validatory choice and assessment of statistical predictions,
Journal of the Royal Statistical Society B 36, 111-147; T. Hastie, R. Tibshirani & J. Friedman
(2009), The Elements of Statistical Learning, section 7.10.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Floats
from nonet.resampling.error_estimates.cv_result import CVCurve, CVError
from nonet.resampling.error_estimates.held_out import (
    Split,
    held_out_losses,
    list_splits,
    make_trial,
    make_trials,
)


def cv_error(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    *,
    cv: Any = 5,
    loss: Any = None,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    n_jobs: int | None = None,
) -> CVError:
    """Estimate the error of an estimator by holding rows out.

    Give the whole pipeline: a step that looks at y (screening, target encoding) and was fitted
    outside has already seen the held-out rows; `selection_leak` measures the effect.

    Parameters
    ----------
    estimator : estimator
        Cloned and fitted for every split.
    X : array-like or data frame of shape (n, n_features)
        The rows.
    y : array-like of shape (n,)
        The truth.
    cv : int, splitter or iterable, default=5
        As in scikit-learn; an integer is (stratified) k-fold without shuffling.
    loss : str or callable, default=None
        'squared_error', 'absolute_error', 'zero_one', 'log_loss', 'brier', or a function
        ``loss(y, predictions)`` with one number per row. None means 'zero_one' for classifiers and
        'squared_error' for others.
    groups : array-like of shape (n,), default=None
        Labels for splitters that keep groups together.
    sample_weight : array-like of shape (n,), default=None
        Handed to ``fit``, and the weights of the losses.
    n_jobs : int, default=None
        Number of splits in parallel, as in joblib.

    Returns
    -------
    result : CVError
        ``error``, ``standard_error``, ``fold_errors``, and the losses themselves.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from nonet.resampling import cv_error
    >>> x = np.arange(10.0)[:, None]
    >>> y = np.array([1.0, 2, 2, 4, 5, 5, 7, 8, 8, 10])
    >>> result = cv_error(LinearRegression(), x, y, cv=5)
    >>> result.n_folds, round(result.error, 3)
    (5, 0.31)
    """
    trial = make_trial(estimator, X, y, loss, sample_weight)
    splits = list_splits(cv, trial, groups)
    (losses,) = held_out_losses([trial], splits, n_jobs=n_jobs)
    rows = np.concatenate([test for _, test in splits])
    return CVError(
        np.concatenate(losses),
        rows,
        np.array([len(test) for _, test in splits]),
        np.array([len(fitted) for fitted, _ in splits]),
        None if trial.weights is None else _held_out_weights(trial.weights, splits),
        trial.loss.name,
    )


def _held_out_weights(weights: Floats, splits: list[Split]) -> Floats:
    held_out = [weights[test] for _, test in splits]
    empty = [number for number, own in enumerate(held_out) if not own.any()]
    if empty:
        raise ValueError(
            f"each split must hold out rows of positive weight, but split {empty[0]} holds out "
            "rows of weight 0 only; leave such rows out of the data."
        )
    return np.concatenate(held_out)


def cv_curve(
    models: Mapping[Any, Any],
    X: Any,
    y: ArrayLike,
    *,
    cv: Any = 5,
    loss: Any = None,
    groups: ArrayLike | None = None,
    n_jobs: int | None = None,
) -> CVCurve:
    """Cross-validate several models on the same folds, from the simplest to the most complex.

    Parameters
    ----------
    models : mapping
        Estimators by their complexity (a degree, a number of leaves) or name, simplest first.
    X : array-like or data frame of shape (n, n_features)
        The rows.
    y : array-like of shape (n,)
        The truth.
    cv : int, splitter or iterable, default=5
        As in `cv_error`; the splits are made once.
    loss : str or callable, default=None
        As in `cv_error`.
    groups : array-like of shape (n,), default=None
        Labels for splitters that keep groups together.
    n_jobs : int, default=None
        Number of fits in parallel, as in joblib.

    Returns
    -------
    curve : CVCurve
        ``errors``, ``standard_errors``, ``best``, ``one_standard_error()``, ``best_of_many()``.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> from nonet.resampling import cv_curve
    >>> random = np.random.default_rng(0)
    >>> X = random.uniform(size=(100, 1))
    >>> y = (X[:, 0] > 0.5) + 0.1 * random.normal(size=100)
    >>> trees = {d: DecisionTreeRegressor(max_depth=d, random_state=0) for d in (1, 2, 3, 4)}
    >>> curve = cv_curve(trees, X, y, cv=10)
    >>> curve.names[curve.one_standard_error()]
    1
    """
    trials = make_trials("cv_curve", models, X, y, loss)
    splits = list_splits(cv, trials[0], groups)
    losses = held_out_losses(trials, splits, n_jobs=n_jobs)
    return CVCurve(
        tuple(models),
        np.column_stack([np.concatenate(own) for own in losses]),
        np.concatenate([test for _, test in splits]),
        np.array([len(test) for _, test in splits]),
        trials[0].loss.name,
    )
