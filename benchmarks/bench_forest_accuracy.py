"""Accuracy of forests and extra trees beside scikit-learn's, paired, on real data.

Forests of 100 full trees of both on the same five folds, of 5,000 rows at most; categories are
coded by whole numbers for both. The score is accuracy or R2; beside that of new rows stands ours
out of bag.

    python benchmarks/bench_forest_accuracy.py FOLDER          four minutes on two cores
    python benchmarks/bench_forest_accuracy.py FOLDER --write  writes docs/benchmarks.md
    python benchmarks/bench_forest_accuracy.py --quick         a look at scikit-learn's own data

FOLDER holds Parquet files and datasets.json, which names their target and category columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from scipy import stats
from sklearn.model_selection import KFold

from bench_forest import Task, nonet_forest, sklearn_forest
from command_line import publish, read_options_with_folder
from harness import markdown_table
from real_tables import Table, facts_of, read_table, small_tables

MAX_ROWS = 5000


def tables_of(folder: Path) -> Iterator[Table]:
    for facts in facts_of(folder).values():
        if facts["task"] in ("binary", "multiclass", "regression"):
            yield read_table(folder, facts, MAX_ROWS)


def compare(table: Table, n_trees: int) -> list[str]:
    cells = [table.name, f"{len(table.y):,}"]
    for kind in ("forest", "extra"):
        mine, peer, out_of_bag = fold_scores(table, kind, n_trees)
        difference = mine - peer
        error = difference.std(ddof=1) / np.sqrt(len(difference))
        cells += [f"{mine.mean():.4f}", f"{peer.mean():.4f}", f"{difference.mean():+.4f}"]
        cells += [f"{error:.4f}"]
        if kind == "forest":
            cells += [f"{out_of_bag.mean():.4f}"]
    return cells


def fold_scores(table: Table, kind: str, n_trees: int) -> np.ndarray:
    """Give our score, scikit-learn's, and our score out of bag (if there are bags) by fold."""
    task = Task(kind, 0 if table.is_regression else 2, len(table.y), None, n_trees)
    scores = []
    for train, test in KFold(5, shuffle=True, random_state=0).split(table.X):
        grown, held_out = (table.X[train], table.y[train]), (table.X[test], table.y[test])
        ours = nonet_forest(task).set_params(oob_score=kind == "forest").fit(*grown)
        theirs = sklearn_forest(task).fit(*grown)
        outside = getattr(ours, "oob_score_", np.nan)
        scores.append([ours.score(*held_out), theirs.score(*held_out), outside])
    return np.array(scores).T


def report(tables: Iterable[Table], n_trees: int) -> list[str]:
    rows = [compare(table, n_trees) for table in tables]
    header = (
        "data", "rows", "nonet", "scikit-learn", "difference", "its error", "out of bag",
        "extra trees", "scikit-learn", "difference", "its error",
    )  # fmt: skip
    verdicts = []
    for name, position in (("Forests", 4), ("extra trees", 9)):
        differences = [float(row[position]) for row in rows]
        p_value = stats.wilcoxon(differences).pvalue
        verdicts += [f"{name}: mean difference {np.mean(differences):+.4f}, p = {p_value:.2f}"]
    verdict = (
        f"{'; '.join(verdicts)} (Wilcoxon's signed ranks over {len(rows)} data sets). Accuracy, or "
        f"R squared, over five folds; at most {MAX_ROWS:,} rows; categories as numbers for both."
    )
    return [markdown_table(header, rows), verdict]


def main() -> None:
    options = read_options_with_folder(__doc__)
    parts = report(small_tables(), 5) if options.quick else report(tables_of(options.folder), 100)
    publish("forest_accuracy", parts, options)


if __name__ == "__main__":
    main()
