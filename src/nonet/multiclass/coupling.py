"""Class probabilities from the probabilities of binary problems.

Member s estimates the probability of its positive side, given that the class is on either side
of its problem. The class probabilities that agree best with all members are those of a generalised
Bradley-Terry model; for one-vs-one this is the pairwise coupling of Hastie and Tibshirani.

References: T. Hastie & R. Tibshirani (1998), Classification by pairwise coupling, Annals of
Statistics 26, 451-471; T.-K. Huang, R. Weng & C.-J. Lin (2006), Generalized Bradley-Terry models
and multi-class probability estimates, JMLR 7, 85-115.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Array, Codes, Floats

_SURE = 1e-7  # limits the confidence of a member, so that one member cannot overrule all the others
_TOLERANCE = 1e-7
_MAX_STEPS = 500
_LONGEST_LEAP = 64.0
_LOG_RANGE = 60.0  # probabilities are at least exp(-60) of the maximum: none is ever zero
_NUDGE = 2.0**-40
_BATCH = 4096  # rows at a time: they stay in the cache


def couple_probabilities(probabilities: ArrayLike, code: ArrayLike) -> Floats:
    """Find the class probabilities that agree best with the members of a code.

    Parameters
    ----------
    probabilities : array-like of shape (n, n_columns)
        For each binary problem the probability of its side +1, between 0 and 1.
    code : array-like of shape (n_classes, n_columns)
        The code matrix of -1, 0 and +1.

    Returns
    -------
    probabilities : ndarray of shape (n, n_classes)
        The probabilities p that minimise the sum over the columns of the cross-entropy between
        the member's probability and p(+) / (p(+) + p(-)), with p(+) and p(-) the sums of p over
        its two sides. Probabilities of members are limited to the range from 1e-7 to 1 - 1e-7.

    Notes
    -----
    The iteration ends when no probability moves by more than 1e-7 in a step, or after 500 steps;
    these are too few only where members contradict one another, and then the likelihood is
    almost flat along the remaining steps.

    Examples
    --------
    Consistent pairwise probabilities give back the class probabilities:

    >>> import numpy as np
    >>> from nonet.multiclass import couple_probabilities, make_code
    >>> p = np.array([0.5, 0.3, 0.2])
    >>> pairs = [[p[1] / (p[0] + p[1]), p[2] / (p[0] + p[2]), p[2] / (p[1] + p[2])]]
    >>> couple_probabilities(pairs, make_code("one_vs_one", 3)).round(6)
    array([[0.5, 0.3, 0.2]])
    """
    words = np.asarray(code)
    observed = _check_probabilities(probabilities, words)
    # A column without two sides carries no information about the classes.
    useful = (words > 0).any(axis=0) & (words < 0).any(axis=0)
    observed, words = np.clip(observed[:, useful], _SURE, 1 - _SURE), words[:, useful]
    starts = range(0, len(observed), _BATCH)
    parts = [_couple_batch(observed[start : start + _BATCH], words) for start in starts]
    return np.concatenate(parts or [np.empty((0, len(words)))])


def _check_probabilities(probabilities: ArrayLike, code: Array) -> Floats:
    observed = np.asarray(probabilities, dtype=np.float64)
    if code.ndim != 2 or observed.ndim != 2 or observed.shape[1] != code.shape[1]:
        raise ValueError(
            "probabilities must hold one column for each column of the code, but have shape "
            f"{observed.shape} and the code has shape {code.shape}."
        )
    outside = ~((observed >= 0) & (observed <= 1))
    if outside.any():
        row, column = np.argwhere(outside)[0]
        raise ValueError(
            f"probabilities must be between 0 and 1, but row {row} has {observed[row, column]} in "
            f"column {column}."
        )
    return observed


def _couple_batch(observed: Floats, code: Codes) -> Floats:
    """Iterate until every row converges; converged rows are left alone."""
    plus, minus = (code > 0).astype(np.float64), (code < 0).astype(np.float64)
    probabilities = np.full((len(observed), len(code)), 1 / len(code))
    moving = np.arange(len(observed))
    for _ in range(_MAX_STEPS):
        old = probabilities[moving]
        once = _step(old, observed[moving], plus, minus)
        twice = _step(once, observed[moving], plus, minus)
        probabilities[moving] = _better(
            _leap(old, once, twice), twice, observed[moving], plus, minus
        )
        moving = moving[np.abs(once - old).max(axis=1) > _TOLERANCE]
        if not moving.size:
            break
    return probabilities


def _leap(old: Floats, once: Floats, twice: Floats) -> Floats:
    """Extrapolate two steps of a slow iteration, in logarithms to stay positive.

    R. Varadhan & C. Roland (2008), Simple and globally convergent methods for accelerating the
    convergence of any EM algorithm, Scandinavian Journal of Statistics 35, 335-353.
    """
    start = np.log(old)
    first = np.log(once) - start
    bend = np.log(twice) - np.log(once) - first
    length = np.sqrt((first**2).sum(axis=1) / np.maximum((bend**2).sum(axis=1), 1e-300))
    length = np.clip(length, 1, _LONGEST_LEAP)[:, np.newaxis]
    ahead = start + 2 * length * first + length**2 * bend
    ahead = np.exp(np.maximum(ahead - ahead.max(axis=1, keepdims=True), -_LOG_RANGE))
    return np.asarray(ahead / ahead.sum(axis=1, keepdims=True))


def _better(ahead: Floats, twice: Floats, observed: Floats, plus: Floats, minus: Floats) -> Floats:
    """Keep the extrapolation in the rows where it is at least as likely as two plain steps."""
    gained = _log_likelihood(ahead, observed, plus, minus) >= _log_likelihood(
        twice, observed, plus, minus
    )
    return np.where(gained[:, np.newaxis], ahead, twice)


def _log_likelihood(probabilities: Floats, observed: Floats, plus: Floats, minus: Floats) -> Floats:
    has_plus, has_minus = probabilities @ plus, probabilities @ minus
    agreement = observed * np.log(has_plus) + (1 - observed) * np.log(has_minus)
    return np.asarray((agreement - np.log(has_plus + has_minus)).sum(axis=1))


def _step(probabilities: Floats, observed: Floats, plus: Floats, minus: Floats) -> Floats:
    """Scale each class by the ratio of what its sides should have to what they have.

    A minorisation-maximisation step: the likelihood never decreases.
    """
    has_plus, has_minus = probabilities @ plus, probabilities @ minus
    should = (observed / has_plus) @ plus.T + ((1 - observed) / has_minus) @ minus.T
    has = (1 / (has_plus + has_minus)) @ (plus + minus).T
    # A class on neither side of any column keeps its probability: no member covers it.
    raised = np.divide(probabilities * should, has, out=probabilities.copy(), where=has > 0)
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def put_first(probabilities: Floats, chosen: Codes) -> Floats:
    """Return the nearest probabilities in which the chosen class of each row is the maximum.

    A projection: the chosen class and those above it get the mean of their probabilities, except
    for a fraction of 2**-40, which makes the chosen one the arg max.

    Parameters
    ----------
    probabilities : ndarray of shape (n_rows, n_classes)
        Rows sum to one.
    chosen : ndarray of int of shape (n_rows,)
        A class for each row.

    Returns
    -------
    probabilities : ndarray of shape (n_rows, n_classes)

    Examples
    --------
    >>> put_first(np.array([[0.5, 0.3, 0.2]]), np.array([1])).round(2)
    array([[0.4, 0.4, 0.2]])
    """
    agreed = probabilities.copy()
    for row in np.flatnonzero(probabilities.argmax(axis=1) != chosen):
        own = probabilities[row, chosen[row]]
        order = np.argsort(-probabilities[row], kind="stable")
        others = order[order != chosen[row]]
        sizes = np.arange(2, len(order) + 1)
        means = (own + np.cumsum(probabilities[row, others])) / sizes
        n_sharing = 1 + int(np.argmax(np.append(probabilities[row, others[1:]], 0) <= means))
        sharing = others[:n_sharing]
        agreed[row, sharing] = means[n_sharing - 1] * (1 - _NUDGE)
        agreed[row, chosen[row]] = means[n_sharing - 1] * (1 + n_sharing * _NUDGE)
    return agreed
