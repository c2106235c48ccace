r"""Time and size of reports: the table beside skrub's TableReport, and whole reports of runs.

The part that both reports have is what is understood of a table: columns and their kinds, missing
values, distributions, a page. Both start from the same frame in memory, read all its rows, and end
with the text of a page. skrub draws no distributions of tables of more than 30 columns unless it is
told to, so it takes part twice: with them, as nonet always has them, and as it is by default. The
associations of pairs of columns that skrub finds in up to 30 columns are left out of the first, as
nonet has none of the table; rows that it shows from both ends of the table are in both.

Whole reports are of runs of `nonet.fit_table`, from the run in memory to the text of the page. Runs
are kept in a folder, if one is named, and are then reported on again without fitting.

    python benchmarks/bench_reports.py                half an hour on two cores, mostly fits
    python benchmarks/bench_reports.py --runs FOLDER  seconds, if the folder holds the runs
    python benchmarks/bench_reports.py --write        puts the tables into docs/benchmarks.md
    python benchmarks/bench_reports.py --quick        does it run?
"""

from __future__ import annotations

import argparse
import functools
import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from skrub import TableReport

import nonet
from command_line import make_parser, publish
from harness import Contender, Timing, best, machine, markdown_table, race, time_once
from nonet._native.runtime import get_num_threads
from nonet.auto.metric import resolve_metric
from nonet.report.evidence import Evidence
from nonet.report.page import render_page
from nonet.report.plain import plain
from nonet.report.shown_columns import columns_of_encoded
from nonet.report.subject import Missing, Subject
from nonet.report.table_facts import table_facts
from nonet.tables.as_table import as_table
from nonet.tables.encoder import TableEncoder
from nonet.tables.target import understand_target

PACKAGES = ["nonet", "skrub", "pandas", "numpy", "scikit-learn"]
SHAPES = [(1_000, 10), (100_000, 100), (100_000, 200)]
QUICK_SHAPES = [(200, 10), (400, 20)]
TARGET = "target"
N_REPEATS = 3
STRONG = 20  # the first columns matter; the others hardly do


# ---- Data ---------------------------------------------------------------------------------------


def draw_table(n_rows: int, n_columns: int) -> pd.DataFrame:
    """Return a table of two classes: of ten columns, six hold numbers, two categories.

    The others are a column of booleans and one of dates. One column of numbers in four and the
    categories have missing values.
    """
    rng = np.random.default_rng(26)
    columns, score = {}, np.zeros(n_rows)
    for j in range(n_columns):
        name, values, effect = draw_column(rng, n_rows, j % 10)
        columns[f"{name} {j}"] = values
        score += effect * (0.5 if j < STRONG else 0.02)
    score += rng.normal(size=n_rows)
    return pd.DataFrame({**columns, TARGET: np.where(score > np.median(score), "yes", "no")})


def draw_column(rng: np.random.Generator, n_rows: int, kind: int) -> tuple[str, Any, np.ndarray]:
    """Return the name of a column, its values, and how they act on the target."""
    nothing = np.zeros(n_rows)
    if kind < 4:
        return "number", *draw_numbers(rng, n_rows, kind)
    if kind < 6:
        return "count", rng.integers(0, (10, 10_000)[kind - 4], n_rows), nothing
    if kind == 6:
        return "flag", rng.random(n_rows) < 0.3, nothing
    if kind == 7:
        days = rng.integers(0, 2_000, n_rows).astype("timedelta64[D]")
        return "date", np.datetime64("2020-01-01") + days, nothing
    return "category", *draw_levels(rng, n_rows, 5 if kind == 8 else 40)


def draw_numbers(rng: np.random.Generator, n_rows: int, kind: int) -> tuple[np.ndarray, np.ndarray]:
    values = rng.normal(size=n_rows)
    effect = values if kind < 2 else np.abs(values) - 1.0
    shown = np.exp(values) if kind == 2 else values
    return np.where((kind == 3) & (rng.random(n_rows) < 0.1), np.nan, shown), effect


