"""Boosting on Dask's partitions: seconds beside one process and peers, and what they are made of.

Two classes, 28 float32 columns in 16 partitions, on a LocalCluster of two processes with one thread
each; 100 rounds of 31 leaves at equal settings (boosting_peers.py):

1. seconds of a fit beside that of one process with two threads, lightgbm.dask and xgboost.dask;
2. a call of all workers in milliseconds: by actors, by tasks of the scheduler, with 2 to 16 parts;
3. the cost of a tree, from fits with one and with two workers,

       seconds = calls * latency + workers * bytes / bandwidth + rows * columns * cell / workers

   with what follows from it for more workers and rows.

    python benchmarks/bench_dask.py                    some minutes on two cores
    python benchmarks/bench_dask.py --rows 500000      fewer rows
    python benchmarks/bench_dask.py --without lightgbm some peers stay out
    python benchmarks/bench_dask.py --quick            a smoke test on few rows
    python benchmarks/bench_dask.py --write            also puts the tables into the page
"""

from __future__ import annotations

import functools
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import dask.array
import numpy as np
from distributed import Client, LocalCluster, wait

import nonet
import nonet.dask
from boosting_tasks import Task, binary, scores
from command_line import make_parser, publish
from harness import Contender, machine, markdown_table, race
from nonet._native.runtime import limit_threads

N_PARTS = 16
N_COLUMNS = 28
CELLS = 28 * 256 * 2  # words of a histogram
PEERS = ("lightgbm", "xgboost")
SETTINGS = {"l2_regularization": 1.0, "early_stopping": False, "random_state": 0}
# Bytes per second between machines, and seconds of a call there: 10 Gbit/s Ethernet.
NETWORK = 1.2e9
NETWORK_LATENCY = 0.001


@contextmanager
def cluster_of(n_workers: int) -> Iterator[Client]:
    settings = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "silence_logs": 50}
    with (
        LocalCluster(n_workers=n_workers, threads_per_worker=1, **settings) as cluster,
        Client(cluster) as client,
    ):
        yield client


