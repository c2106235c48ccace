"""Ranking metrics of recommendations: precision, recall and NDCG of the first n items.

References
----------
K. Jarvelin and J. Kekalainen, Cumulated gain-based evaluation of IR techniques, ACM Transactions on
Information Systems 20, 2002.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.params import Having, Real, bad_parameter
from nonet._base.warn import warn_caller
from nonet.unsupervised.ratings.rating_table import read_pairs, read_values


@dataclass(frozen=True)
class RankingScores:
    """Ranking metrics, averaged over users.

    Attributes
    ----------
    precision : float
        The fraction of the n recommended items that are relevant.
    recall : float
        The fraction of the relevant items that are recommended.
    ndcg : float
        The normalised discounted cumulative gain: a relevant item at position k counts
        ``1 / log2(k + 1)``, and the sum is divided by that of the best possible order.
    n_users : int
        The number of users with relevant items: the others are left out.

    Examples
    --------
    >>> from nonet import BiasModel, make_ratings, ranking_scores
    >>> data = make_ratings(50, 40, 900, random_state=0)
    >>> model = BiasModel().fit(data.X[:700], data.y[:700])
    >>> scores = ranking_scores(model, data.X[700:], data.y[700:], n=5, min_rating=4.0)
    >>> 0 <= scores.precision <= 1
    True
    """

    precision: float
    recall: float
    ndcg: float
    n_users: int


def ranking_scores(
    model: Any, X: Any, y: Any = None, *, n: int = 10, min_rating: float | None = None
) -> RankingScores:
    """Score the recommendations of a model by held-out ratings.

    The model recommends n items to each user of X, without those rated in its training data. The
    items of the user's rows in X are relevant, if their rating is high enough.

    Parameters
    ----------
    model : fitted model with ``recommend``
        :class:`RatingEnsemble`, or one of its members.
    X : array-like or dataframe of shape (n_ratings, 2)
        User and item of held-out ratings.
    y : array-like of shape (n_ratings,), default=None
        The ratings, for ``min_rating``.
    n : int, default=10
        The number of recommended items.
    min_rating : float, default=None
        The minimum rating of a relevant item; None makes all items of X relevant.

    Returns
    -------
    scores : RankingScores

    Examples
    --------
    >>> from nonet import ImplicitFactorization, UserSplit, make_ratings, ranking_scores
    >>> data = make_ratings(100, 60, 2000, random_state=0)
    >>> train, test = next(UserSplit(random_state=0).split(data.X))
    >>> model = ImplicitFactorization(5, random_state=0).fit(data.X[train], data.y[train] > 3)
    >>> scores = ranking_scores(model, data.X[test], n=10)
    >>> scores.n_users
    100
    """
    recommends = Having("a fitted model with recommend", "recommend")
    if not recommends.allows(model):
        raise bad_parameter("ranking_scores", "model", recommends.describe(), model)
    users, items = read_pairs(model, X)
    relevant = _relevant_items(users, items, _high_enough(model, y, len(users), min_rating))
    if not relevant:
        raise ValueError(
            f"ranking_scores: no rating of X is at least min_rating={min_rating}, so that no item "
            "is relevant; choose a lower one."
        )
    recommended = model.recommend(list(relevant), n)
    scores = [
        _score(best, wanted, n) for best, wanted in zip(recommended, relevant.values(), strict=True)
    ]
    precision, recall, ndcg = np.mean(scores, axis=0).tolist()
    if precision == 0:
        warn_caller(
            "ranking_scores: no relevant item was recommended to anyone; items that a user rated "
            "in fit are never recommended, so that X must hold other ratings than fit had."
        )
    return RankingScores(precision, recall, ndcg, len(relevant))


def _high_enough(model: Any, y: Any, n_rows: int, min_rating: float | None) -> Array:
    if min_rating is None:
        return np.ones(n_rows, dtype=bool)
    if y is None:
        raise bad_parameter("ranking_scores", "y", "the ratings if min_rating is given", y)
    if not Real().allows(min_rating):
        allowed = f"None or {Real().describe()}"
        raise bad_parameter("ranking_scores", "min_rating", allowed, min_rating)
    high: Array = read_values(model, y, n_rows) >= min_rating
    return high


def _relevant_items(users: Array, items: Array, kept: Array) -> dict[Any, set[Any]]:
    relevant: dict[Any, set[Any]] = {}
    for user, item in zip(users[kept].tolist(), items[kept].tolist(), strict=True):
        relevant.setdefault(user, set()).add(item)
    return relevant


def _score(recommended: Array, relevant: Set[Any], n: int) -> tuple[float, float, float]:
    hits = np.array([item in relevant for item in recommended.tolist()], dtype=np.float64)
    gains = _discounts(len(hits)) @ hits
    best = _discounts(min(n, len(relevant))).sum()
    return hits.sum() / n, hits.sum() / len(relevant), gains / best


def _discounts(n: int) -> Floats:
    discounts: Floats = 1 / np.log2(np.arange(2, n + 2))
    return discounts
