"""Fits on a bins file whose pages are dropped, beside fits in memory and XGBoost's external memory.

The rows are simulated in pieces and never lie in memory together: 28 columns, two classes. nonet
makes a bins file of them and fits 20 rounds of 31 leaves on it, while another thread makes the
system drop the file's pages several times a second, as a system short of memory would. In memory,
nonet fits a part of the rows from an array, which gives the time per row. XGBoost reads the same
pieces by its iterator of external memory. Each runs in a process of its own, which also reports the
memory that is not backed by files. Times are those of the clock and of the processor.

    python benchmarks/bench_out_of_core.py                    30,000,000 rows
    python benchmarks/bench_out_of_core.py --rows 3000000     fewer

--quick is a smoke test on few rows, and --write puts the table into docs/benchmarks.md.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from command_line import make_parser, publish
from harness import machine, markdown_table

N_COLUMNS = 28
ROUNDS = 20
PIECE = 250_000
MOST_IN_MEMORY = 3_000_000
SECONDS_BETWEEN_DROPS = 0.2


def draw(piece: int, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw the rows of a piece: some interactions, noise, and columns without meaning."""
    rng = np.random.default_rng(piece)
    X = rng.standard_normal((n_rows, N_COLUMNS), dtype=np.float32)
    score = X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + 0.5 * X[:, 3] - (X[:, 4] > 1)
    return X, (score + rng.standard_normal(n_rows) > 0).astype(np.float64)


