"""Time and size of forests beside those of other libraries.

Forests of 100 trees on the same rows, library after library in one process, each with two threads
at most; the minimum time counts. Who cannot grow 100 trees in a few seconds grows as
many as fit, two at least: times and sizes are then scaled to 100, as trees are alike, and the
column "trees" shows how many. One row is predicted through the public method by the trees that were
grown; the peak of memory beyond the data is measured in a process of its own, for the full forests
of most rows. Size is that of the pickle (YDF: of the saved model). "full" trees have no limit of
depth where the library has none (XGBoost is given a depth of 64).

Run ``python benchmarks/bench_forest.py`` (twenty minutes on two idle cores), with ``--million`` for
1,000,000 rows instead, ``--quick`` for a look, and ``--write`` to put the tables into
docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import json
import pickle
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from command_line import make_parser, publish
from drawn_tables import N_COLUMNS, draw_table
from harness import (
    Contender,
    machine,
    markdown_table,
    peak_in_own_process,
    print_peak_of,
    race,
)

N_THREADS = 2
MANY_ROWS = 1_000_000
MIN_TREES = 2
PACKAGES = ("nonet", "scikit-learn", "scikit-learn-intelex", "lightgbm", "xgboost", "ydf")
DEEPEST = 64  # for libraries that need a depth


@dataclass(frozen=True)
class Task:
    """The forest to grow: classification or regression, and its depth."""

    kind: str
    n_classes: int
    n_rows: int
    max_depth: int | None
    n_trees: int = 100

    @property
    def name(self) -> str:
        """The task in words."""
        target = {0: "regression", 2: "2 classes"}.get(self.n_classes, f"{self.n_classes} classes")
        depth = "full" if self.max_depth is None else f"depth {self.max_depth}"
        kind = "extra trees, " if self.kind == "extra" else ""
        return f"{kind}{target}, {self.n_rows:,} rows, {depth}"


def make_data(task: Task) -> tuple[np.ndarray, np.ndarray]:
    X, signal = draw_table(task.n_rows)
    if task.n_classes == 0:
        return X, signal
    edges = np.quantile(signal, np.linspace(0, 1, task.n_classes + 1)[1:-1])
    return X, np.digitize(signal, edges)


# ---- Contenders --------------------------------------------------------------------------------


def drop_in_forest(module: str, task: Task) -> Any:
    """Make the forest of a library whose classes have scikit-learn's names."""
    family = "ExtraTrees" if task.kind == "extra" else "RandomForest"
    name = family + ("Regressor" if task.n_classes == 0 else "Classifier")
    kind = getattr(importlib.import_module(module), name)
    return kind(task.n_trees, max_depth=task.max_depth, n_jobs=N_THREADS, random_state=0)


nonet_forest = functools.partial(drop_in_forest, "nonet")
sklearn_forest = functools.partial(drop_in_forest, "sklearn.ensemble")


def lightgbm_forest(task: Task) -> Any:
    import lightgbm

    kind = lightgbm.LGBMRegressor if task.n_classes == 0 else lightgbm.LGBMClassifier
    fraction = 1.0 if task.n_classes == 0 else 5 / N_COLUMNS
    return kind(
        boosting_type="rf",
        n_estimators=task.n_trees,
        num_leaves=min(131_072, task.n_rows) if task.max_depth is None else 2**task.max_depth,
        max_depth=-1 if task.max_depth is None else task.max_depth,
        min_child_samples=1,
        min_sum_hessian_in_leaf=0.0,
        bagging_freq=1,
        bagging_fraction=0.632,
        feature_fraction_bynode=fraction,
        n_jobs=N_THREADS,
        verbose=-1,
    )


def xgboost_forest(task: Task) -> Any:
    import xgboost

    kind = xgboost.XGBRFRegressor if task.n_classes == 0 else xgboost.XGBRFClassifier
    return kind(
        n_estimators=task.n_trees,
        max_depth=DEEPEST if task.max_depth is None else task.max_depth,
        min_child_weight=0,
        reg_lambda=0,
        subsample=0.632,
        colsample_bynode=1.0 if task.n_classes == 0 else 5 / N_COLUMNS,
        tree_method="hist",
        n_jobs=N_THREADS,
    )


