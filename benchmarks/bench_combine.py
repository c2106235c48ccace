"""Speed and memory of the combination rules, beside their peers.

One hundred members predict 1,000,000 rows with one of 10 labels (int64, as scikit-learn encodes
them) or with a number (float64), and for 200,000 rows with 10 probabilities (float32): 800 MB each.
The peers do what they do on ready arrays: scikit-learn's VotingClassifier and VotingRegressor,
DESlib's aggregation functions, and the best plain NumPy we could write for each rule. Peers that
take too long get a part of the rows, and their time is scaled; the table notes it.

    python benchmarks/bench_combine.py            the whole race, a few minutes, 4 GB of memory
    python benchmarks/bench_combine.py --quick    a smoke test on small arrays
    python benchmarks/bench_combine.py --write    also puts the results into docs/benchmarks.md
"""

from __future__ import annotations

import argparse
import functools
import json
from collections.abc import Callable
from dataclasses import astuple, dataclass

import numpy as np
from deslib.util import aggregation

from command_line import make_parser, publish
from harness import (
    Contender,
    Timing,
    machine,
    markdown_table,
    peak_in_own_process,
    print_peak_of,
    race,
    reader,
)
from nonet import get_num_threads, limit_threads
from nonet._native import vote

N_MEMBERS = 100
N_CLASSES = 10
CHUNK = 4096  # rows that plain NumPy takes at a time, so that its temporaries stay in the cache


# ---- Data: a stack of the members' predictions, (member, row[, class]) -------------------------


@dataclass(frozen=True)
class Sizes:
    """How many rows, and how often each contender runs."""

    n_rows: int
    n_probability_rows: int
    n_repeats: int


FULL = Sizes(1_000_000, 200_000, 3)
QUICK = Sizes(400, 200, 1)


def draw_labels(sizes: Sizes) -> np.ndarray:
    return np.random.default_rng(0).integers(0, N_CLASSES, (N_MEMBERS, sizes.n_rows))


def draw_values(sizes: Sizes) -> np.ndarray:
    return np.random.default_rng(1).random((N_MEMBERS, sizes.n_rows))


def draw_probabilities(sizes: Sizes) -> np.ndarray:
    shape = (N_MEMBERS, sizes.n_probability_rows, N_CLASSES)
    return np.random.default_rng(2).random(shape, dtype=np.float32)


WEIGHTS = np.random.default_rng(3).random(N_MEMBERS)


# ---- nonet --------------------------------------------------------------------------------------


def nonet_plurality(stack: np.ndarray) -> np.ndarray:
    return vote.argmax(vote.votes(stack.T, None, N_CLASSES))


def nonet_weighted_vote(stack: np.ndarray) -> np.ndarray:
    return vote.argmax(vote.votes(stack.T, WEIGHTS, N_CLASSES))


def nonet_mean(stack: np.ndarray) -> np.ndarray:
    return vote.weighted_mean(stack.swapaxes(0, 1))


