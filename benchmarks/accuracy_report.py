"""The report of losses and times of default settings: a row per table, then what they come to.

A table counts as won if the mean loss over its folds is lower. Two standard errors are those of the
paired differences of folds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy.stats import rankdata

from accuracy_records import Record
from default_models import ABLATIONS
from harness import markdown_table

OURS = "nonet"
RIVAL = "CatBoost"
MAX_EXCESS = 0.03  # by which a loss may exceed the best of the peers, beyond two standard errors


class Losses:
    """Records of one size of tables, by table and contender."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.contenders = list(dict.fromkeys(record.contender for record in records))
        self.sizes = {record.table: record.n_rows for record in records}
        self._by_key: dict[tuple[str, str], list[Record]] = {}
        for record in sorted(records, key=lambda record: record.fold):
            self._by_key.setdefault((record.table, record.contender), []).append(record)

    def of(self, table: str, contender: str) -> np.ndarray:
        """Return the losses of the folds, nothing if they were not measured."""
        return np.array([record.loss for record in self._by_key.get((table, contender), [])])

    def mean(self, table: str, contender: str) -> float:
        """Return the mean loss of the folds, NaN if they were not measured."""
        losses = self.of(table, contender)
        return float(losses.mean()) if len(losses) else np.nan

    def seconds(self, table: str, contender: str) -> float:
        """Return the mean processor seconds of a fold."""
        records = self._by_key.get((table, contender), [])
        return float(np.mean([record.processor for record in records])) if records else np.nan

    def excess(self, table: str, contender: str) -> tuple[float, float]:
        """Return our mean loss less theirs, over theirs, and its standard error."""
        ours, theirs = self.of(table, OURS), self.of(table, contender)
        differences = (ours - theirs) / theirs.mean()
        error = differences.std(ddof=1) / np.sqrt(len(differences)) if len(differences) > 1 else 0.0
        return float(differences.mean()), float(error)


def report(records: Sequence[Record]) -> Iterator[str]:
    """Give the tables of the report: cut tables, then whole ones."""
    counts: dict[tuple[str, int, str], int] = {}
    for record in records:
        counts[record.key()] = counts.get(record.key(), 0) + 1
    is_whole = {key: n_folds == 1 for key, n_folds in counts.items()}
    cut = Losses([record for record in records if not is_whole[record.key()]])
    compared_with = [name for name in cut.contenders if name not in ABLATIONS]
    yield loss_table(cut, compared_with)
    yield summary_table(cut, compared_with)
    yield from notes(cut)
    variants = [name for name in cut.contenders if name in ABLATIONS]
    if variants:
        yield "The default with one part changed, on the tables where all of them were measured:"
        yield ablation_table(cut, variants)
        yield left_out_choice(cut, variants)
    whole = Losses([record for record in records if is_whole[record.key()]])
    if whole.sizes:
        yield "The largest tables with all their rows, one split:"
        yield loss_table(whole, whole.contenders)


def loss_table(losses: Losses, contenders: Sequence[str]) -> str:
    """Write the mean loss and the processor seconds of every contender on every table."""
    rows = []
    for table, n_rows in losses.sizes.items():
        cells = []
        for contender in contenders:
            loss, seconds = losses.mean(table, contender), losses.seconds(table, contender)
            cells.append("" if np.isnan(loss) else f"{loss:.4g} ({seconds:.2g} s)")
        rows.append([table, f"{n_rows:,}", *cells])
    return markdown_table(["data", "rows", *contenders], rows)


def summary_table(losses: Losses, contenders: Sequence[str]) -> str:
    """Write ranks, wins, ratios and times."""
    means = np.array([[losses.mean(t, c) for c in contenders] for t in losses.sizes])
    complete = ~np.isnan(means).any(axis=1)
    ranks = rankdata(means[complete].round(9), axis=1).mean(axis=0)
    rows = [
        [contender, f"{rank:.2f}", *compared(losses, contender)]
        for contender, rank in zip(contenders, ranks, strict=True)
    ]
    header = [
        "by",
        f"mean rank on {complete.sum()} tables",
        "tables",
        "nonet's loss is lower",
        "beyond two standard errors: lower / higher",
        "median ratio of nonet's loss",
        "processor s per fold, sum over tables",
        "times nonet's",
    ]
    return markdown_table(header, rows)


