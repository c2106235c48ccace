"""Speed of the diagnostics, beside their peers.

Diversity: 200 members predict 100,000 rows; all eleven measures, the five pairwise ones for all
19,900 pairs, from the correctness matrix. DESlib's four pairwise functions run on a
sample of pairs, and their time is scaled.

Bias and variance: a forest fitted on 200 bootstrap samples of 500 rows, which predicts 500 more;
scikit-learn's forest, and ours.
Beside it stand plain loops that do only the fits (each distinct row once with its count as weight,
as we do it, or rows repeated), or the fits and their predictions; and mlxtend on the same work.

    python benchmarks/bench_diagnostics.py            the whole race, a few minutes
    python benchmarks/bench_diagnostics.py --quick    a smoke test on small arrays
    python benchmarks/bench_diagnostics.py --write    also puts the results into docs/benchmarks.md
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from deslib.util import diversity as deslib
from mlxtend.evaluate import bias_variance_decomp
from sklearn.base import clone
from sklearn.datasets import make_friedman1
from sklearn.ensemble import RandomForestRegressor

import nonet
from command_line import make_parser, publish
from harness import Contender, Timing, machine, markdown_table, race
from nonet.diagnostics import measure_diversity


@dataclass(frozen=True)
class Sizes:
    """How much of everything."""

    n_members: int
    n_rows: int
    n_pairs: int  # a sample, for DESlib
    n_fits: int
    n_trees: int
    n_repeats: int


FULL = Sizes(200, 100_000, 20, 200, 10, 3)
QUICK = Sizes(5, 200, 3, 2, 2, 1)


# ---- Diversity ----------------------------------------------------------------------------------


def draw_predictions(sizes: Sizes) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    truth = random.integers(0, 3, sizes.n_rows)
    shape = (sizes.n_rows, sizes.n_members)
    predictions = np.where(
        random.random(shape) < 0.7, truth[:, np.newaxis], random.integers(0, 3, shape)
    )
    return predictions.astype(np.int64), truth


def deslib_pairs(predictions: np.ndarray, truth: np.ndarray, n_pairs: int) -> None:
    measures = (
        deslib.Q_statistic,
        deslib.disagreement_measure,
        deslib.double_fault,
        deslib.correlation_coefficient,
    )
    for first, second in list(combinations(range(predictions.shape[1]), 2))[:n_pairs]:
        for measure in measures:
            measure(truth, predictions[:, first], predictions[:, second])


def race_diversity(sizes: Sizes) -> list[Timing]:
    predictions, truth = draw_predictions(sizes)
    correct = predictions == truth[:, np.newaxis]
    all_pairs = sizes.n_members * (sizes.n_members - 1) // 2
    n_pairs = min(sizes.n_pairs, all_pairs)
    return race(
        [
            Contender("nonet, 11 measures", lambda: measure_diversity(correct)),
            Contender(
                f"DESlib, 4 measures (time of {n_pairs} of {all_pairs:,} pairs)",
                lambda: deslib_pairs(predictions, truth, n_pairs),
                all_pairs / n_pairs,
            ),
        ],
        sizes.n_repeats,
    )


# ---- Bias and variance --------------------------------------------------------------------------


Forest = nonet.RandomForestRegressor | RandomForestRegressor


def fit_counted(forest: Forest, X: np.ndarray, y: np.ndarray, rows: np.ndarray) -> Forest:
    distinct, counts = np.unique(rows, return_counts=True)
    return clone(forest).fit(X[distinct], y[distinct], sample_weight=counts.astype(float))


def race_bias_variance(forest: Forest, sizes: Sizes) -> list[Timing]:
    X, y = make_friedman1(1000, noise=1.0, random_state=0)
    (X, X_test), (y, y_test) = np.split(X, 2), np.split(y, 2)
    draws = np.random.default_rng(0).integers(len(y), size=(sizes.n_fits, len(y)))
    rounds = {"n_rounds": sizes.n_fits, "random_state": 0}
    return race(
        [
            Contender(
                "nonet",
                lambda: nonet.bias_variance(forest, X, y, X_test=X_test, y_test=y_test, **rounds),
            ),
            Contender("the fits alone", lambda: [fit_counted(forest, X, y, d) for d in draws]),
            Contender(
                "the fits and their predictions",
                lambda: [fit_counted(forest, X, y, d).predict(X_test) for d in draws],
            ),
            Contender(
                "the fits alone, rows repeated",
                lambda: [clone(forest).fit(X[d], y[d]) for d in draws],
            ),
            Contender(
                "mlxtend",
                lambda: bias_variance_decomp(
                    clone(forest), X, y, X_test, y_test, loss="mse", num_rounds=sizes.n_fits
                ),
            ),
        ],
        sizes.n_repeats,
    )


# ---- Report -------------------------------------------------------------------------------------


def rows_of(title: str, timings: list[Timing]) -> list[list[str]]:
    ours = timings[0].processor
    return [
        [
            title if position == 0 else "",
            timing.name,
            f"{1000 * timing.wall:,.0f}",
            f"{1000 * timing.processor:,.0f}",
            f"{timing.processor / ours:,.2f}",
        ]
        for position, timing in enumerate(timings)
    ]


def report(sizes: Sizes) -> list[str]:
    rows = rows_of("diversity", race_diversity(sizes))
    for owner, forest in (
        ("scikit-learn", RandomForestRegressor),
        ("nonet", nonet.RandomForestRegressor),
    ):
        race_of_fits = race_bias_variance(forest(sizes.n_trees, random_state=0), sizes)
        rows += rows_of(f"bias and variance of {owner}'s forest", race_of_fits)
    packages = ["nonet", "numpy", "scikit-learn", "deslib", "mlxtend"]
    return [
        f"Measured on {machine(packages)}. {sizes.n_members} members, {sizes.n_rows:,} rows; "
        f"{sizes.n_fits} fits of a forest of {sizes.n_trees} trees on 500 rows, predicting "
        f"500. Best of {sizes.n_repeats} runs or more.",
        markdown_table(
            ["task", "by", "wall ms", "processor ms", "times nonet's processor time"],
            rows,
            n_labels=2,
        ),
    ]


def main() -> None:
    options = make_parser(__doc__).parse_args()
    publish("bench_diagnostics", report(QUICK if options.quick else FULL), options)


if __name__ == "__main__":
    main()
