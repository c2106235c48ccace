"""Clusterings: compiled code compares rows with centers, whose columns it does not check."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.cluster import AgglomerativeClustering, KMeans, MiniBatchKMeans
from sklearn.utils._openmp_helpers import _openmp_effective_n_threads

from nonet.persist.codecs.instances import PLAIN, ClassRule, need


def _restore_centers(model: Any) -> None:
    if "cluster_centers_" not in vars(model):
        return
    centers = model.cluster_centers_
    need(type(centers) is np.ndarray and centers.ndim == 2, "there are no centers")
    need(centers.dtype in (np.float32, np.float64), "centers are not numbers")
    need(len(centers) >= 1 and centers.shape[1] == model.n_features_in_, "other columns")
    model.cluster_centers_ = np.ascontiguousarray(centers)
    # The number of threads belongs to a machine, not to a model.
    model._n_threads = _openmp_effective_n_threads()


_RULE = ClassRule(left_out=("_n_threads",), restore=_restore_centers)
RULES = {AgglomerativeClustering: PLAIN, KMeans: _RULE, MiniBatchKMeans: _RULE}
