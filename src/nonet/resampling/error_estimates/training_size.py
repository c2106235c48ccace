"""Learning curve: training and held-out error against the number of training rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Codes, Floats
from nonet._base.parallel import run_all
from nonet._base.params import bad_parameter
from nonet._base.progress import Steps
from nonet._base.results import PlottableResult
from nonet._base.streams import root_seed, stream
from nonet.resampling.error_estimates.held_out import Split, Trial, list_splits, make_trial


@dataclass(frozen=True)
class SizeCurve(PlottableResult):
    """Errors by the number of training rows.

    Attributes
    ----------
    sizes : ndarray of shape (n_sizes,)
        Training rows.
    training_errors : ndarray of shape (n_folds, n_sizes)
        Mean loss on the training rows.
    held_out_errors : ndarray of shape (n_folds, n_sizes)
        Mean loss on the held-out rows.
    loss : str
        Its name.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from nonet.resampling import size_curve
    >>> random = np.random.default_rng(0)
    >>> X = random.normal(size=(100, 5))
    >>> y = X[:, 0] + random.normal(size=100)
    >>> curve = size_curve(LinearRegression(), X, y, sizes=[10, 80], random_state=0)
    >>> bool(curve.errors[0] > curve.errors[1])
    True
    """

    sizes: Codes
    training_errors: Floats
    held_out_errors: Floats
    loss: str

    _shown: ClassVar[tuple[str, ...]] = ("sizes", "errors", "standard_errors", "loss")
    _plot: ClassVar[str] = "plot_size_curve"

    @property
    def errors(self) -> Floats:
        """Mean held-out error of each size over the folds."""
        return np.asarray(self.held_out_errors.mean(axis=0))

    @property
    def standard_errors(self) -> Floats:
        """Standard errors of these over the folds."""
        spread = self.held_out_errors.std(axis=0, ddof=1)
        return np.asarray(spread / np.sqrt(len(self.held_out_errors)))


def size_curve(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    *,
    sizes: ArrayLike = (0.1, 0.25, 0.5, 0.75, 1.0),
    cv: Any = 5,
    loss: Any = None,
    groups: ArrayLike | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> SizeCurve:
    """Compute training and held-out error for several numbers of training rows (a learning curve).

    Within a fold the rows are shuffled once, and the smaller training sets are the beginnings of
    the larger ones.

    Parameters
    ----------
    estimator : estimator
        The whole pipeline, cloned and fitted for every fold and size.
    X : array-like or data frame of shape (n, n_features)
        The rows.
    y : array-like of shape (n,)
        The truth.
    sizes : array-like of shape (n_sizes,), default=(0.1, 0.25, 0.5, 0.75, 1.0)
        Numbers of rows, or fractions of the smallest training set.
    cv : int, splitter or iterable, default=5
        As in `cv_error`, with at least 2 splits.
    loss : str or callable, default=None
        As in `cv_error`.
    groups : array-like of shape (n,), default=None
        Labels for splitters that keep groups together.
    n_jobs : int, default=None
        Number of fits in parallel, as in joblib.
    random_state : int, RandomState, Generator or None, default=None
        Of the shuffling.

    Returns
    -------
    curve : SizeCurve

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> from nonet.resampling import size_curve
    >>> X = np.linspace(0, 1, 60)[:, None]
    >>> curve = size_curve(DecisionTreeRegressor(), X, X[:, 0], sizes=[0.5, 1.0], random_state=0)
    >>> curve.sizes
    array([24, 48])
    """
    trial = make_trial(estimator, X, y, loss)
    splits = list_splits(cv, trial, groups)
    if len(splits) < 2:
        raise ValueError("size_curve compares folds: cv must make at least 2 splits.")
    counts = _check_sizes(sizes, min(len(fitted) for fitted, _ in splits))
    root = root_seed(random_state)
    shuffled = [
        (stream(root, number).permutation(fitted), test)
        for number, (fitted, test) in enumerate(splits)
    ]
    calls = [(trial, split, int(count)) for split in shuffled for count in counts]
    both = np.array(run_all(_both_errors, calls, n_jobs=n_jobs, steps=Steps("size_curve", "fits")))
    table = both.reshape(len(splits), len(counts), 2)
    return SizeCurve(counts, table[..., 0], table[..., 1], trial.loss.name)


def _both_errors(trial: Trial, split: Split, count: int) -> tuple[float, float]:
    fitted, test = split[0][:count], split[1]
    model = trial.fit(fitted)
    return float(trial.losses(model, fitted).mean()), float(trial.losses(model, test).mean())


def _check_sizes(sizes: ArrayLike, most: int) -> Codes:
    given = np.asarray(sizes)
    if given.ndim != 1 or not given.size or given.dtype.kind not in "iuf":
        raise bad_parameter("size_curve", "sizes", "a list of numbers of rows, or fractions", sizes)
    counts = np.floor(given * most + 1e-9).astype(int) if given.dtype.kind == "f" else given
    if counts.min() < 1 or counts.max() > most or (np.diff(counts) <= 0).any():
        allowed = f"increasing, from 1 to {most} rows (or fractions of them, up to 1.0)"
        raise bad_parameter("size_curve", "sizes", allowed, sizes)
    return counts