def draw_levels(rng: np.random.Generator, n_rows: int, n_levels: int) -> tuple[Any, np.ndarray]:
    codes = rng.integers(0, n_levels, n_rows)
    shown = np.where(rng.random(n_rows) < 0.05, -1, codes)
    levels = pd.Categorical.from_codes(shown, [f"level {i}" for i in range(n_levels)])
    return pd.Series(levels).astype(object), rng.normal(size=n_levels)[codes]


# ---- The table -----------------------------------------------------------------------------------


def page_of_table(frame: pd.DataFrame) -> str:
    """Return the page of what nonet understands of a table, as in a report."""
    notes: list[str] = []
    table = as_table(frame, notes=notes)
    understood = understand_target(table[TARGET], TARGET, None)
    encoder = TableEncoder()
    encoded = encoder.fit_transform(table.take(understood.rows).without(TARGET))
    classes, codes = np.unique(understood.labels, return_inverse=True)
    words = f"{len(codes):,} rows"
    rows = Evidence(codes, np.eye(len(classes))[codes], codes, False, understood.rows, words)
    no_model = Missing("There is no model.")
    subject = Subject(
        "model", None, understood.task, TARGET, classes,
        resolve_metric(None, understood.task, classes), rows, rows,
        columns_of_encoded(encoder, encoded), {}, no_model, no_model,
        kinds=dict(encoder.kinds_), notes=notes,
    )  # fmt: skip
    head = {"format": 1, "title": "Table", "kind": "model", "task": understood.task}
    return render_page({**head, "table": plain(table_facts(subject))})


def page_of_skrub(frame: pd.DataFrame, **settings: Any) -> str:
    return TableReport(frame, verbose=0, **settings).html()


CONTENDERS: dict[str, Callable[[pd.DataFrame], str]] = {
    "nonet": page_of_table,
    "skrub, with distributions": functools.partial(
        page_of_skrub, plot_distributions=True, compute_associations=False
    ),
    "skrub, by default": page_of_skrub,
}


def race_of_tables(n_rows: int, n_columns: int, *, quick: bool) -> list[list[str]]:
    """Make the pages of one table in turns; return a row for each contender."""
    frame = draw_table(n_rows, n_columns)
    pages = {name: make_page(frame) for name, make_page in CONTENDERS.items()}  # imports, caches
    timings = race(
        [
            Contender(name, functools.partial(make_page, frame))
            for name, make_page in CONTENDERS.items()
        ],
        1 if quick else N_REPEATS,
    )
    title = shape_in_words(n_rows, n_columns)
    return [
        [title if position == 0 else "", *line_of_table(timing, timings[0], pages)]
        for position, timing in enumerate(timings)
    ]


def line_of_table(timing: Timing, own: Timing, pages: dict[str, str]) -> list[str]:
    size, own_size = size_of(pages[timing.name]), size_of(pages[own.name])
    return [
        timing.name,
        f"{1e3 * timing.wall:,.0f}",
        f"{timing.wall / own.wall:.1f}",
        f"{1e3 * timing.processor:,.0f}",
        f"{timing.processor / own.processor:.1f}",
        f"{size / 1e3:,.0f}",
        f"{size / own_size:.1f}",
    ]


def shape_in_words(n_rows: int, n_columns: int) -> str:
    return f"{n_rows:,} x {n_columns}"


def size_of(text: str) -> int:
    return len(text.encode())


# ---- Whole reports -------------------------------------------------------------------------------


@dataclass(frozen=True)
class WholeReport:
    """A report of a run: the members of its blend, times and sizes."""

    run: nonet.Run
    first: Timing
    best: Timing
    page: str
    facts: str


def open_or_fit(folder: Path, n_rows: int, n_columns: int, settings: dict[str, Any]) -> nonet.Run:
    """Return the run that is kept for a shape, or fit it."""
    own = folder / f"{n_rows}x{n_columns}"
    if own.exists():
        return nonet.open_run(own)
    table = draw_table(n_rows, n_columns)
    return nonet.fit_table(table, TARGET, folder=own, random_state=0, **settings)


