"""Small fitted models, and runs, whose reports the tests of facts read."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import GradientBoostingClassifier, VotingRegressor
from sklearn.ensemble import RandomForestClassifier as SklearnForest
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

import nonet
from nonet.auto import Run
from nonet.report import Report, make_report

BINARY = load_breast_cancer(return_X_y=True)
IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


def _scaled_logit() -> Any:
    return make_pipeline(StandardScaler(), LogisticRegression())


def _stack() -> Any:
    members = [("logit", _scaled_logit()), ("tree", nonet.DecisionTreeClassifier(max_depth=3))]
    return nonet.StackingClassifier(members)


def _sklearn_vote() -> Any:
    members = [("line", LinearRegression()), ("tree", DecisionTreeRegressor(max_depth=2))]
    return VotingRegressor(members, weights=[3, 1])


MODELS = {
    "logit": (_scaled_logit, BINARY),
    "classes only": (RidgeClassifier, BINARY),
    "line": (LinearRegression, DIABETES),
    "forest": (lambda: nonet.RandomForestClassifier(12, random_state=0), IRIS),
    "forest of values": (lambda: nonet.RandomForestRegressor(12, random_state=0), DIABETES),
    "booster": (lambda: nonet.HistGradientBoostingClassifier(max_iter=8), BINARY),
    "booster of values": (lambda: nonet.BoostedTreesRegressor(n_estimators=8), DIABETES),
    "votes": (lambda: nonet.AdaBoostClassifier(n_estimators=7), BINARY),
    "stack": (_stack, IRIS),
    "sklearn vote": (_sklearn_vote, DIABETES),
    "sklearn forest": (lambda: SklearnForest(9, random_state=0), BINARY),
    "sklearn booster": (lambda: GradientBoostingClassifier(n_estimators=6), IRIS),
}


def held_out(data: Any) -> tuple[Any, Any]:
    """Return the rows of a dataset that its model is not fitted on."""
    X, y = data
    return X[1::2], y[1::2]


@cache
def fitted(name: str) -> Any:
    """Return a model, fitted on every second row of its dataset."""
    make, (X, y) = MODELS[name]
    return make().fit(X[::2], y[::2])


@cache
def report_on(name: str) -> Report:
    """Return the report of a model on the other rows."""
    return make_report(fitted(name), *held_out(MODELS[name][1]))


# ---- Runs ----------------------------------------------------------------------------------------


@cache
def people() -> pd.DataFrame:
    """Return a table with columns of all kinds, some of them missing, and two targets."""
    random = np.random.default_rng(0)
    n = 240
    frame = pd.DataFrame(
        {
            "id": 7 * np.arange(n) + random.integers(0, 3, n),
            "age": random.integers(18, 80, n).astype(float),
            "city": random.choice(["Oslo", "Rome", "Bonn"], n),
            "when": pd.Timestamp("2024-01-01")
            + pd.to_timedelta(random.integers(0, 400, n), unit="D"),
            "member": random.random(n) < 0.4,
            "constant": 1,
            "weight": random.uniform(0.5, 2.0, n),
        }
    )
    frame.loc[::17, "age"] = np.nan
    frame.loc[::23, "city"] = None
    wealth = (frame.age.fillna(40) - 45) / 12 + (frame.city == "Rome") * 1.5
    wealth += random.normal(0, 1, n)
    frame["price"] = 3 * wealth + 10
    frame["churn"] = np.where(wealth > 0.5, "yes", "no")
    return frame


_SETTINGS = {"time_limit": None, "max_tasks": 9, "cv": 3, "random_state": 0}
_FAMILIES = {"families": ["linear", "neighbors", "extra_trees"]}


@cache
def run_of(target: str, *, weighted: bool = False) -> Run:
    """Return a small run."""
    other = "price" if target == "churn" else "churn"
    weight = {"weight": "weight"} if weighted else {"drop": ["weight"]}
    table = people().drop(columns=other)
    return nonet.fit_table(table, target, **weight, **_SETTINGS, **_FAMILIES)


@cache
def report_on_run(target: str, *, weighted: bool = False) -> Report:
    """Return the report of a small run on its held-out rows."""
    return make_report(run_of(target, weighted=weighted))
