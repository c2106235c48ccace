r"""Runs of the auto-ensembler on 20 to 5,000,000 rows: time, memory, and what was run.

    python benchmarks/bench_auto_rows.py [--rows 5000000] [--seconds 120] [--write]

The tables are drawn: four numbers, one of which has gaps, two columns of categories, and a class
that depends on them. Each run has a process of its own. The limit holds from the call to the
return; the peak is that of the process, the table included. "first model" is the moment at which
the first fit of a fold is done. The loss is that of 100,000 rows drawn afterwards, beside that of
the constant prediction, and of the function that the classes were drawn by.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss

import nonet
from command_line import make_parser, publish
from harness import machine, markdown_table
from nonet.auto.memory import peak_bytes
from nonet.auto.memory_store import MemoryStore

ROWS = (20, 1_000, 100_000, 5_000_000)
N_TEST = 100_000
N_SHOPS, N_KINDS = 200, 6

Record = dict[str, Any]


def read_options() -> argparse.Namespace:
    parser = make_parser(__doc__ or "")
    parser.add_argument("--rows", type=int, nargs="+", default=list(ROWS), help="sizes of tables")
    parser.add_argument("--seconds", type=float, default=120.0, help="time limit of a run")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def draw_table(n_rows: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw a table, and the probabilities by which its classes were drawn."""
    rng = np.random.default_rng(seed)
    a, b, c, d = (rng.normal(size=n_rows).astype(np.float32) for _ in range(4))
    shop, kind = rng.integers(N_SHOPS, size=n_rows), rng.integers(N_KINDS, size=n_rows)
    effect = np.sin(np.arange(N_SHOPS) * 1.7)[shop]
    probability = 1 / (1 + np.exp(-(1.5 * a * (kind % 2) + np.abs(b) - c + effect)))
    frame = pd.DataFrame({"a": a, "b": b, "c": np.where(d > 1.5, np.nan, c), "d": d})
    frame["shop"] = pd.Categorical.from_codes(shop, [f"shop {i}" for i in range(N_SHOPS)])
    frame["kind"] = pd.Categorical.from_codes(kind, list("uvwxyz"))
    frame["y"] = rng.random(n_rows) < probability
    return frame, probability


def run_alone(n_rows: int, seconds: float, n_test: int) -> Record:
    """Run on one table in this process."""
    frame, _ = draw_table(n_rows, seed=0)
    drawn, finish, ended = peak_bytes(), MemoryStore.finish, []

    def note(*args: Any, **kwargs: Any) -> None:
        finish(*args, **kwargs)
        ended.append(time.monotonic())

    with mock.patch.object(MemoryStore, "finish", note):
        began = time.monotonic()
        run = nonet.fit_table(frame, "y", time_limit=seconds, random_state=0)
        took = time.monotonic() - began
    test, probability = draw_table(n_test, seed=1)
    truth = test.pop("y")
    predicted = run.predict_proba(test)[:, 1]
    done = [row for row in run.leaderboard.rows if row.rows[0].isdigit()]
    return {
        "rows": n_rows,
        "seconds": took,
        "first": ended[0] - began,
        "drawn": drawn,
        "peak": peak_bytes(),
        "tasks": len(ended),
        "configurations": len(done) - 1,
        "loss": log_loss(truth, predicted),
        "constant": log_loss(truth, np.full(n_test, frame["y"].mean())),
        "drawn_by": log_loss(truth, probability),
        "claimed": run.honest_score.score,
        "untouched": run.honest_score.untouched_score,
        "warnings": run.warnings,
    }


def run_apart(n_rows: int, seconds: float) -> Record:
    words = [sys.executable, __file__, "--alone", "--rows", str(n_rows), "--seconds", str(seconds)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise RuntimeError(f"{n_rows} rows: {ran.stderr.strip().splitlines()[-1]}")
    record: Record = json.loads(ran.stdout.strip().splitlines()[-1])
    print(record, file=sys.stderr, flush=True)
    return record


def report(records: list[Record], seconds: float) -> Iterator[str]:
    header = ["rows", "seconds", "first model, s", "peak, GB", "of which the table", "tasks"]
    header += ["configurations", "loss", "claimed", "constant", "drawn by"]
    rows = [
        [
            f"{one['rows']:,}",
            f"{one['seconds']:.1f}",
            f"{one['first']:.1f}",
            f"{one['peak'] / 1e9:.2f}",
            f"{one['drawn'] / 1e9:.2f}",
            str(one["tasks"]),
            str(one["configurations"]),
            *(f"{one[name]:.4f}" for name in ("loss", "claimed", "constant", "drawn_by")),
        ]
        for one in records
    ]
    yield f"Measured on {machine(['nonet', 'scikit-learn', 'numpy'])}; limit {seconds:g} s."
    yield markdown_table(header, rows)


def main() -> None:
    options = read_options()
    if options.alone:
        print(json.dumps(run_alone(options.rows[0], options.seconds, N_TEST)))
        return
    if options.quick:
        records = [run_alone(n_rows, 2.0, n_test=500) for n_rows in (20, 200)]
        publish("auto rows", report(records, 2.0), options)
        return
    records = [run_apart(n_rows, options.seconds) for n_rows in options.rows]
    publish("auto rows", report(records, options.seconds), options)


if __name__ == "__main__":
    main()
