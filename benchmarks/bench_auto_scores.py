r"""Whether claimed scores of the auto-ensembler hold, and whether it keeps its time limit.

    python benchmarks/bench_auto_scores.py FOLDER [--runs 100] [--seconds 6] [--write]

Every run gets other rows: up to 2,000 of a table of FOLDER, drawn anew for each seed, and as many
others as there are, up to 10,000, are kept away from it. z is the difference between the loss of
the ensemble on rows that it has not seen and the loss that it claimed, over the standard error of
that difference: positive if the claim was too good. The plain fold error is the standard deviation
of the losses of the folds over the root of their number. The overrun is wall time beyond the limit,
from the call to the return. Results are kept in benchmarks/records/auto_scores.json, and a run that
is repeated goes on where it ended.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris

import nonet
from command_line import make_parser, publish
from harness import machine, markdown_table
from nonet.auto import searched_ensemble
from nonet.auto.metric import Metric, as_metric_reads, resolve_metric
from nonet.auto.outcome import Outcome
from real_tables import facts_of

RECORDS = Path(__file__).parent / "records" / "auto_scores.json"
MAX_TRAIN, MAX_TEST = 2_000, 10_000
MIN_ROWS = 400  # with fewer, the rows left for the comparison decide nothing

Record = dict[str, Any]


def read_options() -> argparse.Namespace:
    parser = make_parser(__doc__ or "")
    parser.add_argument("folder", nargs="?", type=Path, help="Parquet files and datasets.json")
    parser.add_argument("--runs", type=int, default=100, help="number of runs in all")
    parser.add_argument("--seconds", type=float, default=6.0, help="time limit of a run")
    parser.add_argument("--redo", action="store_true", help="forget the records")
    options = parser.parse_args()
    if options.folder is None and not options.quick:
        parser.error("give the folder of the data, or --quick")
    return options


def read_table(folder: Path, facts: Record) -> pd.DataFrame:
    frame = pd.read_parquet(folder / facts["file"]).drop(columns=facts["ignore_columns"])
    return frame.dropna(subset=[facts["target"]])


def split_rows(frame: pd.DataFrame, facts: Record, seed: int) -> tuple[Any, Any]:
    """Draw the rows of a run, and others; classes that are rare in either stay out."""
    shuffled = frame.sample(frac=1, random_state=seed)
    n_train = min(MAX_TRAIN, int(0.6 * len(frame)))
    train, test = shuffled[:n_train], shuffled[n_train : n_train + MAX_TEST]
    if facts["task"] != "regression":
        known = train[facts["target"]].astype(str).value_counts()
        kept = set(known.index[known >= 8])
        train, test = (part[part[facts["target"]].astype(str).isin(kept)] for part in (train, test))
    return train, test


def run_once(train: Any, test: Any, target: str, *, is_class: bool, **limits: Any) -> Record:
    """Run the auto-ensembler; compare what it claims with what it does on other rows."""
    outcomes: list[Outcome] = []

    def settle(*args: Any) -> Outcome:
        outcomes.append(settle_of_nonet(*args))
        return outcomes[-1]

    settle_of_nonet = searched_ensemble.settle
    task = "classification" if is_class else "regression"
    with mock.patch.object(searched_ensemble, "settle", settle):
        began = time.perf_counter()
        run = nonet.fit_table(train, target, task=task, **limits)
        seconds = time.perf_counter() - began
    loss, error = _loss_and_error(run, test, target, is_class=is_class)
    return {
        "claimed": run.honest_score.score,
        "claimed_error": run.honest_score.standard_error,
        "held_out": loss,
        "held_out_error": error,
        "fold_error": fold_error(outcomes[-1]),
        "seconds": seconds,
    }


def _loss_and_error(run: Any, test: Any, target: str, *, is_class: bool) -> tuple[float, float]:
    if not is_class:
        metric = resolve_metric(None, "regression", None)
        return _scored(metric, test[target].to_numpy(float), run.predict(test))
    classes = run.model.classes_
    metric = resolve_metric(None, "classification", classes)
    codes = np.searchsorted(classes.astype(str), test[target].astype(str).to_numpy())
    return _scored(metric, codes, run.predict_proba(test))


def _scored(metric: Metric, y: np.ndarray, predictions: np.ndarray) -> tuple[float, float]:
    return metric.loss(y, predictions), metric.standard_error(y, predictions)


def fold_error(outcome: Outcome) -> float:
    """Return the standard error that the losses of the folds have among themselves."""
    metric, folds = outcome.search.metric, outcome.page.folds
    support = as_metric_reads(outcome.blend.support)
    losses = [
        metric.loss(outcome.truth[folds == fold], support[folds == fold])
        for fold in np.unique(folds)
    ]
    return float(np.std(losses, ddof=1) / np.sqrt(len(losses)))


# ---- All runs ------------------------------------------------------------------------------------


def planned(folder: Path, n_runs: int) -> Iterator[tuple[Record, int]]:
    """Give tables and seeds: all tables of enough rows with the first seed, then the next."""
    tables = [facts for _, facts in sorted(facts_of(folder).items()) if facts["rows"] >= MIN_ROWS]
    for number in range(n_runs):
        yield tables[number % len(tables)], number // len(tables)


def run_all(options: argparse.Namespace) -> dict[str, Record]:
    known = RECORDS.exists() and not options.redo
    records: dict[str, Record] = json.loads(RECORDS.read_text()) if known else {}
    for facts, seed in planned(options.folder, options.runs):
        key = f"{options.seconds:g} s/{facts['name']}/{seed}"
        if key in records:
            continue
        train, test = split_rows(read_table(options.folder, facts), facts, seed)
        is_class = facts["task"] != "regression"
        limits = {"time_limit": options.seconds, "random_state": seed}
        records[key] = run_once(train, test, facts["target"], is_class=is_class, **limits)
        RECORDS.write_text(json.dumps(records, indent=1, sort_keys=True) + "\n")
        print(key, records[key], file=sys.stderr, flush=True)
    return records


def quick_records() -> dict[str, Record]:
    frame = load_iris(as_frame=True).frame
    train, test = split_rows(frame, {"task": "classification", "target": "target"}, seed=0)
    limits = {"time_limit": None, "max_tasks": 16, "cv": 2, "random_state": 0}
    return {"2 s/iris/0": run_once(train, test, "target", is_class=True, **limits)}


# ---- The report ----------------------------------------------------------------------------------


def z_of(record: Record) -> float:
    error = np.hypot(record["claimed_error"], record["held_out_error"])
    return float((record["held_out"] - record["claimed"]) / error)


def report(records: dict[str, Record]) -> Iterator[str]:
    """Give a table with one line per table of data, and the summary."""
    by_table: dict[str, list[Record]] = {}
    for key, record in records.items():
        by_table.setdefault(key.split("/")[1], []).append(record)
    header = ["table", "runs", "mean z", "within 2 errors", "error over fold error", "seconds"]
    rows = [[name, *_summary_cells(found)] for name, found in sorted(by_table.items())]
    rows.append(["all", *_summary_cells(list(records.values()))])
    yield f"Measured on {machine(['nonet', 'scikit-learn', 'numpy'])}."
    yield markdown_table(header, rows)
    limit = float(next(iter(records)).split(" s/")[0])
    overruns = np.array([record["seconds"] for record in records.values()]) - limit
    yield f"Largest overrun of a limit of {limit:g} s: {overruns.max():.2f} s."


def _summary_cells(found: list[Record]) -> list[str]:
    z = np.array([z_of(record) for record in found])
    widths = [record["claimed_error"] / record["fold_error"] for record in found]
    return [
        str(len(found)),
        f"{z.mean():.2f}",
        f"{100 * np.mean(np.abs(z) <= 2):.0f} %",
        f"{np.median(widths):.2f}",
        f"{np.mean([record['seconds'] for record in found]):.1f}",
    ]


def main() -> None:
    options = read_options()
    records = quick_records() if options.quick else run_all(options)
    publish("auto scores", report(records), options)


if __name__ == "__main__":
    main()