def nonet_median(stack: np.ndarray) -> np.ndarray:
    return vote.order_mean(stack.swapaxes(0, 1), (N_MEMBERS - 1) // 2, N_MEMBERS // 2 + 1)


# ---- Plain NumPy --------------------------------------------------------------------------------


def in_chunks(work: Callable[[np.ndarray], np.ndarray], stack: np.ndarray) -> np.ndarray:
    starts = range(0, stack.shape[1], CHUNK)
    return np.concatenate([work(stack[:, start : start + CHUNK]) for start in starts])


def count_chunk(codes: np.ndarray) -> np.ndarray:
    narrow = codes.astype(np.int8)  # comparisons of bytes and sums of bytes are the fastest
    equal = [(narrow == c).view(np.uint8).sum(axis=0, dtype=np.uint8) for c in range(N_CLASSES)]
    return np.argmax(equal, axis=0)


def weigh_chunk(codes: np.ndarray) -> np.ndarray:
    narrow = codes.astype(np.int8)
    return np.argmax([WEIGHTS @ (narrow == c) for c in range(N_CLASSES)], axis=0)


def numpy_mean(stack: np.ndarray) -> np.ndarray:
    return stack.mean(axis=0)


def blas_mean(stack: np.ndarray) -> np.ndarray:
    fractions = np.full(N_MEMBERS, 1 / N_MEMBERS, dtype=stack.dtype)
    return (fractions @ stack.reshape(N_MEMBERS, -1)).reshape(stack.shape[1:])


def partition_chunk(stack: np.ndarray) -> np.ndarray:
    middle = [(N_MEMBERS - 1) // 2, N_MEMBERS // 2]
    rows = np.ascontiguousarray(np.moveaxis(stack, 0, -1))
    return np.partition(rows, middle, axis=-1)[..., middle].mean(axis=-1)


# ---- scikit-learn's arithmetic ------------------------------------------------------------------


def sklearn_vote(stack: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    return np.apply_along_axis(
        lambda x: np.argmax(np.bincount(x, weights=weights)), axis=1, arr=stack.T
    )


def sklearn_regressor_mean(stack: np.ndarray) -> np.ndarray:
    return np.average(stack.T, axis=1)


def sklearn_soft_mean(stack: np.ndarray) -> np.ndarray:
    return np.average(stack, axis=0)


# ---- DESlib -------------------------------------------------------------------------------------


def deslib_plurality(stack: np.ndarray) -> np.ndarray:
    return aggregation.sum_votes_per_class(stack.T, N_CLASSES).argmax(axis=1)


def deslib_weighted_vote(stack: np.ndarray) -> np.ndarray:
    weights = np.broadcast_to(WEIGHTS, stack.T.shape)
    return aggregation.weighted_majority_voting_rule(stack.T, weights, np.arange(N_CLASSES))


def deslib_mean(stack: np.ndarray) -> np.ndarray:
    return aggregation.average_rule(stack.swapaxes(0, 1))


def deslib_median(stack: np.ndarray) -> np.ndarray:
    return aggregation.median_rule(stack.swapaxes(0, 1))


# ---- The tasks ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Task:
    """One rule on one kind of predictions; a peer is (name, function, which part of the rows)."""

    title: str
    draw: Callable[[Sizes], np.ndarray]
    ours: Callable[[np.ndarray], np.ndarray]
    peers: tuple[tuple[str, Callable[[np.ndarray], np.ndarray], int], ...]

    def contenders(self, stack: np.ndarray) -> list[Contender]:
        """Return all contenders of this rule, ours first."""
        ours = Contender("nonet", functools.partial(self.ours, stack))
        return [ours, *(part_of(stack, *peer) for peer in self.peers)]


def part_of(
    stack: np.ndarray, name: str, run: Callable[[np.ndarray], np.ndarray], fraction: int
) -> Contender:
    rows = np.ascontiguousarray(stack[:, : stack.shape[1] // fraction]) if fraction > 1 else stack
    return Contender(name, functools.partial(run, rows), stack.shape[1] / rows.shape[1])


TASKS = {
    "plurality": Task(
        "plurality of labels",
        draw_labels,
        nonet_plurality,
        (
            ("scikit-learn", functools.partial(sklearn_vote, weights=None), 20),
            ("DESlib", deslib_plurality, 4),
            ("NumPy, bytes in chunks", functools.partial(in_chunks, count_chunk), 1),
        ),
    ),
    "weighted_vote": Task(
        "weighted vote of labels",
        draw_labels,
        nonet_weighted_vote,
        (
            ("scikit-learn", functools.partial(sklearn_vote, weights=WEIGHTS), 20),
            ("DESlib", deslib_weighted_vote, 4),
            ("NumPy, products in chunks", functools.partial(in_chunks, weigh_chunk), 4),
        ),
    ),
    "mean_values": Task(
        "mean of values",
        draw_values,
        nonet_mean,
        (
            ("scikit-learn", sklearn_regressor_mean, 1),
            ("NumPy, mean", numpy_mean, 1),
            ("NumPy, matrix product", blas_mean, 1),
        ),
    ),
    "mean_probabilities": Task(
        "mean of probabilities",
        draw_probabilities,
        nonet_mean,
        (
            ("scikit-learn", sklearn_soft_mean, 1),
            ("DESlib", deslib_mean, 1),
            ("NumPy, matrix product", blas_mean, 1),
        ),
    ),
    "median_values": Task(
        "median of values",
        draw_values,
        nonet_median,
        (
            ("NumPy, median", functools.partial(np.median, axis=0), 10),
            ("NumPy, partition in chunks", functools.partial(in_chunks, partition_chunk), 10),
        ),
    ),
    "median_probabilities": Task(
        "median of probabilities",
        draw_probabilities,
        nonet_median,
        (
            ("DESlib", deslib_median, 10),
            ("NumPy, partition in chunks", functools.partial(in_chunks, partition_chunk), 10),
        ),
    ),
}


# ---- Memory, in a process of its own ------------------------------------------------------------


def print_peak(facts: str) -> None:
    """Measure one rule in this process; what its first call ever allocates is not counted."""
    name, *fields = json.loads(facts)
    task = TASKS[name]
    task.ours(task.draw(QUICK))
    stack = task.draw(Sizes(*fields))
    print_peak_of(lambda: task.ours(stack))


# ---- The report ---------------------------------------------------------------------------------


def rows_of(title: str, timings: list[Timing]) -> list[list[str]]:
    ours = timings[0]
    return [
        [
            title if timing is ours else "",
            timing.name + (f" (time of 1/{timing.scale:.0f} of the rows)" * (timing.scale > 1)),
            f"{1000 * timing.wall:,.0f}",
            f"{1000 * timing.processor:,.0f}",
            f"{timing.wall / ours.wall:.1f}",
        ]
        for timing in timings
    ]


def bandwidth_rows(sizes: Sizes, names: tuple[str, ...], n_cores: int) -> list[list[str]]:
    """Compare our mean with reading as many bytes and doing nothing with them, in turns."""
    stacks = [TASKS[name].draw(sizes) for name in names]
    n_repeats = 4 * sizes.n_repeats if sizes.n_repeats > 1 else 1
    rows = []
    for n_threads in sorted({1, n_cores}):
        means = [Contender("mean", functools.partial(nonet_mean, stack)) for stack in stacks]
        with reader(stacks[0], n_threads) as read, limit_threads(n_threads):
            timings = race([read, *means], n_repeats)
        speeds = [stacks[0].nbytes / timing.wall for timing in timings]
        row = [str(n_threads), f"{speeds[0] / 1e9:.1f}"]
        for speed in speeds[1:]:
            row += [f"{speed / 1e9:.1f}", f"{100 * speed / speeds[0]:.0f} %"]
        rows.append(row)
    return rows


def report(sizes: Sizes) -> list[str]:
    race_rows, memory_rows = [], []
    for name, task in TASKS.items():
        stack = task.draw(sizes)
        race_rows += rows_of(task.title, race(task.contenders(stack), sizes.n_repeats))
        n_bytes, peak = stack.nbytes, peak_in_own_process(__file__, [name, *astuple(sizes)])
        memory_rows.append([task.title, f"{n_bytes / 1e6:,.0f}", f"{peak / 1e6:,.0f}"])
    n_cores = get_num_threads()
    speeds = bandwidth_rows(sizes, ("mean_values", "mean_probabilities"), n_cores)
    return [
        f"Measured on {machine(['nonet', 'numpy', 'scikit-learn', 'deslib'])}; nonet with "
        f"{n_cores} threads. {N_MEMBERS} members; {sizes.n_rows:,} rows of labels "
        f"({N_CLASSES} classes, int64) and of values (float64), {sizes.n_probability_rows:,} "
        f"rows of {N_CLASSES} probabilities (float32). Best of {sizes.n_repeats} runs or more.",
        markdown_table(
            ["rule", "by", "wall ms", "processor ms", "times nonet's wall"],
            race_rows,
            n_labels=2,
        ),
        "The mean beside reading the same memory with nothing else to do (NumPy's sum):",
        markdown_table(
            [
                "threads",
                "read GB/s",
                "mean of values GB/s",
                "of the read",
                "mean of probabilities GB/s",
                "of the read",
            ],
            speeds,
        ),
        "Memory that a rule takes beyond its input, results included:",
        markdown_table(["rule", "input MB", "beyond it MB"], memory_rows),
    ]


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--peak", metavar="FACTS", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peak:
        return print_peak(options.peak)
    publish("bench_combine", report(QUICK if options.quick else FULL), options)


if __name__ == "__main__":
    main()
