"""The bias model of ratings: a mean, and how users and items differ from it.

References
----------
Y. Koren, R. Bell and C. Volinsky, Matrix factorization techniques for recommender systems, Computer
42, 2009.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Codes, Floats
from nonet._base.params import Integer, Real, Rule
from nonet.unsupervised.ratings.rating_model import RatingModel, sum_by, take_known
from nonet.unsupervised.ratings.rating_table import Ratings

_TOLERANCE = 1e-10


@dataclass(frozen=True)
class Biases:
    """Mean, biases of users and biases of items."""

    mean: float
    users: Floats
    items: Floats

    def predict(self, users: Codes, items: Codes) -> Floats:
        """Return the sum of the known parts for each pair."""
        return self.mean + take_known(self.users, users) + take_known(self.items, items)


def fit_biases(
    ratings: Ratings, user_penalty: float, item_penalty: float, max_iter: int = 50
) -> Biases:
    """Minimise squared errors plus penalties by turns: users given items, items given users."""
    weights = ratings.weights
    mean = float(np.average(ratings.values, weights=weights))
    rest = ratings.values - mean
    user_weights = sum_by(ratings.users, weights, ratings.n_users) + user_penalty
    item_weights = sum_by(ratings.items, weights, ratings.n_items) + item_penalty
    of_users, of_items = np.zeros(ratings.n_users), np.zeros(ratings.n_items)
    scale = max(float(np.abs(rest).max()), 1e-300)
    for _ in range(max_iter):
        before = of_items
        left = weights * (rest - of_users[ratings.users])
        of_items = sum_by(ratings.items, left, ratings.n_items) / item_weights
        left = weights * (rest - of_items[ratings.items])
        of_users = sum_by(ratings.users, left, ratings.n_users) / user_weights
        if np.abs(of_items - before).max() <= _TOLERANCE * scale:
            break
    return Biases(mean, of_users, of_items)


class BiasModel(RatingModel):
    """Predict ratings by the mean, the bias of the user and the bias of the item.

    ``r = mu + b_u + b_i``, with the sum of squared errors plus ``user_penalty * sum(b_u ** 2) +
    item_penalty * sum(b_i ** 2)`` minimised over both biases; mu is the mean of all ratings.

    Parameters
    ----------
    user_penalty : float, default=5.0
        The penalty of the biases of users: as many ratings of average value pull a user back to 0.
    item_penalty : float, default=5.0
        The penalty of the biases of items.
    max_iter : int, default=50
        Maximum number of iterations of alternating least squares.

    Attributes
    ----------
    mean_ : float
        The mean rating.
    user_biases_ : ndarray of shape (n_users,)
        The biases, in the order of ``users_``.
    item_biases_ : ndarray of shape (n_items,)
        The biases, in the order of ``items_``.
    users_ : ndarray of shape (n_users,)
        The known users.
    items_ : ndarray of shape (n_items,)
        The known items.
    n_features_in_ : int
        Number of columns: 2.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    See Also
    --------
    ALSFactorization : Biases and factors.

    References
    ----------
    Y. Koren, R. Bell and C. Volinsky, Matrix factorization techniques for recommender systems,
    Computer 42, 2009.

    Examples
    --------
    >>> from nonet import BiasModel
    >>> X = [("ann", "film"), ("ann", "book"), ("bob", "film")]
    >>> model = BiasModel(user_penalty=1.0, item_penalty=1.0).fit(X, [5.0, 3.0, 4.0])
    >>> model.predict([("bob", "book"), ("eve", "film")]).round(2)
    array([3.29, 4.38])
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "user_penalty": Real(0, open_low=True),
        "item_penalty": Real(0, open_low=True),
        "max_iter": Integer(1),
    }

    def __init__(
        self, *, user_penalty: float = 5.0, item_penalty: float = 5.0, max_iter: int = 50
    ) -> None:
        self.user_penalty = user_penalty
        self.item_penalty = item_penalty
        self.max_iter = max_iter

    def _fit_ratings(self, ratings: Ratings) -> None:
        self._biases = fit_biases(ratings, self.user_penalty, self.item_penalty, self.max_iter)
        self.mean_ = self._biases.mean
        self.user_biases_, self.item_biases_ = self._biases.users, self._biases.items

    def _predict_codes(self, users: Codes, items: Codes) -> Floats:
        return self._biases.predict(users, items)


class AfterBiases(RatingModel):
    """Parent of the models that explain what the bias model leaves over."""

    user_penalty: float
    item_penalty: float
    _rules: ClassVar[Mapping[str, Rule]] = {
        "user_penalty": Real(0, open_low=True),
        "item_penalty": Real(0, open_low=True),
    }

    def _fit_ratings(self, ratings: Ratings) -> None:
        self._biases = fit_biases(ratings, self.user_penalty, self.item_penalty)
        explained = self._biases.predict(ratings.users, ratings.items)
        self._fit_residuals(ratings.with_values(ratings.values - explained))

    def _fit_residuals(self, residuals: Ratings) -> None:
        raise NotImplementedError

    def _predict_residuals(self, users: Codes, items: Codes) -> Floats:
        raise NotImplementedError

    def _predict_codes(self, users: Codes, items: Codes) -> Any:
        return self._biases.predict(users, items) + self._predict_residuals(users, items)
