"""Time to fit and predict frames of pandas, polars and Arrow, beside the same data as an array.

The table has ten columns of numbers and five of categories, of 3 to 41 levels. It is given as an
array of floats with codes of the categories, as frames of pandas with category and with string
columns, as a frame of polars and as an Arrow table, both with strings. Boosters grow 100 trees of
31 leaves, forests 50 trees of depth 10. Each form is fitted, and predicts a batch and one row of
the same form. The other libraries get the forms that they take: LightGBM, XGBoost and scikit-learn
categories, CatBoost strings.

    python benchmarks/bench_frames.py          two minutes on two cores
    python benchmarks/bench_frames.py --write  puts the tables into docs/benchmarks.md
    python benchmarks/bench_frames.py --quick  does it run?
"""

from __future__ import annotations

import argparse
import functools
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import catboost
import lightgbm
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import xgboost
from sklearn import ensemble as sklearn_ensemble

import nonet
from command_line import make_parser, publish
from harness import Contender, Timing, machine, markdown_table, race
from nonet._native.runtime import get_num_threads

LEVELS = (3, 7, 8, 16, 41)
NAMES = [*(f"number {j}" for j in range(10)), *(f"category {j}" for j in range(5))]
CATEGORIES = list(range(10, 15))
N_ROWS = 100_000
N_SINGLE_CALLS = 100
PATIENCE = 2.0  # seconds of a turn; who takes more has only one
PACKAGES = [
    "nonet",
    "lightgbm",
    "xgboost",
    "catboost",
    "scikit-learn",
    "pandas",
    "polars",
    "pyarrow",
]


# ---- Data ---------------------------------------------------------------------------------------


