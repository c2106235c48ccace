"""Least squares and ridge regression from one decomposition of the weighted, centred rows."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nonet._base.aliases import Floats

# Directions whose singular value is this small a fraction of the maximum are rounding, not data.
_RANK_FRACTION = 1e-12
# Columns of which at least this fraction is not determined by the columns before them are
# independent enough for the normal equations, taken twice.
_INDEPENDENT_FRACTION = 1e-5


def orthonormalise(X: Floats) -> tuple[Floats, Floats]:
    """Return Q with orthonormal columns and an upper R with X = Q R.

    The Cholesky factor of X'X costs a fraction of Householder's reflections on a long table; taken
    twice it is as orthonormal as they are (Yamamoto et al. 2015, Roundoff error analysis of the
    CholeskyQR2 algorithm). Columns too near to dependent go through the reflections.
    """
    if X.shape[0] < 2 * X.shape[1]:
        return np.linalg.qr(X)
    first = _cholesky_step(X)
    if first is None:
        return np.linalg.qr(X)
    second = _cholesky_step(first[0])
    assert second is not None  # nearly orthonormal already
    return second[0], second[1] @ first[1]


def _cholesky_step(X: Floats) -> tuple[Floats, Floats] | None:
    gram = X.T @ X
    try:
        upper = np.linalg.cholesky(gram).T
    except np.linalg.LinAlgError:
        return None
    if (np.diag(upper) < _INDEPENDENT_FRACTION * np.sqrt(np.diag(gram))).any():
        return None
    return X @ np.linalg.inv(upper), upper


class LinearFit:
    """All linear fits of one response on one table.

    With rows scaled by the roots of their weights and centred, X = Q R; the fit for penalty alpha
    shrinks the coordinate of singular value s by s^2 / (s^2 + alpha).
    """

    def __init__(self, X: Floats, y: Floats, weights: Floats | None, fit_intercept: bool) -> None:
        self.weights = weights
        self._intercept = fit_intercept
        if fit_intercept:
            self._x_mean = np.average(X, axis=0, weights=weights)
            self._y_mean = float(np.average(y, weights=weights))
        else:
            self._x_mean, self._y_mean = np.zeros(X.shape[1]), 0.0
        self._root = None if weights is None else np.sqrt(weights)
        self._X, self._y = X - self._x_mean, y - self._y_mean
        rows = self._X if self._root is None else self._X * self._root[:, None]
        self._response = self._y if self._root is None else self._y * self._root
        self._q, self._r = orthonormalise(rows)

    def residuals_and_leverages(self, alpha: float) -> tuple[Floats, Floats]:
        """Return residuals and leverages of the fit to all rows."""
        if alpha == 0 and self._has_full_rank:
            basis, shrink = self._q, None
        else:
            basis, shrink = self._axes, self._shrinkage(alpha)
        along = basis.T @ self._response
        fitted = basis @ (along if shrink is None else shrink * along)
        squares = np.einsum("ij,ij->i", basis, basis if shrink is None else basis * shrink)
        return self._unweighted(self._response - fitted, alpha), squares + self._of_mean

    def coefficients(self, alphas: Floats) -> tuple[Floats, Floats]:
        """Return coefficients, (n_alphas, n_features), and intercepts."""
        _, s, vt = self._svd
        along = (self._axes.T @ self._response) * s
        slopes = (along / (s**2 + np.asarray(alphas)[:, None])) @ vt
        return slopes, self._y_mean - slopes @ self._x_mean

    def default_alphas(self) -> Floats:
        """Return 50 penalties, from 100 times the maximum to 1/10,000 of the minimum eigenvalue."""
        _, s, _ = self._svd
        seen = s[s > _RANK_FRACTION * s[0]] ** 2
        if not seen.size:
            raise ValueError("X has no variation: give alphas, or leave ridge regression alone.")
        return np.geomspace(100 * seen[0], max(1e-4 * seen[-1], 1e-10 * seen[0]), 50)

    def _unweighted(self, residuals: Floats, alpha: float) -> Floats:
        """Undo the scaling by roots of weights; a row of weight 0 is predicted like a new one."""
        if self._root is None:
            return residuals
        if self._root.all():
            return residuals / self._root
        _, s, vt = self._svd
        along = (self._axes.T @ self._response) * np.divide(
            self._shrinkage(alpha), s, out=np.zeros_like(s), where=s > _RANK_FRACTION * s[0]
        )
        return np.asarray(self._y - self._X @ (along @ vt))

    @property
    def _of_mean(self) -> Floats | float:
        """Leverage of each row on the intercept."""
        if not self._intercept:
            return 0.0
        if self.weights is None:
            return 1 / len(self._y)
        return np.asarray(self.weights / self.weights.sum())

    @property
    def _has_full_rank(self) -> bool:
        size, norms = np.abs(np.diag(self._r)), np.linalg.norm(self._r, axis=0)
        return len(size) == len(norms) and bool((size > _RANK_FRACTION * norms).all())

    @cached_property
    def _svd(self) -> tuple[Floats, Floats, Floats]:
        u, s, vt = np.linalg.svd(self._r, full_matrices=False)
        return u, s, vt

    @cached_property
    def _axes(self) -> NDArray[np.float64]:
        return self._q @ self._svd[0]

    def _shrinkage(self, alpha: float) -> Floats:
        s = self._svd[1]
        squares = np.where(s > _RANK_FRACTION * s[0], s**2, 0.0)
        return np.divide(squares, squares + alpha, out=np.zeros_like(s), where=squares > 0)
