"""Tables on which configurations of the auto-ensembler are compared, as its tasks read them.

A table is cut to at most 10,000 rows, in an order that is always the same. One fifth of them are
the test part, which no fold uses; the others are three folds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold, StratifiedKFold, train_test_split

from accuracy_tables import by_size, read_table
from nonet.auto.fold_task import AutoData
from real_tables import FrameTable, small_frames

MIN_ROWS = 250  # the test part of fewer rows has losses of large errors
MAX_ROWS = 10_000
N_FOLDS = 3
SEED = 0


@dataclass(frozen=True, eq=False)
class PortfolioTable:
    """Rows for the folds, and rows that only score."""

    name: str
    data: AutoData
    X_test: np.ndarray
    y_test: np.ndarray

    @property
    def n_rows(self) -> int:
        """Number of rows, both parts together."""
        return len(self.data.y) + len(self.y_test)


def portfolio_tables(folder: Path, names: list[str] | None = None) -> Iterator[PortfolioTable]:
    """Read the tables that are not tiny, small ones first, or those named, in their order."""
    by_name = {facts["name"]: facts for facts in by_size(folder)}
    names = names or [name for name, facts in by_name.items() if facts["rows"] >= MIN_ROWS]
    for name in names:
        yield split_table(read_table(folder, by_name[name], MAX_ROWS))


def quick_tables() -> Iterator[PortfolioTable]:
    """Give tables that scikit-learn brings along."""
    return map(split_table, small_frames())


def split_table(table: FrameTable) -> PortfolioTable:
    """Encode categories as codes, and split the rows."""
    X, categorical = _as_numbers(table.X)
    y = table.y.astype(float) if table.is_regression else table.y.astype(np.int64)
    stratify = None if table.is_regression else y
    rows, test = train_test_split(
        np.arange(len(y)), test_size=0.2, random_state=SEED, stratify=stratify
    )
    kind = KFold if table.is_regression else StratifiedKFold
    folds = tuple(kind(N_FOLDS, shuffle=True, random_state=SEED).split(X[rows], y[rows]))
    n_classes = 0 if table.is_regression else int(y.max()) + 1
    data = AutoData(X[rows], y[rows], categorical, n_classes, folds, None, SEED)
    return PortfolioTable(table.name, data, X[test], y[test])


def _as_numbers(frame: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns as numbers, NaN where missing, and which of them are categories."""
    categorical = np.array([dtype == "category" for dtype in frame.dtypes])
    columns = [
        frame[name].cat.codes.astype(float).replace(-1.0, np.nan) if is_category else frame[name]
        for name, is_category in zip(frame.columns, categorical, strict=True)
    ]
    return np.column_stack([np.asarray(column, float) for column in columns]), categorical
