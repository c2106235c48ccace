"""Fits and predictions on Dask's collections, which lie in the memory of several processes.

Boosters count the histograms of their partitions where these are; one process adds them up and
searches the splits. Sums are whole numbers, so that neither the partitions nor the workers change
the model: it equals the one that a single process fits. Predictions are lazy. The package needs the
extra ``nonet[dask]``.
"""

from nonet.dask.hist_gradient_boosting import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from nonet.dask.predictions import decision_function, predict, predict_proba

__all__ = [
    "HistGradientBoostingClassifier",
    "HistGradientBoostingRegressor",
    "decision_function",
    "predict",
    "predict_proba",
]
