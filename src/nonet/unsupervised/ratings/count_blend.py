"""Feature-weighted linear stacking: the weights of members depend on the numbers of ratings.

References
----------
J. Sill, G. Takacs, L. Mackey and D. Lin, Feature-weighted linear stacking, arXiv:0911.0460, 2009.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import RidgeCV
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Floats

_PENALTIES = tuple(10.0 ** np.arange(-2, 6))


class CountBlend(RegressorMixin, BaseEstimator):
    """A linear blend whose weights are linear in the last columns.

    The last ``n_counts`` columns are logarithms of counts, the others predictions of members. The
    blend is the mean of the members, plus terms ``theta_mj * c_j * (prediction_m - mean)`` with
    c = (1, standardised counts); theta is found by ridge regression, so that a large penalty
    gives the mean.
    """

    def __init__(self, n_counts: int = 2) -> None:
        self.n_counts = n_counts

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> CountBlend:
        """Find the coefficients on held-out predictions."""
        table = np.asarray(X, dtype=np.float64)
        counts = table[:, -self.n_counts :]
        self.means_, self.deviations_ = counts.mean(axis=0), counts.std(axis=0)
        self.deviations_[self.deviations_ == 0] = 1.0
        mean, terms = self._terms(table)
        self.model_ = RidgeCV(_PENALTIES).fit(terms, y - mean, sample_weight)
        return self

    def _terms(self, table: Floats) -> tuple[Floats, Floats]:
        predictions, counts = table[:, : -self.n_counts], table[:, -self.n_counts :]
        mean = predictions.mean(axis=1)
        scaled = (counts - self.means_) / self.deviations_
        features = np.column_stack([np.ones(len(table)), scaled])
        terms = (predictions - mean[:, np.newaxis])[:, :, np.newaxis] * features[:, np.newaxis]
        return mean, terms.reshape(len(table), -1)

    def predict(self, X: Any) -> Floats:
        """Blend predictions."""
        check_is_fitted(self)
        mean, terms = self._terms(np.asarray(X, dtype=np.float64))
        blended: Floats = mean + self.model_.predict(terms)
        return blended
