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
from nonet.unsupervised.ratings.bias_model import Biases
from nonet.unsupervised.ratings.factorization import FACTOR_RULES, products
from nonet.unsupervised.ratings.rating_model import RatingModel
from nonet.unsupervised.ratings.rating_table import Ratings


@dataclass
class Table:
    """Parameters of all users or items, one row each, with the sums of their squared gradients."""

    values: Floats
    squares: Floats

    def step(self, codes: Codes, gradients: Floats, rate: float) -> None:
        """Move the rows of a batch: a row that occurs often moves by its summed gradient."""
        order = np.argsort(codes, kind="stable")
        in_order = codes[order]
        starts = np.flatnonzero(np.append(True, in_order[1:] != in_order[:-1]))
        rows = in_order[starts]
        summed = np.add.reduceat(gradients[order], starts, axis=0)
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
    penalty : float, default=0.05
        Penalty of squared biases and factors, per rating.
    n_iter : int, default=20
        Number of passes over the ratings.
    learning_rate : float, default=0.1
        Size of the first step of each parameter.
    batch_size : int, default=1024
        Ratings per step.
    random_state : int, RandomState, Generator or None, default=None
        Draws the factors to start from, and the order of the ratings.

    Attributes
    ----------
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
        "learning_rate": Real(0, open_low=True),
        "batch_size": Integer(1),
    }

    def __init__(
        self,
        n_factors: int = 10,
        *,
        penalty: float = 0.05,
        n_iter: int = 20,
        learning_rate: float = 0.1,
        batch_size: int = 1024,
        random_state: Any = None,
    ) -> None:
        self.n_factors = n_factors
        self.penalty = penalty
        self.n_iter = n_iter
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.random_state = random_state

    def _fit_ratings(self, ratings: Ratings) -> None:
        rng = stream(root_seed(self.random_state), 0)
        self.mean_ = float(np.average(ratings.values, weights=ratings.weights))
        users = _start(ratings.n_users, self.n_factors, rng)
        items = _start(ratings.n_items, self.n_factors, rng)
        for _ in range(self.n_iter):
            order = rng.permutation(len(ratings.values))
            for start in range(0, len(order), self.batch_size):
                self._step(ratings, order[start : start + self.batch_size], users, items)
        self.user_biases_, self.item_biases_ = users.values[:, 0], items.values[:, 0]
        self.user_factors_, self.item_factors_ = users.values[:, 1:], items.values[:, 1:]

    def _step(self, ratings: Ratings, rows: Codes, users: Table, items: Table) -> None:
        u, i = ratings.users[rows], ratings.items[rows]
        p, q = users.values[u], items.values[i]
        fitted = p[:, 0] + q[:, 0] + np.einsum("ij,ij->i", p[:, 1:], q[:, 1:])
        errors = fitted - (ratings.values[rows] - self.mean_)
        weights = ratings.weights[rows][:, np.newaxis]
        by_p, by_q = q.copy(), p.copy()
        by_p[:, 0] = by_q[:, 0] = 1.0
        of_p = weights * (errors[:, np.newaxis] * by_p + self.penalty * p)
        of_q = weights * (errors[:, np.newaxis] * by_q + self.penalty * q)
        users.step(u, of_p, self.learning_rate)
        items.step(i, of_q, self.learning_rate)

    def _predict_codes(self, users: Codes, items: Codes) -> Floats:
        biases = Biases(self.mean_, self.user_biases_, self.item_biases_)
        factors = Factors(self.user_factors_, self.item_factors_)
        return biases.predict(users, items) + products(factors, users, items)


def _start(n_rows: int, n_factors: int, rng: np.random.Generator) -> Table:
    """Return biases of 0 and small random factors, in one table."""
    values = np.column_stack([np.zeros(n_rows), start_factors(n_rows, n_factors, rng)])
    return Table(values, np.full(values.shape, 1e-8))
