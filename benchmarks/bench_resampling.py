"""Speed and memory of bootstrap, jackknife and leave-one-out, beside their peers.

Mean, standard deviation, median and correlation, with percentile and BCa intervals: 1,000 rows
resampled 10,000 times, and 100,000 rows resampled 1,000 times. The peers are scipy.stats.bootstrap
in its default call and with the best of several batch sizes, arch's IIDBootstrap, and a NumPy loop.
The peak of memory is what a process of its own gains during the call. Closed-form jackknives are
timed beside the statistic itself. Leaving each row out of a least-squares fit is timed beside one
fit, and beside scikit-learn's refits.

    python benchmarks/bench_resampling.py            the whole race, some minutes, 3 GB of memory
    python benchmarks/bench_resampling.py --quick    a smoke test on small samples
    python benchmarks/bench_resampling.py --write    also puts the results into docs/benchmarks.md
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from arch.bootstrap import IIDBootstrap
from scipy import stats
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_score

from command_line import make_parser, publish
from harness import (
    Contender,
    Timing,
    machine,
    markdown_table,
    peak_in_own_process,
    print_peak_of,
    race,
)
from nonet.resampling import Moment, loocv_error
from nonet.resampling.bootstrap.bootstrap import bootstrap
from nonet.resampling.bootstrap.jackknife import jackknife
from nonet.resampling.statistics.statistics import resolve_statistic, statistic_name

STATISTICS = ("mean", "std", "median", "correlation")
METHODS = ("percentile", "bca")
N_TURNS = 30  # of a jackknife and its statistic


@dataclass(frozen=True)
class Sizes:
    """Rows, resamples, and the batches that scipy may choose from."""

    n_rows: int
    n_resamples: int
    batches: tuple[int, ...]


FULL = (Sizes(1_000, 10_000, (100, 1_000)), Sizes(100_000, 1_000, (1, 10)))
QUICK = (Sizes(100, 50, (50,)),)


def make_data(name: str, n_rows: int) -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(0)
    x = random.exponential(size=n_rows)
    return (x, x + random.normal(size=n_rows)) if name == "correlation" else (x,)


def correlations(x: np.ndarray, y: np.ndarray, axis: int) -> np.ndarray:
    dx, dy = (a - a.mean(axis=axis, keepdims=True) for a in (x, y))
    spreads = (dx * dx).sum(axis=axis) * (dy * dy).sum(axis=axis)
    return (dx * dy).sum(axis=axis) / np.sqrt(spreads)


FUNCTIONS: dict[str, Callable[..., np.ndarray]] = {
    "mean": np.mean,
    "std": np.std,
    "median": np.median,
    "correlation": correlations,
}


def run_nonet(name: str, sizes: Sizes, method: str) -> None:
    data = make_data(name, sizes.n_rows)
    result = bootstrap(data, name, n_resamples=sizes.n_resamples, random_state=0)
    result.interval(method)


def run_scipy(name: str, sizes: Sizes, method: str, batch: int | None = None) -> None:
    data = make_data(name, sizes.n_rows)
    stats.bootstrap(
        data,
        FUNCTIONS[name],
        n_resamples=sizes.n_resamples,
        method=method,
        batch=batch,
        paired=True,
        vectorized=True,
        rng=np.random.default_rng(0),
    )


def run_arch(name: str, sizes: Sizes, method: str) -> None:
    data = make_data(name, sizes.n_rows)
    statistic = partial(FUNCTIONS[name], axis=0)
    peer = IIDBootstrap(*data, seed=0)
    peer.conf_int(statistic, reps=sizes.n_resamples, method=method)


def run_numpy(name: str, sizes: Sizes) -> None:
    data = make_data(name, sizes.n_rows)
    random = np.random.default_rng(0)
    values = np.empty(sizes.n_resamples)
    for b in range(sizes.n_resamples):
        rows = random.integers(sizes.n_rows, size=sizes.n_rows)
        values[b] = FUNCTIONS[name](*(part[rows] for part in data), axis=0)
    np.quantile(values, [0.025, 0.975])


def contenders(name: str, sizes: Sizes, method: str) -> list[Contender]:
    runs = [Contender("nonet", partial(run_nonet, name, sizes, method))]
    # scipy's and arch's BCa jackknife costs rows times rows: 100,000 rows would take all memory.
    if method == "percentile" or sizes.n_rows <= 1_000:
        runs.append(Contender("scipy", partial(run_scipy, name, sizes, method)))
        for batch in sizes.batches:
            label = f"scipy batch={batch}"
            runs.append(Contender(label, partial(run_scipy, name, sizes, method, batch)))
        runs.append(Contender("arch", partial(run_arch, name, sizes, method)))
    if method == "percentile":
        runs.append(Contender("NumPy loop", partial(run_numpy, name, sizes)))
    return runs


def table_row(name: str, sizes: Sizes, method: str, n_repeats: int) -> list[str]:
    timings = race(contenders(name, sizes, method), n_repeats)
    ours = timings[0]
    batched = [timing for timing in timings if "batch" in timing.name]
    others = {timing.name: timing for timing in timings}
    return [
        f"{name}, {method}, n = {sizes.n_rows:,}, B = {sizes.n_resamples:,}",
        f"{ours.wall * 1e3:.0f} ms",
        ratio(others.get("scipy"), ours),
        ratio(min(batched, key=lambda timing: timing.wall) if batched else None, ours),
        ratio(others.get("arch"), ours),
        ratio(others.get("NumPy loop"), ours),
    ]


def ratio(other: Timing | None, ours: Timing) -> str:
    return "-" if other is None else f"{other.wall / ours.wall:.1f}"


def fit_once(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.linalg.lstsq(np.column_stack([np.ones(len(X)), X]), y, rcond=None)[0]


def closed_forms(n_rows: int) -> list[tuple[Any, tuple[np.ndarray, ...], Callable[..., object]]]:
    """Return each statistic with a closed-form jackknife, its data, and NumPy's way to it."""
    x, y = make_data("correlation", n_rows)
    X = np.random.default_rng(1).normal(size=(n_rows, 5))
    return [
        ("mean", (x,), np.mean),
        ("variance", (x,), np.var),
        ("std", (x,), np.std),
        ("sample_variance", (x,), partial(np.var, ddof=1)),
        ("sample_std", (x,), partial(np.std, ddof=1)),
        (Moment(2), (x,), lambda x: np.mean(x**2)),
        (Moment(3, central=True), (x,), lambda x: np.mean((x - np.mean(x)) ** 3)),
        ("ratio", (y, x), lambda y, x: np.mean(y) / np.mean(x)),
        ("correlation", (x, y), lambda x, y: np.corrcoef(x, y)[0, 1]),
        ("coefficients", (X, y), fit_once),
    ]


