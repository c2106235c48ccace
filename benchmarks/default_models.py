"""Boosted trees and forests of every library as they come: no setting but a seed and one thread.

A contender is a function that fits a training frame and returns a function from rows to values or
probabilities. Columns of categories are given to everyone as such; forests of scikit-learn, which
take none, get their codes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn import ensemble as sklearn_ensemble

import nonet

Predict = Callable[[pd.DataFrame], np.ndarray]
Fit = Callable[[pd.DataFrame, np.ndarray, bool], Predict]


def prediction_of(model: Any, is_regression: bool) -> Predict:
    return model.predict if is_regression else model.predict_proba


def fit_nonet(X: pd.DataFrame, y: np.ndarray, is_regression: bool, **settings: Any) -> Predict:
    make = nonet.BoostedTreesRegressor if is_regression else nonet.BoostedTreesClassifier
    return prediction_of(make(random_state=0, **settings).fit(X, y), is_regression)


def fit_histograms(room: Any, X: pd.DataFrame, y: np.ndarray, is_regression: bool) -> Predict:
    name = "Regressor" if is_regression else "Classifier"
    make = getattr(room, f"HistGradientBoosting{name}")
    return prediction_of(make(random_state=0).fit(X, y), is_regression)


def fit_lightgbm(X: pd.DataFrame, y: np.ndarray, is_regression: bool) -> Predict:
    import lightgbm

    make = lightgbm.LGBMRegressor if is_regression else lightgbm.LGBMClassifier
    return prediction_of(make(verbose=-1, random_state=0, n_jobs=1).fit(X, y), is_regression)


def fit_xgboost(X: pd.DataFrame, y: np.ndarray, is_regression: bool) -> Predict:
    import xgboost

    make = xgboost.XGBRegressor if is_regression else xgboost.XGBClassifier
    model = make(enable_categorical=True, random_state=0, n_jobs=1)
    return prediction_of(model.fit(X, y), is_regression)


def category_columns(X: pd.DataFrame) -> list[str]:
    return list(X.select_dtypes("category"))


def as_strings(X: pd.DataFrame) -> pd.DataFrame:
    """Give the rows with categories as text, a missing one as "nan", which CatBoost needs."""
    return X.assign(
        **{name: X[name].astype(object).map(str).astype(object) for name in category_columns(X)}
    )


def fit_catboost(X: pd.DataFrame, y: np.ndarray, is_regression: bool) -> Predict:
    import catboost

    make = catboost.CatBoostRegressor if is_regression else catboost.CatBoostClassifier
    model = make(
        random_seed=0,
        thread_count=1,
        cat_features=category_columns(X) or None,
        verbose=False,
        allow_writing_files=False,
    )
    predict = prediction_of(model.fit(as_strings(X), y), is_regression)
    return lambda rows: predict(as_strings(rows))


def as_codes(X: pd.DataFrame) -> pd.DataFrame:
    return X.assign(**{name: X[name].cat.codes for name in category_columns(X)})


def fit_forest(X: pd.DataFrame, y: np.ndarray, is_regression: bool) -> Predict:
    name = f"RandomForest{'Regressor' if is_regression else 'Classifier'}"
    model = getattr(sklearn_ensemble, name)(random_state=0, n_jobs=1)
    predict = prediction_of(model.fit(as_codes(X), y), is_regression)
    return lambda rows: predict(as_codes(rows))


PEERS: dict[str, Fit] = {
    "CatBoost": fit_catboost,
    "LightGBM": fit_lightgbm,
    "XGBoost": fit_xgboost,
    "scikit-learn": partial(fit_histograms, sklearn_ensemble),
    "random forest": fit_forest,
}
OURS: dict[str, Fit] = {
    "nonet": fit_nonet,
    "nonet, fast": partial(fit_nonet, preset="fast"),
    "nonet, drop-in": partial(fit_histograms, nonet),
}
# The default with one part changed: what does each part gain?
ABLATIONS: dict[str, Fit] = {
    "nonet, searched thresholds": partial(fit_nonet, extra_trees=False),
    "nonet, uniform thresholds": partial(fit_nonet, extra_trees=True),
    "nonet, mixed thresholds": partial(fit_nonet, extra_trees="mixed"),
    "nonet, one booster": partial(fit_nonet, n_bags=1),
    "nonet, 31 leaves": partial(fit_nonet, num_leaves=31),
    "nonet, penalty of 5": partial(fit_nonet, reg_lambda=5.0),
    "nonet, 20 rows per leaf": partial(fit_nonet, min_child_samples=20),
}
CONTENDERS = {**OURS, **PEERS, **ABLATIONS}
PACKAGES = ["nonet", "catboost", "lightgbm", "xgboost", "scikit-learn"]
