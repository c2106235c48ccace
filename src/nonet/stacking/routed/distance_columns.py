"""Conversion of any table to numeric columns with meaningful distances, for gates and clusters."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.validation import _check_feature_names

from nonet._base.aliases import Floats
from nonet._base.frames import count_rows, take_columns
from nonet._base.number_tables import read_columns_of_numbers
from nonet.trees.category_columns import category_columns


class DistanceColumns(BaseEstimator):
    """Keep numeric columns, impute their missing values by the mean, and one-hot encode categories.

    Rows of any two different categories are then equally far apart. A missing category is a
    category of its own; a category that fit did not see gets no indicator.

    Parameters
    ----------
    allow_nan : bool, default=True
        Whether numeric columns may have missing values.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"size": [1.0, None, 3.0], "city": ["Bern", "Rome", "Bern"]})
    >>> DistanceColumns().fit(table).transform(table)
    array([[1., 1., 0.],
           [2., 0., 1.],
           [3., 1., 0.]])
    """

    def __init__(self, allow_nan: bool = True) -> None:
        self.allow_nan = allow_nan

    def fit(self, X: Any) -> Self:
        """Learn means and categories.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)

        Returns
        -------
        self : object
        """
        _check_feature_names(self, X, reset=True)
        self.categories_ = np.array(category_columns(X, "from_dtype"), dtype=np.intp)
        self.means_ = self.indicators_ = None
        numbers = self._numbers(X)
        if self.allow_nan and not issparse(numbers):
            n_known = np.maximum(np.count_nonzero(~np.isnan(numbers), axis=0), 1)
            self.means_ = np.nansum(numbers, axis=0) / n_known
        if self.categories_.size:
            encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
            self.indicators_ = encoder.fit(self._names(X))
        return self

    def transform(self, X: Any) -> Floats:
        """Return the numeric columns, then the indicators.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)

        Returns
        -------
        columns : ndarray, or sparse matrix if X is one
        """
        _check_feature_names(self, X, reset=False)  # columns are read by position
        numbers: Floats = self._numbers(X)
        if self.means_ is not None:
            numbers = np.where(np.isnan(numbers), self.means_, numbers)
        if self.indicators_ is None:
            return numbers
        return np.hstack([numbers, self.indicators_.transform(self._names(X))])

    def _numbers(self, X: Any) -> Any:
        if not self.categories_.size:
            table = X
        else:
            others = np.setdiff1d(np.arange(X.shape[1]), self.categories_)
            if not others.size:
                return np.empty((count_rows(X), 0))
            table = take_columns(X, others)
        finite = "allow-nan" if self.allow_nan and not issparse(table) else True
        return read_columns_of_numbers(
            None, table, dtype=np.float64, order="C", accept_sparse="csr", ensure_all_finite=finite
        )

    def _names(self, X: Any) -> Any:
        """Return the categorical columns as strings; a missing value is a category of its own."""
        return np.asarray(take_columns(X, self.categories_), dtype=object).astype(str)
