"""Bindings of row sampling for the rounds of boosting."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonet import _core
from nonet._native.runtime import get_num_threads

Floats = NDArray[Any]  # of float64

_NONE = np.empty(0)


def draw_uniform_rows(seed: int, number: int, fraction: float, n_rows: int) -> Floats:
    """Draw each row with the same probability.

    Parameters
    ----------
    seed, number : int
        Names of the draw: the seed and the number of the round.
    fraction : float
        The probability.
    n_rows : int
        How many rows there are.

    Returns
    -------
    array of shape (n_rows,)
        1 for rows that are drawn, 0 for the others.

    Examples
    --------
    >>> draw_uniform_rows(0, 0, 1.0, 3)
    array([1., 1., 1.])
    """
    factors = np.empty(n_rows)
    _core.draw_uniform_rows(seed, number, fraction, get_num_threads(), factors)
    return factors


def measure_derivatives(
    gradients: Floats, hessians: Floats, weights: Floats | None, regularization: float
) -> Floats:
    """Measure the size of the derivatives of each row.

    Parameters
    ----------
    gradients, hessians : arrays of shape (n_scores, n_rows)
        The derivatives of the loss.
    weights : array of shape (n_rows,), optional
        1 each if not given.
    regularization : float
        What the square of a hessian counts beside that of a gradient.

    Returns
    -------
    array of shape (n_rows,)
        The weight times the root of the sum of squares.

    Examples
    --------
    >>> measure_derivatives(np.array([[3.0], [4.0]]), np.ones((2, 1)), None, 0.0)
    array([5.])
    """
    sizes = np.empty(gradients.shape[1])
    known = _NONE if weights is None else weights
    _core.measure_derivatives(gradients, hessians, known, regularization, get_num_threads(), sizes)
    return sizes


def draw_one_side_rows(seed: int, number: int, sizes: Floats, top: float, other: float) -> Floats:
    """Take the rows of highest derivatives, and sample some of the others, with more weight.

    Parameters
    ----------
    seed, number : int
        Names of the draw.
    sizes : array of shape (n_rows,)
        The result of `measure_derivatives`.
    top, other : float
        Fractions of all rows: those that are taken for their size, and those drawn from the rest.

    Returns
    -------
    array of shape (n_rows,)
        How often each row counts.

    Examples
    --------
    >>> draw_one_side_rows(0, 0, np.array([1.0, 9.0]), 0.5, 0.5)
    array([1., 1.])
    """
    factors = np.empty(len(sizes))
    _core.draw_one_side_rows(seed, number, sizes, top, other, get_num_threads(), factors)
    return factors


def draw_min_variance_rows(seed: int, number: int, sizes: Floats, fraction: float) -> Floats:
    """Sample rows by the size of their derivatives, with minimal variance of the sums.

    Parameters
    ----------
    seed, number : int
        Names of the draw.
    sizes : array of shape (n_rows,)
        The result of `measure_derivatives`.
    fraction : float
        Expected fraction of the rows.

    Returns
    -------
    array of shape (n_rows,)
        How often each row counts: 1 over its probability, or 0.

    Examples
    --------
    >>> draw_min_variance_rows(0, 0, np.array([0.0, 9.0]), 0.5)
    array([0., 1.])
    """
    factors = np.empty(len(sizes))
    _core.draw_min_variance_rows(seed, number, sizes, fraction, get_num_threads(), factors)
    return factors
