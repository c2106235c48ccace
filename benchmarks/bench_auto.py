r"""Race of auto-ensemblers: nonet, AutoGluon, FLAML and mljar, equal wall time, rows held out.

    python benchmarks/bench_auto.py FOLDER --seconds 60 \
        --peer autogluon=PYTHON --peer flaml=PYTHON --peer mljar=PYTHON [--write]

FOLDER holds Parquet files and datasets.json. Each peer runs in the environment of its own Python.
Tables are every second one by name (``--largest 6`` takes the largest six), at most 20,000 rows, of
which 30 % are held out from all contestants. The portfolio of nonet for a table is the one that was
selected without it (portfolio_orders.json). Results are kept in benchmarks/records/auto.json, and
a run that is repeated goes on where it ended.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split

from command_line import make_parser, publish
from portfolio_file import ORDERS
from real_tables import facts_of

RECORDS = Path(__file__).parent / "records" / "auto.json"
CONTESTANT = Path(__file__).parent / "auto_contestant.py"
MAX_ROWS = 20_000


def read_options() -> argparse.Namespace:
    parser = make_parser(__doc__ or "")
    parser.add_argument("folder", nargs="?", type=Path, help="Parquet files and datasets.json")
    parser.add_argument("--seconds", type=float, default=60.0, help="time limit of a contestant")
    parser.add_argument(
        "--peer", action="append", default=[], help="name=python of its environment"
    )
    parser.add_argument("--largest", type=int, help="race on the largest tables, not every second")
    parser.add_argument("--tables", help="names of tables, in place of the rule")
    parser.add_argument("--redo", action="store_true", help="run nonet again")
    options = parser.parse_args()
    if options.folder is None and not options.quick:
        parser.error("give the folder of the data, or --quick")
    return options


def choose_tables(options: argparse.Namespace) -> list[str]:
    """Return the tables by a fixed rule: every second by name, or the largest."""
    facts = facts_of(options.folder)
    if options.tables:
        return options.tables.split(",")
    if options.largest:
        return sorted(facts, key=lambda name: -facts[name]["rows"])[: options.largest]
    return sorted(facts)[::2]


def split_table(options: argparse.Namespace, name: str) -> tuple[Any, Any, str, str]:
    facts = facts_of(options.folder)[name]
    target, task = facts["target"], facts["task"]
    frame = pd.read_parquet(options.folder / facts["file"]).drop(columns=facts["ignore_columns"])
    frame = frame.dropna(subset=[target])
    if len(frame) > MAX_ROWS:
        frame = frame.sample(MAX_ROWS, random_state=0)
    y = frame[target]
    if task != "regression":  # classes of fewer than 4 rows cannot be divided
        frame = frame[y.groupby(y, observed=True).transform("size") >= 4]
    strata = None if task == "regression" else frame[target]
    train, test = train_test_split(frame, test_size=0.3, random_state=0, stratify=strata)
    return train, test, target, task


def portfolio_without(table_name: str) -> list[Any]:
    """Return the configurations selected without a table; an empty list: it was in no selection."""
    selected = json.loads(ORDERS.read_text())
    by_name = {entry["name"]: entry for entry in selected["configurations"]}
    return [by_name[name] for name in selected["orders"].get(table_name, [])]


def race(
    name: str,
    python: str,
    table: tuple[Any, Any, str, str],
    seconds: float,
    portfolio: list[Any] | None = None,
) -> Any:
    """Run one contestant; return its result, or why there is none."""
    train, test, target, task = table
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / part) for part in ("train.parquet", "test.parquet")]
        train.to_parquet(files[0])
        test.to_parquet(files[1])
        words = [python, str(CONTESTANT), name, *files, target, task, str(seconds), "0"]
        if portfolio:
            (Path(folder) / "portfolio.json").write_text(json.dumps(portfolio))
            words.append(str(Path(folder) / "portfolio.json"))
        ran = subprocess.run(words, capture_output=True, text=True, cwd=folder, check=False)
    lines = ran.stdout.strip().splitlines()
    if ran.returncode or not lines:
        return {"error": (ran.stderr.strip().splitlines() or ["no output"])[-1][:200]}
    return json.loads(lines[-1])


def load_records() -> dict[str, Any]:
    return json.loads(RECORDS.read_text()) if RECORDS.exists() else {}


def run_all(options: argparse.Namespace) -> dict[str, Any]:
    """Run all contestants on all tables, one after another, and keep each result."""
    records = load_records()
    peers = {"nonet": sys.executable, **dict(peer.split("=", 1) for peer in options.peer)}
    for table_name in choose_tables(options):
        table = split_table(options, table_name)
        for name, python in peers.items():
            key = f"{options.seconds:g} s/{table_name}/{name}"
            if key in records and not (options.redo and name == "nonet"):
                continue
            records[key] = race(name, python, table, options.seconds, portfolio_without(table_name))
            RECORDS.write_text(json.dumps(records, indent=1, sort_keys=True) + "\n")
            print(key, records[key], file=sys.stderr, flush=True)
    return records


def report(records: dict[str, Any], seconds: float) -> str:
    """Return the table of losses, and the summary against each peer."""
    results = {
        tuple(key.split("/")[1:]): value
        for key, value in records.items()
        if key.startswith(f"{seconds:g} s/")
    }
    tables = sorted({table for table, _ in results})
    names = [n for n in ("nonet", "autogluon", "flaml", "mljar") if any(n == k[1] for k in results)]
    head = f"| table | {' | '.join(names)} | nonet, s | us per row |"
    lines = [head, f"| --- |{' ---: |' * (len(names) + 2)}"]
    for table in tables:
        own = results.get((table, "nonet"), {})
        losses = " | ".join(_number(results.get((table, name), {}).get("loss")) for name in names)
        cost = _number(own.get("us_per_row"))
        lines.append(f"| {table} | {losses} | {_number(own.get('seconds'))} | {cost} |")
    summary = [_summary(results, tables, peer) for peer in names[1:]]
    return "\n".join([f"Losses after {seconds:g} s.", "", *lines, "", *summary])


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"


def _summary(results: dict[tuple[str, ...], Any], tables: list[str], peer: str) -> str:
    both = [
        (results[table, "nonet"], results[table, peer])
        for table in tables
        if "loss" in results.get((table, "nonet"), {}) and "loss" in results.get((table, peer), {})
    ]
    if not both:
        return f"- {peer}: no table with both results."
    ratios = np.array([own["loss"] / max(other["loss"], 1e-12) for own, other in both])
    costs = [other["us_per_row"] / own["us_per_row"] for own, other in both]
    return (
        f"- Against {peer} ({len(both)} tables): lower loss on {100 * np.mean(ratios < 1):.0f} %, "
        f"median ratio {np.median(ratios):.3f}, 90th percentile {np.quantile(ratios, 0.9):.3f}; "
        f"prediction {np.median(costs):.1f} times cheaper per row (median)."
    )


def quick_records() -> dict[str, Any]:
    frame = load_iris(as_frame=True).frame
    train, test = train_test_split(frame, test_size=0.3, random_state=0)
    result = race("nonet", sys.executable, (train, test, "target", "multiclass"), 2.0)
    return {"2 s/iris/nonet": result}


def main() -> None:
    options = read_options()
    if options.quick:
        publish("auto", [report(quick_records(), 2.0)], options)
        return
    records = run_all(options)
    limits = sorted({float(key.split(" s/")[0]) for key in records})
    publish("auto", (report(records, seconds) for seconds in limits), options)


if __name__ == "__main__":
    main()