def processor_times(calls: list[Callable[[], object]], n_turns: int) -> list[float]:
    """Return the minimum processor time of each call in microseconds; they take turns."""
    minimum = [float("inf")] * len(calls)
    for _ in range(n_turns):
        for position, call in enumerate(calls):
            start = time.process_time_ns()
            call()
            minimum[position] = min(minimum[position], (time.process_time_ns() - start) / 1e3)
    return minimum


def closed_form_rows(n_rows: int, n_turns: int) -> list[list[str]]:
    """Time of a closed-form jackknife in units of the statistic itself."""
    rows = []
    for statistic, data, once in closed_forms(n_rows):
        calls = [partial(once, *data), partial(jackknife, data, statistic)]
        plain, ours = processor_times(calls, n_turns)
        times = (f"{plain:,.0f} us", f"{ours:,.0f} us", f"{ours / plain:.2f}")
        rows.append([f"{statistic_name(resolve_statistic(statistic))}, n = {n_rows:,}", *times])
    return rows


def leave_one_out_rows(n_rows: int, n_columns: int, n_repeats: int) -> list[list[str]]:
    """Time of all leave-one-out errors of least squares beside one fit; refits are sampled."""
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, n_columns))
    y = X[:, 0] + random.normal(size=n_rows)
    every = np.arange(n_rows)
    splits = [(np.delete(every, row), [row]) for row in range(0, n_rows, n_rows // 50)]
    squares = "neg_mean_squared_error"
    timings = race(
        [
            Contender("loocv_error", lambda: loocv_error(X, y)),
            Contender("one fit, scikit-learn", lambda: LinearRegression().fit(X, y)),
            Contender("one fit, NumPy", lambda: np.linalg.lstsq(X, y, rcond=None)),
            Contender(
                "cross_val_score(LeaveOneOut())",
                lambda: cross_val_score(LinearRegression(), X, y, cv=splits, scoring=squares),
                scale=n_rows / len(splits),
            ),
        ],
        n_repeats,
    )
    ours = timings[0]
    return [[t.name, f"{t.wall * 1e3:,.1f} ms", f"{t.wall / ours.wall:,.1f}"] for t in timings]


def gained_megabytes(who: str, sizes: Sizes) -> float:
    """Return the megabytes that a fresh process gains during the call."""
    return peak_in_own_process(__file__, [who, sizes.n_rows, sizes.n_resamples]) / 1e6


def print_peak(facts: str) -> None:
    who, n_rows, n_resamples = json.loads(facts)
    run = {"nonet": run_nonet, "scipy": run_scipy}[who]
    run("mean", Sizes(100, 100, ()), "percentile")
    print_peak_of(lambda: run("mean", Sizes(n_rows, n_resamples, ()), "percentile"))


def report(all_sizes: tuple[Sizes, ...], n_repeats: int) -> list[str]:
    rows = [
        table_row(name, sizes, method, n_repeats)
        for sizes in all_sizes
        for method in METHODS
        for name in STATISTICS
    ]
    header = ["bootstrap", "nonet", "scipy", "scipy, best batch", "arch", "NumPy loop"]
    peaks = [
        [who, *(f"{gained_megabytes(who, sizes):.0f} MB" for sizes in all_sizes)]
        for who in ("nonet", "scipy")
    ]
    peak_header = ["peak memory", *(f"n = {s.n_rows:,}, B = {s.n_resamples:,}" for s in all_sizes)]
    n_long = all_sizes[-1].n_rows
    sizes_of_jackknife = sorted({all_sizes[0].n_rows, n_long // 5, n_long, 10 * n_long})
    closed = [row for n_rows in sizes_of_jackknife for row in closed_form_rows(n_rows, N_TURNS)]
    left_out = leave_one_out_rows(min(n_long, 5_000), 20, n_repeats)
    return [
        f"Times of the peers are in units of ours (larger is slower); best of {n_repeats} turns.",
        markdown_table(header, rows),
        markdown_table(peak_header, peaks),
        "Jackknife (estimate, bias, variance) beside NumPy's way to the statistic of all rows, "
        f"once; minimum processor time of {N_TURNS} turns in turn, least squares on 5 columns:",
        markdown_table(["statistic", "once", "jackknife", "ratio"], closed),
        f"Leaving each of {min(n_long, 5_000):,} rows out of least squares on 20 columns:",
        markdown_table(["by", "wall", "times loocv_error"], left_out),
        machine(["numpy", "scipy", "arch", "scikit-learn"]),
    ]


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--peak", metavar="FACTS", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peak:
        return print_peak(options.peak)
    publish("resampling", report(QUICK, 1) if options.quick else report(FULL, 3), options)


if __name__ == "__main__":
    main()