def shared_tables(losses: Losses, contenders: Sequence[str]) -> list[str]:
    """Return the tables on which all contenders were measured."""
    return [t for t in losses.sizes if all(len(losses.of(t, c)) for c in contenders)]


def ablation_table(losses: Losses, variants: Sequence[str]) -> str:
    """Write how losses and times of variants compare with those of the default."""
    tables = shared_tables(losses, [OURS, *variants])
    rows = []
    for name in [OURS, *variants]:
        ratios = np.array([losses.mean(t, name) / losses.mean(t, OURS) for t in tables])
        seconds = sum(losses.seconds(table, name) for table in tables)
        rows.append(
            [
                name,
                f"{np.exp(np.log(ratios).mean()):.3f}",
                f"{np.median(ratios):.3f}",
                "" if name == OURS else f"{100 * np.mean(ratios > 1):.0f} %",
                f"{seconds:.1f}",
            ]
        )
    header = [
        f"by ({len(tables)} tables)",
        "losses over those of the default, geometric mean",
        "median",
        "the default is better",
        "processor s per fold, sum over tables",
    ]
    return markdown_table(header, rows)


def left_out_choice(losses: Losses, variants: Sequence[str]) -> str:
    """Choose the variant for each table on all others, and compare it with the rival."""
    names = [OURS, *variants]
    tables = [t for t in shared_tables(losses, names) if len(losses.of(t, RIVAL))]
    if len(tables) < 2:
        return "Too few tables for a choice without one of them."
    logs = np.log([[losses.mean(table, name) for name in names] for table in tables])
    rival = np.log([losses.mean(table, RIVAL) for table in tables])
    others = (logs.sum(axis=0) - logs) / (len(tables) - 1)
    chosen = others.argmin(axis=1)
    ratios = np.exp(logs[np.arange(len(tables)), chosen] - rival)
    counts = {name: int((chosen == k).sum()) for k, name in enumerate(names)}
    shown = ", ".join(f"{name} {n} times" for name, n in counts.items() if n)
    return (
        f"Leaving one table out: the variant of the lowest geometric mean on the other tables is "
        f"chosen for each of {len(tables)} tables ({shown}). Its loss is lower than {RIVAL}'s on "
        f"{100 * np.mean(ratios < 1):.0f} % of the tables, with a median ratio of "
        f"{np.median(ratios):.3f}."
    )


def compared(losses: Losses, contender: str) -> list[str]:
    """Compare our losses and times with those of a contender, on its tables."""
    tables = [table for table in losses.sizes if len(losses.of(table, contender))]
    seconds = sum(losses.seconds(table, contender) for table in tables)
    ours = sum(losses.seconds(table, OURS) for table in tables)
    times = [f"{seconds:.1f}", f"{seconds / ours:.2f}"]
    if contender == OURS:
        return [str(len(tables)), "", "", "", *times]
    found = [losses.excess(table, contender) for table in tables]
    clear = [sum(sign * mean > 2 * error for mean, error in found) for sign in (-1, 1)]
    return [
        str(len(tables)),
        f"{100 * np.mean([mean < 0 for mean, _ in found]):.0f} %",
        f"{clear[0]} / {clear[1]}",
        f"{np.median([1 + mean for mean, _ in found]):.3f}",
        *times,
    ]


def notes(losses: Losses) -> Iterator[str]:
    """Name the tables where a target is missed."""
    fast = [c for c in ("LightGBM", "XGBoost", "scikit-learn") if c in losses.contenders]
    worse = []
    for table in losses.sizes:
        known = [c for c in fast if len(losses.of(table, c))]
        if not known:
            continue
        best = min(known, key=lambda contender: losses.mean(table, contender))
        mean, error = losses.excess(table, best)
        if mean - 2 * error > MAX_EXCESS:
            worse.append(f"{table} ({100 * mean:.1f} % above {best})")
    yield (
        "Tables where nonet's loss is more than 3 % above that of the best of "
        f"{', '.join(fast)}, beyond two standard errors: {', '.join(worse) or 'none'}."
    )
    slower = [
        f"{table} ({ours:.2f} s against {theirs:.2f})"
        for table in losses.sizes
        if (ours := losses.seconds(table, OURS)) > (theirs := losses.seconds(table, RIVAL))
    ]
    names = ", ".join(slower) or "none"
    yield f"Tables where nonet takes more processor time than {RIVAL}: {names}."
