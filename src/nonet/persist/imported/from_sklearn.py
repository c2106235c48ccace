"""Trees, forests and boosters of scikit-learn as those of nonet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sklearn.ensemble
import sklearn.tree
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.utils.validation import check_is_fitted

import nonet.bagging
import nonet.boosting
import nonet.trees
from nonet._base.aliases import Array
from nonet._base.errors import ModelFileError, show
from nonet._native.tree import TreeSum
from nonet.bagging.forest.isolation_forest import IsolationScore, average_path_length
from nonet.bagging.forest.random_trees import depths_of
from nonet.boosting.gradient.booster import Booster
from nonet.combine.table import resolve_combination_rule
from nonet.persist.imported.sklearn_trees import (
    OfColumns,
    convert_path_lengths,
    convert_predictor,
    convert_tree,
    view_tree,
)
from nonet.trees.category_codes import CategoryCodes

_SHARED = ("classes_", "n_classes_", "n_outputs_", "feature_names_in_", "n_features_in_")


def from_sklearn(model: Any) -> Any:
    """Turn a fitted tree, forest or booster of scikit-learn into one of nonet, without fitting.

    Parameters
    ----------
    model : estimator
        A fitted DecisionTree*, ExtraTree*, RandomForest*, ExtraTrees*, GradientBoosting*,
        HistGradientBoosting* or IsolationForest of scikit-learn.

    Returns
    -------
    model : estimator
        The class of nonet of the same name, with the same parameters, leaves and predictions.

    Raises
    ------
    TypeError
        For other models.
    ModelFileError
        For a model whose attributes are damaged, or those of another version of scikit-learn.

    See Also
    --------
    from_lightgbm, from_xgboost, from_catboost : The same for other libraries.

    Notes
    -----
    scikit-learn rounds X to single precision for all of these but HistGradientBoosting*. Thresholds
    are moved to the point where rounded numbers change sides, so that no row of double precision
    reaches another leaf. Which rows a forest's trees have seen is not kept: there are no
    out-of-bag diagnostics, and no trees can be added.

    Examples
    --------
    >>> import nonet, sklearn.ensemble
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> theirs = sklearn.ensemble.RandomForestClassifier(20, random_state=0).fit(X, y)
    >>> ours = nonet.from_sklearn(theirs)
    >>> ours
    RandomForestClassifier(n_estimators=20, random_state=0)
    >>> bool(abs(ours.predict_proba(X) - theirs.predict_proba(X)).max() < 1e-12)
    True
    """
    for kinds, own, convert in _CONVERTERS:
        if type(model) in kinds:
            check_is_fitted(model)
            return _converted(model, own, convert)
    raise TypeError(
        "from_sklearn reads trees, forests, gradient boosting and isolation forests of "
        f"scikit-learn, but got {show(model)}."
    )


def _converted(model: Any, package: Any, convert: Callable[[Any, Any], None]) -> Any:
    kind = getattr(package, type(model).__name__)
    known = kind().get_params(deep=False)
    given = model.get_params(deep=False)
    ours = kind(**{name: value for name, value in given.items() if name in known})
    try:
        for name in _SHARED:
            _copy_fact(model, ours, name)
        convert(model, ours)
    except (AttributeError, KeyError, IndexError, ValueError) as why:
        raise ModelFileError(
            f"this {type(model).__name__} cannot be read ({show(why)}); pickles of other versions "
            f"of scikit-learn than {sklearn.__version__} have other attributes, so fit it again."
        ) from why
    return ours


def _copy_fact(model: Any, ours: Any, name: str) -> None:
    """Copy a fitted attribute, unless the class of nonet computes it."""
    if name in vars(model) and not isinstance(getattr(type(ours), name, None), property):
        setattr(ours, name, getattr(model, name))


def _classes_by_output(model: Any) -> tuple[int, ...]:
    """Return the number of classes of each output; 1 for a number."""
    n_outputs = getattr(model, "n_outputs_", 1)
    found = getattr(model, "n_classes_", None)
    return (1,) * n_outputs if found is None else tuple(np.atleast_1d(found).tolist())


# ---- Trees and forests -------------------------------------------------------------------------


def _read_tree(model: Any, ours: Any) -> None:
    ours._category_codes, ours.is_categorical_ = CategoryCodes(), None
    ours.max_features_ = model.max_features_
    ours.tree_ = view_tree(model.tree_, _classes_by_output(model), model.n_features_in_)


def _read_forest(model: Any, ours: Any) -> None:
    sizes, of = _classes_by_output(model), OfColumns(model.n_features_in_)
    _begin_forest(ours, [convert_tree(tree.tree_, sizes, of) for tree in model.estimators_])
    prototype = ours.estimator_
    for name in ("classes_", "n_classes_"):
        _copy_fact(model, prototype, name)
    for name in ("oob_score_", "oob_decision_function_", "oob_prediction_"):
        _copy_fact(model, ours, name)
    combine = resolve_combination_rule(ours._combine_name(), ours._task)
    ours.combine_ = ours._bind_trees(combine, len(ours))
    ours._bind_early(ours._resolve_decide(ours.decide, combine), None, None)


def _begin_forest(ours: Any, trees: list[Any]) -> None:
    ours._category_codes, ours.is_categorical_ = CategoryCodes(), None
    ours._curve, ours._bags, ours._views = [], [], []
    ours._trees = TreeSum(trees)
    ours.estimator_ = ours._make_prototype()


def _read_isolation_forest(model: Any, ours: Any) -> None:
    ours.max_samples_, ours.offset_ = model.max_samples_, float(model.offset_)
    n_columns, pairs = model.n_features_in_, (model.estimators_, model.estimators_features_)
    trees = [
        convert_path_lengths(tree.tree_, _path_lengths(tree.tree_), OfColumns(n_columns, columns))
        for tree, columns in zip(*pairs, strict=True)
    ]
    _begin_forest(ours, trees)
    usual = average_path_length(np.array([model.max_samples_]))[0]
    ours.combine_ = IsolationScore(float(usual))


def _path_lengths(tree: Any) -> Array:
    """Return for each node the splits above it, and the expected number of those to come."""
    depths = depths_of(tree.children_left, tree.children_right)
    return depths + average_path_length(tree.n_node_samples)


# ---- Boosters ----------------------------------------------------------------------------------


def _read_gradient_boosting(model: Any, ours: Any) -> None:
    of = OfColumns(model.n_features_in_)
    rounds = [[convert_tree(tree.tree_, (1,), of) for tree in row] for row in model.estimators_]
    ours.max_features_ = model.max_features_
    loss = ours._make_loss()
    ours.n_trees_per_iteration_ = loss.n_scores
    ours._booster = Booster(loss, np.zeros(loss.n_scores), rounds)
    ours.init_ = model.init_
    is_constant = isinstance(model.init_, DummyClassifier | DummyRegressor)
    if model.init == "zero":
        ours._start = np.zeros((loss.n_scores, 1))
    else:
        row = np.zeros((1, model.n_features_in_))
        ours._start = ours._predict_start(row) if is_constant else None
    ours._views, ours._settings_of_rounds = ours._no_views(), [ours._tree_settings()] * len(rounds)
    ours._rng = np.random.RandomState(0)
    ours.train_score_ = np.asarray(model.train_score_)
    ours.n_estimators_ = len(rounds)
    ours._begin_decide(ours._plan_decide(), None, None)


def _read_hist_gradient_boosting(model: Any, ours: Any) -> None:
    n_columns, codes = model.n_features_in_, _codes_of(model)
    positions = np.array(sorted(codes.known), dtype=np.intp)
    order = np.concatenate([positions, np.setdiff1d(np.arange(n_columns), positions)])
    rounds = [
        [convert_predictor(tree, n_columns, order) for tree in row] for row in model._predictors
    ]
    ours._codes, ours.is_categorical_ = codes, codes.mask(n_columns)
    ours._random_seed = ours._column_seed = 0
    start = np.asarray(model._baseline_prediction, dtype=np.float64).ravel()
    ours._booster = Booster(ours._make_loss(), start, rounds)
    ours.n_trees_per_iteration_ = model.n_trees_per_iteration_
    ours.do_early_stopping_ = model.do_early_stopping_
    ours.train_score_, ours.validation_score_ = model.train_score_, model.validation_score_
    ours._begin_decide(ours._plan_decide(), None, None)


def _codes_of(model: Any) -> CategoryCodes:
    """Return the categories of the columns of categories, in the order of their codes."""
    if model.is_categorical_ is None:
        return CategoryCodes()
    encoder = model._preprocessor.named_transformers_["encoder"]
    columns = np.flatnonzero(model.is_categorical_).tolist()
    known = {
        column: _without_missing(categories)
        for column, categories in zip(columns, encoder.categories_, strict=True)
    }
    return CategoryCodes(known)


def _without_missing(categories: Array) -> Array:
    """Return categories without NaN, which is the last one, and None."""
    if categories.dtype.kind == "f":
        return categories[~np.isnan(categories)]
    kept = [one for one in categories.tolist() if one is not None and one == one]
    if all(isinstance(one, str) for one in kept):
        array = np.empty(len(kept), dtype=object)
        array[:] = kept
        return array
    return np.asarray(kept)


_TREES = (
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreeClassifier",
    "ExtraTreeRegressor",
)
_FORESTS = (
    "RandomForestClassifier",
    "RandomForestRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
)
_GRADIENT = ("GradientBoostingClassifier", "GradientBoostingRegressor")
_HISTOGRAM = ("HistGradientBoostingClassifier", "HistGradientBoostingRegressor")


def _classes(package: Any, names: tuple[str, ...]) -> tuple[type, ...]:
    return tuple(getattr(package, name) for name in names)


_CONVERTERS: tuple[tuple[tuple[type, ...], Any, Callable[[Any, Any], None]], ...] = (
    (_classes(sklearn.tree, _TREES), nonet.trees, _read_tree),
    (_classes(sklearn.ensemble, _FORESTS), nonet.bagging, _read_forest),
    ((sklearn.ensemble.IsolationForest,), nonet.bagging, _read_isolation_forest),
    (_classes(sklearn.ensemble, _GRADIENT), nonet.boosting, _read_gradient_boosting),
    (_classes(sklearn.ensemble, _HISTOGRAM), nonet.boosting, _read_hist_gradient_boosting),
)
