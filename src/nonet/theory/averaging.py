"""The variance of a mean, and the gain from averaging by Jensen's inequality.

References: T. Hastie, R. Tibshirani & J. Friedman (2009), The elements of statistical learning,
ch. 15.2; A. Krogh & J. Vedelsby (1995), Neural network ensembles, cross validation and active
learning, NIPS 7; J. Jensen (1906), Acta Mathematica 30, 175-193.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_member_weights
from nonet._base.params import Real, bad_parameter
from nonet.theory.arguments import (
    COUNT,
    Prediction,
    as_requested,
    check_matrix,
    check_numbers,
    check_shape,
    check_voters,
)

_ROUNDING = 1e-9


def variance_of_mean(
    variance: ArrayLike, n_members: ArrayLike, *, correlation: ArrayLike = 0.0
) -> Prediction:
    """Return the variance of a mean of members with equal variances and correlations.

    Parameters
    ----------
    variance : float or array-like
        The variance s^2 of one member.
    n_members : int or array-like of int
        The number T of members.
    correlation : float or array-like, default=0.0
        The correlation rho of any two members, from -1 / (T - 1) to 1.

    Returns
    -------
    variance : float or ndarray
        rho s^2 + (1 - rho) s^2 / T. The usual s^2 / T is the best case of independent members;
        no number of members brings correlated ones below rho s^2.

    Examples
    --------
    >>> from nonet.theory import variance_of_mean
    >>> variance_of_mean(1.0, [1, 10, 100], correlation=0.3)
    array([1.   , 0.37 , 0.307])
    """
    owner = "variance_of_mean"
    s2 = check_numbers(owner, "variance", variance, Real(0))
    n, rho = _check_correlation(owner, n_members, correlation)
    return as_requested(np.maximum(rho * s2 + (1 - rho) * s2 / n, 0.0))


def effective_members(n_members: ArrayLike, correlation: ArrayLike) -> Prediction:
    """Return how many independent members would have a mean of the same variance.

    Parameters
    ----------
    n_members : int or array-like of int
        The number T of members.
    correlation : float or array-like
        The correlation rho of any two members, above -1 / (T - 1) and at most 1.

    Returns
    -------
    n_effective : float or ndarray
        T / (1 + (T - 1) rho), for positive rho never above 1 / rho.

    Examples
    --------
    >>> from nonet.theory import effective_members
    >>> effective_members([10, 100, 1000], 0.1).round(2)
    array([5.26, 9.17, 9.91])
    """
    owner = "effective_members"
    n, rho = _check_correlation(owner, n_members, correlation)
    inflation = 1 + (n - 1) * rho
    if np.any(inflation <= _ROUNDING):
        allowed = "above -1 / (n_members - 1), where the mean has no variance at all"
        raise bad_parameter(owner, "correlation", allowed, correlation)
    return as_requested(n / inflation)


def variance_of_weighted_mean(covariance: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Return the variance of a weighted mean of members with any covariances.

    Parameters
    ----------
    covariance : array-like of shape (n_members, n_members)
        The covariances of the members.
    weights : array-like of shape (n_members,), default=None
        Non-negative weights, scaled to a sum of 1; None is the plain mean.

    Returns
    -------
    variance : float

    Examples
    --------
    >>> from nonet.theory import variance_of_weighted_mean
    >>> print(f"{variance_of_weighted_mean([[1.0, 0.5], [0.5, 4.0]]):.3f}")
    1.500
    >>> print(f"{variance_of_weighted_mean([[1.0, 0.5], [0.5, 4.0]], weights=[7, 1]):.3f}")
    0.938
    """
    owner = "variance_of_weighted_mean"
    matrix = check_matrix(owner, "covariance", covariance, Real(), "(n_members, n_members)")
    n_members = matrix.shape[0]
    check_shape(owner, "covariance", matrix, (n_members, n_members), "a square")
    if not _is_covariance(matrix):
        allowed = "symmetric, and without negative variances in any direction"
        raise bad_parameter(owner, "covariance", allowed, covariance)
    fractions = _fractions(weights, n_members)
    return max(0.0, float(fractions @ matrix @ fractions))


