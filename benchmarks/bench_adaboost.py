"""Boosting of stumps and shallow trees, beside scikit-learn's AdaBoostClassifier.

Fit: 200 rounds of stumps and of trees of depth 3 on 28 columns, on a signal that is a sum, a
product and noise, so that boosting has something to do to the end. scikit-learn's rounds all cost
the same, so that it runs a part of them and is scaled up (the column shows how much). Accuracy is
taken on rows not learned from, over several seeds, at the full number of rounds of both where
scikit-learn can run them in a minute. Predict: 1,000 stumps on 100,000 rows.

    python benchmarks/bench_adaboost.py            about ten minutes
    python benchmarks/bench_adaboost.py --quick    a smoke test on small data
    python benchmarks/bench_adaboost.py --write    also puts the results into docs/benchmarks.md
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn import ensemble
from sklearn.tree import DecisionTreeClassifier as SklearnTree

from command_line import make_parser, publish
from harness import Contender, Timing, machine, markdown_table, race
from nonet import AdaBoostClassifier, DecisionStump, DecisionTreeClassifier, limit_threads
from nonet._native.runtime import get_num_threads

N_COLUMNS = 28


@dataclass(frozen=True)
class Sizes:
    """Sizes of fits and predictions, and how often each contender runs."""

    fits: tuple[tuple[int, int, int], ...]  # rows, depth, rounds that scikit-learn runs
    n_rounds: int
    n_stumps: int
    n_test_rows: int
    n_accuracy_rows: int
    n_seeds: int
    n_repeats: int


FULL = Sizes(
    ((10_000, 1, 50), (10_000, 3, 20), (100_000, 1, 5), (100_000, 3, 2)),
    n_rounds=200,
    n_stumps=1000,
    n_test_rows=100_000,
    n_accuracy_rows=4_000,
    n_seeds=10,
    n_repeats=3,
)
QUICK = Sizes(((200, 1, 2), (200, 3, 2)), 4, 10, 200, 100, 2, 1)


def make_data(n_rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, N_COLUMNS))
    signal = X[:, :6].sum(axis=1) + 2 * X[:, 6] * X[:, 7] + 1.5 * rng.normal(size=n_rows)
    return X, (signal > 0).astype(int)


def ours(depth: int, n_rounds: int) -> AdaBoostClassifier:
    return AdaBoostClassifier(DecisionTreeClassifier(max_depth=depth), n_estimators=n_rounds)


def theirs(depth: int, n_rounds: int) -> Any:
    return ensemble.AdaBoostClassifier(
        SklearnTree(max_depth=depth), n_estimators=n_rounds, random_state=0
    )


# ---- Fit ---------------------------------------------------------------------------------------


def fit_on_one_thread(model: AdaBoostClassifier, X: np.ndarray, y: np.ndarray) -> None:
    with limit_threads(1):
        model.fit(X, y)


def fit_row(n_rows: int, depth: int, n_run: int, sizes: Sizes) -> list[str]:
    X, y = make_data(n_rows)
    model = ours(depth, sizes.n_rounds)
    contenders = [
        Contender("nonet", lambda: model.fit(X, y)),
        Contender("nonet, 1 thread", lambda: fit_on_one_thread(model, X, y)),
        Contender(
            "scikit-learn", lambda: theirs(depth, n_run).fit(X, y), scale=sizes.n_rounds / n_run
        ),
    ]
    if depth == 1:
        stump = AdaBoostClassifier(DecisionStump(), n_estimators=sizes.n_rounds)
        contenders.insert(2, Contender("nonet, lowest error", lambda: stump.fit(X, y)))
    timings = {timing.name: timing for timing in race(contenders, sizes.n_repeats)}
    mine, peer = timings["nonet"], timings["scikit-learn"]
    stumps = timings.get("nonet, lowest error")
    return [
        f"{n_rows:,} rows, depth {depth}",
        seconds(mine),
        seconds(timings["nonet, 1 thread"]),
        "" if stumps is None else seconds(stumps),
        f"{seconds(peer)} ({n_run} rounds run)",
        f"{peer.wall / timings['nonet, 1 thread'].wall:.0f}",
        f"{peer.wall / mine.wall:.0f}",
    ]


def seconds(timing: Timing) -> str:
    return f"{timing.wall:.3f}" if timing.wall < 10 else f"{timing.wall:.1f}"


# ---- Predict -----------------------------------------------------------------------------------


def predict_row(sizes: Sizes) -> list[str]:
    X, y = make_data(sizes.n_test_rows)
    few = slice(0, min(5_000, len(X)))
    model = ours(1, sizes.n_stumps).fit(X[few], y[few])
    n_run = max(sizes.n_stumps // 50, 1)
    peer = theirs(1, n_run).fit(X[few][:2_000], y[few][:2_000])
    model.predict(X[:10])  # the step functions are made by the first prediction
    contenders = [
        Contender("nonet", lambda: model.predict(X)),
        Contender("scikit-learn", lambda: peer.predict(X), scale=sizes.n_stumps / n_run),
    ]
    mine, other = race(contenders, sizes.n_repeats)
    return [
        f"{sizes.n_stumps:,} stumps, {sizes.n_test_rows:,} rows",
        seconds(mine),
        f"{seconds(other)} ({n_run} stumps run)",
        f"{other.wall / mine.wall:.0f}",
    ]


# ---- Accuracy ----------------------------------------------------------------------------------


def accuracy_row(depth: int, sizes: Sizes) -> list[str]:
    """Compare accuracy on new rows, seed by seed."""
    scores = np.array([accuracies(depth, sizes, seed) for seed in range(sizes.n_seeds)])
    gaps = scores[:, 0] - scores[:, 1]
    spread = gaps.std(ddof=1) / np.sqrt(len(gaps))
    mine, other = scores.mean(axis=0)
    return [f"depth {depth}", f"{mine:.4f}", f"{other:.4f}", f"{gaps.mean():+.4f} ± {spread:.4f}"]


def accuracies(depth: int, sizes: Sizes, seed: int) -> tuple[float, float]:
    n = sizes.n_accuracy_rows
    X, y = make_data(2 * n, seed)
    models = ours(depth, sizes.n_rounds), theirs(depth, sizes.n_rounds)
    mine, other = (float(model.fit(X[:n], y[:n]).score(X[n:], y[n:])) for model in models)
    return mine, other


# ---- Report ------------------------------------------------------------------------------------


def report(sizes: Sizes) -> list[str]:
    threads = get_num_threads()
    fits = markdown_table(
        [
            f"fit, {sizes.n_rounds} rounds",
            f"nonet, {threads} threads [s]",
            "nonet, 1 thread [s]",
            "nonet, DecisionStump [s]",
            "scikit-learn [s]",
            "ratio, 1 thread",
            f"ratio, {threads} threads",
        ],
        [fit_row(*fit, sizes) for fit in sizes.fits],
    )
    predictions = markdown_table(
        ["predict", "nonet [s]", "scikit-learn [s]", "ratio"], [predict_row(sizes)]
    )
    right = markdown_table(
        [
            f"accuracy, {sizes.n_accuracy_rows:,} training rows, {sizes.n_seeds} seeds",
            "nonet",
            "scikit-learn",
            "difference ± standard error",
        ],
        [accuracy_row(depth, sizes) for depth in (1, 3)],
    )
    where = machine(("nonet", "numpy", "scikit-learn"))
    return [f"Measured on {where}.", fits, predictions, right]


def main() -> None:
    options = make_parser(__doc__).parse_args()
    publish("adaboost", report(QUICK if options.quick else FULL), options)


if __name__ == "__main__":
    main()
