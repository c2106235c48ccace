"""Variability of an error estimate over random splits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone, is_classifier
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold, StratifiedShuffleSplit

from nonet._base.aliases import Floats
from nonet._base.params import Integer, Real, bad_parameter
from nonet._base.results import PlottableResult
from nonet._base.streams import member_seed, root_seed
from nonet.resampling.error_estimates.held_out import (
    Trial,
    held_out_losses,
    list_splits,
    make_trials,
)

_REPEATS = Integer(2)
_FRACTION = Real(0, 1, open_low=True, open_high=True)
_FOLDS = Integer(2)


@dataclass(frozen=True)
class SplitVariability(PlottableResult):
    """The same estimate from many random splits.

    Attributes
    ----------
    names : tuple
        Complexity or name of each model.
    errors : ndarray of shape (n_repeats, n_models)
        The error that each repetition finds.
    loss : str
        Its name.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from nonet.resampling import split_variability
    >>> X = np.random.default_rng(0).normal(size=(40, 1))
    >>> y = X[:, 0] + np.tile([1.0, -1.0], 20)
    >>> split_variability({"line": LinearRegression()}, X, y, cv=0.5, random_state=0).errors.shape
    (10, 1)
    """

    names: tuple[Any, ...]
    errors: Floats
    loss: str

    _shown: ClassVar[tuple[str, ...]] = ("names", "means", "standard_deviations", "loss")
    _plot: ClassVar[str] = "plot_splits"

    @property
    def means(self) -> Floats:
        """Mean error of each model over the repetitions."""
        return np.asarray(self.errors.mean(axis=0))

    @property
    def standard_deviations(self) -> Floats:
        """Standard deviation of the error of each model over the splits."""
        return np.asarray(self.errors.std(axis=0, ddof=1))


def split_variability(
    models: Mapping[Any, Any],
    X: Any,
    y: ArrayLike,
    *,
    cv: Any = 0.5,
    n_repeats: int = 10,
    loss: Any = None,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> SplitVariability:
    """Estimate errors on repeated random splits to measure their variability.

    Parameters
    ----------
    models : mapping
        Estimators by their complexity or name.
    X : array-like or data frame of shape (n, n_features)
        The rows.
    y : array-like of shape (n,)
        The truth.
    cv : float, int or splitter, default=0.5
        A fraction of rows to hold out once (a validation set), a number of folds, or a splitter of
        scikit-learn that takes ``random_state``. Classifiers are split by class.
    n_repeats : int, default=10
        How often.
    loss : str or callable, default=None
        As in `cv_error`.
    n_jobs : int, default=None
        Number of fits in parallel, as in joblib.
    random_state : int, RandomState, Generator or None, default=None
        Of the splits; repetition r depends on this and on r alone.

    Returns
    -------
    variability : SplitVariability

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from nonet.resampling import split_variability
    >>> random = np.random.default_rng(0)
    >>> X = random.normal(size=(100, 1))
    >>> y = X[:, 0] + random.normal(size=100)
    >>> half, folds = (
    ...     split_variability({1: LinearRegression()}, X, y, cv=cv, random_state=0)
    ...     for cv in (0.5, 10)
    ... )
    >>> bool(half.standard_deviations[0] > 3 * folds.standard_deviations[0])
    True
    """
    if not _REPEATS.allows(n_repeats):
        raise bad_parameter("split_variability", "n_repeats", _REPEATS.describe(), n_repeats)
    trials = make_trials("split_variability", models, X, y, loss)
    root = root_seed(random_state)
    rounds = [
        list_splits(_seeded_splitter(cv, trials[0], member_seed(root, number)), trials[0])
        for number in range(n_repeats)
    ]
    losses = held_out_losses(trials, [split for own in rounds for split in own], n_jobs=n_jobs)
    ends = np.cumsum([len(own) for own in rounds])
    errors = [
        [np.concatenate(model[end - len(own) : end]).mean() for model in losses]
        for own, end in zip(rounds, ends, strict=True)
    ]
    return SplitVariability(tuple(models), np.array(errors), trials[0].loss.name)


def _seeded_splitter(cv: Any, trial: Trial, seed: int) -> Any:
    classes = is_classifier(trial.estimator)
    if _FRACTION.allows(cv) and not isinstance(cv, int):
        once = StratifiedShuffleSplit if classes else ShuffleSplit
        return once(1, test_size=cv, random_state=seed)
    if _FOLDS.allows(cv):
        folds = StratifiedKFold if classes else KFold
        return folds(int(cv), shuffle=True, random_state=seed)
    if hasattr(cv, "split") and hasattr(cv, "random_state"):
        seeded = clone(cv, safe=False)
        seeded.random_state = seed
        return seeded
    allowed = "a fraction between 0 and 1, a number of folds, or a splitter with random_state"
    raise bad_parameter("split_variability", "cv", allowed, cv)