def jensen_gap(
    predictions: ArrayLike,
    y: ArrayLike,
    loss: str | Callable[[Array, Array], ArrayLike] = "squared",
    *,
    weights: ArrayLike | None = None,
) -> Prediction:
    """Return the gain of averaging over drawing one member at random.

    1. Drawing a member with the probabilities ``weights`` costs the weighted mean of its losses.
    2. Averaging with the same weights costs the loss of the weighted mean.
    3. The gap is the first less the second; for a convex loss it is never negative.

    Parameters
    ----------
    predictions : array-like of shape (..., n_members)
        What the members predict, one member along the last axis.
    y : float or array-like of shape (...)
        The truth.
    loss : {'squared', 'absolute'} or callable, default='squared'
        ``loss(prediction, y)`` gives the loss of each entry; it gets arrays of equal shape.
    weights : array-like of shape (n_members,), default=None
        Non-negative weights, scaled to a sum of 1; None is the plain mean.

    Returns
    -------
    gap : float or ndarray of shape (...)
        For the squared loss it is the ambiguity, the weighted variance of the predictions. A
        negative gap shows that the loss is not convex (the 0-1 loss is not).

    Examples
    --------
    >>> from nonet.theory import jensen_gap
    >>> round(jensen_gap([1, 2, 4], 3, weights=[0.2, 0.3, 0.5]), 4)
    1.56
    >>> round(jensen_gap([1, 2, 4], 3, "absolute", weights=[0.2, 0.3, 0.5]), 4)
    1.0
    """
    owner = "jensen_gap"
    predictions = check_voters(owner, "predictions", predictions, Real())
    truth = check_numbers(owner, "y", y, Real())
    check_shape(owner, "y", truth, predictions.shape[:-1], "one for each row of predictions")
    fractions = _fractions(weights, predictions.shape[-1])
    cost = _find_loss(owner, loss)
    of_members = cost(predictions, np.broadcast_to(truth[..., np.newaxis], predictions.shape))
    if of_members.shape != predictions.shape:
        allowed = f"a function that keeps the shape {predictions.shape}"
        raise bad_parameter(owner, "loss", allowed, f"one that gives {of_members.shape}")
    return as_requested(of_members @ fractions - cost(predictions @ fractions, truth))


_LOSSES: dict[str, Callable[[Array, Array], Array]] = {
    "squared": lambda prediction, y: np.square(prediction - y),
    "absolute": lambda prediction, y: np.abs(prediction - y),
}


def _find_loss(owner: str, loss: Any) -> Callable[[Array, Array], Floats]:
    if not callable(loss) and (not isinstance(loss, str) or loss not in _LOSSES):
        allowed = "one of " + ", ".join(map(repr, _LOSSES)) + " or callable"
        raise bad_parameter(owner, "loss", allowed, loss)
    formula = loss if callable(loss) else _LOSSES[loss]
    return lambda prediction, y: np.asarray(formula(prediction, y), dtype=float)


def _is_covariance(matrix: Floats) -> bool:
    slack = _ROUNDING * np.abs(matrix).max()
    symmetric = np.abs(matrix - matrix.T).max() <= slack
    return bool(symmetric and np.linalg.eigvalsh(matrix)[0] >= -slack * len(matrix))


def _fractions(weights: ArrayLike | None, n_members: int) -> Floats:
    checked = check_member_weights(weights, n_members)
    fractions = np.ones(n_members) if checked is None else checked
    return np.asarray(fractions / fractions.sum())


def _check_correlation(
    owner: str, n_members: ArrayLike, correlation: ArrayLike
) -> tuple[Floats, Floats]:
    n = check_numbers(owner, "n_members", n_members, COUNT)
    rho = check_numbers(owner, "correlation", correlation, Real(-1, 1))
    if np.any(1 + (n - 1) * rho < -_ROUNDING):
        allowed = "at least -1 / (n_members - 1), as more members cannot all differ so much"
        raise bad_parameter(owner, "correlation", allowed, correlation)
    return n, rho
