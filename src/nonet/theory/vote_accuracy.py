"""The whole distribution of the accuracy of a vote, over the draws of its members.

A Monte Carlo ensemble draws its predictions anew for every row: its rows are right independently
of each other, and the number of right rows has a Poisson-binomial distribution. Bagging draws
hypotheses once for all rows: given the hypotheses it is Poisson-binomial too, and the draws are
enumerated. Reference: R. Esposito & L. Saitta (2004), A Monte Carlo analysis of ensemble
classification, ICML.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, ndtr

from nonet._base.aliases import Codes, Floats
from nonet._base.params import Choice, bad_parameter
from nonet.theory.arguments import PROBABILITY, check_choice, check_matrix
from nonet.theory.oracle import SHAPE, bagging_moments, check_vote, monte_carlo_moments
from nonet.theory.voting import TIES_WON, count_distribution, win_fractions

_ENSEMBLE = Choice("bagging", "monte_carlo")
_METHOD = Choice("exact", "normal")
# The most sets of hypotheses that are enumerated.
_MAX_DRAWS = 200_000


def accuracy_distribution(
    matrix: ArrayLike,
    n_members: int,
    *,
    ensemble: str = "bagging",
    method: str = "exact",
    tie: str = "coin",
) -> tuple[Floats, Floats]:
    """Return the distribution of the accuracy of an ensemble whose members are drawn at random.

    Parameters
    ----------
    matrix : array-like of shape (n_rows, n_hypotheses)
        Whether (0 or 1), or how likely, each hypothesis is right on each row.
    n_members : int
        How many hypotheses are drawn, with replacement.
    ensemble : {'bagging', 'monte_carlo'}, default='bagging'
        Whether hypotheses are drawn once for all rows, or anew for every row.
    method : {'exact', 'normal'}, default='exact'
        The exact probabilities, or those of the normal distribution with the same mean and
        variance and a continuity correction. Exact probabilities of bagging enumerate all draws of
        different columns, up to 200,000 of them.
    tie : {'coin', 'wrong', 'right'}, default='coin'
        What an even number of voters makes of a tie.

    Returns
    -------
    accuracies : ndarray of shape (n_rows + 1,)
        0, 1 / n_rows, ..., 1.
    probabilities : ndarray of shape (n_rows + 1,)
        How likely each of them is.

    See Also
    --------
    bagging_moments, monte_carlo_moments : Mean and variance, for any number of hypotheses.

    Examples
    --------
    The two ensembles have the same mean accuracy, and quite different distributions:

    >>> from nonet.theory import accuracy_distribution
    >>> right = [[1, 1, 0], [1, 0, 1], [0, 1, 1]]
    >>> accuracies, bagging = accuracy_distribution(right, 3)
    >>> _, monte_carlo = accuracy_distribution(right, 3, ensemble="monte_carlo")
    >>> bagging.round(3), monte_carlo.round(3)
    (array([0.   , 0.   , 0.778, 0.222]), array([0.017, 0.149, 0.427, 0.406]))
    >>> print(f"{accuracies @ bagging:.3f} {accuracies @ monte_carlo:.3f}")
    0.741 0.741
    """
    owner = "accuracy_distribution"
    checked = check_matrix(owner, "matrix", matrix, PROBABILITY, SHAPE)
    right = check_vote(owner, checked, n_members, tie)
    check_choice(owner, "ensemble", ensemble, _ENSEMBLE)
    if check_choice(owner, "method", method, _METHOD) == "normal":
        mean, variance = _MOMENTS[ensemble](checked, n_members, tie=tie)
        probabilities = _normal_probabilities(mean, variance, len(checked))
    elif ensemble == "monte_carlo":
        probabilities = count_distribution(right)
    else:
        probabilities = _over_draws(checked, n_members, TIES_WON[tie])
    return np.arange(len(checked) + 1) / len(checked), probabilities


_MOMENTS: dict[str, Callable[..., tuple[float, float]]] = {
    "bagging": bagging_moments,
    "monte_carlo": monte_carlo_moments,
}


def _normal_probabilities(mean: float, variance: float, n_rows: int) -> Floats:
    """Return the probabilities of 0, 1, ..., n right rows; the tails belong to the ends."""
    between = np.arange(n_rows) + 0.5
    distance, spread = between - n_rows * mean, n_rows * np.sqrt(variance)
    below = ndtr(distance / spread) if spread > 0 else (distance > 0).astype(float)
    return np.diff(np.concatenate([[0.0], below, [1.0]]))


def _over_draws(matrix: Floats, n_members: int, won_ties: float) -> Floats:
    """Return the mean of the distributions over all draws of columns."""
    columns, counts = np.unique(matrix, axis=1, return_counts=True)
    draws = _all_draws(columns.shape[1], n_members)
    ways = gammaln(n_members + 1) - gammaln(draws + 1).sum(axis=1)
    weights = np.exp(ways + draws @ np.log(counts / counts.sum()))
    probabilities = np.zeros(len(matrix) + 1)
    wins = win_fractions(n_members, won_ties)
    for times, weight in zip(draws, weights / weights.sum(), strict=True):
        votes = np.repeat(columns, times, axis=1)
        probabilities += weight * count_distribution(count_distribution(votes) @ wins)
    return probabilities


def _all_draws(n_columns: int, n_members: int) -> Codes:
    """Return how often each column is drawn, for all draws that differ."""
    number = comb(n_columns + n_members - 1, n_members)
    if number > _MAX_DRAWS:
        allowed = (
            f"'normal' for so many draws ({number} sets of {n_members} out of {n_columns} "
            f"different columns; at most {_MAX_DRAWS} are enumerated)"
        )
        raise bad_parameter("accuracy_distribution", "method", allowed, "exact")
    drawn = np.array(list(combinations_with_replacement(range(n_columns), n_members)))
    return np.asarray((drawn[:, :, np.newaxis] == np.arange(n_columns)).sum(axis=1))
