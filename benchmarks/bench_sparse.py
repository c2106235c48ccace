"""Speed of boosting and forests on sparse tables and indicator columns, beside their peers.

Four tables of 20,000 rows: 10,000 columns with one value in a hundred, continuous or small counts;
and indicators of 20 columns of 50 levels, as a sparse matrix and as an array. Boosters grow 100
rounds of 31 leaves at the settings of boosting_peers.py, forests 20 trees at their defaults. Fits
are timed in turns; the times are those of the processor.

    python benchmarks/bench_sparse.py                 all tables
    python benchmarks/bench_sparse.py --only counts   some of them

With --rounds fewer rounds are timed. --quick is a smoke test on small data, and --write puts the
tables into docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import functools
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn import ensemble as sklearn_ensemble

import nonet
from boosting_peers import N_ROUNDS, Fit, Model, asker, fit_lightgbm, fit_xgboost
from boosting_tasks import Task, scores
from command_line import make_parser, publish
from harness import Contender, machine, markdown_table, race
from nonet._native.runtime import get_num_threads

N_REPEATS = 3
PATIENCE = 20.0  # seconds of a turn; who takes more has only one
N_TREES = 20


# ---- Tables -------------------------------------------------------------------------------------


def scattered(n_rows: int, n_columns: int, *, counts: bool) -> sp.csr_matrix:
    """Draw a table with one value in a hundred: uniform, or small counts."""
    X = sp.random(n_rows, n_columns, 0.01, format="csr", random_state=0)
    if counts:
        X.data = np.ceil(-1.2 * np.log(X.data))
    return X


def indicators(n_rows: int, n_columns: int, n_levels: int) -> sp.csr_matrix:
    """Draw columns of so many levels each, and return their indicators."""
    rng = np.random.default_rng(0)
    levels = rng.integers(0, n_levels, (n_rows, n_columns)) + n_levels * np.arange(n_columns)
    starts = np.arange(0, n_rows * n_columns + 1, n_columns)
    shape = (n_rows, n_levels * n_columns)
    return sp.csr_matrix((np.ones(n_rows * n_columns), levels.ravel(), starts), shape=shape)


def task_of(title: str, X: Any) -> Task:
    """Draw two classes from a linear score with noise; a quarter of the rows is for the test."""
    rng = np.random.default_rng(1)
    effects = rng.normal(size=X.shape[1]) * (rng.random(X.shape[1]) < 0.1)
    signal = np.asarray(X @ effects)
    signal = signal + signal.std() * rng.normal(size=len(signal))
    y = (signal > np.median(signal)).astype(int)
    n_train = X.shape[0] * 4 // 5
    full_title = f"{title}, {n_train:,} x {X.shape[1]:,}"
    return Task(full_title, "binary", X[:n_train], y[:n_train], X[n_train:], y[n_train:])


def make_tasks(n_rows: int, n_columns: int) -> dict[str, Callable[[], Task]]:
    n_few = max(n_columns // 500, 2)
    return {
        "continuous": lambda: task_of(
            "1 % continuous values", scattered(n_rows, n_columns, counts=False)
        ),
        "counts": lambda: task_of("1 % counts", scattered(n_rows, n_columns, counts=True)),
        "indicators": lambda: task_of("sparse indicators", indicators(n_rows, n_few, 50)),
        "dense": lambda: task_of("dense indicators", indicators(n_rows, n_few, 50).toarray()),
    }


# ---- Models -------------------------------------------------------------------------------------


def fit_nonet(task: Task, n_rounds: int) -> Model:
    model = nonet.BoostedTreesClassifier(
        n_estimators=n_rounds,
        num_leaves=31,
        learning_rate=0.1,
        min_child_samples=20,
        reg_lambda=1.0,
        colsample_bynode=1.0,
        extra_trees=False,
        n_bags=1,
    )
    return asker(model.fit(task.X, task.y), task.kind)


def boosters(n_rounds: int) -> dict[str, Fit]:
    by_leaf = {"grow_policy": "lossguide", "max_leaves": 31, "max_depth": 0}
    return {
        "nonet": functools.partial(fit_nonet, n_rounds=n_rounds),
        "LightGBM": functools.partial(fit_lightgbm, n_rounds=n_rounds),
        "LightGBM, quantised": functools.partial(
            fit_lightgbm, n_rounds=n_rounds, use_quantized_grad=True
        ),
        "XGBoost, by leaf": functools.partial(fit_xgboost, n_rounds=n_rounds, **by_leaf),
        "XGBoost, by depth": functools.partial(fit_xgboost, n_rounds=n_rounds, max_depth=5),
    }


def fit_forest(room: Any, name: str, n_trees: int, task: Task) -> Model:
    make = getattr(room, f"{name}Classifier")
    model = make(n_trees, n_jobs=get_num_threads(), random_state=0)
    return asker(model.fit(task.X, task.y), task.kind)


def forests(n_trees: int) -> dict[str, Fit]:
    rooms = {"nonet": nonet, "scikit-learn": sklearn_ensemble}
    return {
        f"{by}, {name}": functools.partial(fit_forest, room, name, n_trees)
        for name in ("RandomForest", "ExtraTrees")
        for by, room in rooms.items()
    }


# ---- The race -----------------------------------------------------------------------------------


def race_table(task: Task, fits: dict[str, Fit], n_repeats: int) -> str:
    """Fit everyone in turns; return one table."""
    models: dict[str, Model] = {}

    def keep(name: str, fit: Fit) -> None:
        models[name] = fit(task)

    contenders = [Contender(name, functools.partial(keep, name, fit)) for name, fit in fits.items()]
    times = race(contenders, n_repeats, patience=PATIENCE)
    batches = race(
        [Contender(name, functools.partial(model, task.X_test)) for name, model in models.items()],
        n_repeats,
    )
    rows = []
    for fit, batch in zip(times, batches, strict=True):
        found = scores(task, models[fit.name](task.X_test))
        rows.append(
            [
                fit.name,
                f"{fit.wall:.2f}",
                f"{fit.processor:.2f}",
                f"{fit.processor / times[0].processor:.2f}",
                f"{1e3 * batch.processor:.0f}",
                ", ".join(f"{name} {value:.4g}" for name, value in found.items()),
            ]
        )
    header = (
        "by", "fit, wall s", "fit, processor s", "times the first", "test rows, ms", "test score",
    )  # fmt: skip
    return markdown_table(header, rows)


def report(name: str, task: Task, options: argparse.Namespace) -> Iterator[str]:
    n_rounds, n_trees = (2, 2) if options.quick else (options.rounds, N_TREES)
    n_repeats = 1 if options.quick else N_REPEATS
    packages = machine(["nonet", "lightgbm", "xgboost", "scikit-learn"])
    yield (
        f"**{task.title}**\n\nMeasured on {packages}; {get_num_threads()} threads for everyone. "
        f"Best of {n_repeats} turns or more, one turn for who takes over {PATIENCE:.0f} seconds; "
        f"{n_rounds} rounds, {n_trees} trees."
    )
    yield race_table(task, boosters(n_rounds), n_repeats)
    if name in ("counts", "indicators"):
        yield race_table(task, forests(n_trees), n_repeats)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--only", nargs="+", choices=list(make_tasks(0, 0)), help="some tables")
    parser.add_argument("--rounds", type=int, default=N_ROUNDS, help="boosting rounds")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    tasks = make_tasks(300, 1000) if options.quick else make_tasks(25_000, 10_000)
    for name in options.only or tasks:
        publish(f"bench_sparse, {name}", report(name, tasks[name](), options), options)


if __name__ == "__main__":
    main()
