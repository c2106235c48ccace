"""Support vector machines: libsvm takes all sizes from these arrays and compares none."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM

from nonet.persist.codecs.instances import ClassRule, need


def _why_not(model: Any) -> str | None:
    return "fitted on sparse X" if getattr(model, "_sparse", False) else None


def _check(model: Any) -> None:
    if "support_vectors_" not in vars(model):
        return
    vectors, support, counts = model.support_vectors_, model.support_, model._n_support
    need(model._sparse is False, "support vectors are sparse")
    need(_is(vectors, np.float64, 2) and _is(support, np.int32, 1), "there are no vectors")
    need(_is(counts, np.int32, 1) and np.all(counts >= 0), "there are no counts")
    n_classes = len(model.classes_) if isinstance(model, SVC | NuSVC) else 2
    n_vectors = len(support)
    need(len(counts) == n_classes >= 2, "classes have no counts")
    is_total = counts.sum() == n_vectors if isinstance(model, SVC | NuSVC) else True
    need(is_total, "counts do not add up to the vectors")
    _check_coefficients(model, n_classes, n_vectors)
    _check_columns(model, vectors, support)


def _check_coefficients(model: Any, n_classes: int, n_vectors: int) -> None:
    n_pairs = n_classes * (n_classes - 1) // 2
    for name in ("_dual_coef_", "dual_coef_"):
        coefficients = getattr(model, name)
        is_whole = _is(coefficients, np.float64, 2) and coefficients.flags.c_contiguous
        need(is_whole and coefficients.shape == (n_classes - 1, n_vectors), "no coefficients")
    for name in ("_intercept_", "intercept_"):
        need(_is(getattr(model, name), np.float64, 1), "there are no intercepts")
        need(len(getattr(model, name)) == n_pairs, "classes have no intercepts")
    for name in ("_probA", "_probB"):
        table = getattr(model, name)
        need(_is(table, np.float64, 1) and len(table) in (0, n_pairs), "no calibration")


def _check_columns(model: Any, vectors: Any, support: Any) -> None:
    if model.kernel == "precomputed":
        need(np.all((support >= 0) & (support < model.shape_fit_[0])), "vectors of unknown rows")
        need(model.n_features_in_ == model.shape_fit_[0], "there are other columns")
        return
    shape = (len(support), model.n_features_in_)
    need(vectors.shape == shape and vectors.flags.c_contiguous, "vectors have other columns")
    need(type(model.shape_fit_) is tuple and model.shape_fit_[1] == shape[1], "other columns")


def _is(array: Any, dtype: Any, n_dimensions: int) -> bool:
    return type(array) is np.ndarray and array.dtype == dtype and array.ndim == n_dimensions


_RULE = ClassRule(check_saved=_why_not, restore=_check)
RULES = {SVC: _RULE, NuSVC: _RULE, SVR: _RULE, NuSVR: _RULE, OneClassSVM: _RULE}
