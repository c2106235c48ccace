"""How good are boosted trees as they come? Defaults of everyone, paired, on real data.

Every model is fitted with its own defaults on the same five folds; tables are cut to 10,000 rows,
and columns of categories are given to everyone as such. Two ranks are averaged over the tables: by
the loss (log loss, or RMSE for numbers), and by decisions (AUC for two classes, accuracy for more,
RMSE for numbers). Equal scores share a rank.

    python benchmarks/bench_boosting_accuracy.py FOLDER          some minutes
    python benchmarks/bench_boosting_accuracy.py FOLDER --write  puts it into docs/benchmarks.md
    python benchmarks/bench_boosting_accuracy.py --quick         a smoke test on small data

FOLDER holds Parquet files and datasets.json, which names their targets.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import sklearn.datasets
from scipy.stats import rankdata
from sklearn import ensemble as sklearn_ensemble
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score, root_mean_squared_error
from sklearn.model_selection import KFold, StratifiedKFold

import nonet
from harness import machine, markdown_table, replace_section
from real_tables import facts_of, read_frame

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
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
MOST_ROWS = 10_000
N_FOLDS = 5


# ---- Data ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """A frame whose categories are categories, and its target: numbers or codes of classes."""

    name: str
    X: pd.DataFrame
    y: np.ndarray
    is_regression: bool

    def folds(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Give the rows of every fold: to fit, and held out."""
        make = KFold if self.is_regression else StratifiedKFold
        return make(N_FOLDS, shuffle=True, random_state=0).split(self.X, self.y)


def read_table(folder: Path, facts: dict[str, Any]) -> Table:
    frame, y = read_frame(folder, facts, MOST_ROWS)
    if facts["task"] == "regression":
        return Table(facts["name"], frame, y.to_numpy(float), True)
    labels = y.astype(str)
    common = labels.map(labels.value_counts()) >= N_FOLDS  # what one fold lacks, not all can learn
    codes = np.unique(labels[common], return_inverse=True)[1]
    return Table(facts["name"], frame[common], codes, False)


def tables_of(folder: Path) -> Iterator[Table]:
    facts = facts_of(folder)
    for name in NAMES:
        yield read_table(folder, facts[name])


def small_tables() -> Iterator[Table]:
    for name in ("breast_cancer", "wine", "diabetes"):
        X, y = getattr(sklearn.datasets, f"load_{name}")(return_X_y=True, as_frame=True)
        yield Table(name, X, y.to_numpy(), name == "diabetes")


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


def losses(table: Table, model: Any, held_out: np.ndarray) -> tuple[float, float]:
    """Give the loss of the answers, and that of the decisions."""
    X, y = table.X.iloc[held_out], table.y[held_out]
    if table.is_regression:
        error = root_mean_squared_error(y, model.predict(X))
        return error, error
    shares = model.predict_proba(X).astype(float)
    shares /= shares.sum(axis=1, keepdims=True)
    two = shares.shape[1] == 2
    good = roc_auc_score(y, shares[:, 1]) if two else accuracy_score(y, shares.argmax(axis=1))
    return log_loss(y, shares), 1 - good


def measure(table: Table, make: Callable[[bool], Any]) -> np.ndarray:
    """Give both losses of every fold."""
    found = []
    for rows, held_out in table.folds():
        model = make(table.is_regression).fit(table.X.iloc[rows], table.y[rows])
        found.append(losses(table, model, held_out))
    return np.array(found)


def report(tables: Iterator[Table]) -> str:
    names, rows, ranks = list(MAKERS), [], []
    for table in tables:
        found = np.array([measure(table, make).mean(axis=0) for make in MAKERS.values()])
        ranks.append(rankdata(found.round(6), axis=0))
        kind = "RMSE" if table.is_regression else "log loss"
        size = f"{table.X.shape[0]:,} x {table.X.shape[1]}"
        rows.append([table.name, size, kind, *(f"{loss:.5g}" for loss in found[:, 0])])
        print(*rows[-1], flush=True)
    for place, words in enumerate(["by the loss", "by decisions"]):
        means = np.mean(ranks, axis=0)[:, place]
        rows.append([f"**mean rank, {words}**", "", "", *(f"**{rank:.2f}**" for rank in means)])
    return markdown_table(["data", "rows x columns", "score", *names], rows, n_labels=3)


def run(tables: Iterator[Table], *, write: bool) -> None:
    """Print the table, and put it into the docs if asked."""
    warnings.filterwarnings("ignore")
    table = report(tables)
    packages = ["nonet", "lightgbm", "xgboost", "scikit-learn"]
    text = f"Measured with {machine(packages)}.\n\n{table}"
    print(text)
    if write:
        replace_section(PAGE, "bench_boosting_accuracy", text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, help="Parquet files and datasets.json")
    parser.add_argument("--quick", action="store_true", help="scikit-learn's own small tables")
    parser.add_argument("--write", action="store_true", help="write into docs/benchmarks.md")
    options = parser.parse_args()
    if options.folder is None and not options.quick:
        parser.error("give the folder of the data, or --quick")
    run(small_tables() if options.quick else tables_of(options.folder), write=options.write)


if __name__ == "__main__":
    main()
