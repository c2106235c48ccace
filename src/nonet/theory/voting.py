"""Error of a vote of n voters: independent, unequal or correlated voters.

A voter is wrong with a probability of its own; the ensemble is wrong when most voters are. That is
a binomial tail (equal, independent voters), a Poisson-binomial tail (unequal ones) or a
beta-binomial tail (voters that tend to err together).

References: N. de Condorcet (1785), Essai sur l'application de l'analyse; L. Lam & C. Y. Suen
(1997), Application of majority voting to pattern recognition, IEEE Trans. SMC A 27, 553-568.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from nonet._base.aliases import Array, Floats
from nonet._base.params import Integer, bad_parameter
from nonet.theory.arguments import (
    COUNT,
    PROBABILITY,
    TIE,
    Prediction,
    as_requested,
    check_choice,
    check_numbers,
    check_voters,
    for_each,
)

TIES_WON = {"wrong": 0.0, "coin": 0.5, "right": 1.0}
"""The fraction of the ties that the vote gets right."""


def k_of_n_probability(
    probability: ArrayLike, n_voters: ArrayLike, k: ArrayLike, *, correlation: ArrayLike = 0.0
) -> Prediction:
    """Return the probability that at least k of n voters vote yes.

    Parameters
    ----------
    probability : float or array-like
        The probability that one voter votes yes.
    n_voters : int or array-like of int
        The number n of voters.
    k : int or array-like of int
        The votes it takes, from 0 to n: 1 is OR, n is AND.
    correlation : float or array-like, default=0.0
        The correlation of any two voters, from 0 (independent) to 1 (all the same); in between,
        the number of yes votes is beta-binomial.

    Returns
    -------
    probability : float or ndarray

    Notes
    -----
    Independent voters give the binomial tail, as a regularised incomplete beta function.
    Correlated ones draw their common probability p from a beta distribution with the given mean and
    a variance of ``correlation * p * (1 - p)``, an exchangeable model: every pair has
    the same correlation. Voters may depend on each other in many other ways.

    Examples
    --------
    >>> from nonet.theory import k_of_n_probability
    >>> k_of_n_probability(0.5, 3, [1, 2, 3])
    array([0.875, 0.5  , 0.125])
    >>> print(f"{k_of_n_probability(0.5, 3, 3, correlation=0.5):.3f}")
    0.312
    """
    owner = "k_of_n_probability"
    p = check_numbers(owner, "probability", probability, PROBABILITY)
    n = check_numbers(owner, "n_voters", n_voters, COUNT)
    votes = check_numbers(owner, "k", k, Integer(0))
    rho = check_numbers(owner, "correlation", correlation, PROBABILITY)
    if np.any(votes > n):
        raise bad_parameter(owner, "k", "at most n_voters", k)
    return as_requested(_tail(p, n, votes, rho))


def majority_error(
    error: ArrayLike, n_voters: ArrayLike, *, tie: str = "coin", correlation: ArrayLike = 0.0
) -> Prediction:
    """Return the error of a majority vote of n voters that err equally often.

    Parameters
    ----------
    error : float or array-like
        The probability that one voter is wrong.
    n_voters : int or array-like of int
        The number of voters.
    tie : {'coin', 'wrong', 'right'}, default='coin'
        What an even number of voters makes of a tie: a fair coin, an error, or the right
        class. The usual sum from ceil(n/2) on counts ties as wrong.
    correlation : float or array-like, default=0.0
        The correlation of any two voters' errors; see :func:`k_of_n_probability`.

    Returns
    -------
    error : float or ndarray

    Notes
    -----
    With independent voters the vote is better than one voter if ``error < 1/2``, equal at 1/2,
    and *worse* above.

    Examples
    --------
    Eleven voters, wrong one time in four:

    >>> from nonet.theory import majority_error
    >>> print(f"{majority_error(0.25, 11):.4f}")
    0.0343
    >>> majority_error([0.5, 0.6], 11).round(4)
    array([0.5   , 0.7535])

    The same voters, no longer independent:

    >>> print(f"{majority_error(0.25, 11, correlation=0.3):.4f}")
    0.1863
    """
    return _majority("majority_error", "error", error, n_voters, tie, correlation)


def majority_accuracy(
    accuracy: ArrayLike, n_voters: ArrayLike, *, tie: str = "coin", correlation: ArrayLike = 0.0
) -> Prediction:
    """Return the accuracy of a majority vote of n voters that are right equally often.

    For one row, and voters drawn independently, this is the probability pi_T that T predictions
    make a right majority; it takes at least floor(T/2) + 1 right ones.

    Parameters
    ----------
    accuracy : float or array-like
        The probability that one voter is right.
    n_voters : int or array-like of int
        The number of voters.
    tie : {'coin', 'wrong', 'right'}, default='coin'
        What an even number of voters makes of a tie.
    correlation : float or array-like, default=0.0
        The correlation of any two voters; see :func:`k_of_n_probability`.

    Returns
    -------
    accuracy : float or ndarray

    Examples
    --------
    >>> from nonet.theory import majority_accuracy
    >>> majority_accuracy(0.55, [1, 3, 101]).round(4)
    array([0.55  , 0.5748, 0.8438])

    A second voter adds nothing if ties are decided by a coin, and harms if they are errors:

    >>> majority_accuracy(0.55, 2), round(majority_accuracy(0.55, 2, tie="wrong"), 4)
    (0.55, 0.3025)
    """
    return _majority("majority_accuracy", "accuracy", accuracy, n_voters, tie, correlation)


def majority_error_limit(error: ArrayLike, *, correlation: ArrayLike = 0.0) -> Prediction:
    """Return the error that a majority vote tends to as the number of voters grows.

    Parameters
    ----------
    error : float or array-like
        The probability that one voter is wrong.
    correlation : float or array-like, default=0.0
        The correlation of any two voters' errors; see :func:`k_of_n_probability`.

    Returns
    -------
    error : float or ndarray
        For independent voters 0, 1/2 or 1, as ``error`` is below, at or above 1/2. Correlated
        voters keep an error: the probability that their common error rate is above 1/2.

    Examples
    --------
    >>> from nonet.theory import majority_error_limit
    >>> majority_error_limit([0.4, 0.5, 0.6])
    array([0. , 0.5, 1. ])
    >>> print(f"{majority_error_limit(0.25, correlation=0.3):.4f}")
    0.1705
    """
    owner = "majority_error_limit"
    eps = check_numbers(owner, "error", error, PROBABILITY)
    rho = check_numbers(owner, "correlation", correlation, PROBABILITY)
    return for_each(_limit, eps, rho)


def vote_count_distribution(probabilities: ArrayLike) -> Floats:
    """Return the distribution of the number of yes votes of unequal, independent voters.

    Parameters
    ----------
    probabilities : array-like of shape (..., n)
        The probability of each of n voters to vote yes.

    Returns
    -------
    probabilities : ndarray of shape (..., n + 1)
        The probability of 0, 1, ..., n votes (the Poisson-binomial distribution), exact up to
        rounding: voters are added one at a time.

    Examples
    --------
    >>> from nonet.theory import vote_count_distribution
    >>> vote_count_distribution([0.5, 0.9]).round(3)
    array([0.05, 0.5 , 0.45])
    """
    p = check_voters("vote_count_distribution", "probabilities", probabilities, PROBABILITY)
    return count_distribution(p)


def unequal_majority_error(errors: ArrayLike, *, tie: str = "coin") -> Prediction:
    """Return the error of a majority vote of independent voters that err unequally often.

    Parameters
    ----------
    errors : array-like of shape (..., n)
        The probability of each of n voters to be wrong.
    tie : {'coin', 'wrong', 'right'}, default='coin'
        What an even number of voters makes of a tie.

    Returns
    -------
    error : float or ndarray of shape (...)

    Examples
    --------
    Two weak voters drag a strong one down; two good ones lift it:

    >>> from nonet.theory import unequal_majority_error
    >>> unequal_majority_error([[0.1, 0.4, 0.4], [0.1, 0.2, 0.2]]).round(3)
    array([0.208, 0.072])
    """
    owner = "unequal_majority_error"
    check_choice(owner, "tie", tie, TIE)
    counts = count_distribution(check_voters(owner, "errors", errors, PROBABILITY))
    return as_requested(
        np.minimum(counts @ win_fractions(counts.shape[-1] - 1, 1 - TIES_WON[tie]), 1.0)
    )


def _majority(
    owner: str,
    name: str,
    probability: ArrayLike,
    n_voters: ArrayLike,
    tie: str,
    correlation: ArrayLike,
) -> Prediction:
    p = check_numbers(owner, name, probability, PROBABILITY)
    n = check_numbers(owner, "n_voters", n_voters, COUNT)
    rho = check_numbers(owner, "correlation", correlation, PROBABILITY)
    check_choice(owner, "tie", tie, TIE)
    won_ties = TIES_WON[tie] if name == "accuracy" else 1 - TIES_WON[tie]
    return as_requested(majority_probability(p, n, won_ties, rho))


def majority_probability(
    p: Floats, n: Floats, won_ties: float, rho: Floats | float = 0.0
) -> Floats:
    """Return the probability of a majority for yes, winning a fraction of the ties; unchecked."""
    # With n odd the two tails are the same; with n even their mean adds half of the tie.
    strict = _tail(p, n, np.floor(n / 2) + 1, rho)
    if won_ties == 0:
        return strict
    return (1 - won_ties) * strict + won_ties * _tail(p, n, np.ceil(n / 2), rho)


def win_fractions(n: int, won_ties: float) -> Floats:
    """Return the fraction of the cases won with 0, 1, ..., n votes."""
    votes = np.arange(n + 1)
    return np.where(2 * votes == n, won_ties, (2 * votes > n).astype(float))


def _tail(p: Floats, n: Floats, k: Floats, rho: Floats | float) -> Floats:
    p, n, k, rho = np.broadcast_arrays(p, n, k, rho)
    independent = special.betainc(np.maximum(k, 1), n - np.maximum(k, 1) + 1, p)
    tail = np.array(np.where(k > 0, independent, 1.0))
    for position in map(tuple, np.argwhere((rho > 0) & (k > 0))):
        tail[position] = _exchangeable_tail(
            p[position], int(n[position]), int(k[position]), rho[position]
        )
    return tail


def _exchangeable_tail(p: float, n: int, k: int, rho: float) -> float:
    return min(1.0, math.fsum(_exchangeable_distribution(p, n, rho)[k:]))


def _exchangeable_distribution(p: float, n: int, rho: float) -> Floats:
    """Return the beta-binomial distribution in the form of Polya's urn.

    Unlike the one with beta functions, it stays exact as the correlation goes to 0 or to 1: the
    factor 1 - rho that numerator and denominator share is cancelled before anything is divided.
    """
    steps = np.arange(1, n)
    yes, no = _log_urn(p, rho, steps), _log_urn(1 - p, rho, steps)
    votes = np.arange(n + 1)
    ways = special.gammaln(n + 1) - special.gammaln(votes + 1) - special.gammaln(n - votes + 1)
    logs = ways + yes + no[::-1] - np.log1p(rho * (steps - 1)).sum()
    mixed = (votes > 0) & (votes < n)
    return np.asarray(np.exp(logs) * np.where(mixed, 1 - rho, 1.0))


def _log_urn(p: float, rho: float, steps: Array) -> Floats:
    """Return the logarithm of the weight of 0, 1, ..., n votes of one kind in a row."""
    with np.errstate(divide="ignore"):
        draws = np.log(np.concatenate([[p], p * (1 - rho) + rho * steps]))
    return np.asarray(np.concatenate([[0.0], np.cumsum(draws)]))


def _limit(error: float, rho: float) -> float:
    if rho in (0.0, 1.0) or error in (0.0, 1.0):
        return error if rho == 1.0 else (1 + np.sign(error - 0.5)) / 2
    spread = (1 - rho) / rho
    return float(special.betainc((1 - error) * spread, error * spread, 0.5))


def count_distribution(p: Floats) -> Floats:
    """Return the probability of each number of yes votes, voters along the last axis; unchecked."""
    counts = np.zeros((*p.shape[:-1], p.shape[-1] + 1))
    counts[..., 0] = 1
    for i in range(p.shape[-1]):
        yes = p[..., i, np.newaxis]
        more = counts[..., : i + 1] * yes
        counts[..., : i + 1] *= 1 - yes
        counts[..., 1 : i + 2] += more
    return counts
