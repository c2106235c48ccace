"""Boosting by number of threads: seconds beside peers, and where they go.

Two classes, 28 float32 columns, 100 rounds of 31 leaves at equal settings (boosting_peers.py), on
1, 2, 4, ... threads up to the cores of the machine:

1. wall and processor seconds of a fit, beside LightGBM, the same with quantised gradients, and
   XGBoost by leaf;
2. the phases of nonet's fit, and of the prediction of as many rows: wall seconds; how much of them
   is serial (outside parallel regions, whatever the number of threads); and waiting, the fraction
   of the time of all threads in which they have nothing to do. What lies outside the core, in
   Python, is serial. By Amdahl's law no number of threads makes a fit faster than the serial
   seconds of one thread.

    python benchmarks/bench_scaling.py                      some minutes on two cores
    python benchmarks/bench_scaling.py --threads 1 8 16     on so many threads
    python benchmarks/bench_scaling.py --without LightGBM   some peers stay out
    python benchmarks/bench_scaling.py --quick              a smoke test on few rows
    python benchmarks/bench_scaling.py --write              also puts the tables into the page
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import nonet
from boosting_peers import Fit, known_fits, packages_of
from boosting_tasks import Task, binary
from command_line import make_parser, publish
from harness import Contender, Timing, machine, markdown_table, race
from nonet._native.phases import PhaseTime, measure_phases
from nonet._native.runtime import available_cores, limit_threads

PEERS = ("LightGBM", "LightGBM, quantised", "XGBoost, by leaf")
SIZES = (1_000_000, 100_000)
QUICK_SIZES = (2_000,)
TITLES = {
    "rows": "rows: gradients as packed words",
    "search": "split search, with sums of columns",
    "leaves": "leaf values",
    "other": "other regions",
}


def thread_counts(n_cores: int) -> list[int]:
    """Give the powers of two up to the number of cores, and that number."""
    counts = [1]
    while 2 * counts[-1] < n_cores:
        counts.append(2 * counts[-1])
    return counts if n_cores == 1 else [*counts, n_cores]


# ---- Seconds beside peers ------------------------------------------------------------------------


def limited(n_threads: int, run: Callable[[], object]) -> object:
    with limit_threads(n_threads):
        return run()


def contenders_of(task: Task, fits: dict[str, Fit], counts: Sequence[int]) -> list[Contender]:
    return [
        Contender(name, functools.partial(limited, n_threads, functools.partial(fit, task)))
        for n_threads in counts
        for name, fit in fits.items()
    ]


def seconds_table(task: Task, fits: dict[str, Fit], counts: Sequence[int], n_repeats: int) -> str:
    timings = race(contenders_of(task, fits, counts), n_repeats, seconds=0)
    names = list(fits)
    rows = [
        row_of_seconds(n_threads, timings[i * len(names) : (i + 1) * len(names)])
        for i, n_threads in enumerate(counts)
    ]
    header = ["threads", *(f"{name}, wall (processor) s" for name in names)]
    if len(names) > 1:
        header.append("fastest peer over nonet")
    return f"**{task.title}**\n\n" + markdown_table(header, rows)


def row_of_seconds(n_threads: int, timings: Sequence[Timing]) -> list[str]:
    cells = [f"{timing.wall:.2f} ({timing.processor:.1f})" for timing in timings]
    own, *peers = timings
    if peers:
        cells.append(f"{min(peer.wall for peer in peers) / own.wall:.2f}")
    return [str(n_threads), *cells]


# ---- Phases --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """A call on so many threads: its wall seconds, and those of its phases."""

    n_threads: int
    wall: float
    phases: dict[str, PhaseTime]

    @property
    def outside(self) -> float:
        """Seconds outside the core."""
        return max(self.wall - sum(phase.wall for phase in self.phases.values()), 0.0)

    def waiting(self, phase: PhaseTime) -> float:
        """Return the fraction of the threads' time that is neither serial nor at tasks."""
        busy = phase.serial + phase.at_tasks
        return max(1 - busy / (self.n_threads * phase.wall), 0.0)


