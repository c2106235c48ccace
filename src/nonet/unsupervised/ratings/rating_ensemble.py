"""Rating ensembles: models of ratings, blended on held-out predictions as in the Netflix prize.

Members: models of ratings. F: weights found on held-out predictions, or a final model that also
reads the numbers of ratings. C: clipping to the range of the ratings.

References
----------
A. Toescher, M. Jahrer and R. M. Bell, The BigChaos solution to the Netflix grand prize, 2009.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import KFold
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.params import (
    Anything,
    ArrayLike,
    Choice,
    Having,
    Instance,
    Nothing,
    Rule,
    bad_parameter,
    check_params,
)
from nonet._base.streams import RANDOM_STATE, member_seed, root_seed
from nonet.combine.weights import WeightFinder
from nonet.ensemble import EnsembleRegressor
from nonet.members.folds import CrossValidation
from nonet.members.ledger import Ledger
from nonet.stacking import BlendingRegressor, StackingRegressor
from nonet.stacking.given_models import GivenModels
from nonet.unsupervised.ratings.bias_model import BiasModel
from nonet.unsupervised.ratings.count_blend import CountBlend
from nonet.unsupervised.ratings.factorization import ALSFactorization
from nonet.unsupervised.ratings.neighbors import ItemNeighbors, UserNeighbors
from nonet.unsupervised.ratings.rating_counts import RatingCounts
from nonet.unsupervised.ratings.rating_model import tag_pairs
from nonet.unsupervised.ratings.rating_table import check_names
from nonet.unsupervised.ratings.recommender import Recommender
from nonet.unsupervised.ratings.sgd_factorization import SGDFactorization

_COUNTS = "counts"


@dataclass(frozen=True)
class ClipRating:
    """C of a rating ensemble: clip to the range of the ratings."""

    low: float
    high: float

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return f"clip to {self.low:.4g} ... {self.high:.4g}"

    def __call__(self, support: Floats, X: Any = None) -> Floats:
        """Return the clipped ratings."""
        return np.clip(support, self.low, self.high)


def default_members(seed: int) -> list[tuple[str, Any]]:
    """Return the members of an ensemble that is given none."""
    return [
        ("bias", BiasModel()),
        ("items", ItemNeighbors()),
        ("users", UserNeighbors()),
        ("als", ALSFactorization(random_state=member_seed(seed, 0))),
        ("sgd", SGDFactorization(random_state=member_seed(seed, 1))),
    ]


class RatingEnsemble(Recommender, GivenModels, EnsembleRegressor):
    """Blend models of ratings on held-out predictions.

    X has two columns, user and item, of any hashable identifiers, and y has the ratings. The
    members are fitted on folds, predict the ratings they have not seen, and get weights by these
    predictions. A user or an item that was not there in fit gets what the members know of
    the other: under the default members, the mean plus the known bias.

    Parameters
    ----------
    estimators : list of (str, model) pairs, default=None
        The members, each with its name: regressors on pairs such as :class:`ALSFactorization`;
        ``'drop'`` in place of a model leaves it out. None is the bias model, item and user
        neighbours, and factorisation by alternating least squares and by gradient descent.
    blend : str, WeightFinder or regressor, default='least_squares'
        How members are blended: 'least_squares' (weights of either sign), 'non_negative',
        'simplex', 'ridge_to_uniform' or another weight finder of
        :class:`~nonet.BlendingRegressor`. 'counts' lets the weights depend on the numbers of
        ratings of user and item (feature-weighted linear stacking). A regressor becomes the final
        model of a stack; it reads the predictions, and the logarithms of both counts in the
        last two columns.
    rating_range : pair of float, default=None
        The minimum and the maximum rating. Predictions are clipped to it, and ratings out of it
        are an error. None is the range of the ratings in fit.
    decide : callable, default=None
        C: a function of the blended values; None clips to the range.
    cv : int, float, splitter or iterable, default=5
        How rows are held out: a number of random folds, a fraction for one test set, or a
        splitter such as :class:`TimeSplit`.
    refit : {'all', 'folds', 'both'}, default='all'
        The members that predict after fit: those fitted on all rows, the average of those of
        the folds, or the average of both.
    n_jobs : int, default=None
        The number of members x folds fitted in parallel; None means 1, -1 all processors.
    verbose : int, default=False
        What is shown of the progress, on stderr: 0 nothing, 1 some fits, 2 all of them; see
        `nonet.show_progress`.
    random_state : int, RandomState, Generator or None, default=None
        Assigns rows to folds, and seeds the default members.

    Attributes
    ----------
    blend_ : BlendingRegressor or StackingRegressor
        The fitted blend.
    members_ : list of Member
        The members that predict after fit; with counts, these are the last two.
    estimators_ : list of regressors
        Their models.
    named_estimators_ : Bunch
        The models by name.
    combine_ : callable
        F: maps member outputs to blended values.
    decide_ : callable
        C: clips to the range, or the given function.
    weights_ : ndarray of shape (n_members,)
        The weights found; absent with counts or a final model.
    weights_se_ : ndarray of shape (n_members,)
        Their standard errors; absent with counts or a final model.
    ledger_ : Ledger
        The held-out predictions, for other combinations.
    rating_range_ : tuple of float
        The minimum and the maximum rating.
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
    BlendingRegressor : The same blends for any regressors.
    make_ratings : Simulated ratings.

    References
    ----------
    A. Toescher, M. Jahrer and R. M. Bell, The BigChaos solution to the Netflix grand prize, 2009.

    Examples
    --------
    >>> from nonet import RatingEnsemble, make_ratings
    >>> data = make_ratings(200, 100, 6000, rank=2, random_state=0)
    >>> model = RatingEnsemble(random_state=0).fit(data.X[:5000], data.y[:5000])
    >>> [member.name for member in model.members_]
    ['bias', 'items', 'users', 'als', 'sgd']
    >>> bool(model.score(data.X[5000:], data.y[5000:]) > 0.5)
    True
    >>> len(model.recommend([7], n=3)[0])
    3
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **GivenModels._rules,
        "estimators": Nothing() | Instance("a list of (name, estimator) pairs", list, tuple),
        "blend": Instance("'counts' or the name of a weight finder", str)
        | Instance("a WeightFinder", WeightFinder)
        | Having("a regressor", "fit", "predict"),
        "rating_range": Nothing() | ArrayLike(),
        "decide": Anything(),
        "cv": CrossValidation(),
        "refit": Choice("all", "folds", "both"),
        "random_state": RANDOM_STATE,
    }

    def __init__(
        self,
        estimators: list[tuple[str, Any]] | None = None,
        *,
        blend: Any = "least_squares",
        rating_range: Any = None,
        decide: Any = None,
        cv: Any = 5,
        refit: str = "all",
        n_jobs: int | None = None,
        verbose: bool | int = False,
        random_state: Any = None,
    ) -> None:
        self.estimators = estimators
        self.blend = blend
        self.rating_range = rating_range
        self.decide = decide
        self.cv = cv
        self.refit = refit
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, ledger: Ledger | None = None
    ) -> RatingEnsemble:
        """Fit the members, collect held-out predictions, and blend them.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_ratings, 2)
            User and item of each rating. The same pair may occur several times.
        y : array-like of shape (n_ratings,)
            The ratings.
        sample_weight : array-like of shape (n_ratings,), default=None
            Weights of ratings; a weight of 2 means the same as the row given twice.
        ledger : Ledger, default=None
            The held-out predictions of an earlier fit of the same members on the same rows, which
            replace the fits on folds.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        ratings = self._read_fit(X, y, sample_weight)
        self.rating_range_ = self._check_range(ratings.values)
        clip = ClipRating(*self.rating_range_)
        self.decide_ = clip if self.decide is None else self._bind_decide(self.decide)
        metadata = {"sample_weight": sample_weight, "ledger": ledger}
        given = {name: value for name, value in metadata.items() if value is not None}
        self.blend_ = self._make_blend(root_seed(self.random_state)).fit(X, y, **given)
        self._take_over(self.blend_)
        return self

    def _check_range(self, values: Floats) -> tuple[float, float]:
        if self.rating_range is None:
            return float(values.min()), float(values.max())
        bounds = np.asarray(self.rating_range)
        if bounds.shape != (2,) or bounds.dtype.kind not in "iuf" or not bounds[0] < bounds[1]:
            allowed = "None or a pair (minimum, maximum)"
            raise bad_parameter(self, "rating_range", allowed, self.rating_range)
        low, high = float(bounds[0]), float(bounds[1])
        out = np.flatnonzero((values < low) | (values > high))
        if out.size:
            raise ValueError(
                f"{type(self).__name__}: y has {out.size} rating(s) out of rating_range=({low}, "
                f"{high}), the first is {values[out[0]]}; correct them or widen the range."
            )
        return low, high

    def _make_blend(self, seed: int) -> BlendingRegressor | StackingRegressor:
        members = default_members(seed) if self.estimators is None else self._kept()
        settings: dict[str, Any] = {
            "cv": self._folds(seed),
            "refit": self.refit,
            "n_jobs": self.n_jobs,
            "verbose": self.verbose,
        }
        if isinstance(self.blend, str | WeightFinder) and not self._blends_by_counts():
            return BlendingRegressor(members, weights=self.blend, random_state=seed, **settings)
        final = CountBlend() if self._blends_by_counts() else self.blend
        counts = [("user_count", RatingCounts("user")), ("item_count", RatingCounts("item"))]
        return StackingRegressor([*members, *counts], final, **settings)

    def _blends_by_counts(self) -> bool:
        return isinstance(self.blend, str) and self.blend == _COUNTS

    def _folds(self, seed: int) -> Any:
        # Rows come in the order of users or of time: folds of neighbouring rows would be unlike.
        if isinstance(self.cv, int | np.integer):
            return KFold(self.cv, shuffle=True, random_state=seed % 2**32)
        return self.cv

    def _take_over(self, blend: BlendingRegressor | StackingRegressor) -> None:
        self.members_, self.combine_ = blend.members_, blend.combine_
        self.named_estimators_, self.ledger_ = blend.named_estimators_, blend.ledger_

    @property
    def weights_(self) -> Array:
        """The weights found, one per member."""
        weights: Array = self.blend_.weights_
        return weights

    @property
    def weights_se_(self) -> Array | None:
        """The standard errors of the weights."""
        errors: Array | None = self.blend_.weights_se_
        return errors

    def member_outputs(self, X: Any) -> Floats:
        """Return the predictions of every member for pairs of user and item.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_pairs, 2)

        Returns
        -------
        outputs : ndarray of shape (n_pairs, n_members)
        """
        check_is_fitted(self)
        check_names(self, X)
        outputs: Floats = self.blend_.member_outputs(X)
        return outputs

    def _predict_codes(self, users: Codes, items: Codes) -> Floats:
        # Before C: clipped ratings would have no order.
        values: Floats = self._support(self._pairs(users, items))
        return values

    def __sklearn_tags__(self) -> Any:
        return tag_pairs(super().__sklearn_tags__())
