"""Results of leave-one-out on linear fits: one fit, or a path of penalties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nonet._base.aliases import Floats
from nonet._base.results import PlottableResult, Result
from nonet.resampling.error_estimates.cv_result import error_over_folds
from nonet.resampling.error_estimates.selection_rules import one_standard_error


@dataclass(frozen=True)
class LOOCVError(Result):
    """Leave-one-out errors of a linear fit.

    Attributes
    ----------
    residuals : ndarray of shape (n,)
        Truth less the prediction of the fit without the row; NaN where that fit is not determined.
    leverages : ndarray of shape (n,)
        h_ii: the derivative of the fitted value of a row by its own response.
    weights : ndarray of shape (n,) or None
        The weight of each row; None means all alike.

    Examples
    --------
    >>> from nonet.resampling import loocv_error
    >>> loocv_error([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 6.0]).residuals.round(2)
    array([ 2.  , -0.43, -1.71,  3.  ])
    """

    residuals: Floats
    leverages: Floats
    weights: Floats | None

    _shown: ClassVar[tuple[str, ...]] = (
        "error",
        "standard_error",
        "degrees_of_freedom",
        "n_undetermined",
    )

    @property
    def error(self) -> float:
        """The mean of the squared residuals that are determined."""
        squares, fractions = self._determined()
        return float(squares @ fractions)

    @property
    def standard_error(self) -> float:
        """Standard error of ``error`` over the rows."""
        return float(error_over_folds(*self._determined()))

    @property
    def degrees_of_freedom(self) -> float:
        """The sum of the leverages: the effective number of coefficients."""
        return float(self.leverages.sum())

    @property
    def n_undetermined(self) -> int:
        """Rows of leverage 1: without them there is no fit, so they are left out of ``error``."""
        return int(np.isnan(self.residuals).sum())

    def _determined(self) -> tuple[Floats, Floats]:
        known = ~np.isnan(self.residuals)
        weights = np.ones(len(known)) if self.weights is None else self.weights
        return self.residuals[known] ** 2, weights[known] / weights[known].sum()


@dataclass(frozen=True)
class RidgePath(PlottableResult):
    """Leave-one-out errors of ridge regression along its penalties, in descending order.

    Attributes
    ----------
    alphas : ndarray of shape (n_alphas,)
        Penalties, from the simplest fit to the most complex.
    errors : ndarray of shape (n_alphas,)
        Leave-one-out errors.
    standard_errors : ndarray of shape (n_alphas,)
        Their standard errors over the rows.
    degrees_of_freedom : ndarray of shape (n_alphas,)
        Sums of the leverages.
    coefficients : ndarray of shape (n_alphas, n_features)
        Coefficients of the fits to all rows.
    intercepts : ndarray of shape (n_alphas,)
        Their intercepts.

    Examples
    --------
    >>> from nonet.resampling import ridge_path
    >>> x = np.arange(8.0)[:, None]
    >>> path = ridge_path(x, [0.0, 1, 2, 3, 4, 5, 6, 8], alphas=[0.1, 1, 10])
    >>> path.best_alpha
    0.1
    """

    alphas: Floats
    errors: Floats
    standard_errors: Floats
    degrees_of_freedom: Floats
    coefficients: Floats
    intercepts: Floats

    _shown: ClassVar[tuple[str, ...]] = ("alphas", "errors", "degrees_of_freedom", "best_alpha")
    _plot: ClassVar[str] = "plot_cv_curve"

    @property
    def names(self) -> tuple[float, ...]:
        """The penalties, as the models of a curve."""
        return tuple(self.alphas.tolist())

    @property
    def best(self) -> int:
        """Position of the penalty with the lowest error."""
        return int(np.argmin(self.errors))

    @property
    def best_alpha(self) -> float:
        """The penalty with the lowest error."""
        return float(self.alphas[self.best])

    def one_standard_error(self) -> int:
        """Return the position of the maximum penalty within one standard error of the best."""
        return one_standard_error(self.errors, self.standard_errors)
