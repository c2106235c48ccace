"""Accuracy of trees beside scikit-learn's, paired, on real data.

Fully grown trees of both on the same ten splits (80 % to fit, 20 % to predict). Columns of
categories are coded by whole numbers for both; a third tree splits them as sets. The score is
accuracy or R2, the interval that of the corrected resampled t-test (Nadeau and Bengio, 2003), which
allows for splits that share rows. A difference whose interval holds 0 is noise.

    python benchmarks/bench_tree_accuracy.py FOLDER          a minute or two
    python benchmarks/bench_tree_accuracy.py FOLDER --write  puts the tables into docs/benchmarks.md
    python benchmarks/bench_tree_accuracy.py --quick         a smoke test on scikit-learn's own data

FOLDER holds Parquet files and datasets.json, which names their target and category columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import sklearn.tree
from scipy import stats
from sklearn.model_selection import ShuffleSplit

import nonet
from command_line import publish, read_options_with_folder
from harness import machine, markdown_table
from real_tables import Table, facts_of, read_table, small_tables

NAMES = [
    "adult",
    "bank_marketing",
    "magic_telescope",
    "phoneme",
    "spambase",
    "sick",
    "credit_g",
    "letter",
    "satimage",
    "nursery",
    "soybean",
    "california_housing",
    "diamonds",
    "bike_sharing",
    "wine_quality",
    "protein_casp",
]
MAX_ROWS = 10_000
TEST_FRACTION = 0.2


def tables_of(folder: Path) -> Iterator[Table]:
    facts = facts_of(folder)
    for name in NAMES:
        yield read_table(folder, facts[name], MAX_ROWS)


def scores(table: Table, seed: int, rows: np.ndarray, held_out: np.ndarray) -> list[float]:
    """Score scikit-learn's tree, ours, and ours on sets of categories."""
    kind = "DecisionTreeRegressor" if table.is_regression else "DecisionTreeClassifier"
    trees = [
        getattr(sklearn.tree, kind)(random_state=seed),
        getattr(nonet, kind)(),
        getattr(nonet, kind)(categorical_features=table.categories),
    ]
    X, y = table.X, table.y
    return [float(tree.fit(X[rows], y[rows]).score(X[held_out], y[held_out])) for tree in trees]


def compare(table: Table, n_splits: int) -> tuple[str, ...]:
    splits = ShuffleSplit(n_splits, test_size=TEST_FRACTION, random_state=0).split(table.X)
    theirs, ours, by_sets = np.array(
        [scores(table, seed, rows, held_out) for seed, (rows, held_out) in enumerate(splits)]
    ).T
    n_rows, n_columns = table.X.shape
    return (
        table.name,
        f"{n_rows:,} x {n_columns}",
        "R2" if table.is_regression else "accuracy",
        f"{theirs.mean():.4f}",
        f"{ours.mean():.4f}",
        interval(ours - theirs),
        interval(by_sets - theirs) if table.categories else "",
    )


def interval(gaps: np.ndarray) -> str:
    """Write the mean and its 95 % interval."""
    ratio = TEST_FRACTION / (1 - TEST_FRACTION)
    spread = np.sqrt((1 / len(gaps) + ratio) * gaps.var(ddof=1))
    half = stats.t.ppf(0.975, len(gaps) - 1) * spread
    return f"{gaps.mean():+.4f} ± {half:.4f}"


def report(tables: Iterator[Table], n_splits: int) -> list[str]:
    rows = [compare(table, n_splits) for table in tables]
    header = ("data", "rows x columns", "score", "scikit-learn", "nonet", "difference", "with sets")
    return [
        f"Measured with {machine(['nonet', 'numpy', 'scikit-learn'])}.",
        markdown_table(header, rows, n_labels=3),
    ]


def main() -> None:
    options = read_options_with_folder(__doc__)
    parts = report(small_tables(), 3) if options.quick else report(tables_of(options.folder), 10)
    publish("bench_tree_accuracy", parts, options)


if __name__ == "__main__":
    main()
