"""Are our forests and extra trees as accurate as scikit-learn's? Paired, on real data.

Forests of 100 full trees of both on the same five folds, of 5,000 rows at most; categories are
coded by whole numbers for both. The score is accuracy or R2; beside that of new rows stands ours
out of bag.

    python benchmarks/bench_forest_accuracy.py FOLDER          four minutes on two cores
    python benchmarks/bench_forest_accuracy.py FOLDER --write  writes docs/benchmarks.md
    python benchmarks/bench_forest_accuracy.py --quick         a look at scikit-learn's own data

FOLDER holds Parquet files and datasets.json, which names their target and category columns.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from scipy import stats
from sklearn.model_selection import KFold

from bench_forest import Task, nonet_forest, sklearn_forest
from harness import markdown_table, replace_section
from real_tables import Table, facts_of, read_table, small_tables

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
MOST_ROWS = 5000


def tables_of(folder: Path) -> Iterator[Table]:
    for facts in facts_of(folder).values():
        if facts["task"] in ("binary", "multiclass", "regression"):
            yield read_table(folder, facts, MOST_ROWS)


def compare(table: Table) -> list[str]:
    cells = [table.name, f"{len(table.y):,}"]
    for kind in ("forest", "extra"):
        mine, peer, out_of_bag = fold_scores(table, kind)
        difference = mine - peer
        error = difference.std(ddof=1) / np.sqrt(len(difference))
        cells += [f"{mine.mean():.4f}", f"{peer.mean():.4f}", f"{difference.mean():+.4f}"]
        cells += [f"{error:.4f}"]
        if kind == "forest":
            cells += [f"{out_of_bag.mean():.4f}"]
    return cells


def fold_scores(table: Table, kind: str) -> np.ndarray:
    """Give our score, scikit-learn's, and our score out of bag (if there are bags) by fold."""
    task = Task(kind, 0 if table.is_regression else 2, len(table.y), None)
    scores = []
    for train, test in KFold(5, shuffle=True, random_state=0).split(table.X):
        grown, asked = (table.X[train], table.y[train]), (table.X[test], table.y[test])
        ours = nonet_forest(task).set_params(oob_score=kind == "forest").fit(*grown)
        theirs = sklearn_forest(task).fit(*grown)
        outside = getattr(ours, "oob_score_", np.nan)
        scores.append([ours.score(*asked), theirs.score(*asked), outside])
    return np.array(scores).T


def report(tables: Iterable[Table]) -> str:
    rows = [compare(table) for table in tables]
    header = (
        "data", "rows", "nonet", "scikit-learn", "difference", "its error", "out of bag",
        "extra trees", "scikit-learn", "difference", "its error",
    )  # fmt: skip
    verdicts = []
    for name, place in (("Forests", 4), ("extra trees", 9)):
        differences = [float(row[place]) for row in rows]
        p_value = stats.wilcoxon(differences).pvalue
        verdicts += [f"{name}: mean difference {np.mean(differences):+.4f}, p = {p_value:.2f}"]
    verdict = (
        f"{'; '.join(verdicts)} (Wilcoxon's signed ranks over {len(rows)} data sets). Accuracy, or "
        f"R squared, over five folds; at most {MOST_ROWS:,} rows; categories as numbers for both."
    )
    return f"{markdown_table(header, rows)}\n\n{verdict}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, help="Parquet files and datasets.json")
    parser.add_argument("--quick", action="store_true", help="scikit-learn's own small tables")
    parser.add_argument("--write", action="store_true", help="write into docs/benchmarks.md")
    options = parser.parse_args()
    if options.folder is None and not options.quick:
        parser.error("give the folder of the data, or --quick")
    text = report(small_tables() if options.quick else tables_of(options.folder))
    print(text)
    if options.write:
        replace_section(PAGE, "forest_accuracy", text)


if __name__ == "__main__":
    main()
