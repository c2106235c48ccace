"""Matrix factorisation of ratings by alternating least squares, explicit and implicit.

References
----------
Y. Koren, R. Bell and C. Volinsky, Matrix factorization techniques for recommender systems, Computer
42, 2009.
Y. Hu, Y. Koren and C. Volinsky, Collaborative filtering for implicit feedback datasets, ICDM 2008.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Codes, Floats
from nonet._base.params import Choice, Integer, Real, Rule
from nonet._base.streams import RANDOM_STATE, root_seed, stream
from nonet.unsupervised.ratings.als import Factors, alternate
from nonet.unsupervised.ratings.bias_model import AfterBiases
from nonet.unsupervised.ratings.penalty_choice import choose_penalty, root_mean_square
from nonet.unsupervised.ratings.rating_model import RatingModel, take_known
from nonet.unsupervised.ratings.rating_table import Ratings

FACTOR_RULES: dict[str, Rule] = {
    "n_factors": Integer(1),
    "penalty": Real(0, open_low=True),
    "n_iter": Integer(1),
    "random_state": RANDOM_STATE,
}
CHOSEN_PENALTY: dict[str, Rule] = {"penalty": Choice("auto") | Real(0, open_low=True)}


def products(factors: Factors, users: Codes, items: Codes) -> Floats:
    """Return the product of the two rows of each pair; 0 where one is unknown."""
    left, right = take_known(factors.users, users), take_known(factors.items, items)
    predicted: Floats = np.einsum("ij,ij->i", left, right)
    return predicted


def resolve_penalty(
    penalty: float | str, residuals: Ratings, n_factors: int, root: int, unit: float
) -> float:
    """Return a given penalty of factors, or choose one.

    Parameters
    ----------
    penalty : float or 'auto'
    residuals : Ratings
        What the biases leave over, divided by the unit.
    n_factors : int
    root : int
        The seed of the held-out ratings.
    unit : float
        The root mean square of the residuals.

    Returns
    -------
    penalty : float
        In the unit of the ratings.
    """
    if isinstance(penalty, str):
        return unit * choose_penalty(residuals, n_factors, stream(root, 1))
    return float(penalty)


class ALSFactorization(AfterBiases):
    """Factorise ratings by alternating least squares.

    ``r = mu + b_u + b_i + p_u q_i``: the biases are fitted first, and the factors to what they
    leave over, by turns: those of all users given the items, then the reverse.

    Parameters
    ----------
    n_factors : int, default=10
        Number of columns of p and q.
    penalty : float or 'auto', default='auto'
        Penalty of the squared factors of a user or an item, per rating [1]_, in the unit of the
        ratings. 'auto' chooses it by the error on a tenth of the ratings.
    n_iter : int, default=10
        Number of iterations.
    user_penalty : float, default=5.0
        The penalty of the biases of users.
    item_penalty : float, default=5.0
        The penalty of the biases of items.
    random_state : int, RandomState, Generator or None, default=None
        Draws the factors that the first iteration starts from.

    Attributes
    ----------
    penalty_ : float
        The penalty of the factors, given or chosen.
    user_factors_ : ndarray of shape (n_users, n_factors)
        p, in the order of ``users_``.
    item_factors_ : ndarray of shape (n_items, n_factors)
        q, in the order of ``items_``.
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
    SGDFactorization : The same model, with biases and factors fitted together.
    ImplicitFactorization : For counts of events in place of ratings.

    References
    ----------
    .. [1] Y. Zhou, D. Wilkinson, R. Schreiber and R. Pan, Large-scale parallel collaborative
       filtering for the Netflix prize, AAIM 2008.

    Examples
    --------
    >>> from nonet import ALSFactorization, make_ratings
    >>> data = make_ratings(200, 100, 6000, rank=2, random_state=0)
    >>> model = ALSFactorization(2, random_state=0).fit(data.X[:5000], data.y[:5000])
    >>> bool(model.score(data.X[5000:], data.y[5000:]) > 0.4)
    True
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **FACTOR_RULES,
        **CHOSEN_PENALTY,
        **AfterBiases._rules,
    }

    def __init__(
        self,
        n_factors: int = 10,
        *,
        penalty: float | str = "auto",
        n_iter: int = 10,
        user_penalty: float = 5.0,
        item_penalty: float = 5.0,
        random_state: Any = None,
    ) -> None:
        self.n_factors = n_factors
        self.penalty = penalty
        self.n_iter = n_iter
        self.user_penalty = user_penalty
        self.item_penalty = item_penalty
        self.random_state = random_state

    def _fit_residuals(self, residuals: Ratings) -> None:
        root = root_seed(self.random_state)
        unit = root_mean_square(residuals)
        # In standard deviations: the factors to start from suit residuals of this size.
        scaled = residuals.with_values(residuals.values / unit)
        self.penalty_ = resolve_penalty(self.penalty, scaled, self.n_factors, root, unit)
        found = alternate(
            scaled, self.n_factors, self.penalty_ / unit, self.n_iter, stream(root, 0)
        )
        self._factors = Factors(found.users * unit**0.5, found.items * unit**0.5)
        self.user_factors_, self.item_factors_ = self._factors.users, self._factors.items

    def _predict_residuals(self, users: Codes, items: Codes) -> Floats:
        return products(self._factors, users, items)


