"""Growing trees: time, cost of a histogram's addition, foreign load and memory, beside peers.

All on 28 float32 columns and 255 bins unless stated otherwise; peers run in turns in the same
process. A round of a booster grows one tree; it also computes gradients and scores, some 5 % of its
time, while nonet is given ready gradients. Binning is measured apart, as it is done once for many
trees.

- One tree of 31 leaves (best first, at least 20 rows per leaf), on one thread and on all, against
  LightGBM, LightGBM with quantised gradients, XGBoost and scikit-learn.
- One fully grown tree, against the same.
- The cost of a (row, column) pair inside a fit of 31 leaves: what a fit on 28 columns takes more
  than one on 7 of them, by the number of pairs it has more. The floor is a bare loop, compiled and
  run in between.
- Growing while one busy process per core runs beside it: processor time against that on an idle
  machine. Run this on a machine that is idle otherwise.
- Memory of a fresh process beyond its table, against the formula.

    python benchmarks/bench_engine.py            up to 1,000,000 rows, about 10 minutes
    python benchmarks/bench_engine.py --load     foreign load alone, which peers that spin make long
    python benchmarks/bench_engine.py --quick    a smoke test on small tables
    python benchmarks/bench_engine.py --write    also puts the results into docs/benchmarks.md
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from command_line import make_parser, publish
from drawn_tables import N_COLUMNS, draw_table
from harness import (
    Contender,
    Timing,
    machine,
    markdown_table,
    peak_in_own_process,
    print_peak_of,
    race,
    timing_rows,
)
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, TreeGrower
from nonet._native.runtime import get_num_threads, limit_threads

FLOOR = Path(__file__).with_name("histogram_floor.cpp")
LEAVES = 31
MIN_ROWS = 20
NEWTON = GrowParams(max_leaf_nodes=LEAVES, min_rows_leaf=MIN_ROWS, l2=1e-3, threshold_policy="edge")


@dataclass(frozen=True)
class Sizes:
    """Rows of the tables, and how often each contender runs."""

    small_trees: tuple[int, ...]
    full_trees: tuple[int, ...]
    histogram: int
    load: int
    memory: int
    n_repeats: int
    n_load_trees: int = 20


FULL = Sizes(
    (10_000, 100_000, 1_000_000), (10_000, 100_000, 1_000_000), 1_000_000, 100_000, 2_000_000, 7
)
QUICK = Sizes((500,), (200,), 500, 500, 1_000, 1, 1)


@dataclass(frozen=True)
class Table:
    """A table with classes, numbers, and gradients as boosting has them in the middle of a run."""

    X: np.ndarray
    classes: np.ndarray
    numbers: np.ndarray
    gradients: np.ndarray
    hessians: np.ndarray


def make_table(n_rows: int) -> Table:
    random = np.random.default_rng(0)
    X, signal = draw_table(n_rows, random=random)
    classes = (signal > 0).astype(np.int32)
    p = 1 / (1 + np.exp(-0.5 * random.normal(size=n_rows)))
    return Table(X, classes, signal, p - classes, p * (1 - p))


# ---- Contenders --------------------------------------------------------------------------------


def grow_newton(grower: TreeGrower, table: Table) -> Any:
    return grower.grow(table.gradients, NEWTON, criterion="newton", hessians=table.hessians)


def own_small_trees(table: Table) -> list[Contender]:
    grower = TreeGrower(BinnedDataset(table.X))
    gini = GrowParams(max_leaf_nodes=LEAVES, min_rows_leaf=MIN_ROWS)
    return [
        Contender("nonet, Newton", lambda: grow_newton(grower, table)),
        Contender(
            "nonet, Gini",
            lambda: grower.grow(table.classes, gini, criterion="gini", n_classes=2),
        ),
    ]


def lightgbm_round(table: Table, **params: Any) -> Callable[[], Any]:
    import lightgbm

    known = {"objective": "binary", "verbose": -1, "num_threads": get_num_threads(), **params}
    dataset = lightgbm.Dataset(table.X, table.classes, params=known, free_raw_data=False)
    return lightgbm.Booster(known, dataset.construct()).update


def xgboost_round(table: Table, **params: Any) -> Callable[[], Any]:
    import xgboost

    known = {
        "objective": "binary:logistic",
        "tree_method": "hist",
        "grow_policy": "lossguide",
        "max_depth": 0,
        "nthread": get_num_threads(),
        **params,
    }
    matrix = xgboost.QuantileDMatrix(table.X, table.classes, nthread=get_num_threads())
    booster = xgboost.Booster(known, [matrix])
    rounds = itertools.count()
    return lambda: booster.update(matrix, next(rounds))


def boosters_of_small_trees(table: Table) -> list[Contender]:
    small = {"num_leaves": LEAVES, "min_data_in_leaf": MIN_ROWS}
    return [
        Contender("LightGBM", lightgbm_round(table, **small)),
        Contender("LightGBM, quantised", lightgbm_round(table, use_quantized_grad=True, **small)),
        Contender("XGBoost", xgboost_round(table, max_leaves=LEAVES)),
    ]


# ---- Trees -------------------------------------------------------------------------------------


def race_small_trees(n_rows: int, n_threads: int, n_repeats: int) -> list[Timing]:
    from sklearn.tree import DecisionTreeClassifier

    table = make_table(n_rows)
    with limit_threads(n_threads):
        timings = race([*own_small_trees(table), *boosters_of_small_trees(table)], n_repeats)
    peer = DecisionTreeClassifier(max_leaf_nodes=LEAVES, min_samples_leaf=MIN_ROWS)
    alone = Contender("scikit-learn", lambda: peer.fit(table.X, table.classes))
    return timings + race([alone], 1)


def race_full_trees(n_rows: int, n_repeats: int) -> dict[str, list[Timing]]:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    table = make_table(n_rows)
    coarse, exact = (TreeGrower(BinnedDataset(table.X, max_bins=b)) for b in (255, 65_535))
    few = GrowParams(columns_per_split=5)
    peers = {
        "Gini": lambda: DecisionTreeClassifier(random_state=0).fit(table.X, table.classes),
        "Gini, 5 columns per split": lambda: DecisionTreeClassifier(
            random_state=0, max_features=5
        ).fit(table.X, table.classes),
        "squared error": lambda: DecisionTreeRegressor(random_state=0).fit(table.X, table.numbers),
    }
    unlimited = {
        "num_leaves": min(n_rows, 131_072),  # its maximum number
        "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 0,
    }
    boosters = [
        Contender("LightGBM", lightgbm_round(table, histogram_pool_size=1024, **unlimited)),
        Contender("XGBoost", xgboost_round(table, min_child_weight=0, max_cached_hist_node=8192)),
    ]
    own = {
        "Gini": [
            Contender("nonet, 65,535 bins", lambda: exact.grow(table.classes, criterion="gini")),
            Contender("nonet, 255 bins", lambda: coarse.grow(table.classes, criterion="gini")),
            *boosters,
        ],
        "Gini, 5 columns per split": [
            Contender("nonet", lambda: coarse.grow(table.classes, few, criterion="gini"))
        ],
        "squared error": [
            Contender(
                "nonet, 65,535 bins", lambda: exact.grow(table.numbers, criterion="squared_error")
            )
        ],
    }
    return {
        f"{name}, {n_rows:,} rows": race(contenders, n_repeats)
        + race([Contender("scikit-learn", peers[name])], 1)
        for name, contenders in own.items()
    }


def race_binning(n_rows: int, n_repeats: int) -> list[Timing]:
    import lightgbm

    table = make_table(n_rows)
    params = {"num_threads": get_num_threads(), "verbose": -1}
    contenders = [
        Contender("nonet", lambda: BinnedDataset(table.X)),
        Contender("nonet, 65,535 bins", lambda: BinnedDataset(table.X, max_bins=65_535)),
        Contender(
            "LightGBM",
            lambda: lightgbm.Dataset(table.X, table.classes, params=params).construct(),
        ),
    ]
    return race(contenders, n_repeats)


# ---- Histograms --------------------------------------------------------------------------------


def rows_counted(tree: Any) -> int:
    """Count the rows that went into histograms: all at the root, then the smaller children."""
    arrays = tree.arrays()
    inner = arrays["left"] >= 0
    smaller = np.minimum(
        arrays["n_rows"][arrays["left"][inner]], arrays["n_rows"][arrays["right"][inner]]
    )
    return int(arrays["n_rows"][0]) + int(smaller.sum())


def histogram_cost(n_rows: int, n_repeats: int) -> list[tuple[str, str]]:
    table = make_table(n_rows)
    growers = [
        TreeGrower(BinnedDataset(np.ascontiguousarray(table.X[:, :n_columns])))
        for n_columns in (7, N_COLUMNS)
    ]
    with limit_threads(1):
        timings = race(
            [Contender("", lambda g=grower: grow_newton(g, table)) for grower in growers], n_repeats
        )
        tree = grow_newton(growers[1], table)
    n_pairs = (N_COLUMNS - 7) * rows_counted(tree)
    cost = (timings[1].processor - timings[0].processor) / n_pairs
    in_order, gathered = floor_cost(n_rows)
    return [
        ("per pair inside a fit, ns", f"{1e9 * cost:.2f}"),
        ("floor, rows in order, ns", in_order),
        ("floor, one row in eight, ns", gathered),
        ("rows counted, times the rows there are", f"{rows_counted(tree) / n_rows:.2f}"),
    ]


def floor_cost(n_rows: int) -> tuple[str, str]:
    compiler = next((name for name in ("c++", "g++", "clang++") if shutil.which(name)), None)
    if compiler is None:
        return "no compiler", "no compiler"
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "floor")
        subprocess.run([compiler, "-O3", "-std=c++20", FLOOR, "-o", program], check=True)
        run = subprocess.run([program, str(n_rows)], capture_output=True, text=True, check=True)
    in_order, gathered = (f"{float(number):.2f}" for number in run.stdout.split())
    return in_order, gathered


# ---- Foreign load ------------------------------------------------------------------------------


@contextmanager
def busy_processes(n_processes: int) -> Iterator[None]:
    """Keep so many processes spinning."""
    command = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(command) for _ in range(n_processes)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def under_load(sizes: Sizes) -> list[tuple[str, ...]]:
    table = make_table(sizes.load)
    n_threads = get_num_threads()

    def many(contender: Contender) -> Contender:
        return Contender(
            contender.name, lambda: [contender.run() for _ in range(sizes.n_load_trees)]
        )

    contenders = [many(c) for c in [*own_small_trees(table), *boosters_of_small_trees(table)]]
    n_repeats = min(3, sizes.n_repeats)
    idle = race(contenders, n_repeats)
    with busy_processes(n_threads):
        loaded = race(contenders, n_repeats)
    return [
        (
            one.name,
            *(f"{1e3 * t / sizes.n_load_trees:.2f}" for t in (one.processor, other.processor)),
            f"{other.processor / one.processor:.2f}",
            f"{other.wall / one.wall:.2f}",
        )
        for one, other in zip(idle, loaded, strict=True)
    ]


# ---- Memory ------------------------------------------------------------------------------------


def memory_by_formula(n_rows: int, bytes_per_row: int) -> int:
    """Binned columns and rows, what growing keeps of a row, and histograms of the open nodes."""
    stride = (N_COLUMNS + 7) // 8 * 8
    histogram = N_COLUMNS * 260 * 16
    return n_rows * (N_COLUMNS + stride + bytes_per_row) + (LEAVES + 1) * histogram


def grow_both_ways(table: Table, n_weighted: int) -> TreeGrower:
    """Grow three trees of Newton's step, and so many of weighted squared error after them."""
    grower = TreeGrower(BinnedDataset(table.X))
    for _ in range(3):
        grow_newton(grower, table)
    limits = GrowParams(max_leaf_nodes=LEAVES)
    for _ in range(n_weighted):
        grower.grow(table.numbers, limits, criterion="squared_error", weights=table.hessians)
    return grower


