"""Time of growing one tree, and cost of a (row, column) pair of a histogram.

Peers run interleaved in one process, each on the same data: one tree of 31 leaves (best first, at
least 20 rows a leaf, 255 bins) against LightGBM, XGBoost and scikit-learn, and one fully grown tree
against scikit-learn. Times are the least of several repeats, wall clock and processor time; binning
is measured apart, as it is done once for many trees. A round of a booster grows one tree; it also
computes gradients and scores, some 5 % of its time. The cost of a histogram is the extra time of a
root with histograms of 28 columns over that of one with 7, by the number of extra (row, column)
pairs.

Run ``python benchmarks/bench_engine.py`` (a few minutes), with ``--million`` for 1,000,000 rows.
"""

from __future__ import annotations

import argparse
import itertools
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from nonet._native import get_num_threads, limit_threads
from nonet._native_data import BinnedDataset
from nonet._native_grow import GrowParams, grow_tree

N_COLUMNS = 28
LEAVES = 31
MIN_ROWS = 20

Times = dict[str, tuple[float, float]]


def make_data(n_rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, N_COLUMNS)).astype(np.float32)
    signal = X[:, :4].sum(axis=1) + X[:, 4] * X[:, 5] + 1.5 * rng.normal(size=n_rows)
    return X, (signal > 0).astype(np.int32), signal


def interleaved(runs: dict[str, Callable[[], Any]], n_repeats: int) -> Times:
    """Run all in turn, n_repeats times; the least wall and processor time of each."""
    times = {name: (np.inf, np.inf) for name in runs}
    for _ in range(n_repeats):
        for name, run in runs.items():
            wall, cpu = time.perf_counter(), time.process_time()
            run()
            spent = time.perf_counter() - wall, time.process_time() - cpu
            times[name] = (min(times[name][0], spent[0]), min(times[name][1], spent[1]))
    return times


def report(title: str, times: Times) -> None:
    own_wall, own_cpu = next(iter(times.values()))
    print(f"\n{title}")
    for name, (wall, cpu) in times.items():
        print(
            f"  {name:<22} wall {1e3 * wall:10.2f} ms  cpu {1e3 * cpu:10.2f} ms   "
            f"x{wall / own_wall:6.2f} wall  x{cpu / own_cpu:6.2f} cpu"
        )


def lightgbm_runs(X: np.ndarray, y: np.ndarray, n_threads: int) -> dict[str, Callable[[], Any]]:
    import lightgbm

    params = {
        "objective": "binary",
        "num_leaves": LEAVES,
        "min_data_in_leaf": MIN_ROWS,
        "num_threads": n_threads,
        "verbose": -1,
    }
    quantised = params | {"use_quantized_grad": True}
    dataset = lightgbm.Dataset(X, y, params=params, free_raw_data=False).construct()
    second = lightgbm.Dataset(X, y, params=quantised, free_raw_data=False).construct()
    return {
        "LightGBM": lightgbm.Booster(params, dataset).update,
        "LightGBM quantised": lightgbm.Booster(quantised, second).update,
    }


def xgboost_runs(X: np.ndarray, y: np.ndarray, n_threads: int) -> dict[str, Callable[[], Any]]:
    import xgboost

    params = {
        "objective": "binary:logistic",
        "tree_method": "hist",
        "grow_policy": "lossguide",
        "max_leaves": LEAVES,
        "max_depth": 0,
        "nthread": n_threads,
    }
    matrix = xgboost.QuantileDMatrix(X, y, nthread=n_threads)
    booster = xgboost.Booster(params, [matrix])
    rounds = itertools.count()
    return {"XGBoost": lambda: booster.update(matrix, next(rounds))}


