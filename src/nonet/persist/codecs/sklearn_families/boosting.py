"""Gradient boosting: compiled loops over trees, which check neither columns nor shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from sklearn.ensemble._hist_gradient_boosting.binning import _BinMapper
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils._openmp_helpers import _openmp_effective_n_threads

from nonet.persist.codecs.instances import ClassRule, need
from nonet.persist.codecs.sklearn_families.forests import check_members


def _check_classic(model: Any) -> None:
    if "estimators_" not in vars(model):
        return
    members = model.estimators_
    need(type(members) is np.ndarray and members.dtype == object, "there are no trees")
    need(members.ndim == 2 and members.shape[1] == model.n_trees_per_iteration_, "no rounds")
    flat = members.ravel().tolist()
    check_members(model, flat)
    need(all(type(member) is DecisionTreeRegressor for member in flat), "a tree has classes")
    one_number = all(member.tree_.value.shape[1:] == (1, 1) for member in flat)
    need(one_number, "a tree has several outputs")


def _why_not(model: Any) -> str | None:
    # Its columns are prepared by a private function of scikit-learn.
    return "fitted on categories" if getattr(model, "_preprocessor", None) is not None else None


def _check_histogram(model: Any) -> None:
    if "_predictors" not in vars(model):
        return
    need(model._preprocessor is None and not vars(model).get("_in_fit"), "columns are prepared")
    rounds = model._predictors
    need(type(rounds) is list and all(type(trees) is list for trees in rounds), "no rounds")
    mapper = model._bin_mapper
    need(type(mapper) is _BinMapper, "there is no map of bins")
    n_columns = len(mapper.is_categorical_)
    need(n_columns == model._n_features == model.n_features_in_, "bins are of other columns")
    for trees in rounds:
        for tree in trees:
            _check_predictor(tree, mapper.is_categorical_)


def _check_predictor(tree: Any, is_category: Any) -> None:
    need(type(tree) is TreePredictor, "a round holds something else than trees")
    inner = tree.nodes[tree.nodes["is_leaf"] == 0]
    need(np.all(inner["feature_idx"] < len(is_category)), "a tree splits an unknown column")
    on_categories = inner["feature_idx"][inner["is_categorical"] != 0]
    need(np.all(is_category[on_categories]), "a tree splits numbers as categories")


def _restore_bins(mapper: Any) -> None:
    if "bin_thresholds_" not in vars(mapper):
        return
    mask = mapper.is_categorical_
    need(type(mask) is np.ndarray and mask.dtype.kind in "bu" and mask.ndim == 1, "no columns")
    thresholds = mapper.bin_thresholds_
    need(type(thresholds) is list and len(thresholds) == len(mask), "columns without bins")
    need(len(mapper.n_bins_non_missing_) == len(mask), "columns without numbers of bins")
    need(0 <= mapper.missing_values_bin_idx_ <= 255, "missing values have no bin")
    # The number of threads belongs to a machine, not to a model.
    mapper.n_threads = _openmp_effective_n_threads()


_CLASSIC = ClassRule(restore=_check_classic)
_HISTOGRAM = ClassRule(check_saved=_why_not, restore=_check_histogram)
RULES = {
    GradientBoostingClassifier: _CLASSIC,
    GradientBoostingRegressor: _CLASSIC,
    HistGradientBoostingClassifier: _HISTOGRAM,
    HistGradientBoostingRegressor: _HISTOGRAM,
    _BinMapper: ClassRule(restore=_restore_bins),
}
