"""Oracle matrix: which hypothesis is right on which row, and votes of random columns of it.

The matrix has a row for each case and a column for each hypothesis; an entry states whether the
hypothesis is right on the case (1 or 0), or how likely it is to be. A row mean is the accuracy of
a random hypothesis on that case, a column mean the accuracy of one hypothesis. A Monte Carlo
ensemble draws its predictions anew for every row; bagging draws columns, once for all rows.

References: R. Esposito & L. Saitta (2004), A Monte Carlo analysis of ensemble classification,
ICML; L. Kuncheva, C. Whitaker, C. Shipp & R. Duin (2003), Limits on the majority vote accuracy in
classifier fusion, Pattern Analysis & Applications 6, 22-31.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Floats
from nonet._base.params import Integer, bad_parameter
from nonet.theory.arguments import (
    COUNT,
    PROBABILITY,
    TIE,
    Prediction,
    as_requested,
    check_choice,
    check_matrix,
    check_numbers,
)
from nonet.theory.voting import TIES_WON, majority_probability, win_fractions

SHAPE = "(n_rows, n_hypotheses)"
# 7 / 12 of 12 predictions must count as 7, although it is a little less.
_ROUNDING = 1e-12


def score_majority(correct: ArrayLike, *, tie: str = "coin") -> float:
    """Return the fraction of rows on which most hypotheses are right.

    Parameters
    ----------
    correct : array-like of shape (n_rows, n_hypotheses)
        1 where the hypothesis is right on the row, 0 where it is not.
    tie : {'coin', 'wrong', 'right'}, default='coin'
        What an even number of voters makes of a tie.

    Returns
    -------
    accuracy : float

    Examples
    --------
    >>> from nonet.theory import score_majority
    >>> score_majority([[1, 1, 0], [1, 0, 1], [0, 1, 1]])
    1.0
    """
    owner = "score_majority"
    matrix = check_matrix(owner, "correct", correct, Integer(0, 1), SHAPE)
    check_choice(owner, "tie", tie, TIE)
    votes = matrix.sum(axis=1).astype(int)
    return float(win_fractions(matrix.shape[1], TIES_WON[tie])[votes].mean())


def monte_carlo_moments(
    matrix: ArrayLike, n_members: int, *, tie: str = "coin"
) -> tuple[float, float]:
    """Return mean and variance of the accuracy of an ensemble drawn anew for every row.

    Parameters
    ----------
    matrix : array-like of shape (n_rows, n_hypotheses)
        Whether (0 or 1), or how likely, each hypothesis is right on each row.
    n_members : int
        How many predictions are drawn for a row, with replacement.
    tie : {'coin', 'wrong', 'right'}, default='coin'
        What an even number of voters makes of a tie.

    Returns
    -------
    mean, variance : float
        Of the fraction of rows that the vote gets right.

    Examples
    --------
    >>> from nonet.theory import monte_carlo_moments
    >>> mean, variance = monte_carlo_moments([[1, 1, 0], [1, 0, 1], [0, 1, 1]], 3)
    >>> print(f"{mean:.4f} {variance:.4f}")
    0.7407 0.0640
    """
    _, right = _probabilities("monte_carlo_moments", matrix, n_members, tie)
    return float(right.mean()), _variance_of_rows(right)


def bagging_moments(matrix: ArrayLike, n_members: int, *, tie: str = "coin") -> tuple[float, float]:
    """Return mean and variance of the accuracy of an ensemble drawn once for all rows.

    Parameters
    ----------
    matrix : array-like of shape (n_rows, n_hypotheses)
        Whether (0 or 1), or how likely, each hypothesis is right on each row.
    n_members : int
        How many hypotheses are drawn, with replacement.
    tie : {'coin', 'wrong', 'right'}, default='coin'
        What an even number of voters makes of a tie.

    Returns
    -------
    mean, variance : float
        Of the fraction of rows that the vote gets right. The mean is that of
        :func:`monte_carlo_moments`.

    Notes
    -----
    The variance is that of the Monte Carlo ensemble plus the covariances of all pairs of rows.
    It is larger where some hypotheses are better than others on most rows, the usual case, and
    *smaller* where the covariances add up to less than 0, as in the example. Each kind of
    pair costs (n_members + 1)^2 operations and numbers, so this is for up to some thousand
    members. The probabilities are those of the bivariate binomial distribution, read off its
    characteristic function with an absolute error below 1e-12.

    Examples
    --------
    >>> from nonet.theory import bagging_moments
    >>> mean, variance = bagging_moments([[1, 1, 0], [1, 0, 1], [0, 1, 1]], 3)
    >>> print(f"{mean:.4f} {variance:.4f}")
    0.7407 0.0192
    """
    checked, right = _probabilities("bagging_moments", matrix, n_members, tie)
    variance = _variance_of_rows(right) + _sum_of_covariances(checked, right, n_members, tie)
    return float(right.mean()), max(0.0, variance)  # rounding may leave 0 a little below it


def _probabilities(
    owner: str, matrix: ArrayLike, n_members: int, tie: str
) -> tuple[Floats, Floats]:
    """Return the checked matrix, and the probability of each row that the vote is right on it."""
    checked = check_matrix(owner, "matrix", matrix, PROBABILITY, SHAPE)
    return checked, check_vote(owner, checked, n_members, tie)


def check_vote(owner: str, matrix: Floats, n_members: int, tie: str) -> Floats:
    """Check the vote, and return the probability of each row that it is right on it."""
    if not COUNT.allows(n_members):
        raise bad_parameter(owner, "n_members", COUNT.describe(), n_members)
    check_choice(owner, "tie", tie, TIE)
    voters = np.asarray(float(n_members))
    return majority_probability(matrix.mean(axis=1), voters, TIES_WON[tie])


def _variance_of_rows(right: Floats) -> float:
    return float((right * (1 - right)).sum() / len(right) ** 2)


def _sum_of_covariances(matrix: Floats, right: Floats, n_members: int, tie: str) -> float:
    """Return what the covariances of all pairs of rows add to the variance of the mean."""
    n_rows, n_hypotheses = matrix.shape
    if n_rows == 1:
        return 0.0
    rows = np.triu_indices(n_rows, 1)
    p = matrix.mean(axis=1)[np.stack(rows)]
    both = (matrix @ matrix.T)[rows] / n_hypotheses
    pairs = np.stack([p.min(axis=0), p.max(axis=0), both], axis=1)
    kinds, times = np.unique(pairs, axis=0, return_counts=True)
    joint = [_both_right(p, q, both, n_members, TIES_WON[tie]) for p, q, both in kinds.tolist()]
    if_independent = (right.sum() ** 2 - (right**2).sum()) / 2
    return float(2 * (times @ np.array(joint) - if_independent) / n_rows**2)


def _both_right(p: float, q: float, both: float, n_members: int, won_ties: float) -> float:
    """Return the probability that the votes on two rows are both right.

    A hypothesis is right on the first row with probability p, on the second with q, on both with
    ``both``. The counts of T draws have the generating function (...)^T; sums over them are
    weighted sums of its values at the roots of unity.
    """
    size = n_members + 1
    roots = np.exp(2j * np.pi * np.arange(size) / size)
    weights = np.fft.fft(win_fractions(n_members, won_ties)) / size
    one_draw = (1 - p - q + both) + (p - both) * roots[:, np.newaxis]
    one_draw = one_draw + roots * ((q - both) + both * roots[:, np.newaxis])
    return float((weights @ one_draw**n_members @ weights).real)


def majority_limits(
    mean_accuracy: ArrayLike, *, n_members: int | None = None, n_rows: int | None = None
) -> tuple[Prediction, Prediction]:
    """Return the minimum and the maximum accuracy of a majority vote.

    All that is known is how often the members are right on average; how their errors fall
    together is free.

    Parameters
    ----------
    mean_accuracy : float or array-like
        The mean r of the members' accuracies: the fraction of right predictions among all.
    n_members : int, default=None
        The number of voters (ties are errors); None is the limit of ever more of them.
    n_rows : int, default=None
        The number of rows; None allows fractions of any size.

    Returns
    -------
    lower, upper : float or ndarray
        In the limit max(0, 2r - 1) and min(1, 2r); nothing is reached beyond them, and the upper
        one only approached.

    Examples
    --------
    >>> from nonet.theory import majority_limits
    >>> lower, upper = majority_limits([0.3, 0.5, 0.8])
    >>> print(lower.round(2), upper.round(2))
    [0.  0.  0.6] [0.6 1.  1. ]

    Three members, four rows, and 7 of the 12 predictions right:

    >>> majority_limits(7 / 12, n_members=3, n_rows=4)
    (0.5, 0.75)
    """
    owner = "majority_limits"
    r = check_numbers(owner, "mean_accuracy", mean_accuracy, PROBABILITY)
    for name, count in (("n_members", n_members), ("n_rows", n_rows)):
        if count is not None and not COUNT.allows(count):
            raise bad_parameter(owner, name, f"None or {COUNT.describe()}", count)
    if n_members is None:
        lower, upper = 2 * r - 1, 2 * r
    else:
        needed = n_members // 2 + 1
        lower = (n_members * r - (needed - 1)) / (n_members - needed + 1)
        upper = n_members * r / needed
    lower, upper = np.clip(lower, 0, 1), np.clip(upper, 0, 1)
    if n_rows is not None:
        lower = np.ceil(n_rows * lower - _ROUNDING * n_rows) / n_rows + 0.0  # no -0.0
        upper = np.floor(n_rows * upper + _ROUNDING * n_rows) / n_rows
    return as_requested(lower), as_requested(upper)
