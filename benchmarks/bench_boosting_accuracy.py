"""Accuracy and processor time of boosted trees with the defaults of every library, on real data.

Every contender is fitted with its own defaults, on one thread, on the same five folds; tables are
cut to 10,000 rows, and columns of categories are given to everyone as such. The largest tables are
used whole as well, with one split. Less is better: log loss, or RMSE.

    python benchmarks/bench_boosting_accuracy.py FOLDER --measure nonet    measures ours again
    python benchmarks/bench_boosting_accuracy.py FOLDER --measure CatBoost LightGBM   and peers
    python benchmarks/bench_boosting_accuracy.py FOLDER --measure nonet --whole
    python benchmarks/bench_boosting_accuracy.py --write         the report into docs/benchmarks.md
    python benchmarks/bench_boosting_accuracy.py --million       time of defaults on a drawn table
    python benchmarks/bench_boosting_accuracy.py --quick         a smoke test on small data

FOLDER holds Parquet files and datasets.json, which names their targets. Losses are kept in
benchmarks/records, so that peers are measured once and a run can be resumed; --again measures what
is there already. The report reads the records.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import lightgbm

import nonet
from accuracy_records import Record, append_records, drop_records, read_records
from accuracy_report import report
from accuracy_tables import N_FOLDS, measure, tables_of, whole_tables_of
from command_line import make_parser, publish
from default_models import CONTENDERS, PACKAGES
from drawn_tables import draw_table
from harness import Contender, machine, markdown_table, race, timing_rows
from real_tables import FrameTable, small_frames

RECORDS = Path(__file__).parent / "records" / "boosting_defaults.csv"


def read_options() -> argparse.Namespace:
    parser = make_parser(__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="Parquet files and datasets.json")
    parser.add_argument("--measure", nargs="+", default=[], choices=CONTENDERS, metavar="NAME")
    parser.add_argument("--tables", nargs="+", help="only these tables")
    parser.add_argument("--whole", action="store_true", help="the largest tables, all rows")
    parser.add_argument("--million", action="store_true", help="time fits of a million rows")
    parser.add_argument("--again", action="store_true", help="replace records that are there")
    options = parser.parse_args()
    if options.measure and options.folder is None:
        parser.error("give the folder of the data, or --quick")
    return options


def add_records(tables: Iterable[FrameTable], options: argparse.Namespace) -> None:
    """Measure what is missing, table by table."""
    n_folds = 1 if options.whole else N_FOLDS
    for table in tables:
        for contender in options.measure:
            key = table.name, len(table.y), contender
            if options.again:
                drop_records(RECORDS, key)
            if key not in {record.key() for record in read_records(RECORDS)}:
                found = list(measure(table, contender, CONTENDERS[contender], n_folds))
                append_records(RECORDS, found)
                print(*key, f"{sum(record.loss for record in found) / len(found):.5g}", flush=True)


def quick_records() -> Iterator[Record]:
    for table in small_frames():
        for contender, fit in CONTENDERS.items():
            yield from measure(table, contender, fit, 2)


def time_many_rows(n_rows: int, n_repeats: int) -> Iterator[str]:
    """Time defaults on a drawn table of two classes, with all threads."""
    X, signal = draw_table(n_rows)
    y = (signal > 0).astype(int)
    models = {
        "nonet": nonet.BoostedTreesClassifier(random_state=0),
        "nonet, fast": nonet.BoostedTreesClassifier(preset="fast", random_state=0),
        "LightGBM": lightgbm.LGBMClassifier(verbose=-1, random_state=0),
    }
    contenders = [Contender(name, partial(model.fit, X, y)) for name, model in models.items()]
    title = f"two classes, {n_rows:,} x {X.shape[1]}, defaults"
    rows = timing_rows({title: race(contenders, n_repeats)}, digits=0)
    header = ["task", "by", "wall ms", "processor ms", "times nonet's", "times its processor"]
    yield f"Measured with {machine(['nonet', 'lightgbm'])}."
    yield markdown_table(header, rows, n_labels=2)


def main() -> None:
    options = read_options()
    warnings.filterwarnings("ignore")
    if options.million:
        n_rows, n_repeats = (2000, 1) if options.quick else (1_000_000, 3)
        publish("boosting defaults, a million rows", time_many_rows(n_rows, n_repeats), options)
        return
    if options.measure:
        read = whole_tables_of if options.whole else tables_of
        add_records(read(options.folder, options.tables), options)
        return
    records = list(quick_records() if options.quick else read_records(RECORDS))
    head = f"Measured with {machine(PACKAGES)}."
    publish("bench_boosting_accuracy", [head, *report(records)], options)


if __name__ == "__main__":
    main()
