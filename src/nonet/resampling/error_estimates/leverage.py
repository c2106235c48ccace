"""Leave-one-out errors of linear fits from one decomposition, without a single refit.

A row's leave-one-out residual is its residual over 1 - h_ii, with its leverage h_ii: exact for
least squares and ridge regression, weighted or not. References: D. Allen (1974), The relationship
between variable selection and data augmentation and a method for prediction, Technometrics 16,
125-127; G. Golub, M. Heath & G. Wahba (1979), Generalized cross-validation as a method for choosing
a good ridge parameter, Technometrics 21, 215-223.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.params import Boolean, Real, bad_parameter
from nonet.resampling.bootstrap.cautions import caution
from nonet.resampling.error_estimates.loocv_result import LOOCVError, RidgePath
from nonet.resampling.statistics.linear_fit import LinearFit
from nonet.resampling.statistics.samples import has_finite_sum

_ALPHA = Real(0)
# A row whose leverage is this near to 1 determines a coefficient alone.
_MIN_SLACK = 1e-10


def loocv_error(
    X: ArrayLike,
    y: ArrayLike,
    *,
    alpha: float = 0.0,
    sample_weight: ArrayLike | None = None,
    fit_intercept: bool = True,
) -> LOOCVError:
    """Leave each row out of a least-squares or ridge fit, by its leverage.

    Parameters
    ----------
    X : array-like of shape (n, n_features)
        The rows.
    y : array-like of shape (n,)
        The response.
    alpha : float, default=0.0
        Penalty on the squared coefficients, as in scikit-learn's Ridge; 0 is least squares.
    sample_weight : array-like of shape (n,), default=None
        Weights of the rows, in the fit and in the error.
    fit_intercept : bool, default=True
        Whether there is an intercept, which is not penalised.

    Returns
    -------
    result : LOOCVError

    Warns
    -----
    ResamplingWarning
        If rows have leverage 1: the fit goes through them whatever their response, and without them
        it is not determined. They are left out of the error and counted.

    Examples
    --------
    >>> from nonet.resampling import loocv_error
    >>> x = np.arange(10.0)[:, None]
    >>> round(loocv_error(x, x[:, 0] ** 2).error, 2)
    99.43
    """
    if not _ALPHA.allows(alpha):
        raise bad_parameter("loocv_error", "alpha", _ALPHA.describe(), alpha)
    fit = _linear_fit("loocv_error", X, y, sample_weight, fit_intercept)
    residuals, leverages = fit.residuals_and_leverages(float(alpha))
    return _leave_out(residuals, leverages, fit.weights)


def loocv_smoother(
    hat: ArrayLike, y: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> LOOCVError:
    """Leave each row out of a linear smoother, fitted = hat @ y, by its leverage.

    Exact where leaving row i out and putting its fitted value in place of its response is the same:
    least squares, ridge, smoothing splines, kernel ridge, kernel averages (whose weights are scaled
    to sum to 1 again).

    Parameters
    ----------
    hat : array-like of shape (n, n)
        The matrix of the smoother.
    y : array-like of shape (n,)
        The response.
    sample_weight : array-like of shape (n,), default=None
        Weights of the rows in the error; those of the fit are in ``hat``.

    Returns
    -------
    result : LOOCVError

    Examples
    --------
    >>> from nonet.resampling import loocv_smoother
    >>> loocv_smoother(np.full((4, 4), 0.25), [1.0, 4.0, 7.0, 9.0]).residuals.round(2)
    array([-5.67, -1.67,  2.33,  5.  ])
    """
    matrix, response = _numbers("hat", hat), _numbers("y", y)
    if response.ndim != 1 or matrix.shape != (len(response), len(response)):
        raise ValueError(
            "hat must be a square matrix with one row for each response, but has shape "
            f"{matrix.shape} for y of shape {response.shape}."
        )
    weights = check_sample_weight(sample_weight, len(response))
    return _leave_out(response - matrix @ response, np.diag(matrix).copy(), weights)


def ridge_path(
    X: ArrayLike,
    y: ArrayLike,
    *,
    alphas: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    fit_intercept: bool = True,
) -> RidgePath:
    """Compute leave-one-out errors of ridge regression for many penalties, by one decomposition.

    Parameters
    ----------
    X : array-like of shape (n, n_features)
        The rows.
    y : array-like of shape (n,)
        The response.
    alphas : array-like of shape (n_alphas,), default=None
        Positive penalties. None takes 50, evenly on a logarithmic scale, whose shrinkage ranges
        from nearly complete to nearly none.
    sample_weight : array-like of shape (n,), default=None
        Weights of the rows, in the fits and in the errors.
    fit_intercept : bool, default=True
        Whether there is an intercept, which is not penalised.

    Returns
    -------
    path : RidgePath

    Examples
    --------
    >>> from nonet.resampling import ridge_path
    >>> x = np.arange(8.0)[:, None]
    >>> path = ridge_path(x, [0.0, 1, 2, 3, 4, 5, 6, 8])
    >>> path.errors.shape
    (50,)
    """
    fit = _linear_fit("ridge_path", X, y, sample_weight, fit_intercept)
    penalties = fit.default_alphas() if alphas is None else _check_alphas(alphas)
    runs = [_leave_out(*fit.residuals_and_leverages(a), fit.weights) for a in penalties]
    coefficients, intercepts = fit.coefficients(penalties)
    return RidgePath(
        penalties,
        np.array([run.error for run in runs]),
        np.array([run.standard_error for run in runs]),
        np.array([run.degrees_of_freedom for run in runs]),
        coefficients,
        intercepts,
    )


def _leave_out(residuals: Floats, leverages: Floats, weights: Floats | None) -> LOOCVError:
    slack = 1 - leverages
    lost = slack < _MIN_SLACK
    if lost.any():
        if lost.all():
            raise ValueError(
                "every row has leverage 1: the fit goes through all of them, so nothing can be "
                "left out; use fewer columns or a penalty."
            )
        caution(
            f"{int(lost.sum())} row(s), the first of them row {int(np.argmax(lost))}, have "
            "leverage 1: without such a row the fit is not determined; they are left out of the "
            "error."
        )
    return LOOCVError(residuals / np.where(lost, np.nan, slack), leverages, weights)


def _linear_fit(owner: str, X: Any, y: Any, sample_weight: Any, fit_intercept: Any) -> LinearFit:
    if not Boolean().allows(fit_intercept):
        raise bad_parameter(owner, "fit_intercept", Boolean().describe(), fit_intercept)
    table, response = _numbers("X", X), _numbers("y", y)
    if table.ndim != 2 or not table.shape[1] or response.shape != (len(table),):
        raise ValueError(
            "X must be a table with at least one column and y one number for each of its rows, but "
            f"they have shapes {table.shape} and {response.shape}."
        )
    if len(table) < 3:
        raise ValueError(
            f"at least 3 rows are needed to leave one out, but there are {len(table)}."
        )
    return LinearFit(table, response, check_sample_weight(sample_weight, len(table)), fit_intercept)


def _numbers(name: str, values: Any) -> Floats:
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must be real numbers, but has dtype {array.dtype}.")
    array = array.astype(np.float64, copy=False)
    if not has_finite_sum(array) and not np.isfinite(array).all():
        row = int(np.argwhere(~np.isfinite(array))[0][0])
        raise ValueError(f"{name} must be finite, but is not in row {row}.")
    return array


def _check_alphas(alphas: Any) -> Floats:
    values = np.asarray(alphas, dtype=np.float64)
    if values.ndim != 1 or not values.size or not np.isfinite(values).all() or values.min() <= 0:
        raise bad_parameter("ridge_path", "alphas", "a list of positive finite numbers", alphas)
    return np.sort(values)[::-1].copy()
