"""Real tables that the benchmarks read from a folder of Parquet files.

The folder also holds datasets.json, which names the file, the task, the target and the columns to
ignore of every table. No table is part of the project: the folder is given on the command line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import sklearn.datasets
from sklearn.model_selection import KFold, StratifiedKFold

N_QUICK_ROWS = 120  # of a table that only shows that a script runs


def facts_of(folder: Path) -> dict[str, dict[str, Any]]:
    """Give what is known of every table, by its name."""
    known = json.loads((folder / "datasets.json").read_text())["datasets"]
    return {facts["name"]: facts for facts in known}


def read_frame(
    folder: Path, facts: dict[str, Any], max_rows: int | None
) -> tuple[pd.DataFrame, pd.Series]:
    """Give columns, text as categories, and the target: a shuffled table, cut to so many rows."""
    frame = pd.read_parquet(folder / facts["file"]).drop(columns=facts["ignore_columns"])
    frame = frame.dropna(subset=[facts["target"]]).sample(frac=1, random_state=0)[:max_rows]
    y = frame.pop(facts["target"])
    for name in frame.columns:
        if not pd.api.types.is_numeric_dtype(frame[name].dtype):
            frame[name] = frame[name].astype("category")
    return frame, y


@dataclass(frozen=True)
class Table:
    """Numbers, NaN where they are missing; categories as codes in the named columns."""

    name: str
    X: np.ndarray
    y: np.ndarray
    categories: list[int]
    is_regression: bool


def read_table(folder: Path, facts: dict[str, Any], max_rows: int | None) -> Table:
    """Give a table as numbers."""
    frame, y = read_frame(folder, facts, max_rows)
    categories = [frame.columns.get_loc(name) for name in frame.select_dtypes("category")]
    for name in frame.columns[categories]:
        codes = frame[name].cat.codes.astype(float)
        frame[name] = codes.where(codes >= 0)
    is_regression = facts["task"] == "regression"
    target = y.to_numpy(float) if is_regression else y.astype(str).to_numpy()
    # scikit-learn rounds to float32: both get numbers that are.
    return Table(facts["name"], frame.to_numpy(np.float32), target, categories, is_regression)


@dataclass(frozen=True)
class FrameTable:
    """A frame whose categories are categories, and its target: numbers or codes of classes."""

    name: str
    X: pd.DataFrame
    y: np.ndarray
    is_regression: bool

    def folds(self, n_folds: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Return the rows of every fold: to fit, and held out."""
        make = KFold if self.is_regression else StratifiedKFold
        return make(n_folds, shuffle=True, random_state=0).split(self.X, self.y)


def small_tables() -> Iterator[Table]:
    """Give some rows of tables that scikit-learn brings along."""
    for table in small_frames():
        X = table.X.to_numpy(np.float32)
        yield Table(table.name, X, table.y, [], table.is_regression)


def small_frames() -> Iterator[FrameTable]:
    """Give the same as frames."""
    for name in ("breast_cancer", "wine", "diabetes"):
        frame = getattr(sklearn.datasets, f"load_{name}")(as_frame=True).frame
        frame = frame.sample(N_QUICK_ROWS, random_state=0)
        y = frame.pop("target").to_numpy()
        yield FrameTable(name, frame, y, name == "diabetes")
