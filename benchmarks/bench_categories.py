"""Score lost to many categories of few rows, paired with other libraries, on real data.

Noise: a column of 20, 200 and 2,000 random categories is added to every table of two classes or a
number that has 500 to 20,000 rows. What counts is the score (AUC, or R2) lost to it: by boosted
trees beside LightGBM, by histogram boosting beside scikit-learn's, by forests and extra trees
beside the same column as ordinal codes. Real: tables whose categories are many and may matter;
there the scores themselves are compared. scikit-learn refuses more than 255 categories, and gets
such a column as ordinal codes.

Everyone has the same five folds and its own defaults, forests 50 trees; tables are cut to 2,000
rows, real ones to 8,000. The error of a difference is its standard error over folds.

    python benchmarks/bench_categories.py FOLDER          a quarter of an hour on one core
    python benchmarks/bench_categories.py FOLDER --write  puts it into docs/benchmarks.md
    python benchmarks/bench_categories.py --quick         a look at scikit-learn's own data

FOLDER holds Parquet files and datasets.json, which names their targets. LightGBM is needed.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
from scipy import stats
from sklearn import ensemble as sklearn_ensemble
from sklearn.metrics import r2_score, roc_auc_score

import nonet
from command_line import publish, read_options_with_folder
from harness import machine, markdown_table
from real_tables import FrameTable, facts_of, read_frame, small_frames

NOISE_LEVELS = (20, 200, 2000)
MAX_ROWS = 2000
MAX_REAL_ROWS = 8000
MAX_SKLEARN_LEVELS = 255
N_TREES = 50


# ---- Data ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table(FrameTable):
    """A frame of a target and categories; `many` names the columns that this is about."""

    many: tuple[str, ...] = ()

    def with_noise(self, n_levels: int) -> Table:
        """Return the table with a column of so many random categories."""
        codes = np.random.default_rng(n_levels).integers(n_levels, size=len(self.y))
        noise = pd.Categorical.from_codes(codes, categories=[f"n{i}" for i in range(n_levels)])
        return replace(self, X=self.X.assign(noise=noise), many=("noise",))


def as_table(facts: dict[str, Any], frame: pd.DataFrame, y: pd.Series) -> Table:
    is_regression = facts["task"] == "regression"
    target = (
        y.to_numpy(float) if is_regression else np.unique(y.astype(str), return_inverse=True)[1]
    )
    return Table(facts["name"], frame, target, is_regression)


def plain_tables(folder: Path) -> Iterator[Table]:
    for facts in facts_of(folder).values():
        if facts["task"] in ("binary", "regression") and 500 <= facts["rows"] <= 20_000:
            yield as_table(facts, *read_frame(folder, facts, MAX_ROWS))


def quick_tables() -> Iterator[Table]:
    for table in small_frames():
        if table.name != "wine":  # of three classes, which have no AUC here
            yield Table(table.name, table.X, table.y, table.is_regression)


def crossed(frame: pd.DataFrame, names: tuple[str, str]) -> pd.Series:
    """Return the pairs of values of columns as one column of categories."""
    docs = [frame[name].astype(object).where(frame[name].notna(), "none") for name in names]
    return (docs[0].astype(str) + " and " + docs[1].astype(str)).astype("category")


def real_tables(folder: Path) -> Iterator[Table]:
    known = facts_of(folder)
    for name, kept in (("nyc_flights", ("tailnum", "flight")), ("auto", ("name",))):
        facts = known[name] | {"ignore_columns": []}
        frame, y = read_frame(folder, facts, MAX_REAL_ROWS)
        frame = frame.assign(**{column: frame[column].astype("category") for column in kept})
        yield replace(as_table(facts, frame, y), many=kept)
    for name, pairs in (
        ("adult", [("occupation", "education"), ("native_country", "occupation")]),
        (
            "kdd_census_income",
            [
                ("detailed_industry_recode", "detailed_occupation_recode"),
                ("detailed_household_and_family_stat", "education"),
            ],
        ),
    ):
        frame, y = read_frame(folder, known[name], MAX_REAL_ROWS)
        many = {" x ".join(pair): crossed(frame, pair) for pair in pairs}
        yield replace(as_table(known[name], frame.assign(**many), y), many=tuple(many))


# ---- Contenders ---------------------------------------------------------------------------------

# A contender fits a table's rows and returns their held-out predictions.
Contender = Callable[[Table, np.ndarray, np.ndarray], np.ndarray]


def predictions(model: Any, X: Any, is_regression: bool) -> np.ndarray:
    return model.predict(X) if is_regression else model.predict_proba(X)[:, 1]


def boosting(room: Any, name: str, **settings: Any) -> Contender:
    def fit_and_predict(table: Table, rows: np.ndarray, held_out: np.ndarray) -> np.ndarray:
        kind = "Regressor" if table.is_regression else "Classifier"
        model = getattr(room, name + kind)(random_state=0, **settings)
        X = sklearn_frame(table) if room is sklearn_ensemble else table.X
        model.fit(X.iloc[rows], table.y[rows])
        return predictions(model, X.iloc[held_out], table.is_regression)

    return fit_and_predict


def sklearn_frame(table: Table) -> pd.DataFrame:
    """Return the columns with those that scikit-learn refuses as ordinal codes."""
    too_many = [name for name in table.many if table.X[name].nunique() > MAX_SKLEARN_LEVELS]
    return table.X.assign(**{name: table.X[name].cat.codes for name in too_many})


def forest(name: str, *, as_sets: bool) -> Contender:
    def fit_and_predict(table: Table, rows: np.ndarray, held_out: np.ndarray) -> np.ndarray:
        kind = "Regressor" if table.is_regression else "Classifier"
        columns = [table.X.columns.get_loc(column) for column in table.many if as_sets]
        model = getattr(nonet, name + kind)(
            N_TREES, categorical_features=columns or None, n_jobs=1, random_state=0
        )
        codes = table.X.apply(as_codes).to_numpy(float)
        model.fit(codes[rows], table.y[rows])
        return predictions(model, codes[held_out], table.is_regression)

    return fit_and_predict


def as_codes(column: pd.Series) -> pd.Series:
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return column
    return column.cat.codes.astype(float).where(column.notna())


PAIRS: dict[str, tuple[Contender, Contender]] = {
    "boosted trees, LightGBM": (
        boosting(nonet, "BoostedTrees"),
        boosting(lightgbm, "LGBM", verbose=-1, n_jobs=1),
    ),
    "histogram boosting, scikit-learn": (
        boosting(nonet, "HistGradientBoosting"),
        boosting(sklearn_ensemble, "HistGradientBoosting"),
    ),
    "forest, ordinal codes": (
        forest("RandomForest", as_sets=True),
        forest("RandomForest", as_sets=False),
    ),
    "extra trees, ordinal codes": (
        forest("ExtraTrees", as_sets=True),
        forest("ExtraTrees", as_sets=False),
    ),
}


# ---- Scores -------------------------------------------------------------------------------------


def scores(table: Table, contender: Contender, n_folds: int) -> np.ndarray:
    """Return the AUC, or R2, of every fold."""
    score = r2_score if table.is_regression else roc_auc_score
    return np.array(
        [score(table.y[test], contender(table, rows, test)) for rows, test in table.folds(n_folds)]
    )


def mean_and_error(differences: np.ndarray) -> tuple[float, float]:
    return differences.mean(), differences.std(ddof=1) / np.sqrt(len(differences))


def noise_losses(table: Table, n_folds: int) -> np.ndarray:
    """Return the scores lost to noise, of shape (pairs, sides, levels, folds)."""
    found = []
    for pair in PAIRS.values():
        for contender in pair:
            clean = scores(table, contender, n_folds)
            noisy = [scores(table.with_noise(n), contender, n_folds) for n in NOISE_LEVELS]
            found += [clean - score for score in noisy]
    return np.array(found).reshape(len(PAIRS), 2, len(NOISE_LEVELS), n_folds)


def noise_report(tables: Iterator[Table], n_folds: int) -> str:
    rows, losses = [], []
    for table in tables:
        losses.append(noise_losses(table, n_folds))
        more = losses[-1][:, 0] - losses[-1][:, 1]
        cells = ["{:+.4f} ± {:.4f}".format(*mean_and_error(d)) for pair in more for d in pair]
        rows.append([table.name, f"{len(table.y):,}", *cells])
        print(*rows[-1], flush=True)
    header = [f"{name}, {n:,}" for name in PAIRS for n in NOISE_LEVELS]
    by_table = markdown_table(["data", "rows", *header], rows)
    return f"{noise_summary(np.array(losses))}\n\n{by_table}"


def noise_summary(losses: np.ndarray) -> str:
    """Sum up losses of shape (tables, pairs, sides, levels, folds)."""
    rows = []
    for p, name in enumerate(PAIRS):
        for level, n_levels in enumerate(NOISE_LEVELS):
            ours, theirs = losses[:, p, :, level].mean(axis=2).T
            mean, error = mean_and_error(ours - theirs)
            by_fold = losses[:, p, 0, level] - losses[:, p, 1, level]
            n_worse = sum(m > 2 * e for m, e in map(mean_and_error, by_fold))
            p_value = stats.wilcoxon(ours - theirs).pvalue if (ours != theirs).any() else 1.0
            rows.append([name, f"{n_levels:,}", f"{ours.mean():+.4f}", f"{theirs.mean():+.4f}"])
            rows[-1] += [f"{mean:+.4f} ± {error:.4f}", f"{p_value:.2f}", f"{n_worse}"]
    header = (
        "ours, counterpart", "categories", "our loss", "its loss", "difference", "p",
        "tables worse by 2 errors",
    )  # fmt: skip
    return markdown_table(header, rows)


def real_report(tables: Iterator[Table], n_folds: int) -> str:
    rows = []
    for table in tables:
        counts = [f"{table.X[name].nunique():,}" for name in table.many]
        for name, (ours, theirs) in PAIRS.items():
            mine, peers = (scores(table, side, n_folds) for side in (ours, theirs))
            mean, error = mean_and_error(mine - peers)
            verdict = "yes" if mean >= -2 * error else "no"
            cells = [f"{mine.mean():.4f}", f"{peers.mean():.4f}", f"{mean:+.4f} ± {error:.4f}"]
            rows.append([table.name, " and ".join(counts), name, *cells, verdict])
            print(*rows[-1], flush=True)
    header = (
        "data", "categories", "ours, counterpart", "our score", "its score", "difference",
        "within 2 errors",
    )  # fmt: skip
    return markdown_table(header, rows, n_labels=3)


def report(options: argparse.Namespace) -> Iterator[str]:
    yield f"Measured with {machine(['nonet', 'lightgbm', 'scikit-learn'])}."
    tables = quick_tables() if options.quick else plain_tables(options.folder)
    n_folds = 2 if options.quick else 5
    yield f"**Categories of noise: score lost**\n\n{noise_report(tables, n_folds)}"
    if options.folder is not None:
        real = real_report(real_tables(options.folder), n_folds)
        yield f"**Many real categories**\n\n{real}"


def main() -> None:
    options = read_options_with_folder(__doc__)
    warnings.filterwarnings("ignore")
    publish("bench_categories", report(options), options)


if __name__ == "__main__":
    main()
