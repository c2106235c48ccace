"""Time and loss of row and column sampling in boosting, beside trees that see all rows.

Two classes, 100 rounds of 31 leaves, one thread. Fits are timed in turns, LightGBM's with the same
draws beside ours; the log loss on new rows is compared with that of all rows and columns, seed by
seed.

    python benchmarks/bench_row_sampling.py          up to 400,000 rows of 28 columns
    python benchmarks/bench_row_sampling.py --quick  a smoke test on small data
    python benchmarks/bench_row_sampling.py --write  puts the results into docs/benchmarks.md
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import lightgbm
import numpy as np
from scipy import stats
from sklearn.metrics import log_loss

from command_line import make_parser, publish
from harness import Contender, Timing, machine, markdown_table, race
from nonet import BoostedTreesClassifier, limit_threads


@dataclass(frozen=True)
class Draws:
    """What each tree sees, in our words and in LightGBM's; None: it has no such draw."""

    name: str
    ours: dict[str, Any] = field(default_factory=dict)
    theirs: dict[str, Any] | None = None


def some_rows(fraction: float) -> Draws:
    theirs = {"subsample": fraction, "subsample_freq": 1}
    return Draws(f"rows: uniform, {fraction}", {"subsample": fraction}, theirs)


def some_columns(fraction: float) -> Draws:
    drawn = {"colsample_bytree": fraction}
    return Draws(f"columns of a tree: {fraction}", drawn, drawn)


ALL = Draws("all", {}, {})
ROWS = [
    some_rows(0.5),
    some_rows(0.3),
    Draws(
        "rows: one-side, 0.2 + 0.1",
        {"sampling_method": "goss"},
        {"data_sample_strategy": "goss", "top_rate": 0.2, "other_rate": 0.1},
    ),
    Draws("rows: minimal variance, 0.3", {"sampling_method": "mvs", "subsample": 0.3}),
    Draws("rows: minimal variance, 0.1", {"sampling_method": "mvs", "subsample": 0.1}),
]
COLUMNS = [some_columns(0.5), some_columns(0.2)]


@dataclass(frozen=True)
class Task:
    """A size of the data, and the draws that are tried on it."""

    n_rows: int
    n_columns: int
    draws: Sequence[Draws]
    n_test_rows: int = 50_000

    def draw(self, seed: int, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
        """Draw rows and their classes."""
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(n_rows, self.n_columns)).astype(np.float32)
        signal = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3]) + rng.normal(size=n_rows)
        return X, (signal > 0).astype(int)


TASKS = [
    Task(100_000, 28, [ALL, *ROWS, *COLUMNS]),
    Task(400_000, 28, [ALL, *ROWS]),
    Task(20_000, 500, [ALL, *COLUMNS], 20_000),
]
QUICK_TASKS = [Task(300, 5, [ALL, *ROWS, *COLUMNS], 100)]


def fit_ours(X: np.ndarray, y: np.ndarray, draws: Draws, seed: int = 0) -> Any:
    model = BoostedTreesClassifier(reg_lambda=1.0, random_state=seed, **draws.ours)
    return model.fit(X, y)


def fit_theirs(X: np.ndarray, y: np.ndarray, settings: dict[str, Any]) -> Any:
    model = lightgbm.LGBMClassifier(reg_lambda=1.0, n_jobs=1, verbose=-1, seed=0, **settings)
    return model.fit(X, y)


def loss_of(task: Task, draws: Draws, seed: int) -> float:
    X_test, y_test = task.draw(1000 + seed, task.n_test_rows)
    model = fit_ours(*task.draw(seed, task.n_rows), draws, seed)
    return float(log_loss(y_test, model.predict_proba(X_test)))


def interval(gaps: np.ndarray) -> str:
    """Write the mean and its 95 % interval."""
    if not gaps.any():
        return ""
    half = stats.t.ppf(0.975, len(gaps) - 1) * gaps.std(ddof=1) / np.sqrt(len(gaps))
    return f"{gaps.mean():+.4f} ± {half:.4f}"


def race_of(task: Task, n_repeats: int) -> dict[str, Timing]:
    X, y = task.draw(0, task.n_rows)
    contenders = []
    for draws in task.draws:
        contenders.append(Contender(draws.name, functools.partial(fit_ours, X, y, draws)))
        if draws.theirs is not None:
            run = functools.partial(fit_theirs, X, y, draws.theirs)
            contenders.append(Contender(f"LightGBM, {draws.name}", run))
    return {timing.name: timing for timing in race(contenders, n_repeats)}


def seconds(times: dict[str, Timing], name: str, name_of_all: str) -> list[str]:
    """Write processor seconds and what they are times those of all rows and columns."""
    if name not in times:
        return ["", ""]
    taken = times[name].processor
    return [f"{taken:.2f}", f"{taken / times[name_of_all].processor:.2f}"]


def table_of(task: Task, n_seeds: int, n_repeats: int) -> str:
    times = race_of(task, n_repeats)
    losses = {
        draws.name: np.array([loss_of(task, draws, seed) for seed in range(n_seeds)])
        for draws in task.draws
    }
    rows = [
        [
            draws.name,
            *seconds(times, draws.name, ALL.name),
            *seconds(times, f"LightGBM, {draws.name}", f"LightGBM, {ALL.name}"),
            f"{losses[draws.name].mean():.4f}",
            interval(losses[draws.name] - losses[ALL.name]),
        ]
        for draws in task.draws
    ]
    header = [
        "what a tree sees",
        "processor s",
        "times all",
        "LightGBM's s",
        "times its all",
        "log loss",
        "less that of all",
    ]
    title = f"**{task.n_rows:,} rows, {task.n_columns} columns**\n\n"
    return title + markdown_table(header, rows)


def report(tasks: list[Task], n_seeds: int, n_repeats: int) -> Iterator[str]:
    yield f"Measured on {machine(['nonet', 'numpy', 'lightgbm'])}; one thread."
    with limit_threads(1):
        for task in tasks:
            yield table_of(task, n_seeds, n_repeats)


def main() -> None:
    options = make_parser(__doc__).parse_args()
    parts = report(QUICK_TASKS, 2, 1) if options.quick else report(TASKS, 5, 3)
    publish("bench_row_sampling", parts, options)


if __name__ == "__main__":
    main()
