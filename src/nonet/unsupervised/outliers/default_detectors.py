"""The detectors of an outlier ensemble that is given none: four views of what is abnormal."""

from __future__ import annotations

from typing import Any

from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import SGDOneClassSVM
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import LocalOutlierFactor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from nonet._base.streams import member_seed
from nonet.bagging import IsolationForest

_N_NEIGHBORS = 20
_N_LANDMARKS = 100
_RIDGE = 1e-3  # of columns with variance 1: correlated columns have a singular covariance


def default_detectors(n_rows: int, seed: int) -> list[tuple[str, Any]]:
    """Return named detectors for tables of at least so many training rows.

    Splits, local density, the distance to the mean, and the support of the kernel density: none
    takes more than n log n time in the number of rows, but for the neighbours in many columns.
    """
    neighbors = LocalOutlierFactor(n_neighbors=max(1, min(_N_NEIGHBORS, n_rows - 1)), novelty=True)
    landmarks = Nystroem(n_components=min(_N_LANDMARKS, n_rows), random_state=member_seed(seed, 1))
    machine = SGDOneClassSVM(nu=0.1, random_state=member_seed(seed, 2))
    return [
        ("isolation_forest", IsolationForest(random_state=member_seed(seed, 0))),
        ("local_outlier_factor", make_pipeline(StandardScaler(), neighbors)),
        ("gaussian", make_pipeline(StandardScaler(), GaussianMixture(reg_covar=_RIDGE))),
        ("one_class_svm", make_pipeline(StandardScaler(), landmarks, machine)),
    ]
