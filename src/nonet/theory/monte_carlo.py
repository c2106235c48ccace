"""Monte Carlo votes: accuracy of repeated runs of a random algorithm, and runs needed.

On a row that it gets right with probability p > 1/2 a random algorithm can be amplified: the
majority of T independent predictions is right as often as one likes. On rows with p < 1/2 the same
majority is ever more likely to be wrong.

References: G. Brassard & P. Bratley (1988), Algorithmics, ch. 8; R. Esposito & L. Saitta (2004),
A Monte Carlo analysis of ensemble classification, ICML.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Floats
from nonet._base.params import Real, bad_parameter
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
from nonet.theory.voting import TIES_WON, majority_probability

_POSITIVE = Real(0, 1, open_low=True)
_TARGET = Real(0, 1, open_low=True, open_high=True)
# 1 - 0.3 * 0.3 falls short of 0.91 by a rounding error; no further voter is needed for it.
_ROUNDING = 1e-12
# Beyond this, whole numbers are no longer exact as floats.
_MAX_VOTERS = 2**52 + 1


def expected_accuracy(
    row_accuracies: ArrayLike, n_members: ArrayLike, *, tie: str = "coin"
) -> Prediction:
    """Return the expected accuracy E(rho_T) of a vote of T random predictions on each row.

    Parameters
    ----------
    row_accuracies : array-like of shape (n_rows,)
        How often a random hypothesis is right on each row.
    n_members : int or array-like of int
        The number T of predictions that vote.
    tie : {'coin', 'wrong', 'right'}, default='coin'
        What an even number of voters makes of a tie.

    Returns
    -------
    accuracy : float or ndarray of the shape of ``n_members``

    Notes
    -----
    It need not grow with T: votes mend the rows with p > 1/2 and spoil those with p < 1/2.

    Examples
    --------
    Six easy rows and four hard ones; three voters are best, many are worse than one:

    >>> from nonet.theory import expected_accuracy
    >>> expected_accuracy([0.95] * 6 + [0.45] * 4, [1, 3, 11, 101, 1001]).round(4)
    array([0.75  , 0.7658, 0.7467, 0.6625, 0.6003])
    """
    owner = "expected_accuracy"
    p = _check_rows(owner, row_accuracies)
    n = check_numbers(owner, "n_members", n_members, COUNT)
    check_choice(owner, "tie", tie, TIE)
    return as_requested(majority_probability(p, n[..., np.newaxis], TIES_WON[tie]).mean(axis=-1))


def limit_accuracy(row_accuracies: ArrayLike) -> float:
    """Return the accuracy that a vote tends to as the number of predictions grows.

    Parameters
    ----------
    row_accuracies : array-like of shape (n_rows,)
        How often a random hypothesis is right on each row.

    Returns
    -------
    accuracy : float
        The fraction of rows with p > 1/2, and half of those with p = 1/2.

    Examples
    --------
    Hypotheses that are right less than half of the time can still make a useful ensemble:

    >>> import numpy as np
    >>> from nonet.theory import limit_accuracy
    >>> p = np.array([0.52] * 6 + [0.3] * 4)
    >>> print(f"{p.mean():.3f} {limit_accuracy(p):.1f}")
    0.432 0.6
    """
    p = _check_rows("limit_accuracy", row_accuracies)
    return float(np.mean((1 + np.sign(p - 0.5)) / 2))


def voters_needed(accuracy: ArrayLike, target: ArrayLike) -> Prediction:
    """Return the smallest odd number of independent voters whose majority reaches a target.

    Parameters
    ----------
    accuracy : float or array-like
        The probability that one voter is right.
    target : float or array-like
        The accuracy the vote should have, above 0 and below 1.

    Returns
    -------
    n_voters : int or ndarray of int
        Found by bisection on exact binomial tails. An even number never gets there sooner: its
        vote is as good as that of one voter less if a coin decides ties, and worse if ties are
        errors.

    Raises
    ------
    ValueError
        If no number of voters reaches the target: voters that are right half of the time or
        less do not get better by voting.

    Examples
    --------
    >>> from nonet.theory import voters_needed
    >>> voters_needed(0.55, [0.95, 0.99])
    array([269, 539])
    """
    owner = "voters_needed"
    p = check_numbers(owner, "accuracy", accuracy, PROBABILITY)
    goal = check_numbers(owner, "target", target, _TARGET)
    return for_each(_min_voters, p, goal, whole=True)


def _min_voters(p: float, target: float) -> int:
    def enough(half: int) -> bool:
        n = np.asarray(2.0 * half + 1)
        return bool(majority_probability(np.asarray(p), n, 0.0) >= target * (1 - _ROUNDING))

    if enough(0):
        return 1
    if p <= 0.5:
        allowed = f"at most {p:g}: voters that are right that often do not get better by voting"
        raise bad_parameter("voters_needed", "target", allowed, float(target))
    low, high = 0, 1
    while not enough(high):
        low, high = high, 2 * high
        if 2 * high + 1 > _MAX_VOTERS:
            allowed = f"further from 1/2, as it takes more than {high:.0e} voters"
            raise bad_parameter("voters_needed", "accuracy", allowed, float(p))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return 2 * high + 1


def biased_accuracy(accuracy: ArrayLike, n_runs: ArrayLike) -> Prediction:
    """Return the accuracy of a biased Monte Carlo algorithm that is run several times.

    One of its two outputs is always right when it is given; if that output comes up once, it is
    final. So the ensemble is wrong only if all runs miss it.

    Parameters
    ----------
    accuracy : float or array-like
        The probability p that one run is right.
    n_runs : int or array-like of int
        The number k of independent runs.

    Returns
    -------
    accuracy : float or ndarray
        1 - (1 - p)^k.

    Examples
    --------
    >>> from nonet.theory import biased_accuracy
    >>> print(f"{biased_accuracy(0.55, 4):.5f}")
    0.95899
    """
    owner = "biased_accuracy"
    p = check_numbers(owner, "accuracy", accuracy, PROBABILITY)
    k = check_numbers(owner, "n_runs", n_runs, COUNT)
    return as_requested(_one_hit(p, k))


def _one_hit(p: Floats, k: Floats) -> Floats:
    with np.errstate(divide="ignore"):  # p = 1: one run is enough
        return np.asarray(-np.expm1(k * np.log1p(-p)))


def biased_runs_needed(accuracy: ArrayLike, target: ArrayLike) -> Prediction:
    """Return the number of runs a biased Monte Carlo algorithm needs for a target.

    Parameters
    ----------
    accuracy : float or array-like
        The probability p that one run is right, above 0; it need not be above 1/2.
    target : float or array-like
        The accuracy the ensemble should have, above 0 and below 1.

    Returns
    -------
    n_runs : int or ndarray of int
        ceil(ln(1 - target) / ln(1 - p)).

    Examples
    --------
    Four runs do what takes 269 unbiased voters:

    >>> from nonet.theory import biased_runs_needed
    >>> biased_runs_needed([0.55, 0.55, 0.1], [0.95, 0.99, 0.99])
    array([ 4,  6, 44])
    """
    owner = "biased_runs_needed"
    p = check_numbers(owner, "accuracy", accuracy, _POSITIVE)
    goal = check_numbers(owner, "target", target, _TARGET)
    return for_each(_min_runs, p, goal, whole=True)


def _min_runs(p: float, target: float) -> int:
    if p == 1:
        return 1
    exact = math.log1p(-target) / math.log1p(-p)
    return max(1, math.ceil(exact * (1 - _ROUNDING)))


def _check_rows(owner: str, row_accuracies: ArrayLike) -> Floats:
    p = check_voters(owner, "row_accuracies", row_accuracies, PROBABILITY)
    if p.ndim != 1:
        raise bad_parameter(owner, "row_accuracies", "of shape (n_rows,)", f"shape {p.shape}")
    return p
