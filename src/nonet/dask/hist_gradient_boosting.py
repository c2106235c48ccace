"""Histogram-based gradient boosting on Dask collections."""

from __future__ import annotations

from typing import ClassVar

from nonet.boosting.gradient.histogram import hist_gradient_boosting as local
from nonet.dask.partitioned_fit import PartitionedFit, PartitionedProbabilities


class HistGradientBoostingRegressor(PartitionedFit, local.HistGradientBoostingRegressor):
    """Histogram-based gradient boosting for regression, on Dask collections.

    The model equals the one that `nonet.HistGradientBoostingRegressor` fits on the same rows in one
    process. Its parameters and attributes are those of that class; losses whose leaves are medians
    or quantiles, ``warm_start``, ``scoring`` and ``decide`` are left to it.

    Examples
    --------
    >>> import dask.array
    >>> from distributed import Client, LocalCluster
    >>> from sklearn.datasets import load_diabetes
    >>> from nonet.dask import HistGradientBoostingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> blocks, targets = (dask.array.from_array(a, chunks=100) for a in (X, y))
    >>> settings = {"n_workers": 1, "processes": False, "dashboard_address": ":0"}
    >>> with LocalCluster(**settings) as cluster, Client(cluster):
    ...     model = HistGradientBoostingRegressor(max_iter=5).fit(blocks, targets)
    >>> model.to_local().predict(X).shape
    (442,)
    """

    _local: ClassVar[type] = local.HistGradientBoostingRegressor


class HistGradientBoostingClassifier(
    PartitionedProbabilities, PartitionedFit, local.HistGradientBoostingClassifier
):
    """Histogram-based gradient boosting for classification, on Dask collections.

    The model equals the one that `nonet.HistGradientBoostingClassifier` fits on the same rows in
    one process. Its parameters and attributes are those of that class; ``warm_start``, ``scoring``
    and ``decide`` are left to it.

    Examples
    --------
    >>> import dask.array
    >>> from distributed import Client, LocalCluster
    >>> from sklearn.datasets import load_iris
    >>> from nonet.dask import HistGradientBoostingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> blocks, labels = (dask.array.from_array(a, chunks=50) for a in (X, y))
    >>> settings = {"n_workers": 1, "processes": False, "dashboard_address": ":0"}
    >>> with LocalCluster(**settings) as cluster, Client(cluster):
    ...     model = HistGradientBoostingClassifier(max_iter=5).fit(blocks, labels)
    >>> model.predict(X[[0, 60, 120]])
    array([0, 1, 2])
    """

    _local: ClassVar[type] = local.HistGradientBoostingClassifier
