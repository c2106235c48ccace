"""Models of CatBoost as boosted trees of nonet."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from nonet._base.errors import ModelFileError, show
from nonet.boosting.gradient.boosted_trees.assembled import GivenTrees, assemble
from nonet.persist.imported.catboost_json import CatBoostModel, CatBoostTree, read_catboost_json
from nonet.persist.imported.city_hash import city_hash64
from nonet.persist.imported.class_labels import labels_of
from nonet.persist.imported.column_levels import order_levels
from nonet.persist.imported.imported_tree import ImportedTree, make_tree
from nonet.persist.imported.objectives import make_estimator

_CLASSES = {"Logloss": "binary", "CrossEntropy": "binary", "Focal": "binary"}
_CLASSES["MultiClass"] = "multiclass"
_NUMBERS = {
    "RMSE": "regression",
    "MultiRMSE": "regression",
    "MAE": "regression_l1",
    "MAPE": "mape",
    "Poisson": "poisson",
    "Tweedie": "tweedie",
    "Quantile": "quantile",
    "Huber": "huber",
    # Raw scores are what CatBoost itself predicts with these.
    **dict.fromkeys(
        (
            "Expectile",
            "GroupQuantile",
            "LambdaMart",
            "LogCosh",
            "LogLinQuantile",
            "Lq",
            "PairLogit",
            "PairLogitPairwise",
            "QueryRMSE",
            "QuerySoftMax",
            "StochasticRank",
            "YetiRank",
            "YetiRankPairwise",
        ),
        "",
    ),
}
_OPTIONS = {"delta": "alpha", "variance_power": "tweedie_variance_power"}


def from_catboost(
    source: Any,
    *,
    classes: Sequence[Any] | None = None,
    categories: Mapping[Any, Sequence[Any]] | None = None,
) -> Any:
    """Read a model of CatBoost into boosted trees of nonet.

    The result predicts without CatBoost: the same leaves, and sums of the same numbers.

    Parameters
    ----------
    source : CatBoostClassifier, CatBoostRegressor, CatBoostRanker, CatBoost, str or path
        A fitted model, or the file that ``save_model("model.json", format="json")`` has written.
    classes : sequence or None, default=None
        The labels of classes; None is those of the model.
    categories : mapping or None, default=None
        For each column of categories, by name or position, all categories of the training. Models
        hold their hashes only.

    Returns
    -------
    model : BoostedTreesClassifier or BoostedTreesRegressor

    Raises
    ------
    ModelFileError
        If nonet's trees cannot do what the model does: statistics of the target for categories
        (CTR), columns of text, embeddings, loss functions with another link.

    See Also
    --------
    from_lightgbm, from_xgboost, from_sklearn : The same for other libraries.

    Notes
    -----
    Symmetric trees and those of other growing policies are read. Categories are read if the model
    splits them one by one (``one_hot_max_size`` above their number); others than those given go
    where CatBoost sends what it does not know. Ranking models become regressors of their scores.

    Examples
    --------
    >>> import catboost, nonet
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> theirs = catboost.CatBoostClassifier(iterations=20, verbose=0, allow_writing_files=False)
    >>> ours = nonet.from_catboost(theirs.fit(X, y))
    >>> bool(abs(ours.predict_proba(X) - theirs.predict_proba(X)).max() < 1e-12)
    True
    """
    model = read_catboost_json(_document_of(source))
    objective = _objective_of(model)
    levels = _given_levels(model, categories or {})
    trees = [_with_categories(each, levels) for each in model.trees]
    known, codes = order_levels(levels, trees)
    rounds = [[make_tree(tree, model.n_columns, codes)] for tree in trees]
    given = GivenTrees(
        rounds,
        model.bias,
        model.n_columns,
        np.array(model.names, dtype=object) if model.names else None,
        known,
        counts_rows=_counts_rows(trees),
    )
    options = {_OPTIONS.get(name, name): value for name, value in model.options.items()}
    estimator = make_estimator(objective, options, _params(model), "LightGBM")
    if model.loss not in _CLASSES:
        return assemble(estimator, given)
    labels = classes if classes is not None else (model.class_names or None)
    return assemble(estimator, given, labels_of(None, labels, max(2, len(model.bias))))


def _document_of(source: Any) -> bytes:
    """Return the JSON document of a model."""
    if isinstance(source, str | os.PathLike):
        try:
            return Path(source).read_bytes()
        except OSError as why:
            raise ModelFileError(f"{os.fspath(source)!r} cannot be read: {why}.") from why
    is_of_catboost = any(kind.__module__.startswith("catboost") for kind in type(source).__mro__)
    if not is_of_catboost or not hasattr(source, "save_model"):
        raise TypeError(
            "from_catboost reads fitted models of CatBoost and the files of "
            f"save_model('model.json', format='json'), but got {show(source)}."
        )
    if not source.is_fitted():
        raise ValueError(f"this {type(source).__name__} is not fitted; call fit first.")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        source.save_model(str(path), format="json")
        return path.read_bytes()


def _objective_of(model: CatBoostModel) -> str:
    """Return the objective of LightGBM with the same link."""
    objective = _CLASSES.get(model.loss, _NUMBERS.get(model.loss))
    if objective is None:
        raise ModelFileError(
            f"models of CatBoost with loss_function {model.loss!r} cannot be read, because nonet "
            "has no model with its link."
        )
    n_scores = len(model.bias)
    if (n_scores > 1) != (model.loss in ("MultiClass", "MultiRMSE")):
        raise ModelFileError(
            "the model document of CatBoost is damaged: it has the loss function "
            f"{model.loss!r} and {n_scores} scores."
        )
    return objective


def _params(model: CatBoostModel) -> dict[str, Any]:
    """Return the parameters of the training that have a name here."""
    found: dict[str, Any] = {"n_estimators": max(len(model.trees), 1)}
    if len(model.bias) > 1:
        found["multi_strategy"] = "multi_output_tree"
    for part, theirs, ours, kind in (
        ("boosting_options", "learning_rate", "learning_rate", float),
        ("tree_learner_options", "depth", "max_depth", int),
        ("tree_learner_options", "l2_leaf_reg", "reg_lambda", float),
    ):
        value = model.params.get(part, {}).get(theirs)
        if isinstance(value, int | float):
            found[ours] = kind(value)
    return found


def _counts_rows(trees: Sequence[ImportedTree]) -> bool:
    """Return whether the weights of nodes are numbers of rows."""
    return all((tree.weight == tree.n_rows).all() and tree.weight[0] > 0 for tree in trees)


# ---- Categories --------------------------------------------------------------------------------


def _given_levels(
    model: CatBoostModel, categories: Mapping[Any, Sequence[Any]]
) -> dict[int, list[Any]]:
    """Return all categories of each column of categories, and check that splits know no others."""
    given = {_position(model, key): list(dict.fromkeys(some)) for key, some in categories.items()}
    for column, hashes in model.hashes.items():
        known = {_hash_of(one) for one in given.get(column, [])}
        if hashes - known:
            name = show(model.names[column]) if model.names else str(column)
            which = "those given" if column in given else "any given"
            raise ModelFileError(
                f"the model knows categories of column {name} by their hashes, and "
                f"{len(hashes - known)} of them are not among {which}; list all categories of the "
                f"training, as in categories={{{name}: ['a', 'b']}}."
            )
    return {column: given.get(column, []) for column in model.hashes}


def _position(model: CatBoostModel, key: Any) -> int:
    if isinstance(key, str) and key in model.names:
        return model.names.index(key)
    if key in model.hashes:
        return int(key)
    raise ValueError(
        f"categories names the column {show(key)}, but the model's columns of categories are "
        f"{show([model.names[j] if model.names else j for j in sorted(model.hashes)])}."
    )


def _hash_of(category: Any) -> int:
    return city_hash64(str(category).encode()) & 0xFFFFFFFF


def _with_categories(each: CatBoostTree, levels: Mapping[int, list[Any]]) -> ImportedTree:
    """Return a tree whose splits of categories have sets of codes that go left: all but one."""
    left = {}
    for node, one in each.hashes.items():
        hashes = [_hash_of(category) for category in levels[int(each.tree.column[node])]]
        left[node] = np.flatnonzero(np.array(hashes, dtype=np.int64) != one)
    return replace(each.tree, left_categories=left)