def draw_codes(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return floats, half of them whole, with codes of categories, and two classes."""
    rng = np.random.default_rng(23)
    numbers = [rng.normal(size=n_rows) for _ in range(5)]
    numbers += [rng.integers(0, 100, n_rows) for _ in range(5)]
    codes = [rng.integers(0, n_levels, n_rows) for n_levels in LEVELS]
    effects = sum(rng.normal(size=n)[code] for n, code in zip(LEVELS, codes, strict=True))
    score = numbers[0] * numbers[1] + numbers[5] / 50 + effects
    X = np.column_stack([*numbers, *codes]).astype(np.float64)
    return X, (score + rng.normal(size=n_rows) > np.median(score)).astype(int)


def as_pandas(X: np.ndarray) -> pd.DataFrame:
    frame = pd.DataFrame({name: X[:, j] for j, name in enumerate(NAMES)})
    whole = {name: np.int64 for name in NAMES[5:10]}
    levels = {
        name: pd.Categorical.from_codes(
            X[:, 10 + j].astype(int), [f"level {i}" for i in range(LEVELS[j])]
        )
        for j, name in enumerate(NAMES[10:])
    }
    return frame.astype(whole).assign(**levels)


def as_strings(X: np.ndarray) -> pd.DataFrame:
    return as_pandas(X).astype(dict.fromkeys(NAMES[10:], str))


def as_polars(X: np.ndarray) -> pl.DataFrame:
    return pl.from_pandas(as_strings(X))


def as_arrow(X: np.ndarray) -> pa.Table:
    return pa.Table.from_pandas(as_strings(X), preserve_index=False)


FORMS: dict[str, Callable[[np.ndarray], Any]] = {
    "array": lambda X: X,
    "pandas, categories": as_pandas,
    "pandas, strings": as_strings,
    "polars": as_polars,
    "Arrow": as_arrow,
}


# ---- Contenders ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """A model of one library, and the forms of tables that it takes."""

    name: str
    make: Callable[[str, int], Any]  # from the form and the number of trees
    forms: tuple[str, ...] = tuple(FORMS)


def named_columns(form: str) -> Any:
    """Return the columns of categories; frames name them by dtype."""
    return CATEGORIES if form == "array" else "from_dtype"


def histograms(room: Any, form: str, n_trees: int) -> Any:
    return room.HistGradientBoostingClassifier(
        max_iter=n_trees, early_stopping=False, categorical_features=named_columns(form)
    )


def boosted_trees(form: str, n_trees: int) -> Any:
    return nonet.BoostedTreesClassifier(
        n_estimators=n_trees, num_leaves=31, learning_rate=0.1,
        categorical_features=named_columns(form),
    )  # fmt: skip


def forest(form: str, n_trees: int) -> Any:
    return nonet.RandomForestClassifier(
        max(1, n_trees // 2), max_depth=10, n_jobs=get_num_threads(), random_state=0,
        categorical_features=named_columns(form),
    )  # fmt: skip


def light_gbm(form: str, n_trees: int) -> Any:
    return lightgbm.LGBMClassifier(
        n_estimators=n_trees, num_leaves=31, n_jobs=get_num_threads(), verbose=-1
    )


def xg_boost(form: str, n_trees: int) -> Any:
    return xgboost.XGBClassifier(
        n_estimators=n_trees, grow_policy="lossguide", max_leaves=31, max_depth=0,
        learning_rate=0.1, enable_categorical=True, n_jobs=get_num_threads(),
    )  # fmt: skip


def cat_boost(form: str, n_trees: int) -> Any:
    return catboost.CatBoostClassifier(
        iterations=n_trees, depth=5, learning_rate=0.1, thread_count=get_num_threads(),
        cat_features=None if form == "array" else NAMES[10:], verbose=False,
        allow_writing_files=False,
    )  # fmt: skip


CODED = ("array", "pandas, categories")
ENTRIES = (
    Entry("nonet, HistGradientBoosting", functools.partial(histograms, nonet)),
    Entry("nonet, BoostedTrees", boosted_trees),
    Entry("nonet, RandomForest", forest),
    Entry("LightGBM", light_gbm, CODED),
    Entry("XGBoost", xg_boost, CODED),
    Entry("CatBoost", cat_boost, ("array", "pandas, strings")),
    Entry("scikit-learn", functools.partial(histograms, sklearn_ensemble), CODED),
)


# ---- Times --------------------------------------------------------------------------------------


def fit(entry: Entry, form: str, X: Any, y: np.ndarray, n_trees: int) -> Any:
    return entry.make(form, n_trees).fit(X, y)


def predict_often(model: Any, row: Any, n_calls: int) -> None:
    for _ in range(n_calls):
        model.predict_proba(row)


def time_entry(entry: Entry, X: np.ndarray, y: np.ndarray, *, quick: bool) -> list[list[str]]:
    """Fit and predict all forms of one model in turns; return a row for each."""
    n_repeats, n_trees, n_calls = (1, 2, 2) if quick else (3, 100, N_SINGLE_CALLS)
    tables = {form: FORMS[form](X) for form in entry.forms}
    models = {form: fit(entry, form, table, y, n_trees) for form, table in tables.items()}
    run = functools.partial(race, n_repeats=n_repeats, patience=PATIENCE, seconds=2.0)
    fits = run([
        Contender(form, functools.partial(fit, entry, form, table, y, n_trees))
        for form, table in tables.items()
    ])  # fmt: skip
    batches = run([
        Contender(form, functools.partial(models[form].predict_proba, table))
        for form, table in tables.items()
    ])  # fmt: skip
    singles = run([
        Contender(form, functools.partial(predict_often, models[form], table[:1], n_calls))
        for form, table in tables.items()
    ])  # fmt: skip
    return [
        line(entry.name, fits, batches, singles, position, n_calls)
        for position in range(len(tables))
    ]


def line(
    name: str,
    fits: list[Timing],
    batches: list[Timing],
    singles: list[Timing],
    i: int,
    n_calls: int,
) -> list[str]:
    return [
        name if i == 0 else "",
        fits[i].name,
        f"{1e3 * fits[i].wall:,.0f}",
        f"{fits[i].wall / fits[0].wall:.2f}",
        f"{1e3 * batches[i].wall:,.1f}",
        f"{1e3 * batches[i].processor:,.1f}",
        f"{batches[i].wall / batches[0].wall:.2f}",
        f"{1e6 * singles[i].wall / n_calls:,.0f}",
    ]


def report(options: argparse.Namespace) -> Iterator[str]:
    n_rows = 300 if options.quick else N_ROWS
    X, y = draw_codes(n_rows)
    yield (
        f"Measured on {machine(PACKAGES)}; {get_num_threads()} threads for everyone. Best of 3 "
        f"turns or more, one turn for who takes over {PATIENCE:.0f} seconds. Predictions are "
        "probabilities."
    )
    header = (
        "by", "table", f"fit {n_rows:,} rows, ms", "times the array's",
        f"predict {n_rows:,} rows, ms", "processor ms", "times the array's", "one row, us",
    )  # fmt: skip
    rows = [row for entry in ENTRIES for row in time_entry(entry, X, y, quick=options.quick)]
    yield markdown_table(header, rows, n_labels=2)


def main() -> None:
    options = make_parser(__doc__).parse_args()
    warnings.filterwarnings("ignore")  # peers complain about names of columns
    publish("bench_frames", report(options), options)


if __name__ == "__main__":
    main()
