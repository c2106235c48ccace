"""Base class of the models of ratings: regressors on pairs of user and item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Codes, Floats
from nonet._base.estimator import Estimator
from nonet._base.params import Rule, check_params
from nonet.unsupervised.ratings.rating_table import UNKNOWN, Ratings, check_names, read_pairs
from nonet.unsupervised.ratings.recommender import Recommender


class RatingModel(Recommender, RegressorMixin, Estimator):
    """Parent of the models of ratings."""

    _rules: ClassVar[Mapping[str, Rule]] = {}

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the model to ratings.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_ratings, 2)
            User and item of each rating: any hashable identifiers.
        y : array-like of shape (n_ratings,)
            The ratings.
        sample_weight : array-like of shape (n_ratings,), default=None
            Weights of ratings. A weight of 2 means the same as the row given twice.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        ratings = self._read_fit(X, y, sample_weight)
        self.n_features_in_ = 2
        self._fit_ratings(ratings)
        return self

    def _fit_ratings(self, ratings: Ratings) -> None:
        raise NotImplementedError

    def predict(self, X: Any) -> Floats:
        """Predict the ratings of pairs.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_pairs, 2)
            User and item of each pair. A user or an item that was not there in fit
            contributes nothing: the rest of the model predicts.

        Returns
        -------
        y : ndarray of shape (n_pairs,)
        """
        check_is_fitted(self)
        check_names(self, X)
        return self._predict_codes(*self._encode(*read_pairs(self, X)))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        return tag_pairs(tags)


def tag_pairs(tags: Any) -> Any:
    """Mark a table of identifiers, which scikit-learn's checks on tables of numbers leave out."""
    tags.input_tags.two_d_array = False
    tags.input_tags.categorical = True
    tags.input_tags.string = True
    return tags


def take_known(values: Floats, codes: Codes) -> Floats:
    """Return the value, or row, of each code; 0 for the unknown."""
    taken = values[codes]  # the last one stands in for the unknown
    taken[codes == UNKNOWN] = 0.0
    return taken


def sum_by(codes: Codes, values: Floats, size: int) -> Floats:
    """Return the sum of the values of each code."""
    sums: Floats = np.bincount(codes, weights=values, minlength=size).astype(np.float64)
    return sums
