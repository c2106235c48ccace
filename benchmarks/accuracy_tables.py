"""Tables on which defaults are compared, and the losses of a contender on their folds.

A table is cut to at most 10,000 rows and five folds; the largest tables are also used whole, with
one split. Classes of fewer than five rows are left out: what a fold lacks, not all can learn.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score, root_mean_squared_error
from threadpoolctl import threadpool_limits

import nonet
from accuracy_records import Record
from default_models import Fit, Predict
from real_tables import FrameTable, facts_of, read_frame

MAX_ROWS = 10_000
N_FOLDS = 5
N_WHOLE = 4  # so many of the largest tables are used whole, too
MIN_ROWS_PER_CLASS = 5


def read_table(folder: Path, facts: dict[str, Any], max_rows: int | None) -> FrameTable:
    """Read a table; the labels of classes become their codes."""
    frame, y = read_frame(folder, facts, max_rows)
    if facts["task"] == "regression":
        return FrameTable(facts["name"], frame, y.to_numpy(float), True)
    labels = y.astype(str)
    common = labels.map(labels.value_counts()) >= MIN_ROWS_PER_CLASS
    codes = np.unique(labels[common], return_inverse=True)[1]
    return FrameTable(facts["name"], frame[common], codes, False)


def by_size(folder: Path) -> list[dict[str, Any]]:
    """Return the facts of all tables, small tables first."""
    return sorted(facts_of(folder).values(), key=lambda facts: facts["rows"])


def tables_of(folder: Path, names: list[str] | None = None) -> Iterator[FrameTable]:
    """Read the tables, or those named, small ones first."""
    for facts in by_size(folder):
        if names is None or facts["name"] in names:
            yield read_table(folder, facts, MAX_ROWS)


def whole_tables_of(folder: Path, names: list[str] | None = None) -> Iterator[FrameTable]:
    """Read the largest tables, or those of them that are named, with all their rows."""
    for facts in by_size(folder)[-N_WHOLE:]:
        if names is None or facts["name"] in names:
            yield read_table(folder, facts, None)


def losses(table: FrameTable, predict: Predict, held_out: np.ndarray) -> tuple[float, float]:
    """Return the loss of the probabilities or values, and that of the decisions.

    They are log loss and 1 - AUC for two classes, log loss and error rate for more, and RMSE.
    """
    X, y = table.X.iloc[held_out], table.y[held_out]
    if table.is_regression:
        error = root_mean_squared_error(y, predict(X))
        return error, error
    fractions = predict(X).astype(float)
    fractions /= fractions.sum(axis=1, keepdims=True)
    two = fractions.shape[1] == 2
    good = roc_auc_score(y, fractions[:, 1]) if two else accuracy_score(y, fractions.argmax(axis=1))
    return log_loss(y, fractions), 1 - good


def measure(table: FrameTable, contender: str, fit: Fit, n_folds: int) -> Iterator[Record]:
    """Fit a contender on the folds of a table, one thread; a whole table has one split."""
    folds = list(table.folds(N_FOLDS))[:n_folds]
    for fold, (rows, held_out) in enumerate(folds):
        with threadpool_limits(1), nonet.limit_threads(1):
            wall, processor = time.perf_counter(), time.process_time()
            predict = fit(table.X.iloc[rows], table.y[rows], table.is_regression)
            loss, decision_loss = losses(table, predict, held_out)
            processor, wall = time.process_time() - processor, time.perf_counter() - wall
        yield Record(
            table.name, len(table.y), contender, fold, loss, decision_loss, processor, wall
        )