class ImplicitFactorization(RatingModel):
    """Factorise counts of events: who used what, and how often.

    A pair with y > 0 has the preference 1 with confidence ``1 + alpha * y``. All other pairs, those
    without a row included, have the preference 0 with confidence 1 [1]_. The factors minimise
    the squared errors with these confidences. Predictions are preferences, mostly in [0, 1], and
    serve to order items. They are not on the scale of ratings.

    Parameters
    ----------
    n_factors : int, default=10
        Number of factors.
    penalty : float, default=1.0
        Penalty of the squared factors.
    alpha : float, default=1.0
        How much an event adds to the confidence.
    n_iter : int, default=10
        Number of iterations.
    random_state : int, RandomState, Generator or None, default=None
        Draws the factors that the first iteration starts from.

    Attributes
    ----------
    user_factors_ : ndarray of shape (n_users, n_factors)
        The factors, in the order of ``users_``.
    item_factors_ : ndarray of shape (n_items, n_factors)
        The factors, in the order of ``items_``.
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
    ALSFactorization : For ratings.

    References
    ----------
    .. [1] Y. Hu, Y. Koren and C. Volinsky, Collaborative filtering for implicit feedback datasets,
       ICDM 2008.

    Examples
    --------
    >>> from nonet import ImplicitFactorization
    >>> events = [("ann", "tea"), ("ann", "milk"), ("bob", "tea"), ("eve", "ink"), ("joe", "ink")]
    >>> model = ImplicitFactorization(2, penalty=0.1, random_state=0).fit(events, [3, 1, 2, 4, 1])
    >>> model.recommend(["bob"], n=1)[0].tolist()
    ['milk']
    """

    _rules: ClassVar[Mapping[str, Rule]] = {**FACTOR_RULES, "alpha": Real(0, open_low=True)}

    def __init__(
        self,
        n_factors: int = 10,
        *,
        penalty: float = 1.0,
        alpha: float = 1.0,
        n_iter: int = 10,
        random_state: Any = None,
    ) -> None:
        self.n_factors = n_factors
        self.penalty = penalty
        self.alpha = alpha
        self.n_iter = n_iter
        self.random_state = random_state

    def _fit_ratings(self, ratings: Ratings) -> None:
        rng = stream(root_seed(self.random_state), 0)
        confidences = confidence_ratings(self, ratings, self.alpha)
        self._factors = alternate(
            confidences, self.n_factors, self.penalty, self.n_iter, rng, unrated=True
        )
        self.user_factors_, self.item_factors_ = self._factors.users, self._factors.items

    def _predict_codes(self, users: Codes, items: Codes) -> Floats:
        return products(self._factors, users, items)


def confidence_ratings(owner: Any, ratings: Ratings, alpha: float) -> Ratings:
    """Return one row per pair with events, as what it adds to a preference of 0 with weight 1.

    The term of a pair, ``c (1 - p q)^2``, and that of a pair without events, ``(p q)^2``, differ by
    ``(c - 1) (p q)^2 - 2 c p q``: the term of a rating ``c / (c - 1)`` with weight ``c - 1``.
    """
    if (ratings.values < 0).any():
        raise ValueError(
            f"{type(owner).__name__}: y counts events and must not be negative, but the minimum is "
            f"{ratings.values.min()}; ratings with a sign suit ALSFactorization."
        )
    means, weights = ratings.matrix()
    events = means.multiply(weights).tocoo()
    kept = events.data > 0
    users, items = events.coords
    extra = alpha * events.data[kept]
    return Ratings(
        users[kept],
        items[kept],
        (1 + extra) / extra,
        extra,
        ratings.n_users,
        ratings.n_items,
    )
