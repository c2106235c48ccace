"""Losses of contenders on the folds of tables, kept in a file, so that a run can be resumed.

A record is one line of a CSV file: table, number of rows, contender, fold, loss, loss of decisions,
and processor and wall seconds of fit and prediction. A run adds the records that are missing.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path


@dataclass(frozen=True)
class Record:
    """What one contender reached on one fold of one table."""

    table: str
    n_rows: int
    contender: str
    fold: int
    loss: float
    decision_loss: float
    processor: float
    wall: float

    def key(self) -> tuple[str, int, str]:
        """Return what names a record: table, number of rows and contender."""
        return self.table, self.n_rows, self.contender


def read_records(path: Path) -> Iterator[Record]:
    """Give the records of a file, nothing if there is none."""
    if not path.exists():
        return
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            yield Record(
                row["table"],
                int(row["n_rows"]),
                row["contender"],
                int(row["fold"]),
                *(float(row[name]) for name in ("loss", "decision_loss", "processor", "wall")),
            )


def append_records(path: Path, records: Iterable[Record]) -> None:
    """Add records to the end of a file, which is made if there is none."""
    is_new = not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow([field.name for field in fields(Record)])
        writer.writerows(_as_text(record) for record in records)


def _as_text(record: Record) -> list[str]:
    return [f"{value:.6g}" if isinstance(value, float) else str(value) for value in astuple(record)]
