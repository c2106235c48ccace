"""Selects the portfolio of the auto-ensembler from the scores of candidates on many tables.

Reads the folder that `portfolio_scores.py` has filled. The order of each task is selected on all of
its tables; what it is worth is shown on each table by an order that was selected without it. With
--write, portfolio.toml and portfolio_orders.json hold the orders.

    python benchmarks/select_portfolio.py STORE [--write]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from harness import markdown_table
from nonet.auto.configuration import Configuration
from portfolio_blends import BlendTable
from portfolio_candidates import candidates
from portfolio_file import ORDERS, PORTFOLIO, orders_text, portfolio_text
from portfolio_order import Selector
from portfolio_scores import QUICK_CANDIDATES, run_missing
from portfolio_store import PortfolioStore
from portfolio_tables import quick_tables

TASKS = ("classification", "regression")
N_CHOSEN = 24
N_GROUPS = 6
SIZES = (1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24)
SECONDS = (5.0, 15.0, 60.0)  # of the processor, for three folds
# The order before this selection; two of its shapes had slightly other parameters.
FORMER = (
    *("default", "boosted_64", "boosted_39", "extra_trees", "boosted_84", "boosted_8_all"),
    *("linear", "boosted_180", "boosted_5", "network_stopped", "boosted_20", "random_forest"),
    *("near", "splines"),
)


@dataclass(frozen=True)
class Selected:
    """The order of a task, and the orders that leave one table out, of all and of some."""

    selector: Selector
    order: list[str]
    without: dict[str, list[str]]
    unprepared: dict[str, list[str]]


def read_tables(store: PortfolioStore, names: Sequence[str]) -> list[BlendTable]:
    """Read the tables on which all candidates were run."""
    tables = []
    for table in store.tables():
        outcomes = store.outcomes(table.name)
        if set(names) <= set(outcomes):
            tables.append(BlendTable(table, {name: outcomes[name] for name in names}))
    return tables


def distinct(names: Sequence[str], tables: list[BlendTable]) -> list[str]:
    """Leave out who predicts as an earlier one does, because the task ignores what differs."""
    first: dict[bytes, str] = {}
    for name in names:
        first.setdefault(np.array([table.losses([name]) for table in tables]).tobytes(), name)
    return list(first.values())


def select(task: str, tables: list[BlendTable], known: Sequence[Configuration]) -> Selected:
    """Select the order of a task, and for each of its tables an order without it.

    Some tables are left out at once, so that there are only a few selections.
    """
    own = [table for table in tables if table.task == task]
    others = [table for table in tables if table.task != task]
    names = distinct([c.name for c in known], own)
    usable = [c for c in known if c.name in names]
    prepared = [c.name for c in usable if c.is_prepared]
    selector = Selector(own, others, {c.name: c.family for c in usable}, prepared)
    plain = Selector(own, others, {c.name: c.family for c in usable if not c.is_prepared})
    return Selected(
        selector, selector.order(N_CHOSEN), orders_without(selector), orders_without(plain)
    )


def orders_without(selector: Selector) -> dict[str, list[str]]:
    """Return for each table an order that was selected without it."""
    tables, without = selector.tables, {}
    for group in range(min(N_GROUPS, len(tables))):
        left_out = tables[group::N_GROUPS]
        order = selector.order(N_CHOSEN, without=left_out)
        without |= {table.name: order for table in left_out}
    return {table.name: without[table.name] for table in tables}


# ---- The report ---------------------------------------------------------------------------------


def size_table(selected: Selected) -> str:
    """One row per number of configurations: mean excess of loss, in percent."""
    ways = _ways(selected)
    rows = []
    for size in (size for size in SIZES if size <= len(selected.order)):
        means = (_mean_excess(selected, [o[:size] for o in orders]) for orders in ways.values())
        rows.append([str(size), *(f"{mean:.2f}" for mean in means)])
    return markdown_table(["configurations", *ways], rows)


def budget_table(selected: Selected) -> str:
    """One row per budget: the same of the configurations that fit, and how many do."""
    ways = _ways(selected)
    rows = []
    for seconds in SECONDS:
        fitting = [_fitting(selected, orders, seconds) for orders in ways.values()]
        cells = [
            f"{_mean_excess(selected, f):.2f} ({np.mean([*map(len, f)]):.1f})" for f in fitting
        ]
        rows.append([f"{seconds:g} s", *cells])
    return markdown_table(["budget", *ways], rows)


def family_table(selected: Selected, known: Sequence[Configuration]) -> str:
    """One row per family: the excess when the selected order does without it."""
    family_of = {c.name: c.family for c in known}
    rows = []
    for family in dict.fromkeys(family_of[name] for name in selected.order):
        kept = [name for name in selected.order if family_of[name] != family]
        count = len(selected.order) - len(kept)
        mean = _mean_excess(selected, [kept for _ in selected.selector.tables])
        rows.append([family, str(count), f"{mean:.2f}"])
    return markdown_table(["without the family", "configurations", "excess"], rows)


def _ways(selected: Selected) -> dict[str, list[list[str]]]:
    """Return the orders that are compared: one per table."""
    n_tables = len(selected.without)
    former = [name for name in FORMER if name in selected.selector.names]
    return {
        "selected on all tables": [selected.order] * n_tables,
        "selected without the table": list(selected.without.values()),
        "without prepared columns, too": list(selected.unprepared.values()),
        "former order": [former] * n_tables,
        "default alone": [["default"]] * n_tables,
    }


def _mean_excess(selected: Selected, chosen: Sequence[Sequence[str]]) -> float:
    """Return the mean excess over tables, in percent."""
    return 100 * selected.selector.mean(chosen, selected.selector.tables)


def _fitting(
    selected: Selected, orders: Sequence[Sequence[str]], seconds: float
) -> list[list[str]]:
    """Return for each table the configurations that fit into the seconds.

    One that does not fit is passed over; the first one is always run.
    """
    fitting = []
    for order, table in zip(orders, selected.selector.tables, strict=True):
        chosen, left = [], seconds
        for name in order:
            if not chosen or table.seconds[name] <= left:
                chosen.append(name)
                left -= table.seconds[name]
        fitting.append(chosen)
    return fitting


def report(selections: dict[str, Selected], known: Sequence[Configuration]) -> Iterator[str]:
    """Lay out all tables."""
    for task, selected in selections.items():
        yield f"## {task.capitalize()}: {len(selected.selector.tables)} tables\n"
        yield "Order: " + ", ".join(selected.order) + "\n"
        yield size_table(selected) + "\n"
        yield budget_table(selected) + "\n"
        yield family_table(selected, known) + "\n"


def select_all(store: PortfolioStore, known: list[Configuration]) -> dict[str, Selected]:
    """Select for both tasks."""
    tables = read_tables(store, [c.name for c in known])
    return {task: select(task, tables, known) for task in TASKS}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("store", nargs="?", type=Path, help="folder of the predictions")
    parser.add_argument("--quick", action="store_true", help="tiny data: does it run?")
    parser.add_argument("--write", action="store_true", help="write the portfolio")
    parser.add_argument("--candidates", nargs="+", help="select among these configurations")
    options = parser.parse_args()
    known = [c for c in candidates() if c.name in (options.candidates or [c.name])]
    if options.quick:
        known = [c for c in known if c.name in QUICK_CANDIDATES]
        with TemporaryDirectory() as folder:
            run_missing(quick_tables(), known, PortfolioStore(Path(folder)))
            selections = select_all(PortfolioStore(Path(folder)), known)
    elif options.store is None:
        parser.error("give the folder of the predictions, or --quick")
    else:
        selections = select_all(PortfolioStore(options.store), known)
    for part in report(selections, known):
        print(part, flush=True)
    orders = {task: selected.order for task, selected in selections.items()}
    without = {name: order for s in selections.values() for name, order in s.without.items()}
    if options.write:
        PORTFOLIO.write_text(portfolio_text(orders, known, len(without)))
        ORDERS.write_text(orders_text(without, known))


if __name__ == "__main__":
    main()
