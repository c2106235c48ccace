"""Models of XGBoost as boosted trees of nonet."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nonet._base.aliases import Floats
from nonet._base.errors import ModelFileError, show
from nonet.boosting.gradient.boosted_trees.assembled import GivenTrees, assemble
from nonet.persist.imported.class_labels import labels_of
from nonet.persist.imported.column_levels import order_levels
from nonet.persist.imported.imported_tree import make_tree
from nonet.persist.imported.objectives import is_of_classes, make_estimator
from nonet.persist.imported.xgboost_json import XGBoostModel, read_xgboost_json

_LOG_LINKS = {"count:poisson", "reg:gamma", "reg:tweedie"}
_LOGIT_LINKS = {"binary:logistic", "reg:logistic"}


def from_xgboost(source: Any, *, classes: Sequence[Any] | None = None) -> Any:
    """Read a model of XGBoost into boosted trees of nonet.

    The result predicts without XGBoost: the same leaves, whose values are summed in double
    precision (XGBoost sums in single precision).

    Parameters
    ----------
    source : XGBClassifier, XGBRegressor, XGBRanker, Booster, str or path
        A fitted model, or the file that ``Booster.save_model("model.json")`` has written.
    classes : sequence or None, default=None
        The labels of classes; None is those of an XGBClassifier, otherwise 0, 1, ...

    Returns
    -------
    model : BoostedTreesClassifier or BoostedTreesRegressor
        It predicts up to the best iteration, if there was one; of a Booster, with all trees.

    Raises
    ------
    ModelFileError
        If nonet's trees cannot do what the model does: linear boosters, leaves of several outputs,
        objectives with another link.

    See Also
    --------
    from_lightgbm, from_catboost, from_sklearn : The same for other libraries.

    Notes
    -----
    XGBoost takes the entries that a sparse matrix leaves out for missing values, and nonet takes
    them for 0: of a model that was fitted on sparse rows, predict dense rows with NaN there. Files
    do not hold the value that was given as ``missing``.

    Ranking models become regressors of their scores. Rows are compared in double precision with
    thresholds that send each of them where XGBoost sends it after rounding. Explanations weigh
    branches by sums of hessians, as XGBoost does, because its models count no rows. Categories that
    the model does not know go where missing values go.

    Examples
    --------
    >>> import nonet, xgboost
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> theirs = xgboost.XGBClassifier(n_estimators=20).fit(X, y)
    >>> ours = nonet.from_xgboost(theirs)
    >>> bool(abs(ours.predict_proba(X) - theirs.predict_proba(X)).max() < 1e-6)
    True
    """
    _check_missing(source)
    model = read_xgboost_json(_document_of(source))
    trees = [tree for each in model.rounds for tree in each]
    known, codes = order_levels(model.levels, trees)
    rounds = [[make_tree(tree, model.n_columns, codes) for tree in each] for each in model.rounds]
    given = GivenTrees(
        rounds,
        _start(model),
        model.n_columns,
        np.array(model.names, dtype=object) if model.names else None,
        known,
        _best_iteration(source, model),
        counts_rows=False,
    )
    params = {"n_estimators": max(len(rounds), 1), **_params_of(source)}
    estimator = make_estimator(model.objective, model.options, params, "XGBoost")
    if not is_of_classes(model.objective):
        return assemble(estimator, given)
    return assemble(estimator, given, labels_of(source, classes, max(2, model.n_classes)))


def _check_missing(source: Any) -> None:
    """Raise if a model takes another value than NaN for a missing one; files do not hold it."""
    missing = getattr(source, "missing", None)
    if isinstance(missing, float | int) and not np.isnan(missing):
        raise ModelFileError(
            f"the model takes {missing!r} for a missing value, which nonet's trees do not; fit it "
            f"with missing=nan, on rows with NaN in place of {missing!r}."
        )


def _document_of(source: Any) -> bytes | bytearray:
    """Return the JSON document of a model."""
    if isinstance(source, str | os.PathLike):
        try:
            return Path(source).read_bytes()
        except OSError as why:
            raise ModelFileError(f"{os.fspath(source)!r} cannot be read: {why}.") from why
    booster = source.get_booster() if hasattr(source, "get_booster") else source
    if not hasattr(booster, "save_raw"):
        raise TypeError(
            "from_xgboost reads fitted models of XGBoost and the files of "
            f"Booster.save_model('model.json'), but got {show(source)}."
        )
    document: bytearray = booster.save_raw("json")
    return document


def _start(model: XGBoostModel) -> Floats:
    """Return the scores before the first round, in single precision as XGBoost has them."""
    base = model.base_score
    with np.errstate(divide="ignore", over="ignore"):
        if model.objective in _LOG_LINKS:
            base = np.log(base)
        elif model.objective in _LOGIT_LINKS:
            base = -np.log(1 / base - 1)
    if not np.isfinite(base).all():
        raise ModelFileError(f"the base score of the model, {show(model.base_score)}, is no score.")
    return base.astype(np.float64)


def _best_iteration(source: Any, model: XGBoostModel) -> int | None:
    """Return how many rounds predictions use: a Booster uses all."""
    is_booster = hasattr(source, "save_raw") and not hasattr(source, "get_booster")
    best = None if is_booster else model.best_iteration
    if best is not None and not 0 < best <= len(model.rounds):
        raise ModelFileError(
            f"the best iteration of the model is {best} of {len(model.rounds)} iterations."
        )
    return best


def _params_of(source: Any) -> dict[str, Any]:
    """Return parameters of XGBoost's estimators; its documents have none."""
    if not hasattr(source, "get_params"):
        return {}
    given = source.get_params()
    same = {"learning_rate": float, "max_depth": int, "reg_lambda": float}
    return {name: kind(given[name]) for name, kind in same.items() if given.get(name) is not None}