def small_trees(X: np.ndarray, y: np.ndarray, n_repeats: int, n_threads: int) -> None:
    from sklearn.tree import DecisionTreeClassifier

    dataset = BinnedDataset(X)
    gradients, hessians = 0.5 - y, np.full(len(y), 0.25)
    newton = GrowParams(
        max_leaf_nodes=LEAVES, min_rows_leaf=MIN_ROWS, l2=1e-3, threshold_policy="edge"
    )
    gini = GrowParams(max_leaf_nodes=LEAVES, min_rows_leaf=MIN_ROWS)
    runs: dict[str, Callable[[], Any]] = {
        "nonet, Newton": lambda: grow_tree(
            dataset, gradients, newton, criterion="newton", hessians=hessians
        ),
        "nonet, Gini": lambda: grow_tree(dataset, y, gini, criterion="gini", n_classes=2),
    }
    runs |= lightgbm_runs(X, y, n_threads)
    runs |= xgboost_runs(X, y, n_threads)
    times = interleaved(runs, n_repeats)
    peer = DecisionTreeClassifier(max_leaf_nodes=LEAVES, min_samples_leaf=MIN_ROWS)
    times |= interleaved({"scikit-learn": lambda: peer.fit(X, y)}, 1)
    report(f"One tree of {LEAVES} leaves, {len(y):,} rows, {n_threads} threads", times)


def full_trees(X: np.ndarray, y: np.ndarray, numbers: np.ndarray, n_repeats: int) -> None:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    fine, coarse = BinnedDataset(X, max_bins=65_535), BinnedDataset(X)
    few = GrowParams(columns_a_split=5)
    ours = {
        "Gini": lambda: grow_tree(fine, y, criterion="gini"),
        "Gini, 255 bins": lambda: grow_tree(coarse, y, criterion="gini"),
        "Gini, 5 columns": lambda: grow_tree(coarse, y, few, criterion="gini"),
        "squared error": lambda: grow_tree(fine, numbers, criterion="squared_error"),
    }
    few_peer = DecisionTreeClassifier(max_features=5, random_state=0)
    peers = {
        "Gini": lambda: DecisionTreeClassifier(random_state=0).fit(X, y),
        "Gini, 5 columns": lambda: few_peer.fit(X, y),
        "squared error": lambda: DecisionTreeRegressor(random_state=0).fit(X, numbers),
    }
    for name, peer in peers.items():
        runs = {f"nonet, {key}": run for key, run in ours.items() if key.startswith(name)}
        times = interleaved(runs, n_repeats) | interleaved({"scikit-learn": peer}, 1)
        report(f"One full tree, {name}, {len(y):,} rows", times)


def binning(X: np.ndarray, y: np.ndarray, n_repeats: int, n_threads: int) -> None:
    import lightgbm

    params = {"num_threads": n_threads, "verbose": -1}
    runs: dict[str, Callable[[], Any]] = {
        "nonet, 255 bins": lambda: BinnedDataset(X),
        "nonet, 65,535 bins": lambda: BinnedDataset(X, max_bins=65_535),
        "LightGBM, 255 bins": lambda: lightgbm.Dataset(X, y, params=params).construct(),
    }
    report(f"Binning, {len(y):,} rows", interleaved(runs, n_repeats))


def histogram_cost(n_rows: int, n_repeats: int) -> None:
    """Cost of one addition: roots of 28 and of 7 columns differ in their histograms alone."""
    X, _, numbers = make_data(n_rows)
    hessians = np.ones(n_rows)
    root = GrowParams(max_depth=1, threshold_policy="edge")
    datasets = {28: BinnedDataset(X), 7: BinnedDataset(np.ascontiguousarray(X[:, :7]))}
    with limit_threads(1):
        times = interleaved(
            {
                str(n_columns): lambda dataset=dataset: grow_tree(
                    dataset, numbers, root, criterion="newton", hessians=hessians
                )
                for n_columns, dataset in datasets.items()
            },
            n_repeats,
        )
    cost = (times["28"][1] - times["7"][1]) / (n_rows * 21)
    print(f"\nHistograms, {n_rows:,} rows, 1 thread: {1e9 * cost:.2f} ns a (row, column)")
    print("  the floor of a bare loop on such a machine is 0.48 to 0.60 ns")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--million", action="store_true", help="1,000,000 rows as well")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=get_num_threads())
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # peers complain about names of columns
    with limit_threads(arguments.threads):
        run_all(arguments)


def run_all(arguments: argparse.Namespace) -> None:
    histogram_cost(500_000, arguments.repeats)
    sizes = [10_000, 100_000] + [1_000_000] * arguments.million
    for n_rows in sizes:
        X, y, numbers = make_data(n_rows)
        binning(X, y, 3, arguments.threads)
        small_trees(X, y, arguments.repeats, arguments.threads)
        if n_rows <= 100_000:
            full_trees(X, y, numbers, 3)


if __name__ == "__main__":
    main()
