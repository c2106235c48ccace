"""Simulated ratings of known rank: biases, factors, noise, popular items, an order in time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.params import Integer, Real, Rule, bad_parameter
from nonet._base.streams import root_seed, stream


@dataclass(frozen=True)
class SimulatedRatings:
    """Simulated ratings, in the order of time.

    Attributes
    ----------
    X : ndarray of int of shape (n_ratings, 2)
        User and item of each rating.
    y : ndarray of shape (n_ratings,)
        The ratings.
    expected : ndarray of shape (n_ratings,)
        The ratings without their noise: what a perfect model would predict.
    noise : float
        The standard deviation of the noise: the root mean squared error of a perfect model.

    Examples
    --------
    >>> from nonet import make_ratings
    >>> data = make_ratings(50, 20, 400, noise=0.5, random_state=0)
    >>> data.X.shape, data.noise
    ((400, 2), 0.5)
    """

    X: Codes
    y: Floats
    expected: Floats
    noise: float


def make_ratings(
    n_users: int = 500,
    n_items: int = 200,
    n_ratings: int = 20_000,
    *,
    rank: int = 5,
    signal: float = 0.7,
    bias: float = 0.5,
    noise: float = 0.5,
    popularity: float = 0.7,
    drift: float = 0.0,
    mean: float = 3.5,
    random_state: Any = None,
) -> SimulatedRatings:
    """Simulate ratings of known rank.

    ``r = mean + b_u + b_i + p_u q_i + drift * t + noise``: the biases are normal, the factors are
    normal of the given rank, and t runs from -1/2 for the first rating to 1/2 for the last. Pairs
    are drawn without replacement; users and items are drawn with probabilities that fall
    with their rank of popularity k as ``k ** -popularity``.

    Parameters
    ----------
    n_users : int, default=500
        Number of users.
    n_items : int, default=200
        Number of items.
    n_ratings : int, default=20000
        Number of ratings, at most half the number of pairs.
    rank : int, default=5
        Number of factors; 0 leaves the biases alone.
    signal : float, default=0.7
        The standard deviation of ``p_u q_i``.
    bias : float, default=0.5
        The standard deviation of the biases of users, and of those of items.
    noise : float, default=0.5
        The standard deviation of the noise.
    popularity : float, default=0.7
        How unequal users and items are in their numbers of ratings; 0 makes them equal.
    drift : float, default=0.0
        How much the mean rises from the first rating to the last.
    mean : float, default=3.5
        The mean rating.
    random_state : int, RandomState, Generator or None, default=None
        Draws everything.

    Returns
    -------
    ratings : SimulatedRatings

    Examples
    --------
    >>> from nonet import make_ratings
    >>> data = make_ratings(100, 50, 1000, random_state=0)
    >>> bool(abs((data.y - data.expected).std() - data.noise) < 0.05)
    True
    """
    sizes = {"n_users": n_users, "n_items": n_items, "n_ratings": n_ratings, "rank": rank}
    for name, size in sizes.items():
        _check(name, Integer(0 if name == "rank" else 1), size)
    scales = {"signal": signal, "bias": bias, "noise": noise, "popularity": popularity}
    for name, value in scales.items():
        _check(name, Real(0), value)
    _check("drift", Real(), drift)
    _check("mean", Real(), mean)
    if 2 * n_ratings > n_users * n_items:
        allowed = f"at most half of the {n_users * n_items} pairs of user and item"
        raise bad_parameter("make_ratings", "n_ratings", allowed, n_ratings)
    rng = stream(root_seed(random_state), 0)
    X = _draw_pairs(rng, n_users, n_items, n_ratings, popularity)
    users, items = X.T
    expected = mean + _normal(rng, bias, n_users)[users] + _normal(rng, bias, n_items)[items]
    if rank:
        scale = np.sqrt(signal) / rank**0.25
        p, q = _normal(rng, scale, (n_users, rank)), _normal(rng, scale, (n_items, rank))
        expected = expected + np.einsum("ij,ij->i", p[users], q[items])
    expected = expected + drift * (np.arange(n_ratings) / n_ratings - 0.5)
    return SimulatedRatings(X, expected + _normal(rng, noise, n_ratings), expected, float(noise))


def _check(name: str, rule: Rule, value: Any) -> None:
    if not rule.allows(value):
        raise bad_parameter("make_ratings", name, rule.describe(), value)


def _normal(rng: np.random.Generator, scale: float, size: Any) -> Floats:
    return rng.normal(scale=scale, size=size) if scale else np.zeros(size)


def _draw_pairs(
    rng: np.random.Generator, n_users: int, n_items: int, n_ratings: int, popularity: float
) -> Array:
    """Return different pairs, in random order."""
    by_user, by_item = (_popularities(rng, n, popularity) for n in (n_users, n_items))
    pairs = np.empty(0, dtype=np.int64)
    while len(pairs) < n_ratings:
        size = 2 * (n_ratings - len(pairs)) + 16
        users = rng.choice(n_users, size=size, p=by_user)
        items = rng.choice(n_items, size=size, p=by_item)
        drawn = np.concatenate([pairs, users * n_items + items])
        first = np.sort(np.unique(drawn, return_index=True)[1])  # in the order of the draws
        pairs = drawn[first]
        # Popular pairs run out: the rest is drawn more evenly.
        by_user, by_item = _flatter(by_user), _flatter(by_item)
    chosen = rng.permutation(pairs[:n_ratings])
    return np.column_stack([chosen // n_items, chosen % n_items])


def _popularities(rng: np.random.Generator, size: int, popularity: float) -> Floats:
    # Above 0: a pair that can never be drawn would be waited for.
    weights = np.maximum(np.arange(1.0, size + 1) ** -popularity, 1e-300)
    weights = rng.permutation(weights)
    normed: Floats = weights / weights.sum()
    return normed


def _flatter(probabilities: Floats) -> Floats:
    weights = np.sqrt(probabilities)
    normed: Floats = weights / weights.sum()
    return normed
