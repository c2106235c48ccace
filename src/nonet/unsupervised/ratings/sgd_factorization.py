"""Matrix factorisation by stochastic gradient descent, biases and factors together.

References
----------
J. Duchi, E. Hazan and Y. Singer, Adaptive subgradient methods for online learning and stochastic
optimization, JMLR 12, 2011.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Codes, Floats
from nonet._base.params import Integer, Real, Rule
from nonet._base.streams import root_seed, stream
from nonet.unsupervised.ratings.als import Factors, start_factors
from nonet.unsupervised.ratings.bias_model import AfterBiases, Biases, fit_biases
from nonet.unsupervised.ratings.factorization import (
    CHOSEN_PENALTY,
    FACTOR_RULES,
    products,
    resolve_penalty,
)
from nonet.unsupervised.ratings.penalty_choice import root_mean_square
from nonet.unsupervised.ratings.rating_model import RatingModel, sum_by
from nonet.unsupervised.ratings.rating_table import Ratings


@dataclass
class Table:
    """Parameters of all users or items, one row each: the bias, then the factors.

    Attributes
    ----------
    values : ndarray of shape (n_rows, 1 + n_factors)
        The parameters.
    squares : ndarray of shape (n_rows, 1 + n_factors)
        The sums of their squared gradients.
    bias_penalties : ndarray of shape (n_rows,)
        The penalty of each bias per rating.
    """

    values: Floats
    squares: Floats
    bias_penalties: Floats

    def pull(self, codes: Codes, penalty: float) -> Floats:
        """Return the gradients of the penalties for the rows of a batch."""
        pulls = penalty * self.values[codes]
        pulls[:, 0] = self.bias_penalties[codes] * self.values[codes, 0]
        return pulls

    def step(self, codes: Codes, gradients: Floats, rate: float) -> None:
        """Move the rows of a batch: a row that occurs often moves by its summed gradient."""
        order = np.argsort(codes, kind="stable")
        in_order = codes[order]
        starts = np.flatnonzero(np.append(True, in_order[1:] != in_order[:-1]))
        rows = in_order[starts]
        summed = np.add.reduceat(gradients[order], starts, axis=0)
        with np.errstate(over="ignore"):  # a step that is divided by infinity is 0
            squares = self.squares[rows] + summed**2
        self.squares[rows] = squares
        self.values[rows] -= rate * summed / np.sqrt(squares)


class SGDFactorization(RatingModel):
    """Factorise ratings by stochastic gradient descent.

    ``r = mu + b_u + b_i + p_u q_i``, as for :class:`ALSFactorization`, but biases and factors are
    fitted together, by steps on small batches of ratings. The step of each parameter shrinks with
    the gradients it has seen (AdaGrad), so that rarely rated items still learn.

    Parameters
    ----------
    n_factors : int, default=10
        Number of columns of p and q.
    penalty : float or 'auto', default='auto'
        Penalty of the squared factors, per rating, in the unit of the ratings. 'auto' chooses it
        by the error of alternating least squares on a tenth of the ratings.
    n_iter : int, default=20
        Number of passes over the ratings.
    learning_rate : float, default=0.1
        Size of the first step of each parameter, for ratings in standard deviations.
    batch_size : int, default=1024
        Ratings per step.
    user_penalty : float, default=4.0
        The penalty of the biases of users, as for :class:`BiasModel`.
    item_penalty : float, default=4.0
        The penalty of the biases of items.
    random_state : int, RandomState, Generator or None, default=None
        Draws the factors to start from, and the order of the ratings.

    Attributes
    ----------
    penalty_ : float
        The penalty of the factors, given or chosen.
    mean_ : float
        The mean rating.
    user_biases_ : ndarray of shape (n_users,)
        The biases, in the order of ``users_``.
    item_biases_ : ndarray of shape (n_items,)
        The biases, in the order of ``items_``.
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
    ALSFactorization : The same model by least squares.

    Notes
    -----
    A weight multiplies the gradient of its rating, in one step. The same rating given twice is in
    two steps, so that the two fits are alike but not equal.

    References
    ----------
    J. Duchi, E. Hazan and Y. Singer, Adaptive subgradient methods for online learning and
    stochastic optimization, JMLR 12, 2011.

    Examples
    --------
    >>> from nonet import SGDFactorization, make_ratings
    >>> data = make_ratings(200, 100, 6000, rank=2, random_state=0)
    >>> model = SGDFactorization(2, random_state=0).fit(data.X[:5000], data.y[:5000])
    >>> bool(model.score(data.X[5000:], data.y[5000:]) > 0.4)
    True
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **FACTOR_RULES,
        **CHOSEN_PENALTY,
        **AfterBiases._rules,
        "learning_rate": Real(0, open_low=True),
        "batch_size": Integer(1),
    }

    def __init__(
        self,
        n_factors: int = 10,
        *,
        penalty: float | str = "auto",
        n_iter: int = 20,
        learning_rate: float = 0.1,
        batch_size: int = 1024,
        user_penalty: float = 4.0,
        item_penalty: float = 4.0,
        random_state: Any = None,
    ) -> None:
        self.n_factors = n_factors
        self.penalty = penalty
        self.n_iter = n_iter
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.user_penalty = user_penalty
        self.item_penalty = item_penalty
        self.random_state = random_state

    def _fit_ratings(self, ratings: Ratings) -> None:
        root = root_seed(self.random_state)
        self.penalty_ = self._resolve_penalty(ratings, root)
        self.mean_ = float(np.average(ratings.values, weights=ratings.weights))
        centred = ratings.values - self.mean_
        # In standard deviations: a step that suits 1 to 5 stars is too short for 0 to 100 points.
        unit = root_mean_square(ratings.with_values(centred))
        users, items = self._descend(ratings.with_values(centred / unit), unit, stream(root, 0))
        self.user_biases_, self.item_biases_ = users[:, 0] * unit, items[:, 0] * unit
        self.user_factors_, self.item_factors_ = users[:, 1:] * unit**0.5, items[:, 1:] * unit**0.5

    def _descend(
        self, ratings: Ratings, unit: float, rng: np.random.Generator
    ) -> tuple[Floats, Floats]:
        """Return biases and factors of users and items, in standard deviations of the ratings."""
        users = _start(ratings, self.n_factors, self.user_penalty, rng)
        items = _start(ratings.swapped(), self.n_factors, self.item_penalty, rng)
        for _ in range(self.n_iter):
            order = rng.permutation(len(ratings.values))
            for start in range(0, len(order), self.batch_size):
                rows = order[start : start + self.batch_size]
                self._step(ratings, rows, users, items, self.penalty_ / unit)
        return users.values, items.values

    def _resolve_penalty(self, ratings: Ratings, root: int) -> float:
        biases = fit_biases(ratings, self.user_penalty, self.item_penalty)
        left = ratings.values - biases.predict(ratings.users, ratings.items)
        unit = root_mean_square(ratings.with_values(left))
        residuals = ratings.with_values(left / unit)
        return resolve_penalty(self.penalty, residuals, self.n_factors, root, unit)

    def _step(
        self, ratings: Ratings, rows: Codes, users: Table, items: Table, penalty: float
    ) -> None:
        u, i = ratings.users[rows], ratings.items[rows]
        p, q = users.values[u], items.values[i]
        fitted = p[:, 0] + q[:, 0] + np.einsum("ij,ij->i", p[:, 1:], q[:, 1:])
        errors = fitted - ratings.values[rows]
        weights = ratings.weights[rows][:, np.newaxis]
        by_p, by_q = q.copy(), p.copy()
        by_p[:, 0] = by_q[:, 0] = 1.0
        of_p = weights * (errors[:, np.newaxis] * by_p + users.pull(u, penalty))
        of_q = weights * (errors[:, np.newaxis] * by_q + items.pull(i, penalty))
        users.step(u, of_p, self.learning_rate)
        items.step(i, of_q, self.learning_rate)

    def _predict_codes(self, users: Codes, items: Codes) -> Floats:
        biases = Biases(self.mean_, self.user_biases_, self.item_biases_)
        factors = Factors(self.user_factors_, self.item_factors_)
        return biases.predict(users, items) + products(factors, users, items)


def _start(ratings: Ratings, n_factors: int, penalty: float, rng: np.random.Generator) -> Table:
    """Return biases of 0 and small random factors of the users.

    The penalty of a bias counts once per user: each of its ratings gets an equal part.
    """
    factors = start_factors(ratings.n_users, n_factors, rng)
    values = np.column_stack([np.zeros(ratings.n_users), factors])
    totals = sum_by(ratings.users, ratings.weights, ratings.n_users)
    return Table(values, np.full(values.shape, 1e-8), penalty / totals)
