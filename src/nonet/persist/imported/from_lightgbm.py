"""Models of LightGBM as boosted trees of nonet."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nonet._base.errors import ModelFileError, show
from nonet.boosting.gradient.boosted_trees.assembled import GivenTrees, assemble
from nonet.persist.imported.class_labels import labels_of
from nonet.persist.imported.column_levels import order_levels
from nonet.persist.imported.imported_tree import ImportedTree, make_tree
from nonet.persist.imported.lightgbm_text import LightGBMModel, read_lightgbm_text
from nonet.persist.imported.objectives import is_of_classes, make_estimator


def from_lightgbm(source: Any, *, classes: Sequence[Any] | None = None) -> Any:
    """Read a model of LightGBM into boosted trees of nonet.

    The result predicts without LightGBM: the same leaves, and sums of the same numbers.

    Parameters
    ----------
    source : LGBMClassifier, LGBMRegressor, LGBMRanker, Booster, str or path
        A fitted model, or the file that ``Booster.save_model`` has written.
    classes : sequence or None, default=None
        The labels of classes; None is those of an LGBMClassifier, otherwise 0, 1, ...

    Returns
    -------
    model : BoostedTreesClassifier or BoostedTreesRegressor
        Up to the best iteration, if there was one.

    Raises
    ------
    ModelFileError
        If nonet's trees cannot do what the model does: linear leaves, zeros as missing values,
        objectives with another link.

    See Also
    --------
    from_xgboost, from_catboost, from_sklearn : The same for other libraries.

    Notes
    -----
    Ranking models become regressors of their scores. Categories that no split knows go where
    missing ones go, as in LightGBM.

    Examples
    --------
    >>> import lightgbm, nonet
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> theirs = lightgbm.LGBMClassifier(n_estimators=20, verbose=-1).fit(X, y)
    >>> ours = nonet.from_lightgbm(theirs)
    >>> bool(abs(ours.predict_proba(X) - theirs.predict_proba(X)).max() < 1e-12)
    True
    """
    model = read_lightgbm_text(_text_of(source))
    if model.options.get("sqrt") is not None or "sqrt" in model.options:
        raise ModelFileError(
            "the model predicts square roots (reg_sqrt=True), which nonet has no link for; fit "
            "numpy.sqrt(y) instead."
        )
    known, codes = order_levels(_given_levels(model), model.trees)
    rounds = _rounds(model, codes)
    params = _params(model, len(rounds))
    estimator = make_estimator(model.objective, model.options, params, "LightGBM")
    given = GivenTrees(
        rounds, np.zeros(model.trees_per_round), model.n_columns, _names(model), known
    )
    if not is_of_classes(model.objective):
        return assemble(estimator, given)
    n_classes = max(2, model.n_classes)
    return assemble(estimator, given, labels_of(source, classes, n_classes))


def _text_of(source: Any) -> str:
    """Return the text of a model."""
    if isinstance(source, str | os.PathLike):
        try:
            return Path(source).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as why:
            raise ModelFileError(f"{os.fspath(source)!r} cannot be read as a text: {why}.") from why
    booster = getattr(source, "booster_", source)
    if not hasattr(booster, "model_to_string"):
        raise TypeError(
            "from_lightgbm reads fitted models of LightGBM and the files of Booster.save_model, "
            f"but got {show(source)}."
        )
    text: str = booster.model_to_string()
    return text


def _given_levels(model: LightGBMModel) -> dict[int, list[Any]]:
    """Return the levels of pandas' columns of categories."""
    if not model.categories:
        return {}
    words = model.parameters.get("categorical_feature", "").split(",")
    columns = sorted(int(word) for word in words if word.strip().isdigit())
    if len(columns) != len(model.categories):
        raise ModelFileError(
            f"the model has categories of {len(model.categories)} columns, but names "
            f"{len(columns)} columns of categories; save it with a newer LightGBM."
        )
    return dict(zip(columns, model.categories, strict=True))


def _rounds(model: LightGBMModel, codes: Any) -> list[list[Any]]:
    k = model.trees_per_round
    if k < 1 or len(model.trees) % k:
        raise ModelFileError(
            f"the model text of LightGBM is damaged: {len(model.trees)} trees cannot make rounds "
            f"of {k}."
        )
    factor = _factor(model, len(model.trees) // k)
    trees = [make_tree(_scaled(tree, factor), model.n_columns, codes) for tree in model.trees]
    return [trees[i : i + k] for i in range(0, len(trees), k)]


def _scaled(tree: ImportedTree, factor: float) -> ImportedTree:
    return tree if factor == 1.0 else tree.scaled(factor)


def _factor(model: LightGBMModel, n_rounds: int) -> float:
    """Return what leaves are multiplied by: means instead of sums, the slope of the link."""
    slope = float(model.options.get("sigmoid", 1.0))
    return slope / max(n_rounds, 1) if model.averages else slope


def _params(model: LightGBMModel, n_rounds: int) -> dict[str, Any]:
    """Return the parameters of the training that are in the text and have a name here."""
    found: dict[str, Any] = {"n_estimators": max(n_rounds, 1)}
    given = model.parameters
    for theirs, ours, kind in (
        ("learning_rate", "learning_rate", float),
        ("num_leaves", "num_leaves", int),
        ("min_data_in_leaf", "min_child_samples", int),
        ("lambda_l2", "reg_lambda", float),
    ):
        if theirs in given:
            found[ours] = kind(given[theirs])
    return found


def _names(model: LightGBMModel) -> Any:
    """Return the names of columns, unless LightGBM has made them up."""
    made_up = [f"Column_{j}" for j in range(model.n_columns)]
    if model.names == made_up or len(model.names) != model.n_columns:
        return None
    return np.array(model.names, dtype=object)
