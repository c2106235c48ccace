"""Bounds on the training error and the test error of AdaBoost.

The bounds of the training error are sharp enough to plan with. Those of the test error are not:
they hold for every distribution and every weak learner of a class, and exceed 1 (are uninformative)
on data of ordinary size. Evaluate them to see how loose they are.

References: Y. Freund & R. Schapire (1997), A decision-theoretic generalization of on-line
learning and an application to boosting, JCSS 55, 119-139; R. Schapire, Y. Freund, P. Bartlett &
W. S. Lee (1998), Boosting the margin, Annals of Statistics 26, 1651-1686.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Floats
from nonet._base.params import Integer, Real, bad_parameter
from nonet.theory.arguments import (
    COUNT,
    PROBABILITY,
    Prediction,
    as_requested,
    check_numbers,
    check_voters,
    for_each,
)

_HALF = Real(0, 0.5)
_EDGE = Real(0, 0.5, open_low=True)
_INSIDE = Real(0, 1, open_low=True, open_high=True)
_ROUNDING = 1e-12


def training_bound(errors: ArrayLike, *, margin: ArrayLike = 0.0) -> Prediction:
    """Bound the training error of AdaBoost by the weighted errors of its rounds.

    Parameters
    ----------
    errors : array-like of shape (..., n_rounds)
        The weighted error eps_t of each round's weak learner, at most 1/2 (turn a worse one
        round).
    margin : float or array-like, default=0.0
        Bound the fraction of training rows with a margin of at most this, from 0 (the training
        error) to 1.

    Returns
    -------
    bound : float or ndarray
        The product of 2 sqrt(eps_t^(1 - margin) (1 - eps_t)^(1 + margin)).

    Notes
    -----
    At margin 0 a factor is the sum Z_t that normalises the weights, 2 sqrt(eps_t (1 - eps_t)).
    Without the 2 the product is no bound: training errors above it occur.

    References
    ----------
    Freund & Schapire (1997), theorem 6; Schapire et al. (1998), theorem 5.

    Examples
    --------
    >>> from nonet.theory import training_bound
    >>> print(f"{training_bound([0.3, 3 / 14, 3 / 22]):.4f}")
    0.5162
    >>> print(f"{training_bound([0.3] * 100):.6f} {training_bound([0.3] * 100, margin=0.1):.6f}")
    0.000164 0.011320
    """
    owner = "training_bound"
    eps = check_voters(owner, "errors", errors, _HALF)
    theta = check_numbers(owner, "margin", margin, PROBABILITY)[..., np.newaxis]
    factors = 2 * np.sqrt(eps ** (1 - theta) * (1 - eps) ** (1 + theta))
    return as_requested(factors.prod(axis=-1))


def edge_bound(edges: ArrayLike) -> Prediction:
    """Bound the training error of AdaBoost by the edges of its rounds over random guessing.

    Parameters
    ----------
    edges : array-like of shape (..., n_rounds)
        The edge gamma_t = 1/2 - eps_t of each round, from 0 to 1/2.

    Returns
    -------
    bound : float or ndarray
        exp(-2 sum gamma_t^2), never below :func:`training_bound`.

    Examples
    --------
    >>> from nonet.theory import edge_bound
    >>> print(f"{edge_bound([0.1] * 150):.4f}")
    0.0498
    """
    gamma = check_voters("edge_bound", "edges", edges, _HALF)
    return as_requested(np.exp(-2 * (gamma**2).sum(axis=-1)))


def rounds_needed(edge: ArrayLike, target: ArrayLike) -> Prediction:
    """Return the rounds after which AdaBoost's training error is at most a target.

    Parameters
    ----------
    edge : float or array-like
        The minimum edge gamma of every weak learner: eps_t <= 1/2 - gamma.
    target : float or array-like
        The target training error, above 0 and below 1.

    Returns
    -------
    n_rounds : int or ndarray of int
        ceil(ln(1 / target) / (2 gamma^2)), enough by :func:`edge_bound`.

    Notes
    -----
    Hoeffding's inequality gives the same number of independent voters of accuracy 1/2 + gamma
    for a majority error of ``target``; :func:`voters_needed` counts them exactly.

    Examples
    --------
    >>> from nonet.theory import rounds_needed
    >>> rounds_needed(0.1, 0.05)
    150
    """
    owner = "rounds_needed"
    gamma = check_numbers(owner, "edge", edge, _EDGE)
    goal = check_numbers(owner, "target", target, _INSIDE)
    exact = -np.log(goal) / (2 * gamma**2)
    return as_requested(np.ceil(exact * (1 - _ROUNDING)).astype(np.int64))


def rounds_to_fit(edge: ArrayLike, n_rows: ArrayLike) -> Prediction:
    """Return the rounds after which AdaBoost makes no training error.

    Parameters
    ----------
    edge : float or array-like
        The minimum edge gamma of every weak learner: eps_t <= 1/2 - gamma.
    n_rows : int or array-like of int
        The number N of training rows, with equal first weights.

    Returns
    -------
    n_rounds : int or ndarray of int
        The first T with exp(-2 T gamma^2) < 1 / N: an error below 1 / N is none.

    Examples
    --------
    >>> from nonet.theory import rounds_to_fit
    >>> rounds_to_fit(0.1, [100, 10_000])
    array([231, 461])
    """
    owner = "rounds_to_fit"
    gamma = check_numbers(owner, "edge", edge, _EDGE)
    n = check_numbers(owner, "n_rows", n_rows, COUNT)
    return as_requested(np.floor(np.log(n) / (2 * gamma**2)).astype(np.int64) + 1)


def vote_vc_dimension(vc_dimension: ArrayLike, n_rounds: ArrayLike) -> Prediction:
    """Bound the VC dimension of weighted votes of T members.

    Parameters
    ----------
    vc_dimension : int or array-like of int
        The VC dimension d of one member, at least 2.
    n_rounds : int or array-like of int
        The number T of members.

    Returns
    -------
    bound : float or ndarray
        2 (d + 1)(T + 1) log2(e (T + 1)).

    References
    ----------
    Freund & Schapire (1997), theorem 8.

    Examples
    --------
    >>> from nonet.theory import vote_vc_dimension
    >>> vote_vc_dimension(2, [1, 10, 100]).round()
    array([  29.,  324., 4909.])
    """
    owner = "vote_vc_dimension"
    d = check_numbers(owner, "vc_dimension", vc_dimension, Integer(2))
    members = check_numbers(owner, "n_rounds", n_rounds, COUNT) + 1
    return as_requested(2 * (d + 1) * members * np.log2(math.e * members))


def stump_vote_vc_dimension(n_stumps: ArrayLike) -> Prediction:
    """Return the VC dimension of weighted votes of T decision stumps on a line.

    Parameters
    ----------
    n_stumps : int or array-like of int
        The number T of stumps.

    Returns
    -------
    vc_dimension : int or ndarray of int
        T + 1 for odd T and T for even T: the vote changes its sign at most T times, and has
        opposite signs at the two ends of the line.

    Notes
    -----
    It grows with the number of stumps, not with that of columns; "columns + 1" is the VC
    dimension of half-spaces.

    Examples
    --------
    >>> from nonet.theory import stump_vote_vc_dimension
    >>> stump_vote_vc_dimension([1, 2, 3, 4])
    array([2, 2, 4, 4])
    """
    n = check_numbers("stump_vote_vc_dimension", "n_stumps", n_stumps, COUNT)
    return as_requested((2 * np.ceil(n / 2)).astype(np.int64))


def vc_bound(
    training_error: ArrayLike,
    vc_dimension: ArrayLike,
    n_rows: ArrayLike,
    *,
    delta: ArrayLike = 0.05,
) -> Prediction:
    """Bound the true error of a classifier by its training error and the VC dimension.

    Parameters
    ----------
    training_error : float or array-like
        The fraction of training rows that are wrong.
    vc_dimension : float or array-like
        The VC dimension d of the class it was chosen from, or a bound of it such as
        :func:`vote_vc_dimension`.
    n_rows : int or array-like of int
        The number N of training rows.
    delta : float or array-like, default=0.05
        The bound holds with probability 1 - delta over the draw of the rows.

    Returns
    -------
    bound : float or ndarray
        ``training_error`` + 2 sqrt((d (ln(2N/d) + 1) + ln(9/delta)) / N). A value of 1 or more
        is uninformative; with d >= N it is infinite, as nothing is proved.

    References
    ----------
    V. Vapnik (1982), Estimation of dependences based on empirical data, as stated by Freund &
    Schapire (1997), theorem 7.

    Examples
    --------
    Ten boosted stumps on one column, no training error:

    >>> from nonet.theory import vc_bound, vote_vc_dimension
    >>> vc_bound(0.0, vote_vc_dimension(2, 10), [1_000, 100_000, 1_000_000]).round(2)
    array([1.92, 0.31, 0.11])
    """
    owner = "vc_bound"
    error = check_numbers(owner, "training_error", training_error, PROBABILITY)
    d = check_numbers(owner, "vc_dimension", vc_dimension, Real(1))
    n = check_numbers(owner, "n_rows", n_rows, COUNT)
    risk = check_numbers(owner, "delta", delta, _INSIDE)
    excess = 2 * np.sqrt((np.maximum(d * (np.log(2 * n / d) + 1), 0) + np.log(9 / risk)) / n)
    return as_requested(np.where(d < n, error + excess, np.inf))


def margin_bound(
    margin_fraction: ArrayLike,
    margin: ArrayLike,
    n_rows: ArrayLike,
    *,
    n_hypotheses: ArrayLike | None = None,
    vc_dimension: ArrayLike | None = None,
    delta: ArrayLike = 0.05,
) -> Prediction:
    """Bound the true error of a weighted vote by the margins of the training rows.

    Parameters
    ----------
    margin_fraction : float or array-like
        The fraction of training rows with a margin of at most ``margin``.
    margin : float or array-like
        A margin theta, above 0 and at most 1. The bound holds for all of them at once, so you
        may take the one that gives the minimum.
    n_rows : int or array-like of int
        The number m of training rows.
    n_hypotheses : int or array-like of int, default=None
        How many weak hypotheses there are to choose from, if they are finitely many.
    vc_dimension : int or array-like of int, default=None
        Otherwise the VC dimension d of the weak hypotheses. Give one of the two.
    delta : float or array-like, default=0.05
        The bound holds with probability 1 - delta over the draw of the rows.

    Returns
    -------
    bound : float or ndarray
        A value of 1 or more is uninformative.

    Notes
    -----
    The number of members does not enter. The usual form,
    ``fraction + O(sqrt((d log^2(m/d) / theta^2 + log(1/delta)) / m))``, hides its constants; here
    they are. The vote is compared with an average of N members drawn from it, which strays from
    it by theta/2 with a probability of at most exp(-N theta^2 / 8); all such averages are bounded
    together by Hoeffding's inequality and their number ``|H|^N``, or by Vapnik's and
    ``(em/d)^(dN)``. So, for every N,

    ``fraction + 2 exp(-N theta^2 / 8) + sqrt((ln(N (N + 1)^2 / delta) + N ln|H|) / (2m))``

    or, with a VC dimension (d <= m),

    ``fraction + 2 exp(-N theta^2 / 8)
    + sqrt(32 (ln(8 N (N + 1)^2 / delta) + d N ln(em/d)) / m)``,

    of which the minimum over N is returned.

    References
    ----------
    Schapire, Freund, Bartlett & Lee (1998), theorems 1 and 2.

    Examples
    --------
    All training rows have a margin above 0.3, and there are 1000 stumps to choose from:

    >>> from nonet.theory import margin_bound
    >>> margin_bound(0.0, 0.3, [1_000, 100_000, 10_000_000], n_hypotheses=1000).round(2)
    array([1.05, 0.14, 0.02])
    >>> margin_bound(0.0, 0.3, [1_000, 100_000, 10_000_000], vc_dimension=2).round(2)
    array([2.8 , 1.43, 0.23])
    """
    owner = "margin_bound"
    if (n_hypotheses is None) == (vc_dimension is None):
        raise bad_parameter(owner, "n_hypotheses", "given, or vc_dimension, but not both", None)
    fraction = check_numbers(owner, "margin_fraction", margin_fraction, PROBABILITY)
    theta = check_numbers(owner, "margin", margin, Real(0, 1, open_low=True))
    m = check_numbers(owner, "n_rows", n_rows, COUNT)
    risk = check_numbers(owner, "delta", delta, _INSIDE)
    if vc_dimension is None:
        size = check_numbers(owner, "n_hypotheses", n_hypotheses, COUNT)
        return as_requested(fraction + for_each(_finite_excess, theta, m, size, risk))
    d = check_numbers(owner, "vc_dimension", vc_dimension, COUNT)
    if np.any(d > m):
        raise bad_parameter(owner, "vc_dimension", "at most n_rows", vc_dimension)
    return as_requested(fraction + for_each(_vc_excess, theta, m, d, risk))


def _finite_excess(theta: float, m: float, n_hypotheses: float, delta: float) -> float:
    def deviation(size: Floats) -> Floats:
        choices = np.log(size) + 2 * np.log1p(size) - np.log(delta) + size * np.log(n_hypotheses)
        return np.asarray(np.sqrt(choices / (2 * m)))

    return _min_excess(theta, m, deviation)


def _vc_excess(theta: float, m: float, d: float, delta: float) -> float:
    def deviation(size: Floats) -> Floats:
        choices = np.log(8 * size / delta) + 2 * np.log1p(size) + d * size * np.log(math.e * m / d)
        return np.asarray(np.sqrt(32 * choices / m))

    return _min_excess(theta, m, deviation)


def _min_excess(theta: float, m: float, deviation: Callable[[Floats], Floats]) -> float:
    # Every size of the drawn average gives a bound that holds, so a fine grid of sizes will do.
    # At the maximum of them the first term is below 1 / m, and only the second still grows.
    maximum = math.ceil(8 / theta**2 * math.log(2 * m)) + 1
    sizes = np.unique(np.geomspace(1, maximum, 2000).round())
    return float(np.min(2 * np.exp(-sizes * theta**2 / 8) + deviation(sizes)))
