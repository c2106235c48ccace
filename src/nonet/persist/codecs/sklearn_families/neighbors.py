"""Nearest neighbors: the search tree is made again from the stored rows, never read."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.metrics import pairwise
from sklearn.neighbors import (
    BallTree,
    KDTree,
    KNeighborsClassifier,
    KNeighborsRegressor,
    LocalOutlierFactor,
    NearestCentroid,
    NearestNeighbors,
)

from nonet.persist.codecs.instances import PLAIN, ClassRule, need

_TREES = {"kd_tree": KDTree, "ball_tree": BallTree}


def _why_not(model: Any) -> str | None:
    if type(getattr(model, "_fit_X", None)) not in (np.ndarray, type(None)):
        return None if issparse(model._fit_X) else "fitted on a tree or a graph"
    return None


def _restore(model: Any) -> None:
    if "_fit_X" not in vars(model):
        return
    rows = model._fit_X
    need(issparse(rows) or (type(rows) is np.ndarray and rows.ndim == 2), "there are no rows")
    need(rows.dtype.kind in "f" and rows.shape[0] >= 1, "rows are not numbers")
    need(rows.shape[1] == model.n_features_in_, "rows have other columns")
    need(model.n_samples_fit_ == rows.shape[0], "there are other rows")
    _check_metric(model)
    need(model._fit_method in ("brute", *_TREES), "the method is unknown")
    model._tree = None
    if model._fit_method != "brute":
        model._tree = _TREES[model._fit_method](
            rows, model.leaf_size, metric=model.effective_metric_, **model.effective_metric_params_
        )
    _check_target(model, rows.shape[0])


def _check_metric(model: Any) -> None:
    name = model.effective_metric_
    known = {*pairwise.PAIRWISE_DISTANCE_FUNCTIONS, *pairwise._VALID_METRICS, "minkowski"}
    need(type(name) is str and name in known, "the distance is unknown")
    need(type(model.effective_metric_params_) is dict, "the distance has no parameters")


def _check_target(model: Any, n_rows: int) -> None:
    """Raise unless there is a target per row: compiled code counts the classes of neighbors."""
    if not isinstance(model, KNeighborsClassifier | KNeighborsRegressor):
        return
    target = model._y
    need(type(target) is np.ndarray and len(target) == n_rows, "rows have no target")
    if isinstance(model, KNeighborsRegressor):
        return
    need(target.dtype.kind in "iu", "the codes of classes are not numbers")
    classes = [model.classes_] if target.ndim == 1 else model.classes_
    columns = target.reshape(n_rows, -1).T
    for codes, known in zip(columns, classes, strict=True):
        need(np.all((codes >= 0) & (codes < len(known))), "a row has an unknown class")


_RULE = ClassRule(left_out=("_tree",), check_saved=_why_not, restore=_restore)
RULES = {
    KNeighborsClassifier: _RULE,
    KNeighborsRegressor: _RULE,
    LocalOutlierFactor: _RULE,
    NearestCentroid: PLAIN,
    NearestNeighbors: _RULE,
}