def pieces(n_rows: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield all rows in pieces."""
    for piece, first in enumerate(range(0, n_rows, PIECE)):
        yield draw(piece, min(PIECE, n_rows - first))


# ---- What is measured, each in a process of its own ----------------------------------------------


def fit_out_of_core(n_rows: int, folder: str) -> dict[str, float]:
    """Make the bins file, then fit while its pages are dropped."""
    import nonet

    made, clock = time.perf_counter(), time.process_time()
    bins = nonet.make_bins(lambda: pieces(n_rows), Path(folder) / "rows.bins", verbose=0)
    made, clock = time.perf_counter() - made, time.process_time() - clock
    with drop_pages(bins) as n_drops:
        found = timed(lambda: booster().fit(bins, None))
    size = bins.path.stat().st_size
    return {**found, "make": made, "make_clock": clock, "size": size, "drops": n_drops[0]}


def fit_in_memory(n_rows: int, folder: str) -> dict[str, float]:
    """Fit an array of the first rows."""
    del folder
    X, y = (np.concatenate(parts) for parts in zip(*pieces(n_rows), strict=True))
    return timed(lambda: booster().fit(X, y))


def fit_xgboost(n_rows: int, folder: str) -> dict[str, float]:
    """Fit by XGBoost's iterator, whose pages of bins are files in a folder."""
    import xgboost

    class Pieces(xgboost.DataIter):
        def __init__(self) -> None:
            self._pieces = pieces(n_rows)
            super().__init__(cache_prefix=os.path.join(folder, "xgboost"))

        def next(self, input_data: Callable[..., Any]) -> bool:
            X, y = next(self._pieces, (None, None))
            if X is None:
                return False
            input_data(data=X, label=y)
            return True

        def reset(self) -> None:
            self._pieces = pieces(n_rows)

    began, clock = time.perf_counter(), time.process_time()
    matrix = xgboost.ExtMemQuantileDMatrix(Pieces(), max_bin=256)
    made, clock = time.perf_counter() - began, time.process_time() - clock
    params = {
        "objective": "binary:logistic",
        "eta": 0.1,
        "grow_policy": "lossguide",
        "max_leaves": 31,
        "max_depth": 0,
        "tree_method": "hist",
        "lambda": 1.0,
    }
    found = timed(lambda: xgboost.train(params, matrix, ROUNDS))
    return {**found, "make": made, "make_clock": clock}


def booster() -> Any:
    """Return the model of both fits of nonet."""
    import nonet

    return nonet.HistGradientBoostingClassifier(
        max_iter=ROUNDS, max_leaf_nodes=31, early_stopping=False, random_state=0
    )


def timed(run: Callable[[], Any]) -> dict[str, float]:
    """Return seconds of the clock and of the processor, and bytes that no file backs."""
    give_back_memory()
    before = anonymous_bytes()
    peak, done = [before], threading.Event()

    def watch() -> None:
        while not done.wait(0.02):
            peak[0] = max(peak[0], anonymous_bytes())

    watcher = threading.Thread(target=watch)
    watcher.start()
    began, clock = time.perf_counter(), time.process_time()
    kept = run()
    began, clock = time.perf_counter() - began, time.process_time() - clock
    done.set()
    watcher.join()
    del kept
    return {"fit": began, "fit_clock": clock, "anonymous": peak[0] - before}


def give_back_memory() -> None:
    """Give freed memory back to the system, so that a fit does not use it unseen."""
    gc.collect()
    with contextlib.suppress(AttributeError, OSError):  # only glibc has the call
        ctypes.CDLL(None).malloc_trim(0)


def anonymous_bytes() -> int:
    """Return the resident memory of this process that no file backs."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))


@contextmanager
def drop_pages(bins: Any) -> Iterator[list[int]]:
    """Make the system drop the pages of a bins file several times a second."""
    n_drops, done = [0], threading.Event()

    def drop() -> None:
        while not done.wait(SECONDS_BETWEEN_DROPS):
            bins.drop_pages()
            n_drops[0] += 1

    dropper = threading.Thread(target=drop)
    dropper.start()
    try:
        yield n_drops
    finally:
        done.set()
        dropper.join()


CONTENDERS = {
    "nonet, bins file": fit_out_of_core,
    "nonet, in memory": fit_in_memory,
    "XGBoost, external memory": fit_xgboost,
}


# ---- The table -----------------------------------------------------------------------------------


def measure(name: str, n_rows: int, n_repeats: int) -> dict[str, float]:
    """Return the smallest numbers of several processes."""
    found = []
    for _ in range(n_repeats):
        folder = tempfile.mkdtemp(dir=os.environ.get("NONET_BENCH_FOLDER"))
        try:
            command = [sys.executable, __file__, "--contender", json.dumps([name, n_rows, folder])]
            # Threads of OpenMP that wait by spinning would count as work.
            settings = os.environ | {"OMP_WAIT_POLICY": "passive"}
            done = subprocess.run(command, capture_output=True, check=True, env=settings)
            output = done.stdout.decode()
            found.append(json.loads(output.splitlines()[-1]))
        finally:
            shutil.rmtree(folder)
    return {key: min(one[key] for one in found) for key in found[0]}


def report(n_rows: int, n_repeats: int) -> Iterator[str]:
    """Yield the parts of the report."""
    yield f"{machine(['nonet', 'xgboost'])}"
    n_in_memory = min(n_rows, MOST_IN_MEMORY)
    rows, per_row = [], {}
    for name in CONTENDERS:
        n = n_in_memory if name == "nonet, in memory" else n_rows
        found = measure(name, n, n_repeats)
        per_row[name] = found["fit_clock"] / n
        rows.append([name, f"{n:,}", *cells_of(found, n)])
    header = ["", "rows", "make, s", "fit, s", "fit, CPU s", "CPU ns per row and round"]
    header += ["memory per row, bytes", "drops of pages"]
    yield markdown_table(header, rows, n_labels=2)
    ratio = per_row["nonet, bins file"] / per_row["nonet, in memory"]
    other = per_row["XGBoost, external memory"] / per_row["nonet, bins file"]
    yield (
        "Fits in memory bin their rows, too. A fit on the file takes "
        f"{ratio:.2f} times the processor time per row of the fit in memory; XGBoost takes "
        f"{other:.2f} times that of the file."
    )


def cells_of(found: dict[str, float], n_rows: int) -> list[str]:
    """Return the cells of a row after its labels."""
    return [
        f"{found['make']:.1f}" if "make" in found else "",
        f"{found['fit']:.1f}",
        f"{found['fit_clock']:.1f}",
        f"{1e9 * found['fit_clock'] / n_rows / ROUNDS:.0f}",
        f"{found['anonymous'] / n_rows:.0f}",
        f"{found['drops']:.0f}" if "drops" in found else "",
    ]


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--rows", type=int, default=30_000_000, help="rows of the file")
    parser.add_argument("--repeats", type=int, default=1, help="processes for each contender")
    parser.add_argument("--contender", help="for the script's own use")
    options = parser.parse_args()
    if options.contender:
        name, n_rows, folder = json.loads(options.contender)
        print(json.dumps(CONTENDERS[name](n_rows, folder)))
        return
    n_rows = 20_000 if options.quick else options.rows
    publish("out_of_core", report(n_rows, options.repeats), options)


if __name__ == "__main__":
    main()
