"""Bounds for standardized numbers, beyond which a linear model would predict infinity."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from nonet._base.aliases import Floats

_LARGEST = 1e6  # standard deviations: no number of a sound table is as far out


class Clip(TransformerMixin, BaseEstimator):
    """Move numbers beyond a million to a million, so that predictions stay finite.

    Examples
    --------
    >>> Clip().fit_transform([[-1e300, 0.5]])
    array([[-1.e+06,  5.e-01]])
    """

    def fit(self, X: Any, y: Any = None) -> Clip:
        """Return the transformer as it is: there is nothing to learn."""
        return self

    def transform(self, X: Any) -> Floats:
        """Return the numbers within the bounds."""
        return np.clip(np.asarray(X, dtype=np.float64), -_LARGEST, _LARGEST)

    def __sklearn_is_fitted__(self) -> bool:
        return True