def print_peak(facts: str) -> None:
    """Measure growing in this process; what its first call ever allocates is not counted."""
    n_rows, n_weighted = json.loads(facts)
    grow_both_ways(make_table(1000), 0)
    table = make_table(n_rows)
    print_peak_of(lambda: grow_both_ways(table, n_weighted))


def memory_rows(n_rows: int) -> list[tuple[str, ...]]:
    return [
        (
            name,
            f"{peak_in_own_process(__file__, [n_rows, n_weighted]) / 1e6:.0f}",
            f"{memory_by_formula(n_rows, bytes_per_row) / 1e6:.0f}",
        )
        for name, n_weighted, bytes_per_row in [
            ("three trees of Newton's step", 0, 24),
            # Packed rows stay in the buffer pool while wide ones are in use.
            ("and one of weighted squared error by the same grower", 1, 24 + 32),
        ]
    ]


# ---- Report ------------------------------------------------------------------------------------


rows_of = functools.partial(timing_rows, digits=2, ratio_digits=2)


def report(sizes: Sizes) -> Iterator[str]:
    """Give one table after another."""
    all_threads = get_num_threads()
    n = sizes.n_repeats
    header = ["by", "wall ms", "processor ms", "times the first's wall", "and processor time"]
    yield (
        f"Measured on {machine(['numpy', 'lightgbm', 'xgboost', 'scikit-learn'])}, "
        f"{all_threads} threads unless stated otherwise."
    )
    small = {
        f"{n_rows:,} rows, {n_threads} thread{'s' * (n_threads > 1)}": race_small_trees(
            n_rows, n_threads, n
        )
        for n_rows in sizes.small_trees
        for n_threads in sorted({1, all_threads})
    }
    yield markdown_table([f"tree of {LEAVES} leaves", *header], rows_of(small), n_labels=2)
    full: dict[str, list[Timing]] = {}
    for n_rows in sizes.full_trees:
        full |= race_full_trees(n_rows, 1 if n_rows > 100_000 else min(n, 3))
    yield markdown_table(["fully grown tree", *header], rows_of(full), n_labels=2)
    binning = {
        f"{n_rows:,} rows": race_binning(n_rows, min(n, 3)) for n_rows in sizes.small_trees[-1:]
    }
    yield markdown_table(["binning", *header], rows_of(binning), n_labels=2)
    yield markdown_table(
        [f"histograms, {sizes.histogram:,} rows, 1 thread", ""], histogram_cost(sizes.histogram, n)
    )
    yield markdown_table(
        [f"memory beyond the table, {sizes.memory:,} rows", "peak MB", "formula MB"],
        memory_rows(sizes.memory),
    )


def load_report(sizes: Sizes) -> Iterator[str]:
    header = ["by", "processor ms per tree, idle", "loaded", "ratio", "ratio of wall times"]
    yield f"Foreign load: one busy process per core; {sizes.load:,} rows, {LEAVES} leaves."
    yield markdown_table(header, under_load(sizes))


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--load", action="store_true", help="foreign load alone")
    parser.add_argument("--peak", metavar="FACTS", help=argparse.SUPPRESS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # peers complain about names of columns
    if options.peak:
        return print_peak(options.peak)
    sizes = QUICK if options.quick else FULL
    if options.load:
        publish("bench_engine_load", load_report(sizes), options)
    else:
        publish("bench_engine", report(sizes), options)


if __name__ == "__main__":
    main()
