"""The detectors of an outlier ensemble that is given none: four views of what is abnormal.

References
----------
S. Ramaswamy, R. Rastogi and K. Shim, Efficient algorithms for mining outliers from large data sets,
SIGMOD 2000.
"""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator, OutlierMixin
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import LocalOutlierFactor, NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from nonet._base.aliases import Floats
from nonet._base.streams import member_seed
from nonet.bagging import IsolationForest

_N_NEIGHBORS = 20
_RIDGE = 1e-3  # of columns with variance 1: correlated columns have a singular covariance


class NeighborDistance(OutlierMixin, BaseEstimator):
    """The mean distance to the nearest training rows, as a score of normality with minus sign."""

    def __init__(self, n_neighbors: int = 10) -> None:
        self.n_neighbors = n_neighbors

    def fit(self, X: Any, y: Any = None) -> NeighborDistance:
        """Store the rows in a search tree."""
        self.search_ = NearestNeighbors(n_neighbors=self.n_neighbors).fit(X)
        self.n_features_in_ = self.search_.n_features_in_
        return self

    def score_samples(self, X: Any) -> Floats:
        """Return minus the mean distance of each row to its nearest training rows."""
        scores: Floats = -self.search_.kneighbors(X)[0].mean(axis=1)
        return scores


def default_detectors(n_rows: int, seed: int) -> list[tuple[str, Any]]:
    """Return named detectors for tables of at least so many training rows.

    Random splits, local density, distance to neighbours, and distance to the mean.
    """
    forest = IsolationForest(random_state=member_seed(seed, 0))
    factor = LocalOutlierFactor(n_neighbors=max(1, min(_N_NEIGHBORS, n_rows - 1)), novelty=True)
    neighbors = NeighborDistance(min(_N_NEIGHBORS // 2, n_rows))
    gaussian = GaussianMixture(reg_covar=_RIDGE, random_state=member_seed(seed, 1))
    return [
        ("isolation_forest", forest),
        ("local_outlier_factor", make_pipeline(StandardScaler(), factor)),
        ("neighbors", make_pipeline(StandardScaler(), neighbors)),
        ("gaussian", make_pipeline(StandardScaler(), gaussian)),
    ]
