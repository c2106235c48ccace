"""Time of extra trees of many classes beside scikit-learn's, on real tables.

100 full trees of both on all rows of every table of five classes or more and 50,000 rows at most,
on one thread and on two; categories are coded by whole numbers, and missing values stay missing.
The two libraries take turns; the minimum counts.

    python benchmarks/bench_forest_classes.py FOLDER          four minutes on two idle cores
    python benchmarks/bench_forest_classes.py FOLDER --write  writes docs/benchmarks.md
    python benchmarks/bench_forest_classes.py --quick         a look at scikit-learn's own data

FOLDER holds Parquet files and datasets.json, which names their target and category columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from bench_forest import N_THREADS, Task, nonet_forest, sklearn_forest
from command_line import publish, read_options_with_folder
from harness import Contender, Timing, machine, markdown_table, race
from real_tables import Table, facts_of, read_table, small_tables

MIN_CLASSES = 5
MAX_ROWS = 50_000
HEADER = (
    "table", "rows x columns", "classes", "threads", "nonet ms", "scikit-learn ms", "times ours",
    "and processor time",
)  # fmt: skip


def tables_of(folder: Path) -> Iterator[Table]:
    """Give the tables of many classes."""
    for facts in facts_of(folder).values():
        if facts["task"] != "multiclass" or facts["rows"] > MAX_ROWS:
            continue
        table = read_table(folder, facts, None)
        if len(np.unique(table.y)) >= MIN_CLASSES:
            yield table


def compare(table: Table, n_threads: int, n_trees: int, n_repeats: int) -> list[str]:
    task = Task("extra", len(np.unique(table.y)), len(table.y), None, n_trees)
    ours, theirs = (
        make(task).set_params(n_jobs=n_threads) for make in (nonet_forest, sklearn_forest)
    )
    times = race(
        [
            Contender("nonet", lambda: ours.fit(table.X, table.y)),
            Contender("scikit-learn", lambda: theirs.fit(table.X, table.y)),
        ],
        n_repeats,
    )
    size = f"{table.X.shape[0]:,} x {table.X.shape[1]}"
    return [table.name, size, f"{task.n_classes}", f"{n_threads}", *cells_of(*times)]


def cells_of(ours: Timing, theirs: Timing) -> list[str]:
    ratios = theirs.wall / ours.wall, theirs.processor / ours.processor
    walls = [f"{1e3 * timing.wall:,.1f}" for timing in (ours, theirs)]
    return [*walls, *(f"{ratio:.1f}" for ratio in ratios)]


def report(tables: Iterable[Table], n_trees: int, n_repeats: int) -> Iterator[str]:
    yield f"Measured on {machine(('nonet', 'scikit-learn'))}; {n_trees} full extra trees."
    rows = [
        compare(table, n_threads, n_trees, n_repeats)
        for table in tables
        for n_threads in (1, N_THREADS)
    ]
    yield markdown_table(HEADER, rows, n_labels=2)


def main() -> None:
    options = read_options_with_folder(__doc__)
    if options.quick:
        tables = (table for table in small_tables() if not table.is_regression)
        return publish("forest_classes", report(tables, 2, 1), options)
    publish("forest_classes", report(tables_of(options.folder), 100, 3), options)


if __name__ == "__main__":
    main()
