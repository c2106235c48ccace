"""What do many categories of few rows cost? Paired with everyone's counterpart, on real data.

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
import sklearn.datasets
from scipy import stats
from sklearn import ensemble as sklearn_ensemble
from sklearn.metrics import r2_score, roc_auc_score
from sklearn.model_selection import KFold, StratifiedKFold

import nonet
from harness import machine, markdown_table, replace_section
from real_tables import facts_of, read_frame

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
NOISE_LEVELS = (20, 200, 2000)
MOST_ROWS = 2000
MOST_REAL_ROWS = 8000
MOST_SKLEARN_LEVELS = 255
N_FOLDS = 5
N_TREES = 50


# ---- Data ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """A frame whose categories are categories; `many` names the columns that this is about."""

    name: str
    X: pd.DataFrame
    y: np.ndarray
    is_regression: bool
    many: tuple[str, ...] = ()

    def folds(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Return the rows of every fold: to fit, and held out."""
        make = KFold if self.is_regression else StratifiedKFold
        return make(N_FOLDS, shuffle=True, random_state=0).split(self.X, self.y)

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
            yield as_table(facts, *read_frame(folder, facts, MOST_ROWS))


def small_tables() -> Iterator[Table]:
    for name in ("breast_cancer", "diabetes"):
        X, y = getattr(sklearn.datasets, f"load_{name}")(return_X_y=True, as_frame=True)
        yield Table(name, X, y.to_numpy(), name == "diabetes")


def crossed(frame: pd.DataFrame, names: tuple[str, str]) -> pd.Series:
    """Return the pairs of values of columns as one column of categories."""
    texts = [frame[name].astype(object).where(frame[name].notna(), "none") for name in names]
    return (texts[0].astype(str) + " and " + texts[1].astype(str)).astype("category")


def real_tables(folder: Path) -> Iterator[Table]:
    known = facts_of(folder)
    for name, kept in (("nyc_flights", ("tailnum", "flight")), ("auto", ("name",))):
        facts = known[name] | {"ignore_columns": []}
        frame, y = read_frame(folder, facts, MOST_REAL_ROWS)
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
        frame, y = read_frame(folder, known[name], MOST_REAL_ROWS)
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
    too_many = [name for name in table.many if table.X[name].nunique() > MOST_SKLEARN_LEVELS]
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


def scores(table: Table, contender: Contender) -> np.ndarray:
    """Return the AUC, or R2, of every fold."""
    score = r2_score if table.is_regression else roc_auc_score
    return np.array(
        [score(table.y[test], contender(table, rows, test)) for rows, test in table.folds()]
    )


def mean_and_error(differences: np.ndarray) -> tuple[float, float]:
    return differences.mean(), differences.std(ddof=1) / np.sqrt(len(differences))


def noise_losses(table: Table) -> np.ndarray:
    """Return the scores lost to noise, of shape (pairs, sides, levels, folds)."""
    found = []
    for pair in PAIRS.values():
        for contender in pair:
            clean = scores(table, contender)
            found += [clean - scores(table.with_noise(n), contender) for n in NOISE_LEVELS]
    return np.array(found).reshape(len(PAIRS), 2, len(NOISE_LEVELS), N_FOLDS)


def noise_report(tables: Iterator[Table]) -> str:
    rows, losses = [], []
    for table in tables:
        losses.append(noise_losses(table))
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


def real_report(tables: Iterator[Table]) -> str:
    rows = []
    for table in tables:
        counts = [f"{table.X[name].nunique():,}" for name in table.many]
        for name, (ours, theirs) in PAIRS.items():
            mine, peers = scores(table, ours), scores(table, theirs)
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


def run(options: argparse.Namespace) -> None:
    warnings.filterwarnings("ignore")
    parts = [f"Measured with {machine(['nonet', 'lightgbm', 'scikit-learn'])}."]
    tables = small_tables() if options.quick else plain_tables(options.folder)
    parts += [f"**Categories of noise: score lost**\n\n{noise_report(tables)}"]
    if options.folder is not None:
        parts += [f"**Many real categories**\n\n{real_report(real_tables(options.folder))}"]
    text = "\n\n".join(parts)
    print(text)
    if options.write:
        replace_section(PAGE, "bench_categories", text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, help="Parquet files and datasets.json")
    parser.add_argument("--quick", action="store_true", help="scikit-learn's own small tables")
    parser.add_argument("--write", action="store_true", help="write into docs/benchmarks.md")
    options = parser.parse_args()
    if options.folder is None and not options.quick:
        parser.error("give the folder of the data, or --quick")
    run(options)


if __name__ == "__main__":
    main()