class YdfForest:
    """YDF's forest with the methods that the others have."""

    def __init__(self, task: Task) -> None:
        self.task = task

    def fit(self, X: np.ndarray, y: np.ndarray) -> YdfForest:
        """Grow the forest."""
        import ydf

        is_class = self.task.n_classes > 0
        learner = ydf.RandomForestLearner(
            label="y",
            task=ydf.Task.CLASSIFICATION if is_class else ydf.Task.REGRESSION,
            num_trees=self.task.n_trees,
            max_depth=-1 if self.task.max_depth is None else self.task.max_depth,
            min_examples=1,
            winner_take_all=False,
            compute_oob_performances=False,
            num_threads=N_THREADS,
        )
        self.model = learner.train({**_columns(X), "y": y})
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return probabilities of classes, or values."""
        try:
            return self.model.predict(_columns(X), num_threads=N_THREADS)
        except ValueError:  # its fast engines take no trees of very many nodes
            return self.model.predict(_columns(X), num_threads=N_THREADS, use_slow_engine=True)

    predict_proba = predict

    def n_bytes(self) -> int:
        """Return the bytes of the saved model."""
        with tempfile.TemporaryDirectory() as folder:
            self.model.save(f"{folder}/model")
            return sum(path.stat().st_size for path in Path(folder).rglob("*"))


def _columns(X: np.ndarray) -> dict[str, np.ndarray]:
    return {f"x{j}": X[:, j] for j in range(X.shape[1])}


MAKERS: dict[str, Callable[[Task], Any]] = {
    "nonet": nonet_forest,
    "scikit-learn": sklearn_forest,
    "intelex": functools.partial(drop_in_forest, "sklearnex.ensemble"),
    "LightGBM": lightgbm_forest,
    "XGBoost": xgboost_forest,
    "YDF": YdfForest,
}


def makers_for(task: Task) -> dict[str, Callable[[Task], Any]]:
    extra = ("nonet", "scikit-learn", "intelex")
    names = extra if task.kind == "extra" else MAKERS
    # Libraries that take many minutes for full trees of many rows stay out of most of these races.
    out: set[str] = set()
    if task.max_depth is None and task.n_rows >= 100_000:
        out = {"LightGBM", "XGBoost"} if task.n_classes != 2 else set()
    if task.max_depth is None and task.n_rows > 100_000:
        out = {"LightGBM", "XGBoost", "YDF"}
    return {name: MAKERS[name] for name in names if name not in out}


# ---- Measures ----------------------------------------------------------------------------------


def predict(model: Any, X: np.ndarray) -> Any:
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)


def one_row_seconds(model: Any, X: np.ndarray) -> float:
    times = []
    for row in range(30):
        started = time.perf_counter()
        predict(model, X[row : row + 1])
        times.append(time.perf_counter() - started)
    return float(np.median(times))


def size_of(model: Any) -> int:
    return model.n_bytes() if hasattr(model, "n_bytes") else len(pickle.dumps(model))


def seconds_per_fit(n_rows: int) -> float:
    return 10.0 if n_rows >= MANY_ROWS else 2.0


def affordable(make: Callable[[Task], Any], task: Task, X: np.ndarray, y: np.ndarray) -> Task:
    """Give the task with as many trees as can be grown in the time there is."""

    def seconds(n_trees: int, n_rows: int) -> float:
        started = time.perf_counter()
        make(replace(task, n_trees=n_trees)).fit(X[:n_rows], y[:n_rows])
        return time.perf_counter() - started

    seconds(2, 200)  # imports and threads
    start = seconds(2, len(y))
    a_tree = start / 2
    if start < 4:  # what is done once for all trees would count too much
        a_tree = max((seconds(10, len(y)) - start) / 8, 1e-4)
    n_trees = max(MIN_TREES, int(seconds_per_fit(task.n_rows) / a_tree))
    n_trees -= n_trees % N_THREADS  # a thread without a tree would count for all trees
    return replace(task, n_trees=min(task.n_trees, n_trees))


def measure(task: Task, n_repeats: int, with_peak: bool) -> list[list[str]]:
    X, y = make_data(task)
    makers = makers_for(task)
    tasks = {name: affordable(make, task, X, y) for name, make in makers.items()}
    scales = {name: task.n_trees / own.n_trees for name, own in tasks.items()}
    fitted: dict[str, Any] = {}

    def fit(name: str) -> Callable[[], None]:
        return lambda: fitted.__setitem__(name, makers[name](tasks[name]).fit(X, y))

    patience = 2 * seconds_per_fit(task.n_rows)
    fits = race(
        [Contender(name, fit(name), scales[name]) for name in makers], n_repeats, patience=patience
    )
    predict_timings = race(
        [Contender(name, lambda m=fitted[name]: predict(m, X), scales[name]) for name in makers],
        n_repeats,
        patience=patience,
    )
    rows = []
    for name, fit_time, predict_time in zip(makers, fits, predict_timings, strict=True):
        peak = f"{peak_of(name, tasks[name]) / 1e6:,.0f}" if with_peak else ""
        rows.append(
            [
                task.name if name == "nonet" else "",
                name,
                f"{tasks[name].n_trees}",
                f"{fit_time.wall:.2f}",
                f"{fit_time.processor:.2f}",
                f"{fit_time.wall / fits[0].wall:.1f}",
                f"{1e3 * predict_time.wall:,.0f}",
                f"{predict_time.wall / predict_timings[0].wall:.1f}",
                f"{1e6 * one_row_seconds(fitted[name], X):,.0f}",
                f"{scales[name] * size_of(fitted[name]) / 1e6:,.1f}",
                peak,
            ]
        )
    return rows


def peak_of(name: str, task: Task) -> float:
    """Measure the peak memory of a fit beyond the data, in a process of its own."""
    return peak_in_own_process(__file__, [name, *astuple(task)])


def print_peak(facts: str) -> None:
    name, *fields = json.loads(facts)
    task = Task(*fields)
    small = replace(task, n_rows=1000, max_depth=3, n_trees=2)
    MAKERS[name](small).fit(*make_data(small))  # what importing and warming up take is not counted
    X, y = make_data(task)
    print_peak_of(lambda: MAKERS[name](task).fit(X, y))


HEADER = (
    "task", "by", "trees", "fit s", "processor s", "times ours", "predict ms", "times ours",
    "one row us", "size MB", "peak MB",
)  # fmt: skip


def out_of_bag_cost(n_classes: int, n_rows: int, n_trees: int, n_repeats: int) -> str:
    task = Task("forest", n_classes, n_rows, None, n_trees)
    X, y = make_data(task)
    plain, scored = nonet_forest(task), nonet_forest(task).set_params(oob_score=True)
    times = race(
        [Contender("plain", lambda: plain.fit(X, y)), Contender("oob", lambda: scored.fit(X, y))],
        n_repeats,
    )
    fraction = times[1].processor / times[0].processor - 1
    return f"An out-of-bag score costs {100 * fraction:.0f} % of the fit ({task.name})."


def all_tasks(sizes: list[int], n_trees: int) -> list[Task]:
    forests = [
        Task("forest", n_classes, n_rows, depth, n_trees)
        for n_rows in sizes
        for n_classes in (2, 10, 0)
        for depth in (None, 12)
    ]
    extra = [Task("extra", n, n_rows, None, n_trees) for n_rows in sizes for n in (2, 10, 0)]
    return forests + extra


QUICK_TASKS = [
    Task("forest", 2, 300, None, 2),
    Task("forest", 0, 300, 12, 2),
    Task("extra", 10, 300, None, 2),
]


def report(tasks: list[Task], n_repeats: int) -> list[str]:
    rows = []
    max_rows, n_trees = tasks[-1].n_rows, tasks[-1].n_trees
    for task in tasks:
        with_peak = task.n_rows == max_rows and task.max_depth is None and task.n_classes != 10
        new = measure(task, n_repeats, with_peak)
        print(markdown_table(HEADER, new, n_labels=2), flush=True)
        rows += new
    intro = (
        f"Measured on {machine(PACKAGES)}; {n_trees} trees, {N_COLUMNS} columns (float32), "
        f"{N_THREADS} threads; best of {n_repeats} turns or more, one turn for who takes more than "
        f'{2 * seconds_per_fit(max_rows):.0f} seconds. "One row" is the median of 30 calls. Where '
        "fewer trees were grown, times and sizes are scaled to all of them, what is done once for "
        "a forest (bins, ranks of thresholds) included; one row and the peak "
        "are not. Our forests are packed for batches after predictions of enough rows: "
        "the first prediction may take twice as long as those that follow, which are counted here."
    )
    n_scored = min(max_rows, 100_000)
    costs = " ".join(
        out_of_bag_cost(n_classes, n_scored, n_trees, n_repeats) for n_classes in (2, 10)
    )
    return [intro, markdown_table(HEADER, rows, n_labels=2), costs]


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--million", action="store_true", help="1,000,000 rows")
    parser.add_argument("--peak", metavar="TASK", help=argparse.SUPPRESS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # peers complain about names of columns
    if options.peak:
        return print_peak(options.peak)
    sizes = [MANY_ROWS] if options.million else [10_000, 100_000]
    parts = report(QUICK_TASKS, 1) if options.quick else report(all_tasks(sizes, 100), 3)
    publish("forest_million" if options.million else "forest", parts, options)


if __name__ == "__main__":
    main()
