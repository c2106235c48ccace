"""Rules on probabilities: combine (n, k, c) member outputs into (n, c) rows that sum to one.

The mean of probabilities, the linear pool, is :func:`nonet.combine.mean`. Where every class
of a row ends with zero (each is vetoed by some member), each function documents the result.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Floats
from nonet._base.arrays import check_member_weights, check_real_outputs
from nonet._native import vote as vote_kernels
from nonet.combine import values
from nonet.combine.values import normalize_rows, refuse_infinite_rows


def median_pool(outputs: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Take the median of the members' probabilities, class by class, and renormalise.

    Parameters
    ----------
    outputs : array-like of shape (n, k, c)
        Class probabilities of the k members.
    weights : array-like of shape (k,), optional
        One non-negative weight per member; integer weights mean repetition.

    Returns
    -------
    probabilities : ndarray of shape (n, c)
        A row whose medians are all zero becomes uniform.

    Examples
    --------
    >>> from nonet.combine import median_pool
    >>> median_pool([[[0.9, 0.1], [0.6, 0.4], [0.5, 0.5]]])
    array([[0.6, 0.4]])
    """
    return normalize_rows(values.median(_check(outputs), weights))


def minimum_pool(outputs: ArrayLike) -> Floats:
    """Take the minimum probability that any member gives a class, and renormalise.

    Parameters
    ----------
    outputs : array-like of shape (n, k, c)
        Class probabilities of the k members.

    Returns
    -------
    probabilities : ndarray of shape (n, c)
        A row in which every class gets zero from some member becomes uniform.

    Examples
    --------
    >>> from nonet.combine import minimum_pool
    >>> minimum_pool([[[0.9, 0.1], [0.6, 0.4]]]).round(3)
    array([[0.857, 0.143]])
    """
    return normalize_rows(values.minimum(_check(outputs)))


def maximum_pool(outputs: ArrayLike) -> Floats:
    """Take the maximum probability that any member gives a class, and renormalise.

    Parameters
    ----------
    outputs : array-like of shape (n, k, c)
        Class probabilities of the k members.

    Returns
    -------
    probabilities : ndarray of shape (n, c)

    Examples
    --------
    >>> from nonet.combine import maximum_pool
    >>> maximum_pool([[[0.9, 0.1], [0.4, 0.6]]])
    array([[0.6, 0.4]])
    """
    return normalize_rows(values.maximum(_check(outputs)))


def product(outputs: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Multiply the members' probabilities and renormalise, computed in logarithms.

    This is Bayes' rule for members that are independent given the class, with equal priors.

    Parameters
    ----------
    outputs : array-like of shape (n, k, c)
        Class probabilities of the k members; none may be negative.
    weights : array-like of shape (k,), optional
        Exponents: a weight of 2 includes a member twice.

    Returns
    -------
    probabilities : ndarray of shape (n, c)
        A zero is a veto. Where every class is vetoed, zeros count as the smallest positive
        float, so that the class with the fewest vetoes wins.

    Examples
    --------
    >>> from nonet.combine import product
    >>> product([[[0.9, 0.1], [0.5, 0.5], [0.9, 0.1]]]).round(3)
    array([[0.988, 0.012]])
    """
    return _softmax(_log_sums(outputs, weights))


def log_pool(outputs: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Take the (weighted) geometric mean of the members' probabilities and renormalise.

    This is the product with exponents that sum to one: the logarithmic opinion pool.

    Parameters
    ----------
    outputs : array-like of shape (n, k, c)
        Class probabilities of the k members; none may be negative.
    weights : array-like of shape (k,), optional
        One non-negative weight per member.

    Returns
    -------
    probabilities : ndarray of shape (n, c)
        Zeros are treated as in :func:`product`.

    Examples
    --------
    >>> from nonet.combine import log_pool
    >>> log_pool([[[0.9, 0.1], [0.5, 0.5]]]).round(3)
    array([[0.75, 0.25]])
    """
    sums = _log_sums(outputs, weights)
    sums /= np.shape(outputs)[1] if weights is None else np.sum(weights, dtype=np.float64)
    return _softmax(sums)


def _log_sums(outputs: ArrayLike, weights: ArrayLike | None) -> Floats:
    checked = _check(outputs)
    if checked.size and checked.min() < 0:
        raise ValueError(
            f"probabilities must be at least 0, but the minimum is {checked.min()}; "
            "the rule 'borda' takes scores of any scale."
        )
    exponents = check_member_weights(weights, checked.shape[1])
    sums = vote_kernels.weighted_log_sum(checked, exponents)
    vetoed = np.isneginf(sums).all(axis=1)
    if vetoed.any():
        floor = np.finfo(checked.dtype).tiny
        sums[vetoed] = vote_kernels.weighted_log_sum(np.maximum(checked[vetoed], floor), exponents)
    return sums


def _softmax(logs: Floats) -> Floats:
    maximum = logs.max(axis=1, keepdims=True)
    refuse_infinite_rows(maximum[:, 0])
    logs -= maximum
    np.exp(logs, out=logs)
    logs /= logs.sum(axis=1, keepdims=True)
    return logs


def _check(outputs: ArrayLike) -> Floats:
    return check_real_outputs(outputs, n_axes=(3,))
