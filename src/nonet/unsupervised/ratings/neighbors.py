"""Neighbourhood models of ratings: similar items, or similar users.

References
----------
B. Sarwar, G. Karypis, J. Konstan and J. Riedl, Item-based collaborative filtering recommendation
algorithms, WWW 2001.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from scipy import sparse

from nonet._base.aliases import Codes, Floats
from nonet._base.docs import fill_docstring
from nonet._base.params import Integer, Real, Rule
from nonet.unsupervised.ratings.bias_model import AfterBiases
from nonet.unsupervised.ratings.rating_table import UNKNOWN, Ratings
from nonet.unsupervised.ratings.similarity import nearest_items

_PAIRS_PER_BLOCK = 1 << 16
_DOCS = {
    "parameters": """n_neighbors : int, default=50
        How many of the most similar ones are kept.
    shrinkage : float, default=10.0
        Similarities are multiplied by ``n / (n + shrinkage)``, with n ratings in common.
    damping : float, default=0.1
        Added to the sum of the similarities that a residual is divided by, which pulls predictions
        from few neighbours back to the bias model.
    user_penalty : float, default=5.0
        The penalty of the biases of users.
    item_penalty : float, default=5.0
        The penalty of the biases of items.""",
    "attributes": """users_ : ndarray of shape (n_users,)
        The known users.
    items_ : ndarray of shape (n_items,)
        The known items.
    n_features_in_ : int
        Number of columns: 2.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.""",
}


class _Neighbors(AfterBiases):
    """Parent of both models, written for items; users are items of the transposed ratings."""

    _rules: ClassVar[Mapping[str, Rule]] = {
        "n_neighbors": Integer(1),
        "shrinkage": Real(0),
        "damping": Real(0, open_low=True),
        **AfterBiases._rules,
    }

    def __init__(
        self,
        n_neighbors: int = 50,
        *,
        shrinkage: float = 10.0,
        damping: float = 0.1,
        user_penalty: float = 5.0,
        item_penalty: float = 5.0,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.shrinkage = shrinkage
        self.damping = damping
        self.user_penalty = user_penalty
        self.item_penalty = item_penalty

    def _learn(self, residuals: Ratings) -> sparse.csr_array:
        self._residuals, weights = residuals.matrix()
        self._rated = weights.astype(bool).astype(np.float64)
        return nearest_items(self._residuals, self.n_neighbors, self.shrinkage)

    def _weighted_residuals(
        self, similarity: sparse.csr_array, users: Codes, items: Codes
    ) -> Floats:
        predicted = np.zeros(len(users))
        known = np.flatnonzero((users != UNKNOWN) & (items != UNKNOWN))
        for start in range(0, len(known), _PAIRS_PER_BLOCK):
            rows = known[start : start + _PAIRS_PER_BLOCK]
            near = similarity[items[rows]]
            total = near.multiply(self._residuals[users[rows]]).sum(axis=1)
            weight = near.multiply(self._rated[users[rows]]).sum(axis=1)
            predicted[rows] = total / (weight + self.damping)
        return predicted


class ItemNeighbors(_Neighbors):
    """Predict a rating from the user's ratings of similar items.

    ``r = mu + b_u + b_i + sum(s_ij e_uj) / (sum(s_ij) + damping)`` over the items j among the
    neighbours of i that user u has rated; e is what the bias model leaves over, and s the cosine
    similarity of these residuals.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    similarity_ : sparse array of shape (n_items, n_items)
        The similarities of each item to its neighbours, ``n_neighbors`` per row at most.
    {attributes}

    See Also
    --------
    UserNeighbors : The same with similar users.

    References
    ----------
    B. Sarwar, G. Karypis, J. Konstan and J. Riedl, Item-based collaborative filtering
    recommendation algorithms, WWW 2001.

    Examples
    --------
    >>> from nonet import ItemNeighbors, make_ratings
    >>> data = make_ratings(200, 100, 6000, rank=2, random_state=0)
    >>> model = ItemNeighbors().fit(data.X[:5000], data.y[:5000])
    >>> bool(model.score(data.X[5000:], data.y[5000:]) > 0.3)
    True
    """

    def _fit_residuals(self, residuals: Ratings) -> None:
        self.similarity_ = self._learn(residuals)

    def _predict_residuals(self, users: Codes, items: Codes) -> Floats:
        return self._weighted_residuals(self.similarity_, users, items)


class UserNeighbors(_Neighbors):
    """Predict a rating from the ratings of the item by similar users.

    ``r = mu + b_u + b_i + sum(s_uv e_vi) / (sum(s_uv) + damping)`` over the users v among the
    neighbours of u that have rated item i; e is what the bias model leaves over, and s the cosine
    similarity of these residuals.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    similarity_ : sparse array of shape (n_users, n_users)
        The similarities of each user to the neighbours, ``n_neighbors`` per row at most.
    {attributes}

    See Also
    --------
    ItemNeighbors : The same with similar items.

    References
    ----------
    B. Sarwar, G. Karypis, J. Konstan and J. Riedl, Item-based collaborative filtering
    recommendation algorithms, WWW 2001.

    Examples
    --------
    >>> from nonet import UserNeighbors, make_ratings
    >>> data = make_ratings(200, 100, 6000, rank=2, random_state=0)
    >>> model = UserNeighbors().fit(data.X[:5000], data.y[:5000])
    >>> bool(model.score(data.X[5000:], data.y[5000:]) > 0.3)
    True
    """

    def _fit_residuals(self, residuals: Ratings) -> None:
        self.similarity_ = self._learn(residuals.swapped())

    def _predict_residuals(self, users: Codes, items: Codes) -> Floats:
        return self._weighted_residuals(self.similarity_, items, users)


for _kind in (ItemNeighbors, UserNeighbors):
    fill_docstring(_kind, _DOCS)