def report_on(run: nonet.Run, n_repeats: int) -> WholeReport:
    """Make the report of a run several times; all of them are the same."""
    made: list[nonet.Report] = []

    def make() -> str:
        made.append(nonet.make_report(run))
        return made[-1].html

    timings = [time_once(Contender("report", make)) for _ in range(n_repeats)]
    facts = json.dumps(made[-1].facts, ensure_ascii=False)
    return WholeReport(run, timings[0], best(timings), made[-1].html, facts)


def line_of_report(n_rows: int, n_columns: int, made: WholeReport) -> list[str]:
    sampling = json.loads(made.facts)["sampling"]
    return [
        shape_in_words(n_rows, n_columns),
        members_in_words(made.run),
        f"{sampling['n_sampled']:,}",
        f"{made.first.wall:.1f}",
        f"{made.best.wall:.1f}",
        f"{made.best.processor:.1f}",
        f"{size_of(made.page) / 1e3:,.0f}",
        f"{size_of(made.facts) / 1e3:,.0f}",
    ]


def members_in_words(run: nonet.Run) -> str:
    members = [row for row in run.leaderboard.rows if row.weight > 0 and row.name != "ensemble"]
    return ", ".join(f"{row.name} ({row.weight:.2f})" for row in members)


# ---- The section of the page ---------------------------------------------------------------------


def report(options: argparse.Namespace) -> Iterator[str]:
    shapes = QUICK_SHAPES if options.quick else SHAPES
    yield (
        f"Measured on {machine(PACKAGES)}; {get_num_threads()} threads. Minimum of "
        f"{N_REPEATS} turns or more, after a call that imports what each needs. Of ten columns, "
        "six hold numbers, two categories, one booleans and one dates; some values are missing.\n\n"
        "The page of what is understood of a table of pandas: columns, kinds, missing values and "
        "distributions. nonet finds the kinds from the values, skrub shows the types. By default "
        "skrub draws the distributions of up to 30 columns, and finds associations of pairs of "
        "them, which nonet does not; above 30 columns its page has neither."
    )
    rows = [row for shape in shapes for row in race_of_tables(*shape, quick=options.quick)]
    yield markdown_table(TABLE_HEADER, rows, n_labels=2)
    yield (
        f"Whole reports of runs, from the run in memory to the page. The runs had "
        f"{options.seconds:.0f} s to find members; in brackets are the weights of these. Reports "
        "read at most 50,000 rows. The first call includes what is loaded once."
    )
    yield markdown_table(REPORT_HEADER, whole_reports(options, shapes), n_labels=2)


TABLE_HEADER = (
    "rows x columns", "by", "ms", "times nonet's", "processor ms", "times nonet's",
    "page, kB", "times nonet's",
)  # fmt: skip
REPORT_HEADER = (
    "rows x columns", "members", "rows read", "first call, s", "later, s", "processor s",
    "page, kB", "facts, kB",
)  # fmt: skip


def whole_reports(options: argparse.Namespace, shapes: list[tuple[int, int]]) -> list[list[str]]:
    with tempfile.TemporaryDirectory() as passing:
        folder = options.runs or Path(passing)
        runs = {shape: open_or_fit(folder, *shape, fit_settings(options)) for shape in shapes}
        n_repeats = 1 if options.quick else N_REPEATS
        return [line_of_report(*shape, report_on(run, n_repeats)) for shape, run in runs.items()]


def fit_settings(options: argparse.Namespace) -> dict[str, Any]:
    if options.quick:
        families = ["boosted_trees", "extra_trees", "linear"]
        return {"time_limit": None, "max_tasks": 8, "cv": 2, "families": families}
    return {"time_limit": options.seconds}


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--runs", type=Path, help="a folder that keeps the runs")
    parser.add_argument("--seconds", type=float, default=600.0, help="time limit of a fit")
    options = parser.parse_args()
    publish("bench_reports", report(options), options)


if __name__ == "__main__":
    main()
