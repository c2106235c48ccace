"""Predictions of candidate configurations on tables, kept in a folder outside of the repository.

A file holds the result of one configuration on one table: held-out predictions, predictions of the
test part and processor seconds. The targets of a table have a file of their own. Files are written
whole or not at all, so that a run can be interrupted and taken up again.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import numpy as np

from nonet.auto.fold_task import row_losses
from portfolio_tables import PortfolioTable

_TARGET = "_target"


@dataclass(frozen=True, eq=False)
class StoredTable:
    """The targets of a table."""

    name: str
    n_classes: int
    y: np.ndarray
    y_test: np.ndarray

    @property
    def task(self) -> str:
        """Regression or classification."""
        return "classification" if self.n_classes else "regression"


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a configuration predicts for a table; nothing where it took too long."""

    seconds: float
    held_out: np.ndarray | None = None
    test: np.ndarray | None = None


@dataclass(frozen=True)
class Score:
    """One line of the table of scores: losses are log loss or RMSE, NaN if it took too long."""

    table: str
    task: str
    n_rows: int
    configuration: str
    held_out_loss: float
    test_loss: float
    seconds: float


class PortfolioStore:
    """The folder of predictions."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def add_table(self, table: PortfolioTable) -> None:
        """Keep the targets of a table."""
        (self._folder / table.name).mkdir(parents=True, exist_ok=True)
        data = table.data
        arrays = {"n_classes": data.n_classes, "y": data.y, "y_test": table.y_test}
        _write(self._path(table.name, _TARGET), arrays)

    def has(self, table: str, configuration: str) -> bool:
        """Return whether the outcome is known."""
        return self._path(table, configuration).exists()

    def add(self, table: str, configuration: str, outcome: Outcome) -> None:
        """Keep an outcome."""
        arrays = {"seconds": outcome.seconds}
        if outcome.held_out is not None:
            arrays |= {"held_out": outcome.held_out, "test": outcome.test}
        _write(self._path(table, configuration), arrays)

    def tables(self) -> Iterator[StoredTable]:
        """Give the tables in the order of their names."""
        for path in sorted(self._folder.glob(f"*/{_TARGET}.npz")):
            with np.load(path) as found:
                n_classes = int(found["n_classes"])
                yield StoredTable(path.parent.name, n_classes, found["y"], found["y_test"])

    def outcomes(self, table: str) -> dict[str, Outcome]:
        """Return the outcomes of a table by configuration."""
        paths = sorted((self._folder / table).glob("*.npz"))
        return {path.stem: _read(path) for path in paths if path.stem != _TARGET}

    def _path(self, table: str, name: str) -> Path:
        return self._folder / table / f"{name}.npz"


def _write(path: Path, arrays: dict[str, object]) -> None:
    beside = path.with_suffix(".part")
    with beside.open("wb") as file:
        np.savez(file, **arrays)
    beside.replace(path)


def _read(path: Path) -> Outcome:
    with np.load(path) as found:
        return Outcome(float(found["seconds"]), found.get("held_out"), found.get("test"))


# ---- The table of scores ------------------------------------------------------------------------


def mean_loss(y: np.ndarray, predictions: np.ndarray | None) -> float:
    """Return log loss or RMSE; NaN without predictions."""
    if predictions is None:
        return float("nan")
    loss = float(row_losses(y, predictions).mean())
    return loss if y.dtype.kind != "f" else loss**0.5


def write_scores(store: PortfolioStore, path: Path) -> list[Score]:
    """Write the scores of all outcomes as a CSV file, and return them."""
    scores = [
        Score(
            table.name,
            table.task,
            len(table.y) + len(table.y_test),
            name,
            mean_loss(table.y, outcome.held_out),
            mean_loss(table.y_test, outcome.test),
            outcome.seconds,
        )
        for table in store.tables()
        for name, outcome in store.outcomes(table.name).items()
    ]
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([field.name for field in fields(Score)])
        writer.writerows(
            [f"{value:.6g}" if isinstance(value, float) else value for value in astuple(score)]
            for score in scores
        )
    return scores
