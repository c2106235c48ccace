"""Gradient boosting of everyone at the same settings.

Everyone grows 100 rounds of trees of 31 leaves with a rate of 0.1, 255 bins, at least 20 rows per
leaf and an l2 penalty of 1: LightGBM (as it comes, row-wise, column-wise, and with quantised
gradients), XGBoost (by leaf, and by depth 5), CatBoost (its symmetric trees of depth 5),
scikit-learn's HistGradientBoosting and YDF. A contender is a function that fits a task and returns
a prediction function: values, or probabilities of the classes.
"""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn import ensemble as sklearn_ensemble

import nonet
from boosting_tasks import Task
from nonet._native.runtime import get_num_threads

Model = Callable[[Any], np.ndarray]
Fit = Callable[[Task], Model]
N_ROUNDS = 100
N_QUICK_ROUNDS = 2


def asker(model: Any, kind: str) -> Model:
    return model.predict if kind == "regression" else model.predict_proba


def fit_histograms(room: Any, task: Task, n_rounds: int) -> Model:
    name = "Regressor" if task.kind == "regression" else "Classifier"
    make = getattr(room, f"HistGradientBoosting{name}")
    model = make(max_iter=n_rounds, l2_regularization=1.0, early_stopping=False)
    return asker(model.fit(task.X, task.y), task.kind)


def fit_lightgbm(task: Task, n_rounds: int, **settings: Any) -> Model:
    import lightgbm

    regressor = task.kind == "regression"
    make = lightgbm.LGBMRegressor if regressor else lightgbm.LGBMClassifier
    model = make(
        n_estimators=n_rounds,
        num_leaves=31,
        learning_rate=0.1,
        max_bin=255,
        min_child_samples=20,
        reg_lambda=1.0,
        n_jobs=get_num_threads(),
        verbose=-1,
        **settings,
    )
    return asker(model.fit(task.X, task.y), task.kind)


def fit_xgboost(task: Task, n_rounds: int, **settings: Any) -> Model:
    import xgboost

    regressor = task.kind == "regression"
    make = xgboost.XGBRegressor if regressor else xgboost.XGBClassifier
    model = make(
        n_estimators=n_rounds,
        learning_rate=0.1,
        tree_method="hist",
        max_bin=256,
        reg_lambda=1.0,
        enable_categorical=True,
        n_jobs=get_num_threads(),
        **settings,
    )
    return asker(model.fit(task.X, task.y), task.kind)


def category_columns(X: Any) -> list[str]:
    return list(X.select_dtypes("category")) if isinstance(X, pd.DataFrame) else []


def as_strings(X: Any) -> Any:
    """Give the rows with categories as text, a missing one as "nan", for who takes no others."""
    names = category_columns(X)
    docs = {name: X[name].astype(object).map(str).astype(object) for name in names}
    return X.assign(**docs) if names else X


def fit_catboost(task: Task, n_rounds: int) -> Model:
    import catboost

    regressor = task.kind == "regression"
    make = catboost.CatBoostRegressor if regressor else catboost.CatBoostClassifier
    model = make(
        iterations=n_rounds,
        depth=5,
        learning_rate=0.1,
        l2_leaf_reg=1.0,
        border_count=254,
        thread_count=get_num_threads(),
        cat_features=category_columns(task.X) or None,
        verbose=False,
        allow_writing_files=False,
    )
    predict = asker(model.fit(as_strings(task.X), task.y), task.kind)
    return lambda rows: predict(as_strings(rows))


def fit_ydf(task: Task, n_rounds: int) -> Model:
    import ydf

    ydf.verbose(0)
    learner = ydf.GradientBoostedTreesLearner(
        label="y",
        task=ydf.Task.REGRESSION if task.kind == "regression" else ydf.Task.CLASSIFICATION,
        num_trees=n_rounds,
        growing_strategy="BEST_FIRST_GLOBAL",
        max_num_nodes=31,
        max_depth=-1,
        shrinkage=0.1,
        min_examples=20,
        l2_regularization=1.0,
        validation_ratio=0.0,
        early_stopping="NONE",
        discretize_numerical_columns=True,
        num_threads=get_num_threads(),
    )
    model = learner.train(ydf_table(task.X, task.y))

    def predict(rows: Any) -> np.ndarray:
        predictions = model.predict(ydf_table(rows))
        two = task.kind == "binary"
        return np.column_stack([1 - predictions, predictions]) if two else predictions

    return predict


def ydf_table(X: Any, y: np.ndarray | None = None) -> dict[str, np.ndarray]:
    if isinstance(X, pd.DataFrame):
        X = as_strings(X)
        table = {name: X[name].to_numpy() for name in X.columns}
    else:
        table = {f"c{j}": X[:, j] for j in range(X.shape[1])}
    return table if y is None else {**table, "y": y}


FITS: dict[str, tuple[str, Callable[..., Model]]] = {
    "nonet": ("nonet", functools.partial(fit_histograms, nonet)),
    "LightGBM": ("lightgbm", fit_lightgbm),
    "LightGBM, row-wise": ("lightgbm", functools.partial(fit_lightgbm, force_row_wise=True)),
    "LightGBM, column-wise": ("lightgbm", functools.partial(fit_lightgbm, force_col_wise=True)),
    "LightGBM, quantised": ("lightgbm", functools.partial(fit_lightgbm, use_quantized_grad=True)),
    "XGBoost, by leaf": (
        "xgboost",
        functools.partial(fit_xgboost, grow_policy="lossguide", max_leaves=31, max_depth=0),
    ),
    "XGBoost, by depth": ("xgboost", functools.partial(fit_xgboost, max_depth=5)),
    "CatBoost": ("catboost", fit_catboost),
    "scikit-learn": ("sklearn", functools.partial(fit_histograms, sklearn_ensemble)),
    "YDF": ("ydf", fit_ydf),
}
# Two ways to the same trees: only their times differ.
SAME_TREES = ("LightGBM, row-wise", "LightGBM, column-wise")
FASTEST = ("nonet", "LightGBM, quantised", "LightGBM", "XGBoost, by depth")


def known_fits(*, quick: bool = False, without: Sequence[str] = ()) -> dict[str, Fit]:
    """Give everyone whose package is installed, but for those left out."""
    return {
        name: functools.partial(fit, n_rounds=rounds_of(quick))
        for name, (package, fit) in FITS.items()
        if name not in without and importlib.util.find_spec(package) is not None
    }


def rounds_of(quick: bool) -> int:
    return N_QUICK_ROUNDS if quick else N_ROUNDS


def packages_of(fits: dict[str, Fit]) -> list[str]:
    return list(dict.fromkeys(FITS[name][0] for name in fits))


# ---- The classic form: trees of depth 3 on residuals, the defaults of both ----------------------


def fit_classic(room: Any, task: Task, n_rounds: int, **settings: Any) -> Model:
    name = "Regressor" if task.kind == "regression" else "Classifier"
    model = getattr(room, f"GradientBoosting{name}")(
        n_estimators=n_rounds, random_state=0, **settings
    )
    return asker(model.fit(task.X, task.y), task.kind)


CLASSIC_SETTINGS = {"": {}, ", half the rows per round": {"subsample": 0.5}}


def classic_fits(*, quick: bool = False) -> dict[str, Fit]:
    """Return both libraries with all rows and with half of them per round."""
    return {
        f"{name}{words}": functools.partial(
            fit_classic, room, n_rounds=rounds_of(quick), **settings
        )
        for words, settings in CLASSIC_SETTINGS.items()
        for name, room in {"nonet": nonet, "scikit-learn": sklearn_ensemble}.items()
    }