def partitions(client: Client, task: Task) -> tuple[Any, Any]:
    size = -(-len(task.X) // N_PARTS)
    arrays = [dask.array.from_array(np.asarray(a), chunks=size) for a in (task.X, task.y)]
    X, y = client.persist([arrays[0].rechunk({1: -1}), arrays[1]])
    wait([X, y])
    return X, y


# ---- Seconds beside peers ------------------------------------------------------------------------

Fit = Callable[[Any, Any, int], Any]


def fit_nonet(X: Any, y: Any, n_rounds: int) -> Any:
    return nonet.dask.HistGradientBoostingClassifier(max_iter=n_rounds, **SETTINGS).fit(X, y)


def fit_lightgbm(X: Any, y: Any, n_rounds: int) -> Any:
    from lightgbm import DaskLGBMClassifier

    model = DaskLGBMClassifier(
        n_estimators=n_rounds,
        num_leaves=31,
        learning_rate=0.1,
        max_bin=255,
        min_child_samples=20,
        reg_lambda=1.0,
        verbose=-1,
    )
    return model.fit(X, y).to_local()


def fit_xgboost(X: Any, y: Any, n_rounds: int) -> Any:
    from xgboost.dask import DaskXGBClassifier

    model = DaskXGBClassifier(
        n_estimators=n_rounds,
        learning_rate=0.1,
        tree_method="hist",
        grow_policy="lossguide",
        max_leaves=31,
        max_depth=0,
        max_bin=256,
        reg_lambda=1.0,
    )
    return model.fit(X, y).get_booster()


FITS: dict[str, Fit] = {
    "nonet.dask": fit_nonet,
    "lightgbm.dask": fit_lightgbm,
    "xgboost.dask": fit_xgboost,
}


def fit_here(task: Task, n_rounds: int) -> Any:
    with limit_threads(2):
        model = nonet.HistGradientBoostingClassifier(max_iter=n_rounds, **SETTINGS)
        return model.fit(task.X, task.y)


def seconds_table(task: Task, fits: dict[str, Fit], n_rounds: int, n_repeats: int) -> str:
    with cluster_of(2) as client:
        X, y = partitions(client, task)
        contenders = [
            Contender("nonet, one process of two threads", lambda: fit_here(task, n_rounds)),
            *(
                Contender(name, functools.partial(fit, X, y, n_rounds))
                for name, fit in fits.items()
            ),
        ]
        timings = race(contenders, n_repeats, seconds=0)
        same = fit_nonet(X, y, 3).predict_proba(task.X_test)
    here = fit_here(task, 3).predict_proba(task.X_test)
    rows = [[t.name, f"{t.wall:.2f}", f"{t.wall / timings[0].wall:.2f}"] for t in timings]
    table = markdown_table(["fit", "seconds", "times one process"], rows)
    words = "equal" if np.array_equal(same, here) else "DIFFERENT"
    return (
        f"**{task.title}**, {n_rounds} rounds\n\n{table}\n\nProbabilities of one process and of "
        f"nonet.dask: {words}, log loss {scores(task, here)['log loss']:.4f} after 3 rounds."
    )


# ---- One call of all workers ---------------------------------------------------------------------


class Part:
    """What a worker has: the histogram of a node."""

    def histogram(self) -> np.ndarray:
        """Return all words of it."""
        return count()


def count(*_: Any) -> np.ndarray:
    return np.ones(CELLS, np.int64)


def add(*histograms: np.ndarray) -> np.ndarray:
    return np.sum(histograms, axis=0)


def by_actors(client: Client, workers: Sequence[str], n_parts: int) -> Callable[[], object]:
    actors = [
        client.submit(Part, actor=True, pure=False, workers=[workers[p % len(workers)]]).result()
        for p in range(n_parts)
    ]
    return lambda: add(*(call.result() for call in [actor.histogram() for actor in actors]))


def by_tasks(client: Client, workers: Sequence[str], n_parts: int) -> Callable[[], object]:
    parts = [
        client.scatter(p, workers=[workers[p % len(workers)]], hash=False) for p in range(n_parts)
    ]

    def call() -> object:
        found = [client.submit(count, part, pure=False) for part in parts]
        while len(found) > 1:
            groups = [found[i : i + 4] for i in range(0, len(found), 4)]
            found = [client.submit(add, *group, pure=False) for group in groups]
        return found[0].result()

    return call


def milliseconds(call: Callable[[], object], n_calls: int) -> float:
    call()
    times = []
    for _ in range(n_calls):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return 1000 * statistics.median(times)


def calls_table(n_calls: int) -> str:
    rows = []
    with cluster_of(2) as client:
        workers = sorted(client.scheduler_info(n_workers=-1)["workers"])
        for name, make in (("actors", by_actors), ("tasks, added up in a tree", by_tasks)):
            cells = [
                f"{milliseconds(make(client, workers, n_parts), n_calls):.1f}"
                for n_parts in (2, 4, 16)
            ]
            rows.append([name, *cells])
    size = f"{CELLS * 8 / 1000:.0f} kB"
    header = ["a histogram from each part", "2 parts, ms", "4 parts, ms", "16 parts, ms"]
    return f"A call of all parts, each of which returns {size}:\n\n" + markdown_table(header, rows)


# ---- What a tree costs ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """A fit: its workers, rows and trees, its calls of all workers, and seconds of the rounds."""

    n_workers: int
    n_rows: int
    n_trees: int
    n_calls: int
    n_bytes: int
    seconds: float


@dataclass(frozen=True)
class Cost:
    """The constants of the formula, in seconds."""

    latency: float
    byte: float
    cell: float

    def tree(self, n_workers: int, n_rows: float, n_calls: float, n_bytes: float) -> float:
        """Return the seconds of a tree."""
        compute = n_rows * N_COLUMNS * self.cell / n_workers
        return n_calls * self.latency + n_workers * n_bytes * self.byte + compute


@contextmanager
def counted() -> Iterator[list[tuple[int, int, float]]]:
    """Note for each round its calls, the bytes that each worker has sent, and its seconds."""
    from nonet.boosting.gradient.summed_stage import SummedStage
    from nonet.dask.workers import Workers

    rounds: list[tuple[int, int, float]] = []
    n_bytes = 0
    plain_call, plain_round = Workers.call, SummedStage.add_round

    def call(workers: Any, step: str, *arguments: Any) -> Any:
        nonlocal n_bytes
        found = plain_call(workers, step, *arguments)
        if step in ("start", "split"):
            n_bytes += sum(cells.nbytes for cells in found[0])
        return found

    def add_round(stage: Any, number: int) -> Any:
        nonlocal n_bytes
        n_before, n_bytes = stage._workers.n_trips, 0
        begin = time.perf_counter()
        trees = plain_round(stage, number)
        seconds = time.perf_counter() - begin
        rounds.append((stage._workers.n_trips - n_before, n_bytes, seconds))
        return trees

    Workers.call, SummedStage.add_round = call, add_round
    try:
        yield rounds
    finally:
        Workers.call, SummedStage.add_round = plain_call, plain_round


def measure_run(n_workers: int, n_rows: int, n_rounds: int) -> Run:
    with cluster_of(n_workers) as client, counted() as rounds:
        X, y = partitions(client, binary(n_rows, 100))
        fit_nonet(X, y, n_rounds)
    later = rounds[1:] or rounds  # the first one makes memory
    calls, sizes, seconds = (statistics.mean(each) for each in zip(*later, strict=True))
    return Run(n_workers, n_rows, len(later), round(calls), round(sizes), seconds)


def fit_cost(runs: Sequence[Run]) -> Cost:
    """Fit latency and cells to the runs; a byte costs what memory and the loopback take."""
    byte = 1e-9
    terms = np.array([[r.n_calls, r.n_rows * N_COLUMNS / r.n_workers] for r in runs])
    seconds = np.array([r.seconds - r.n_workers * r.n_bytes * byte for r in runs])
    # Relative errors: a small run counts as much as a large one.
    weights = 1 / np.array([r.seconds for r in runs])
    latency, cell = np.linalg.lstsq(terms * weights[:, None], seconds * weights, rcond=None)[0]
    return Cost(max(latency, 0.0), byte, max(cell, 0.0))


def cost_tables(sizes: Sequence[int], n_rounds: int) -> Iterator[str]:
    runs = [measure_run(n_workers, n_rows, n_rounds) for n_rows in sizes for n_workers in (1, 2)]
    cost = fit_cost(runs)
    rows = [
        [
            str(r.n_workers),
            f"{r.n_rows:,}",
            str(r.n_calls),
            f"{r.n_bytes / 1e6:.1f}",
            f"{1000 * r.seconds:.0f}",
            f"{1000 * cost.tree(r.n_workers, r.n_rows, r.n_calls, r.n_bytes):.0f}",
        ]
        for r in runs
    ]
    header = ["workers", "rows", "calls", "MB from each", "ms per tree", "by the formula"]
    yield (
        f"**A tree of 31 leaves**: {1000 * cost.latency:.2f} ms per call, "
        f"{1e9 * cost.cell:.2f} ns per row and column.\n\n" + markdown_table(header, rows)
    )
    yield predictions_table(runs[-1], cost)


def predictions_table(run: Run, cost: Cost) -> str:
    """Lay out what the formula gives for machines of 16 cores that are joined by Ethernet."""
    there = Cost(max(cost.latency, NETWORK_LATENCY), 1 / NETWORK, cost.cell / 16)
    rows = []
    for n_rows in (1e8, 1e9):
        for n_workers in (1, 8, 64, 512):
            seconds = there.tree(n_workers, n_rows, run.n_calls, run.n_bytes)
            alone = there.tree(1, n_rows, run.n_calls, run.n_bytes)
            sums = n_workers * run.n_bytes * there.byte / seconds
            cells = [f"{n_rows:.0e}", str(n_workers), f"{1000 * seconds:.0f}"]
            rows.append([*cells, f"{alone / seconds:.1f}", f"{100 * sums:.0f}"])
    header = ["rows", "workers", "ms per tree", "times one worker", "% for histograms"]
    return (
        f"By the formula, on workers of 16 cores, with {NETWORK / 1e9:.1f} GB/s into the process "
        "that adds up:\n\n" + markdown_table(header, rows)
    )


# ---- The report ----------------------------------------------------------------------------------


def make_report(fits: dict[str, Fit], n_rows: int, *, quick: bool) -> Iterator[str]:
    packages = ["dask", "distributed", *(name.partition(".")[0] for name in fits)]
    n_rounds, n_repeats = (3, 1) if quick else (100, 2)
    yield f"Measured on {machine(packages)}. Best of {n_repeats} in turns."
    yield seconds_table(binary(n_rows, 1000), fits, n_rounds, n_repeats)
    yield calls_table(5 if quick else 60)
    sizes = [n_rows] if quick else [n_rows // 8, n_rows // 2, n_rows]
    yield from cost_tables(sizes, 3 if quick else 20)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--rows", type=int, help="rows of the table")
    parser.add_argument("--without", nargs="+", default=[], choices=PEERS, help="absent peers")
    options = parser.parse_args()
    absent = set(options.without) | (set(PEERS) if options.quick else set())
    fits = {name: fit for name, fit in FITS.items() if name.partition(".")[0] not in absent}
    n_rows = options.rows or (4_000 if options.quick else 4_000_000)
    publish("bench_dask", make_report(fits, n_rows, quick=options.quick), options)


if __name__ == "__main__":
    main()
