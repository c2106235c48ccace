"""Speed, memory and accuracy of gradient boosting, beside its peers.

Everyone grows 100 rounds at the same settings (boosting_peers.py) on the same rows
(boosting_tasks.py). Fits are timed in turns, so are the predictions of a batch and of one row, and
the models are compared on rows that none of them saw. Each mode has a section of its own in
docs/benchmarks.md:

    python benchmarks/bench_boosting.py                the race: drawn tables up to 100,000 rows
    python benchmarks/bench_boosting.py --only large   one table of the race, such as 1,000,000 rows
    python benchmarks/bench_boosting.py --classic      trees of depth 3 on residuals
    python benchmarks/bench_boosting.py --real FOLDER  fits of real tables (boosting_real.py)
    python benchmarks/bench_boosting.py --growth       time from 100,000 to 4,000,000 rows
    python benchmarks/bench_boosting.py --memory       peak memory of a fit of 1,000,000 rows
    python benchmarks/bench_boosting.py --seeds 5      test scores, paired over seeds of the data

With --without some peers stay out (YDF and CatBoost are the slowest), --quick is a smoke test on
small data, and --write puts the tables into docs/benchmarks.md, one after another, so that an
interrupted run keeps what it had. Of the real tables, --tables names some, --rows truncates the
large ones, and --results keeps the times in a file: a table that is in it is not timed again.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from scipy import stats

from boosting_peers import (
    FASTEST,
    FITS,
    SAME_TREES,
    Fit,
    Model,
    classic_fits,
    known_fits,
    packages_of,
)
from boosting_real import MIN_ROWS, Measured, Results, large_tables, measured, report
from boosting_tasks import Task, binary, categories, classes, real, regression, scores
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
from nonet._native.runtime import get_num_threads
from real_tables import facts_of

N_TEST_ROWS = 100_000
N_SINGLE_CALLS = 100
PATIENCE = 15.0  # seconds of a turn; who takes more has only one
MakeTask = Callable[[], Task]


def measured_with(packages: Sequence[str]) -> str:
    return f"Measured on {machine(packages)}; {get_num_threads()} threads for everyone."


def fits_for(options: argparse.Namespace) -> dict[str, Fit]:
    return known_fits(quick=options.quick, without=options.without)


def turns_of(n_repeats: int) -> str:
    return f"Best of {n_repeats} turns or more, one turn for who takes over {PATIENCE:.0f} seconds."


# ---- The race -----------------------------------------------------------------------------------

RACE_HEADER = (
    "by", "fit, wall s", "fit, processor s", "times nonet's", "{} rows, ms", "times nonet's",
    "one row, us", "test score",
)  # fmt: skip


def predict_often(model: Model, row: np.ndarray, n_calls: int) -> None:
    for _ in range(n_calls):
        model(row)


def time_fits(task: Task, fits: dict[str, Fit], n_repeats: int) -> tuple[list[Timing], list[Model]]:
    """Fit everyone in turns; give the times and the last models."""
    models: dict[str, Model] = {}

    def keep(name: str, fit: Fit) -> None:
        models[name] = fit(task)

    contenders = [Contender(name, functools.partial(keep, name, fit)) for name, fit in fits.items()]
    return race(contenders, n_repeats, patience=PATIENCE), list(models.values())


def time_predictions(
    fits: Sequence[Timing], predict: Callable[..., object], models: Sequence[Model], n_repeats: int
) -> list[Timing]:
    return race(
        [
            Contender(fit.name, functools.partial(predict, model))
            for fit, model in zip(fits, models, strict=True)
        ],
        n_repeats,
        patience=PATIENCE,
    )


def score_text(task: Task, model: Model) -> str:
    found = scores(task, model(task.X_test))
    return ", ".join(f"{name} {value:.5g}" for name, value in found.items())


def race_table(task: Task, fits: dict[str, Fit], n_repeats: int, *, quick: bool) -> str:
    """Fit and predict with everyone; return one table."""
    n_calls = 2 if quick else N_SINGLE_CALLS
    times, models = time_fits(task, fits, n_repeats)
    batches = time_predictions(times, lambda model: model(task.X_test), models, n_repeats)
    one = task.X_test[:1]
    singles = time_predictions(
        times, lambda model: predict_often(model, one, n_calls), models, n_repeats
    )
    rows = [
        [
            fit.name,
            f"{fit.wall:.2f}",
            f"{fit.processor:.2f}",
            f"{fit.wall / times[0].wall:.2f}",
            f"{1e3 * batch.wall:.0f}",
            f"{batch.wall / batches[0].wall:.1f}",
            f"{1e6 * single.wall / n_calls:,.0f}",
            score_text(task, model),
        ]
        for fit, batch, single, model in zip(times, batches, singles, models, strict=True)
    ]
    header = [words.format(f"{len(task.y_test):,}") for words in RACE_HEADER]
    return f"**{task.title}**\n\n" + markdown_table(header, rows)


def drawn_tasks() -> dict[str, MakeTask]:
    return {
        "small": functools.partial(binary, 10_000, N_TEST_ROWS),
        "medium": functools.partial(binary, 100_000, N_TEST_ROWS),
        "regression": functools.partial(regression, 100_000, N_TEST_ROWS),
        "classes": functools.partial(classes, 20_000, N_TEST_ROWS),
        "wide": functools.partial(binary, 20_000, 20_000, 500),
        "categories": functools.partial(categories, 100_000, N_TEST_ROWS),
        "large": functools.partial(binary, 1_000_000, N_TEST_ROWS),
    }


def quick_tasks() -> dict[str, MakeTask]:
    kinds = {
        "small": binary, "regression": regression, "classes": classes, "categories": categories,
    }  # fmt: skip
    return {name: functools.partial(make, 200, 100) for name, make in kinds.items()}


def run_race(options: argparse.Namespace) -> None:
    fits = fits_for(options)
    tasks = quick_tasks() if options.quick else drawn_tasks()
    for name in options.only or tasks:
        publish(f"bench_boosting, {name}", report_race(tasks[name], fits, options), options)


def report_race(make: MakeTask, fits: dict[str, Fit], options: argparse.Namespace) -> Iterator[str]:
    n_repeats = 1 if options.quick else 3
    yield (
        f"{measured_with(packages_of(fits))} {turns_of(n_repeats)} A test score is that of one "
        "sample: see the seeds."
    )
    yield race_table(make(), fits, n_repeats, quick=options.quick)


def run_classic(options: argparse.Namespace) -> None:
    sizes = [(binary, 10_000), (binary, 100_000), (regression, 100_000)]
    n_test = N_TEST_ROWS
    if options.quick:
        sizes, n_test = [(binary, 200), (regression, 200)], 100
    fits = classic_fits(quick=options.quick)
    tables = (
        race_table(make(n_rows, n_test), fits, 1, quick=options.quick) for make, n_rows in sizes
    )
    intro = measured_with(["nonet", "scikit-learn"])
    publish("classic boosting", itertools.chain([intro], tables), options)


# ---- Real tables --------------------------------------------------------------------------------


def measure_real(name: str, fits: dict[str, Fit], options: argparse.Namespace) -> Measured:
    """Time fits of one table, and score their models."""
    n_rows = 200 if options.quick else options.rows
    task = real(options.real, facts_of(options.real)[name], n_rows)
    times, models = time_fits(task, fits, 1 if options.quick else 3)
    return measured(task, times, [scores(task, model(task.X_test)) for model in models])


def run_real(options: argparse.Namespace) -> None:
    fits = fits_for(options)
    names = options.tables or large_tables(options.real, 0 if options.quick else MIN_ROWS)
    results = Results(options.results)
    for name in names:
        if name not in results:
            results.add(name, measure_real(name, fits, options))
            print(name, flush=True)
    cut = f" Of a larger table, {options.rows:,} rows drawn at random." if options.rows else ""
    intro = (
        f"{measured_with(packages_of(fits))} {turns_of(3)} Tables of {MIN_ROWS:,} rows or more, as "
        f"pandas frames with columns of categories.{cut} Three quarters of the rows are training "
        "rows, the others test rows."
    )
    publish("boosting, real tables", [intro, *report(results.of(names))], options)


# ---- Growth: more rows, more time ---------------------------------------------------------------

GROWTH_HEADER = (
    "rows", "by", "fit, wall s", "fit, processor s", "times nonet's", "us per row",
    "times the first size's", "test score",
)  # fmt: skip


def growth_rows(
    n_rows: int, fits: dict[str, Fit], first: dict[str, float], n_repeats: int
) -> list[list[str]]:
    """Time fits of so many rows; store the seconds per row of the first size in `first`."""
    task = binary(n_rows, min(n_rows, N_TEST_ROWS))
    times, models = time_fits(task, fits, n_repeats)
    rows = []
    for fit, model in zip(times, models, strict=True):
        a_row = fit.wall / n_rows
        first.setdefault(fit.name, a_row)
        rows.append(
            [
                f"{n_rows:,}",
                fit.name,
                f"{fit.wall:.2f}",
                f"{fit.processor:.2f}",
                f"{fit.wall / times[0].wall:.2f}",
                f"{1e6 * a_row:.2f}",
                f"{a_row / first[fit.name]:.2f}",
                score_text(task, model),
            ]
        )
    return rows


def growth_tables(sizes: Sequence[int], fits: dict[str, Fit], n_repeats: int) -> Iterator[str]:
    first: dict[str, float] = {}
    for n_rows in sizes:
        rows = growth_rows(n_rows, fits, first, n_repeats)
        yield markdown_table(GROWTH_HEADER, rows, n_labels=2)


def run_growth(options: argparse.Namespace) -> None:
    known = fits_for(options)
    fits = {name: known[name] for name in FASTEST if name in known}
    sizes = [100, 200] if options.quick else [100_000, 400_000, 1_000_000, 4_000_000]
    n_repeats = 1 if options.quick else 2
    intro = (
        f"{measured_with(packages_of(fits))} {turns_of(n_repeats)} Two classes, 28 columns of "
        "float32."
    )
    tables = growth_tables(sizes, fits, n_repeats)
    publish("boosting, growth", itertools.chain([intro], tables), options)


# ---- Memory -------------------------------------------------------------------------------------


def print_peak(facts: str) -> None:
    """Measure one fit in this process; what importing and warming up take is not counted."""
    name, n_rows = json.loads(facts)
    fit = known_fits()[name]
    fit(binary(1000, 0))
    task = binary(n_rows, 0)
    print_peak_of(lambda: fit(task))


def memory_table(n_rows: int, names: Sequence[str]) -> str:
    peaks = {name: peak_in_own_process(__file__, [name, n_rows]) for name in names}
    ours = peaks[names[0]]
    rows = [[name, f"{peak / 1e6:,.0f}", f"{peak / ours:.1f}"] for name, peak in peaks.items()]
    data = f"{n_rows * 28 * 4 / 1e6:,.0f}"
    header = ["by", f"peak beyond the {data} MB of {n_rows:,} x 28, MB", "times nonet's"]
    return markdown_table(header, rows)


def run_memory(options: argparse.Namespace) -> None:
    fits = fits_for(options)
    table = memory_table(1000 if options.quick else 1_000_000, list(fits))
    intro = f"{measured_with(packages_of(fits))} Each fits in a process of its own."
    publish("boosting, memory", [intro, table], options)


# ---- Accuracy, paired over seeds ----------------------------------------------------------------


def paired_rows(name: str, found: dict[str, np.ndarray]) -> list[list[str]]:
    """Compare everyone's scores of the same seeds with nonet's."""
    ours = next(iter(found.values()))
    rows = []
    for by, theirs in found.items():
        difference = theirs - ours
        error = stats.sem(difference)
        rows.append(
            [
                name,
                by,
                f"{theirs.mean():.5f}",
                *([f"{difference.mean():+.5f}", f"{error:.5f}"] if by != "nonet" else ["", ""]),
                f"{difference.mean() / error:+.1f}" if error > 0 else "",
            ]
        )
    return rows


def seeds_table(make: Callable[[int], Task], fits: dict[str, Fit], n_seeds: int) -> str:
    """Score everyone on every seed of the data; one row per score and contender."""
    found: dict[str, dict[str, list[float]]] = {}
    for seed in range(n_seeds):
        task = make(seed)
        for by, fit in fits.items():
            for name, value in scores(task, fit(task)(task.X_test)).items():
                found.setdefault(name, {}).setdefault(by, []).append(value)
    header = ("score", "by", "mean", "minus nonet's", "standard error", "in standard errors")
    rows = [
        row
        for name, lists in found.items()
        for row in paired_rows(name, {by: np.array(values) for by, values in lists.items()})
    ]
    return f"**{task.title}**\n\n" + markdown_table(header, rows, n_labels=2)


def run_seeds(options: argparse.Namespace) -> None:
    fits = {name: fit for name, fit in fits_for(options).items() if name not in SAME_TREES}
    sizes = [(binary, 100_000), (regression, 100_000), (classes, 20_000)]
    n_test = 50_000
    if options.quick:
        sizes, n_test = [(make, 200) for make, _ in sizes], 100
    tables = (
        seeds_table(lambda seed, m=make, n=n: m(n, n_test, seed=seed), fits, options.seeds)
        for make, n in sizes
    )
    bound = stats.t.ppf(0.975, options.seeds - 1)
    intro = (
        f"{measured_with(packages_of(fits))} {options.seeds} seeds of the data, {n_test:,} test "
        "rows, the same rows for everyone. More AUC is better, less of the others; one difference "
        f"alone shows itself beyond {bound:.1f} standard errors (Student's t, 95 %)."
    )
    publish("boosting, seeds", itertools.chain([intro], tables), options)


# ---- The command line ---------------------------------------------------------------------------


def read_options() -> argparse.Namespace:
    parser = make_parser(__doc__)
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--only", nargs="+", choices=list(drawn_tasks()), help="some of the race")
    group.add_argument("--classic", action="store_true", help="the classic form")
    group.add_argument("--real", type=Path, metavar="FOLDER", help="fits of real tables")
    group.add_argument("--growth", action="store_true", help="time as rows become more")
    group.add_argument("--memory", action="store_true", help="peak memory of a fit")
    group.add_argument("--seeds", type=int, metavar="N", help="paired test scores of N seeds")
    group.add_argument("--peak", metavar="FACTS", help=argparse.SUPPRESS)
    parser.add_argument("--rows", type=int, help="most rows of a real table (default: all)")
    parser.add_argument("--tables", nargs="+", metavar="NAME", help="these of the real tables")
    parser.add_argument("--results", type=Path, metavar="FILE", help="times of real tables so far")
    parser.add_argument("--without", nargs="+", default=[], choices=list(FITS)[1:], help="left out")
    options = parser.parse_args()
    if options.seeds is not None and options.seeds < 2:
        parser.error("--seeds needs two seeds or more for a standard error")
    return options


def main() -> None:
    options = read_options()
    warnings.filterwarnings("ignore")  # peers complain about names of columns
    if options.peak:
        return print_peak(options.peak)
    runs = {
        "classic": run_classic,
        "real": run_real,
        "growth": run_growth,
        "memory": run_memory,
        "seeds": run_seeds,
    }
    requested = next((name for name in runs if getattr(options, name)), None)
    runs.get(requested, run_race)(options)


if __name__ == "__main__":
    main()
