"""Counts of ratings as a member: a column for a final model that weights the other members."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from nonet._base.aliases import Codes, Floats
from nonet._base.params import Choice, Rule
from nonet.unsupervised.ratings.rating_model import RatingModel, sum_by, take_known
from nonet.unsupervised.ratings.rating_table import Ratings


class RatingCounts(RatingModel):
    """Return the logarithm of the number of ratings of the user or of the item.

    It predicts no rating. As a member of a stack it provides a column of level one: the final model
    sees how many ratings the other members had to learn from, on held-out rows as on new ones.

    Parameters
    ----------
    of : {'user', 'item'}, default='user'
        What is counted.

    Attributes
    ----------
    counts_ : ndarray
        The summed weights of the ratings, in the order of ``users_`` or ``items_``.
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
    RatingEnsemble : With ``blend='counts'`` it adds these members itself.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet import RatingCounts
    >>> X = [("ann", "film"), ("ann", "book"), ("bob", "film")]
    >>> counts = RatingCounts().fit(X, [5.0, 3.0, 4.0])
    >>> np.expm1(counts.predict([("ann", "film"), ("eve", "film")])).round(6)
    array([2., 0.])
    """

    _rules: ClassVar[Mapping[str, Rule]] = {"of": Choice("user", "item")}

    def __init__(self, of: str = "user") -> None:
        self.of = of

    def _fit_ratings(self, ratings: Ratings) -> None:
        by_user = self.of == "user"
        codes = ratings.users if by_user else ratings.items
        self.counts_ = sum_by(
            codes, ratings.weights, ratings.n_users if by_user else ratings.n_items
        )

    def _predict_codes(self, users: Codes, items: Codes) -> Floats:
        return np.log1p(take_known(self.counts_, users if self.of == "user" else items))
