"""Accuracy of boosted trees with the defaults of every library, paired, on real data.

Every model is fitted with its own defaults on the same five folds; tables are cut to 10,000 rows,
and columns of categories are given to everyone as such. Two ranks are averaged over the tables: by
the loss (log loss, or RMSE for regression), and by decisions (AUC for two classes, accuracy for
more, RMSE for regression). Equal scores share a rank.

    python benchmarks/bench_boosting_accuracy.py FOLDER          some minutes
    python benchmarks/bench_boosting_accuracy.py FOLDER --write  puts it into docs/benchmarks.md
    python benchmarks/bench_boosting_accuracy.py --quick         a smoke test on small data

FOLDER holds Parquet files and datasets.json, which names their targets.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import rankdata
from sklearn import ensemble as sklearn_ensemble
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score, root_mean_squared_error

import nonet
from command_line import publish, read_options_with_folder
from harness import machine, markdown_table
from real_tables import FrameTable, facts_of, read_frame, small_frames

NAMES = [
    "kdd_census_income",
    "adult",
    "bank_marketing",
    "magic_telescope",
    "higgs_sample",
    "telco_churn",
    "phoneme",
    "spambase",
    "credit_g",
    "covertype",
    "satimage",
    "segment",
    "pendigits",
    "nursery",
    "diamonds",
    "protein_casp",
    "beijing_pm25",
    "california_housing",
    "bike_sharing",
    "wine_quality",
    "abalone",
    "ames_housing",
    "insurance",
    "wage",
]
MAX_ROWS = 10_000
MIN_ROWS_PER_CLASS = 5  # what a fold lacks, not all can learn


# ---- Data ---------------------------------------------------------------------------------------


def read_table(folder: Path, facts: dict[str, Any]) -> FrameTable:
    frame, y = read_frame(folder, facts, MAX_ROWS)
    if facts["task"] == "regression":
        return FrameTable(facts["name"], frame, y.to_numpy(float), True)
    labels = y.astype(str)
    common = labels.map(labels.value_counts()) >= MIN_ROWS_PER_CLASS
    codes = np.unique(labels[common], return_inverse=True)[1]
    return FrameTable(facts["name"], frame[common], codes, False)


def tables_of(folder: Path) -> Iterator[FrameTable]:
    facts = facts_of(folder)
    for name in NAMES:
        yield read_table(folder, facts[name])


# ---- Contenders, as they come -------------------------------------------------------------------


def make_nonet(is_regression: bool) -> Any:
    make = nonet.BoostedTreesRegressor if is_regression else nonet.BoostedTreesClassifier
    return make(random_state=0)


def make_lightgbm(is_regression: bool) -> Any:
    import lightgbm

    make = lightgbm.LGBMRegressor if is_regression else lightgbm.LGBMClassifier
    return make(verbose=-1, random_state=0)


def make_xgboost(is_regression: bool) -> Any:
    import xgboost

    make = xgboost.XGBRegressor if is_regression else xgboost.XGBClassifier
    return make(enable_categorical=True, random_state=0)


def make_sklearn(is_regression: bool) -> Any:
    name = "Regressor" if is_regression else "Classifier"
    return getattr(sklearn_ensemble, f"HistGradientBoosting{name}")(random_state=0)


MAKERS: dict[str, Callable[[bool], Any]] = {
    "nonet": make_nonet,
    "LightGBM": make_lightgbm,
    "XGBoost": make_xgboost,
    "scikit-learn": make_sklearn,
}


# ---- Scores, less is better ---------------------------------------------------------------------


def losses(table: FrameTable, model: Any, held_out: np.ndarray) -> tuple[float, float]:
    """Return the loss of the probabilities, and that of the decisions."""
    X, y = table.X.iloc[held_out], table.y[held_out]
    if table.is_regression:
        error = root_mean_squared_error(y, model.predict(X))
        return error, error
    fractions = model.predict_proba(X).astype(float)
    fractions /= fractions.sum(axis=1, keepdims=True)
    two = fractions.shape[1] == 2
    good = roc_auc_score(y, fractions[:, 1]) if two else accuracy_score(y, fractions.argmax(axis=1))
    return log_loss(y, fractions), 1 - good


def measure(table: FrameTable, make: Callable[[bool], Any], n_folds: int) -> np.ndarray:
    """Give both losses of every fold."""
    found = []
    for rows, held_out in table.folds(n_folds):
        model = make(table.is_regression).fit(table.X.iloc[rows], table.y[rows])
        found.append(losses(table, model, held_out))
    return np.array(found)


def report(tables: Iterator[FrameTable], n_folds: int) -> Iterator[str]:
    """Give what was measured with, then the table; its rows are printed as they come."""
    packages = ["nonet", "lightgbm", "xgboost", "scikit-learn"]
    yield f"Measured with {machine(packages)}."
    names, rows, ranks = list(MAKERS), [], []
    for table in tables:
        found = np.array([measure(table, make, n_folds).mean(axis=0) for make in MAKERS.values()])
        ranks.append(rankdata(found.round(6), axis=0))
        kind = "RMSE" if table.is_regression else "log loss"
        size = f"{table.X.shape[0]:,} x {table.X.shape[1]}"
        rows.append([table.name, size, kind, *(f"{loss:.5g}" for loss in found[:, 0])])
        print(*rows[-1], flush=True)
    for position, words in enumerate(["by the loss", "by decisions"]):
        means = np.mean(ranks, axis=0)[:, position]
        rows.append([f"**mean rank, {words}**", "", "", *(f"**{rank:.2f}**" for rank in means)])
    yield markdown_table(["data", "rows x columns", "score", *names], rows, n_labels=3)


def main() -> None:
    options = read_options_with_folder(__doc__)
    warnings.filterwarnings("ignore")
    parts = report(small_frames(), 2) if options.quick else report(tables_of(options.folder), 5)
    publish("bench_boosting_accuracy", parts, options)


if __name__ == "__main__":
    main()
