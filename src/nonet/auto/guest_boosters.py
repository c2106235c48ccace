"""Boosters of other libraries as families of the auto-ensembler, where they are installed.

Each fit has one thread, because tasks run side by side. The number of rounds belongs to the
configuration: stopping by the rows held out would make their score too good.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.pipeline import make_pipeline

from nonet._base.aliases import Array
from nonet.auto.families import MemberFacts
from nonet.auto.member_family import MemberFamily, Params


def _class_of(module: str, facts: MemberFacts, prefix: str) -> Any:
    kind = "Classifier" if facts.is_classification else "Regressor"
    return getattr(importlib.import_module(module), prefix + kind)


def _lightgbm(facts: MemberFacts, params: Params) -> Any:
    known = {"categorical_feature": facts.category_positions} if facts.categorical.any() else {}
    settings = {"n_jobs": 1, "verbosity": -1, "deterministic": True, "force_row_wise": True}
    return _class_of("lightgbm", facts, "LGBM")(
        **settings, **known, **params, random_state=facts.seed
    )


def _xgboost(facts: MemberFacts, params: Params) -> Any:
    kinds = np.where(facts.categorical, "c", "q").tolist()
    known = {"feature_types": kinds, "enable_categorical": True} if facts.categorical.any() else {}
    settings = {"n_jobs": 1, "verbosity": 0, "tree_method": "hist"}
    return _class_of("xgboost", facts, "XGB")(
        **settings, **known, **params, random_state=facts.seed
    )


def _catboost(facts: MemberFacts, params: Params) -> Any:
    positions = facts.category_positions
    settings = {"thread_count": 1, "verbose": False, "allow_writing_files": False}
    known = {"cat_features": positions} if positions else {}
    model = _class_of("catboost", facts, "CatBoost")(
        **settings, **known, **params, random_seed=facts.seed
    )
    return make_pipeline(CodesAsText(positions), model) if positions else model


class CodesAsText(TransformerMixin, BaseEstimator):
    """Write codes of categories as text, which CatBoost demands.

    Parameters
    ----------
    positions : list of int
        The columns of codes.
    """

    def __init__(self, positions: list[int]) -> None:
        self.positions = positions

    def fit(self, X: Any, y: Any = None) -> CodesAsText:
        """Learn nothing."""
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def transform(self, X: Array) -> Array:
        """Return rows of numbers and text."""
        rows = X.astype(object)
        for position in self.positions:
            codes = X[:, position]
            rows[:, position] = np.where(np.isnan(codes), "missing", codes.astype(str))
        return rows


# LightGBM's own limits keep it from splitting by categories on small tables.
_RARE_CATEGORIES = {"min_data_per_group": 20, "cat_smooth": 5.0}

LIGHTGBM = MemberFamily(
    _lightgbm,
    {
        "fast": {
            **_RARE_CATEGORIES,
            "n_estimators": 150,
            "learning_rate": 0.08,
            "num_leaves": 15,
        },
        "slow": {
            **_RARE_CATEGORIES,
            "n_estimators": 500,
            "learning_rate": 0.03,
            "num_leaves": 31,
            "subsample": 0.8,
            "subsample_freq": 1,
            "colsample_bytree": 0.7,
            "reg_lambda": 1.0,
        },
    },
    needs="lightgbm",
)
XGBOOST = MemberFamily(
    _xgboost,
    {
        "fast": {"n_estimators": 150, "learning_rate": 0.08, "max_depth": 4},
        "slow": {
            "n_estimators": 500,
            "learning_rate": 0.03,
            "max_depth": 6,
            "min_child_weight": 3,
            "subsample": 0.8,
            "colsample_bytree": 0.7,
        },
    },
    needs="xgboost",
)
CATBOOST = MemberFamily(
    _catboost,
    {"fast": {"iterations": 300, "learning_rate": 0.1, "depth": 6}, "slow": {"iterations": 1000}},
    needs="catboost",
)
