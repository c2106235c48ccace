"""Scores of candidate configurations of the auto-ensembler on many tables.

For every table and every candidate, a model is fitted without each of three folds, on one thread.
Its held-out predictions, and the mean of the three models' predictions of a test part, go into a
folder; their losses and processor seconds into portfolio_scores.csv. What the folder holds already
is not computed again. `select_portfolio.py` reads both.

    python benchmarks/portfolio_scores.py DATA --store FOLDER
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from threadpoolctl import threadpool_limits

import nonet
from harness import markdown_table
from nonet.auto.configuration import Configuration
from nonet.auto.fold_task import FoldResult, predict_rows, run_fold_task
from nonet.auto.rounds import choose_rounds
from portfolio_candidates import candidates
from portfolio_store import Outcome, PortfolioStore, Score, write_scores
from portfolio_tables import PortfolioTable, portfolio_tables, quick_tables

SCORES = Path(__file__).with_suffix(".csv")
MAX_FOLD_SECONDS = 10.0  # of the processor
MAX_WALL_SECONDS = 120.0  # until a booster is stopped, on a machine that does other things
QUICK_CANDIDATES = ("default", "fast_8", "extra_trees_few", "splines", "near")


def run_candidate(configuration: Configuration, table: PortfolioTable) -> Outcome:
    """Fit a configuration without each fold; give up when the folds take too long."""
    began = time.process_time()
    results: dict[int, FoldResult] = {}
    for fold in range(len(table.data.folds)):
        deadline = time.monotonic() + MAX_WALL_SECONDS
        results[fold] = run_fold_task(configuration, fold, table.data, deadline)
        seconds = time.process_time() - began
        is_stopped = time.monotonic() >= deadline
        if is_stopped or seconds > MAX_FOLD_SECONDS * len(results):
            return Outcome(seconds)
    losses = {fold: result.losses for fold, result in results.items() if result.losses is not None}
    rounds = choose_rounds(losses) if losses else {}
    held_out = _held_out_predictions(results, rounds, table, configuration.prep)
    test = np.mean(
        [
            predict_rows(
                result.model,
                table.data.new_rows_of(fold, table.X_test, configuration.prep),
                rounds.get(fold),
            )
            for fold, result in results.items()
        ],
        axis=0,
    )
    seconds = time.process_time() - began
    return Outcome(seconds, held_out.astype(np.float32), test.astype(np.float32))


def _held_out_predictions(
    results: dict[int, FoldResult], rounds: dict[int, int], table: PortfolioTable, prep: str
) -> np.ndarray:
    data = table.data
    predictions = np.zeros((len(data.y), data.n_classes) if data.n_classes else len(data.y))
    for fold, result in results.items():
        rows = data.folds[fold][1]
        found = result.predictions
        predictions[rows] = (
            predict_rows(result.model, data.rows_of(fold, rows, prep), rounds[fold])
            if found is None
            else found
        )
    return predictions


def run_missing(
    tables: Iterator[PortfolioTable], chosen: list[Configuration], store: PortfolioStore
) -> None:
    """Run what the store lacks, table by table."""
    for table in tables:
        store.add_table(table)
        missing = [c for c in chosen if not store.has(table.name, c.name)]
        began = time.process_time()
        for configuration in missing:
            # Networks and linear models that could go on warn; here they need not.
            with warnings.catch_warnings(), threadpool_limits(1), nonet.limit_threads(1):
                warnings.simplefilter("ignore")
                store.add(table.name, configuration.name, run_candidate(configuration, table))
        seconds = time.process_time() - began
        print(f"{table.name}: {len(missing)} configurations, {seconds:.0f} s", flush=True)


def summary(scores: list[Score]) -> str:
    """One row per configuration: how often it is the best on held-out rows, and its seconds."""
    best: dict[str, Score] = {}
    for score in scores:
        held = best.get(score.table)
        if held is None or not score.held_out_loss >= held.held_out_loss:
            best[score.table] = score
    rows = []
    for name in dict.fromkeys(score.configuration for score in scores):
        own = [score for score in scores if score.configuration == name]
        n_best = sum(found.configuration == name for found in best.values())
        n_done = sum(np.isfinite(score.held_out_loss) for score in own)
        mean_seconds = np.mean([score.seconds for score in own])
        rows.append([name, str(n_done), str(n_best), f"{mean_seconds:.2f}"])
    return markdown_table(["configuration", "tables", "best on", "mean seconds"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, help="Parquet files and datasets.json")
    parser.add_argument("--quick", action="store_true", help="tiny data: does it run?")
    parser.add_argument("--store", type=Path, help="folder of the predictions")
    parser.add_argument("--tables", nargs="+", help="run these tables only")
    parser.add_argument("--candidates", nargs="+", help="run these configurations only")
    options = parser.parse_args()
    if options.quick:
        with TemporaryDirectory() as folder:
            few = [c for c in candidates() if c.name in QUICK_CANDIDATES]
            store = PortfolioStore(options.store or Path(folder))
            run_missing(quick_tables(), few, store)
            print(summary(write_scores(store, Path(folder) / SCORES.name)))
        return
    if options.folder is None or options.store is None:
        parser.error("give the folder of the data and --store, or --quick")
    store = PortfolioStore(options.store)
    wanted = [c for c in candidates() if c.name in (options.candidates or [c.name])]
    run_missing(portfolio_tables(options.folder, options.tables), wanted, store)
    print(summary(write_scores(store, SCORES)))


if __name__ == "__main__":
    main()