def measured(n_threads: int, run: Callable[[], object]) -> tuple[Run, object]:
    with limit_threads(n_threads), measure_phases() as phases:
        start = time.perf_counter()
        found = run()
        wall = time.perf_counter() - start
    return Run(n_threads, wall, phases), found


def fit_and_predict(task: Task, n_rounds: int, n_threads: int) -> tuple[Run, Run]:
    model = nonet.HistGradientBoostingClassifier(
        max_iter=n_rounds, l2_regularization=1.0, early_stopping=False
    )
    fit, _ = measured(n_threads, lambda: model.fit(task.X, task.y))
    predict, _ = measured(n_threads, lambda: model.predict_proba(task.X))
    return fit, predict


def best_runs(task: Task, n_rounds: int, n_threads: int, n_repeats: int) -> tuple[Run, Run]:
    """Return the quickest fit and the quickest prediction."""
    runs = [fit_and_predict(task, n_rounds, n_threads) for _ in range(n_repeats)]
    fits, predictions = zip(*runs, strict=True)
    return min(fits, key=lambda run: run.wall), min(predictions, key=lambda run: run.wall)


def phase_cells(run: Run, name: str) -> str:
    phase = run.phases.get(name)
    if phase is None:
        return ""
    return (
        f"{phase.wall:.3f} ({100 * phase.serial / phase.wall:.0f}, {100 * run.waiting(phase):.0f})"
    )


def phases_table(title: str, runs: Sequence[Run]) -> str:
    """Lay out wall seconds, with the percentages that are serial and spent waiting."""
    names = list(dict.fromkeys(name for run in runs for name in run.phases))
    rows = [[TITLES.get(name, name), *(phase_cells(run, name) for run in runs)] for name in names]
    rows.append(["outside the core", *(f"{run.outside:.3f} (100)" for run in runs)])
    rows.append(["all", *(f"{run.wall:.3f}" for run in runs)])
    rows.append(["serial seconds", *(f"{serial_of(run):.3f}" for run in runs)])
    header = [title, *(f"{run.n_threads} threads" for run in runs)]
    return markdown_table(header, rows)


def serial_of(run: Run) -> float:
    return run.outside + sum(phase.serial for phase in run.phases.values())


def phase_tables(task: Task, counts: Sequence[int], n_rounds: int, n_repeats: int) -> Iterator[str]:
    runs = [best_runs(task, n_rounds, n_threads, n_repeats) for n_threads in counts]
    fits, predictions = zip(*runs, strict=True)
    yield (
        f"**Phases, {task.title}**: wall seconds (percent of them serial, percent of all threads' "
        "time spent waiting)"
    )
    yield phases_table("fit", fits)
    yield phases_table("prediction of the training rows", predictions)


# ---- The report ----------------------------------------------------------------------------------


def make_report(
    fits: dict[str, Fit], sizes: Sequence[int], counts: Sequence[int], *, quick: bool
) -> Iterator[str]:
    n_repeats, n_rounds = (1, 2) if quick else (2, 100)
    yield f"Measured on {machine(packages_of(fits))}. Best of {n_repeats} in turns."
    for n_rows in sizes:
        task = binary(n_rows, 100)
        yield seconds_table(task, fits, counts, n_repeats)
        yield from phase_tables(task, counts, n_rounds, n_repeats)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--threads", type=int, nargs="+", help="numbers of threads to measure")
    parser.add_argument("--rows", type=int, nargs="+", help="sizes of the tables")
    parser.add_argument("--without", nargs="+", default=[], choices=PEERS, help="absent peers")
    options = parser.parse_args()
    wanted = {"nonet", *PEERS} - set(options.without)
    fits = {name: fit for name, fit in known_fits(quick=options.quick).items() if name in wanted}
    counts = options.threads or thread_counts(available_cores())
    sizes = options.rows or (QUICK_SIZES if options.quick else SIZES)
    publish("bench_scaling", make_report(fits, sizes, counts, quick=options.quick), options)


if __name__ == "__main__":
    main()
