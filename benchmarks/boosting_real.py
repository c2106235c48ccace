"""Times of boosting on many real tables: kept in a file, and laid out as a report.

A run over all tables takes long. Its times go into a file of JSON, table by table, so that it can
be interrupted and taken up again, and tables can be timed in several runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from boosting_tasks import Task
from harness import Timing, markdown_table
from real_tables import facts_of

MIN_ROWS = 5_000
Measured = dict[str, Any]  # the title of a table, and by contender: wall, processor, score


def large_tables(folder: Path, min_rows: int) -> list[str]:
    """Name the tables of at least so many rows, the smallest first."""
    known = facts_of(folder).values()
    return [f["name"] for f in sorted(known, key=lambda f: f["rows"]) if f["rows"] >= min_rows]


def measured(task: Task, times: Sequence[Timing], scores: Sequence[dict[str, float]]) -> Measured:
    """Collect what was found on one table; of several scores, the last one (the log loss)."""
    name = list(scores[0])[-1]
    return {
        "title": task.title,
        "score": name,
        "by": {
            time.name: [time.wall, time.processor, score[name]]
            for time, score in zip(times, scores, strict=True)
        },
    }


class Results:
    """What was measured so far, by table; in a file if one is given."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._found: dict[str, Measured] = {}
        if path is not None and path.exists():
            self._found = json.loads(path.read_text())

    def __contains__(self, table: str) -> bool:
        return table in self._found

    def add(self, table: str, found: Measured) -> None:
        """Keep what was measured on a table, in the file as well."""
        self._found[table] = found
        if self._path is not None:
            self._path.write_text(json.dumps(self._found, indent=1))

    def of(self, tables: Sequence[str]) -> list[Measured]:
        """Return what is known of these tables."""
        return [self._found[table] for table in tables]


# ---- The report ---------------------------------------------------------------------------------


def ratios(found: Measured, which: int) -> dict[str, float]:
    """Give the time of everyone but the first in units of the first one's."""
    (_, ours), *others = found["by"].items()
    return {name: times[which] / ours[which] for name, times in others}


def time_table(all_found: Sequence[Measured], which: int, words: str) -> str:
    """One row per table: our seconds, everyone's in units of them, and the fastest peer's."""
    peers = list(all_found[0]["by"])[1:]
    rows, least = [], []
    for found in all_found:
        by_peer = ratios(found, which)
        ours = next(iter(found["by"].values()))[which]
        fastest = min(by_peer, key=by_peer.__getitem__) if by_peer else ""
        least.append(by_peer.get(fastest, np.nan))
        times = [f"{by_peer[peer]:.2f}" for peer in peers]
        rows.append([found["title"], f"{ours:.3f}", *times, f"{least[-1]:.2f}"])
    means = [geometric_mean([ratios(found, which)[peer] for found in all_found]) for peer in peers]
    means.append(geometric_mean(least))
    rows.append(["geometric mean", "", *(f"{mean:.2f}" for mean in means)])
    header = ["table", f"nonet, {words} s", *peers, "fastest peer"]
    return f"Fit, {words} time; peers in units of nonet's:\n\n" + markdown_table(header, rows)


def geometric_mean(values: Sequence[float]) -> float:
    return float(np.exp(np.mean(np.log(values))))


def score_table(all_found: Sequence[Measured]) -> str:
    """One row per table: everyone's test score."""
    names = list(all_found[0]["by"])
    rows = [
        [found["title"], found["score"], *(f"{found['by'][name][2]:.5g}" for name in names)]
        for found in all_found
    ]
    return "Test scores:\n\n" + markdown_table(["table", "score", *names], rows, n_labels=2)


def report(all_found: Sequence[Measured]) -> Iterator[str]:
    """Lay out processor time, wall time and test scores of all tables."""
    yield time_table(all_found, 1, "processor")
    yield time_table(all_found, 0, "wall")
    yield score_table(all_found)
