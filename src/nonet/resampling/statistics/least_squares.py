"""Least-squares coefficients of resamples, from sums of products.

The columns (1, X) are first made orthonormal, so that the normal equations of a resample are near
the identity and lose no digits; the coefficients are turned back at the end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonet._base.aliases import Array, Floats

# Eigenvalues of a resample's normal equations below this count as zero: its rows do not determine
# the coefficients.
_SINGULAR = 1e-10


@dataclass(frozen=True)
class NormalEquations:
    """Orthonormal columns with the response after them, and the way back to coefficients."""

    columns: Floats
    upper: Floats

    def products(self, rows: slice) -> Floats:
        """Return the products of every two columns: the lower triangle, row after row."""
        part = self.columns[rows]
        first, second = np.tril_indices(part.shape[1])
        return part[:, first] * part[:, second]

    def finish(self, sums: Floats, mass: Floats) -> Floats:
        """Solve the normal equations; NaN where they are singular."""
        width = self.columns.shape[1]
        first, second = np.tril_indices(width)
        full = np.empty((*sums.shape[:-1], width, width))
        full[..., first, second] = full[..., second, first] = sums / mass[..., None]
        left, right = full[..., :-1, :-1], full[..., :-1, -1:]
        singular = np.linalg.eigvalsh(left)[..., 0] < _SINGULAR
        left = np.where(singular[..., None, None], np.eye(width - 1), left)
        solved = np.linalg.solve(self.upper, np.linalg.solve(left, right))[..., 0]
        return np.where(singular[..., None], np.nan, solved)


def normal_equations(X: Array, y: Array) -> NormalEquations:
    """Orthonormalise (1, X) and put the response beside it."""
    design, response = _design(X, y)
    q, upper = np.linalg.qr(design)
    root_n = np.sqrt(len(q))  # columns of mean square 1
    if np.abs(np.diag(upper)).min() <= 1e-12 * np.abs(upper).max():
        raise ValueError(
            "the columns of X, with the intercept, must be linearly independent; leave out the "
            "columns that others determine."
        )
    return NormalEquations(np.column_stack([q * root_n, response]), upper / root_n)


def coefficients(X: Array, y: Array) -> Floats:
    """Fit y = b0 + X b and return (b0, b); NaN if the rows do not determine them."""
    design, response = _design(X, y)
    solution, _, rank, _ = np.linalg.lstsq(design, response, rcond=None)
    return solution if rank == design.shape[1] else np.full(design.shape[1], np.nan)


def fit_with_leverage(X: Array, y: Array) -> tuple[Floats, Floats, Floats]:
    """Return fitted values, residuals and leverages of the least-squares fit."""
    design, response = _design(X, y)
    q = np.linalg.qr(design)[0]
    fitted = q @ (q.T @ response)
    return fitted, response - fitted, np.einsum("ij,ij->i", q, q)


def coefficients_without_each(X: Array, y: Array) -> Floats:
    """Return the coefficients without each row in turn, from one fit.

    b(-i) = b - (D'D)^-1 d_i e_i / (1 - h_ii), with residual e_i and leverage h_ii. A row of
    leverage 1 determines a coefficient alone: without it there is no fit, and its row is NaN.
    """
    design, response = _design(X, y)
    q, upper = np.linalg.qr(design)
    solution = np.linalg.solve(upper, q.T @ response)
    residuals = response - design @ solution
    slack = 1 - np.einsum("ij,ij->i", q, q)
    slack[slack < 1e-12] = np.nan
    return solution - np.linalg.solve(upper, (q * (residuals / slack)[:, None]).T).T


def _design(X: Array, y: Array) -> tuple[Floats, Floats]:
    table = np.asarray(X, dtype=np.float64)
    table = table[:, None] if table.ndim == 1 else table
    response = np.asarray(y, dtype=np.float64)
    if response.shape != (len(table),):
        raise ValueError(
            f"the response of a least-squares fit must be one number per row, but has shape "
            f"{response.shape} for {len(table)} rows."
        )
    if len(table) <= table.shape[1] + 1:
        raise ValueError(
            f"a least-squares fit with {table.shape[1] + 1} coefficients needs more rows than "
            f"that, but got {len(table)}."
        )
    return np.column_stack([np.ones(len(table)), table]), response
