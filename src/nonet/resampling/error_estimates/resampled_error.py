"""Error estimates from the bootstrap: leave-one-out bootstrap, .632 and .632+.

References: B. Efron (1983), Estimating the error rate of a prediction rule, Journal of the American
Statistical Association 78, 316-331; B. Efron & R. Tibshirani (1997), Improvements on
cross-validation: the .632+ bootstrap method, the same journal 92, 548-560.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.parallel import run_all
from nonet._base.params import Integer, bad_parameter
from nonet._base.progress import Steps
from nonet._base.results import Result
from nonet.resampling.bootstrap.cautions import caution
from nonet.resampling.bootstrap.draws import RowDraws, seed_of
from nonet.resampling.error_estimates.held_out import Trial, make_trial
from nonet.resampling.error_estimates.row_losses import Predictions, RowLoss
from nonet.resampling.statistics.samples import Sample
from nonet.resampling.statistics.units import make_units

_RESAMPLES = Integer(2)
# The fraction of rows in a large bootstrap sample: 1 - 1/e.
_FRACTION_INSIDE = 1 - np.exp(-1)


@dataclass(frozen=True)
class BootstrapError(Result):
    """The error of an estimator, from models fitted on resamples.

    Attributes
    ----------
    training_error : float
        Mean loss of the model on the rows it was fitted on: too small.
    row_errors : ndarray of shape (n,)
        Mean loss on each row of the models that have not seen it; NaN where all have.
    no_information_error : float
        Mean loss if rows and responses were independent.
    n_resamples : int
        Models fitted.
    loss : str
        Its name.
    groups : ndarray of shape (n,) or None
        The group of each row, if groups were drawn.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from nonet.resampling import bootstrap_error
    >>> random = np.random.default_rng(0)
    >>> X, y = random.normal(size=(40, 2)), np.tile([0, 1], 20)  # nothing to be learned
    >>> found = bootstrap_error(KNeighborsClassifier(1), X, y, n_resamples=50, random_state=0)
    >>> found.training_error, round(found.error_632, 1), round(found.error_632_plus, 1)
    (0.0, 0.3, 0.5)
    """

    training_error: float
    row_errors: Floats
    no_information_error: float
    n_resamples: int
    loss: str
    groups: Codes | None = None

    _shown: ClassVar[tuple[str, ...]] = (
        "error_632_plus",
        "error_632",
        "left_out_error",
        "training_error",
        "no_information_error",
        "overfitting_rate",
        "standard_error",
        "n_resamples",
    )

    @property
    def left_out_error(self) -> float:
        """The leave-one-out bootstrap: the mean of the row errors. Too large: models see 63 %."""
        return float(np.nanmean(self.row_errors))

    @property
    def standard_error(self) -> float:
        """Standard error of ``left_out_error`` over the rows, or over the groups."""
        known = ~np.isnan(self.row_errors)
        deviations: Floats = self.row_errors[known] - self.left_out_error
        if self.groups is not None:
            of_groups = np.unique(self.groups[known], return_inverse=True)[1]
            deviations = np.bincount(of_groups, weights=deviations).astype(np.float64)
        n = len(deviations)
        return float(np.sqrt(n / (n - 1) * np.sum(deviations**2)) / known.sum())

    @property
    def n_never_left_out(self) -> int:
        """Rows that every model has seen; they are left out of ``left_out_error``."""
        return int(np.isnan(self.row_errors).sum())

    @property
    def overfitting_rate(self) -> float:
        """R: 0 if the model does as well outside as inside, 1 if no better than no information."""
        gap = self._bounded_left_out_error - self.training_error
        room = self.no_information_error - self.training_error
        return gap / room if gap > 0 and room > 0 else 0.0

    @property
    def error_632(self) -> float:
        """.368 of the training error and .632 of the left-out error."""
        return float(
            (1 - _FRACTION_INSIDE) * self.training_error + _FRACTION_INSIDE * self.left_out_error
        )

    @property
    def error_632_plus(self) -> float:
        """The same with more weight on the left-out error the more the model overfits."""
        inside, outside, rate = _FRACTION_INSIDE, 1 - _FRACTION_INSIDE, self.overfitting_rate
        gap = self._bounded_left_out_error - self.training_error
        return float(self.error_632 + gap * inside * outside * rate / (1 - outside * rate))

    @property
    def _bounded_left_out_error(self) -> float:
        return min(self.left_out_error, self.no_information_error)


def bootstrap_error(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    n_resamples: int = 200,
    loss: Any = None,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> BootstrapError:
    """Estimate the error of an estimator from models fitted on bootstrap samples.

    Parameters
    ----------
    estimator : estimator
        The whole pipeline, cloned and fitted for every resample.
    X : array-like or data frame of shape (n, n_features)
        The rows.
    y : array-like of shape (n,)
        The truth.
    groups : array-like of shape (n,), default=None
        Labels of rows that belong together, as repeated measurements do. Whole groups are drawn, as
        many as there are, so that a model predicts groups of which it has seen no row.
    n_resamples : int, default=200
        Models to fit.
    loss : str or callable, default=None
        As in `cv_error`.
    n_jobs : int, default=None
        Number of resamples in parallel, as in joblib.
    random_state : int, RandomState, Generator or None, default=None
        Resample b is a function of this and of b alone.

    Returns
    -------
    result : BootstrapError
        ``error_632_plus``, ``error_632``, ``left_out_error``, ``training_error``.

    Warns
    -----
    ResamplingWarning
        If some rows are in every resample. They are left out and counted.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from nonet.resampling import bootstrap_error
    >>> x = np.arange(20.0)[:, None]
    >>> y = x[:, 0] + np.tile([1.0, -1.0], 10)
    >>> found = bootstrap_error(LinearRegression(), x, y, n_resamples=50, random_state=0)
    >>> found.training_error < found.error_632 < found.left_out_error
    True
    """
    if not _RESAMPLES.allows(n_resamples):
        raise bad_parameter("bootstrap_error", "n_resamples", _RESAMPLES.describe(), n_resamples)
    trial = make_trial(estimator, X, y, loss)
    sample = Sample((trial.y,), paired=True)
    units = make_units(sample, groups=groups)
    draws = RowDraws(sample, units, (units.n_units,), seed_of(random_state))
    row_errors = _left_out_errors(trial, draws, n_resamples, n_jobs)
    everything = np.arange(len(trial.y))
    model = trial.fit(everything)
    predictions = trial.loss.predict(model, trial.X)
    found = BootstrapError(
        float(trial.loss.of(trial.y, predictions).mean()),
        row_errors,
        no_information_error(trial.y, predictions, trial.loss),
        n_resamples,
        trial.loss.name,
        None if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1],
    )
    if found.n_never_left_out:
        caution(
            f"{found.n_never_left_out} of {len(row_errors)} rows are in each of the {n_resamples} "
            "resamples; they are left out of the left-out error."
        )
    return found


def _left_out_errors(trial: Trial, draws: RowDraws, n_resamples: int, n_jobs: int | None) -> Floats:
    """Return the mean loss on each row of the models that have not seen it."""
    n_rows = len(trial.y)
    everything = np.arange(n_rows)
    drawn = [draws.rows(number)[0] for number in range(n_resamples)]
    splits = [(inside, np.setdiff1d(everything, inside)) for inside in drawn]
    splits = [split for split in splits if len(split[1])]
    calls = [(trial, *split) for split in splits]
    steps = Steps("bootstrap_error", "resamples")
    losses = run_all(Trial.held_out, calls, n_jobs=n_jobs, steps=steps)
    total, count = np.zeros(n_rows), np.zeros(n_rows)
    for (_, outside), own in zip(splits, losses, strict=True):
        total[outside] += own
        count[outside] += 1
    if not count.any():
        raise ValueError("no row was left out of any resample; request more resamples.")
    errors: Floats = np.full(n_rows, np.nan)
    np.divide(total, count, out=errors, where=count > 0)
    return errors


def no_information_error(y: Array, predictions: Predictions, loss: RowLoss) -> float:
    """Return the mean loss over all pairs of a truth and a prediction: one call for each truth."""
    values, counts = np.unique(y, return_counts=True)
    n_rows = len(y)
    means = [loss.of(np.full(n_rows, value), predictions).mean() for value in values]
    return float(np.average(means, weights=counts))
