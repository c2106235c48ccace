"""Errors and times of models of ratings and of their blends, on simulated ratings.

1. The root mean squared error of each member and each blend on held-out ratings, over several
   seeds, and the difference of each blend to the best member of the same seed.
2. The error of alternating least squares of the true rank, as a multiple of the noise.
3. The errors of the factorisations beside the bias model, by the noise of the ratings.
4. The time of each member on 1,000,000 ratings.

    python benchmarks/bench_ratings.py          the whole run, some minutes
    python benchmarks/bench_ratings.py --quick  a smoke test on few ratings
    python benchmarks/bench_ratings.py --write  also puts the tables into docs/benchmarks.md
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from sklearn.base import clone

from command_line import make_parser, publish
from harness import machine, markdown_table
from nonet import (
    ALSFactorization,
    BiasModel,
    ImplicitFactorization,
    ItemNeighbors,
    RatingEnsemble,
    SGDFactorization,
    TimeSplit,
    make_ratings,
    ranking_scores,
)

BLENDS = {
    "mean": "uniform",
    "least squares": "least_squares",
    "non-negative": "non_negative",
    "ridge to uniform": "ridge_to_uniform",
    "counts": "counts",
}
RANK, NOISE = 5, 0.5
NOISES = (0.1, 0.5, 1.0, 2.0, 3.0)


@dataclass(frozen=True)
class Size:
    """Sizes of a run."""

    n_seeds: int
    n_users: int
    n_items: int
    n_ratings: int
    timed: tuple[int, int, int]


FULL = Size(8, 1_000, 400, 40_000, (50_000, 5_000, 1_000_000))
QUICK = Size(2, 80, 50, 1_500, (100, 60, 2_000))


def rmse(predicted: np.ndarray, truth: np.ndarray) -> float:
    return float(np.sqrt(np.mean((predicted - truth) ** 2)))


def errors_of_seed(size: Size, seed: int) -> dict[str, float]:
    """Return the error of every member and every blend, all from one ledger."""
    data = make_ratings(
        size.n_users, size.n_items, size.n_ratings, rank=RANK, noise=NOISE, random_state=seed
    )
    train, test = next(TimeSplit(0.2).split(data.X))
    X, y, new, truth = data.X[train], data.y[train], data.X[test], data.y[test]
    first = RatingEnsemble(random_state=seed).fit(X, y)
    outputs = zip(first.members_, first.member_outputs(new).T, strict=True)
    members = {member.name: rmse(column, truth) for member, column in outputs}
    errors: dict[str, float] = {}
    for name, blend in BLENDS.items():
        ledger = None if blend == "counts" else first.ledger_  # counts are members of their own
        model = RatingEnsemble(blend=blend, random_state=seed).fit(X, y, ledger=ledger)
        errors[name] = rmse(model.predict(new), truth)
    als = ALSFactorization(RANK, random_state=seed).fit(X, y)
    scores = ranking_scores(model, new, truth, n=10, min_rating=4.5)
    members["ALS of the true rank, noise = 1"] = rmse(als.predict(new), truth) / NOISE
    return members | errors | {"NDCG at 10 (counts)": scores.ndcg}


def mean_and_error(values: np.ndarray) -> str:
    return f"{values.mean():.4f} +- {values.std(ddof=1) / np.sqrt(len(values)):.4f}"


def table_of_errors(size: Size) -> Iterator[str]:
    runs = [errors_of_seed(size, seed) for seed in range(size.n_seeds)]
    columns = {key: np.array([run[key] for run in runs]) for key in runs[0]}
    names = ["bias", "items", "users", "als", "sgd"]
    best = np.min([columns[name] for name in names], axis=0)
    rows = []
    for name, values in columns.items():
        compared = name in BLENDS
        gain = mean_and_error(best - values) if compared else ""
        wins = f"{int((values < best).sum())} of {len(values)}" if compared else ""
        rows.append([name, mean_and_error(values), gain, wins])
    yield markdown_table(
        ["model", "RMSE", "better than the best member by", "seeds in which it is"], rows
    )


def table_of_noises(size: Size) -> Iterator[str]:
    n_seeds = (size.n_seeds + 1) // 2
    rows = []
    for noise in NOISES:
        runs = np.array([errors_of_noise(size, noise, seed) for seed in range(n_seeds)])
        rows.append([f"{noise}", *(mean_and_error(column) for column in runs.T)])
    yield f"The same ratings with other noise, {n_seeds} seeds:"
    yield markdown_table(["noise", "bias", "als", "sgd"], rows)


def errors_of_noise(size: Size, noise: float, seed: int) -> list[float]:
    """Return the errors of the bias model and of both factorisations."""
    data = make_ratings(
        size.n_users, size.n_items, size.n_ratings, rank=RANK, noise=noise, random_state=seed
    )
    train, test = next(TimeSplit(0.2).split(data.X))
    models = [
        BiasModel(),
        ALSFactorization(random_state=seed),
        SGDFactorization(random_state=seed),
    ]
    fitted = [model.fit(data.X[train], data.y[train]) for model in models]
    return [rmse(model.predict(data.X[test]), data.y[test]) for model in fitted]


def table_of_times(size: Size) -> Iterator[str]:
    n_users, n_items, n_ratings = size.timed
    data = make_ratings(n_users, n_items, n_ratings, rank=10, random_state=0)
    counts = np.abs(data.y)
    rows = []
    for title, model in {
        "bias model": BiasModel(),
        "item neighbours": ItemNeighbors(),
        "ALS, 20 factors, 10 iterations": ALSFactorization(20, random_state=0),
        "implicit ALS, 20 factors, 10 iterations": ImplicitFactorization(20, random_state=0),
        "SGD, 20 factors, 20 passes": SGDFactorization(20, random_state=0),
    }.items():
        wall, processor = time.perf_counter(), time.process_time()
        fitted = clone(model).fit(data.X, counts)
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
        started = time.process_time()
        fitted.predict(data.X[:100_000])
        rows.append(
            [title, f"{wall:.1f}", f"{processor:.1f}", f"{time.process_time() - started:.2f}"]
        )
    yield f"{n_ratings:,} ratings of {n_items:,} items by {n_users:,} users:"
    header = ["model", "fit, wall s", "fit, processor s", "predict 100,000, processor s"]
    yield markdown_table(header, rows)


def report(size: Size) -> Iterator[str]:
    yield (
        f"Measured on {machine(['nonet', 'numpy', 'scipy', 'scikit-learn'])}. {size.n_ratings:,} "
        f"simulated ratings of {size.n_items} items by {size.n_users:,} users, rank {RANK}, noise "
        f"{NOISE}; the last fifth is held out. Mean and standard error over {size.n_seeds} seeds."
    )
    yield from table_of_errors(size)
    yield from table_of_noises(size)
    yield from table_of_times(size)


if __name__ == "__main__":
    options = make_parser(__doc__ or "").parse_args()
    publish("bench_ratings", report(QUICK if options.quick else FULL), options)
