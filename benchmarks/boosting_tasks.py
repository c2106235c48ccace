"""Datasets of the gradient boosting benchmarks: simulated and real tables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss, roc_auc_score, root_mean_squared_error
from sklearn.model_selection import train_test_split

from real_tables import read_frame

KINDS = {"binary": "binary", "multiclass": "classes", "regression": "regression"}
ROWS_AT_ONCE = 65_536


@dataclass(frozen=True)
class Task:
    """Training and test rows of one task."""

    title: str
    kind: str  # binary, regression or classes
    X: Any
    y: np.ndarray
    X_test: Any
    y_test: np.ndarray


def scores(task: Task, predictions: np.ndarray) -> dict[str, float]:
    """Score the predictions of the test rows."""
    if task.kind == "regression":
        return {"RMSE": root_mean_squared_error(task.y_test, predictions)}
    predictions = predictions / predictions.sum(axis=1, keepdims=True, dtype=float)
    loss = {"log loss": log_loss(task.y_test, predictions, labels=np.arange(predictions.shape[1]))}
    if task.kind == "classes":
        return loss
    return {"AUC": roc_auc_score(task.y_test, predictions[:, 1])} | loss


# ---- Drawn --------------------------------------------------------------------------------------


def split_off(title: str, kind: str, X: Any, y: np.ndarray, n_train: int) -> Task:
    part = X.iloc if hasattr(X, "iloc") else X
    return Task(title, kind, part[:n_train], y[:n_train], part[n_train:], y[n_train:])


def draw_signal(n_rows: int, n_columns: int = 28, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = np.empty((n_rows, n_columns), np.float32)
    for start in range(0, n_rows, ROWS_AT_ONCE):  # all rows as float64 would take twice the memory
        part = X[start : start + ROWS_AT_ONCE]
        part[:] = rng.normal(size=part.shape)
    return X, X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3]) + rng.normal(size=n_rows)


def binary(n_train: int, n_test: int, n_columns: int = 28, seed: int = 0) -> Task:
    X, signal = draw_signal(n_train + n_test, n_columns, seed)
    title = f"two classes, {n_train:,} x {n_columns}"
    return split_off(title, "binary", X, (signal > 0).astype(int), n_train)


def regression(n_train: int, n_test: int, seed: int = 0) -> Task:
    X, signal = draw_signal(n_train + n_test, seed=seed)
    return split_off(f"regression, {n_train:,} x 28", "regression", X, signal, n_train)


def classes(n_train: int, n_test: int, seed: int = 0) -> Task:
    X, signal = draw_signal(n_train + n_test, seed=seed)
    y = np.digitize(signal, np.quantile(signal, np.arange(0.1, 1, 0.1)))
    return split_off(f"ten classes, {n_train:,} x 28", "classes", X, y, n_train)


def categories(n_train: int, n_test: int) -> Task:
    """Ten columns of 200 categories each, a twentieth of them missing, and ten of numbers."""
    rng = np.random.default_rng(1)
    n = n_train + n_test
    effects = rng.normal(size=(10, 200))
    codes = rng.integers(0, 200, (n, 10))
    numbers = rng.normal(size=(n, 10)).astype(np.float32)
    signal = sum(effects[j][codes[:, j]] for j in range(3)) + numbers[:, 0] + rng.normal(size=n)
    missing = rng.random((n, 10)) < 0.05
    frame = pd.DataFrame(numbers, columns=[f"number_{j}" for j in range(10)])
    for j in range(10):
        column = pd.Categorical.from_codes(np.where(missing[:, j], -1, codes[:, j]), range(200))
        frame[f"category_{j}"] = column
    title = f"ten category columns, {n_train:,} x 20"
    return split_off(title, "binary", frame, (signal > 0).astype(int), n_train)


# ---- Real ---------------------------------------------------------------------------------------


def real(folder: Path, facts: dict[str, Any], max_rows: int | None) -> Task:
    """Return a table of the folder, a stratified quarter of its rows for the test."""
    frame, target = read_frame(folder, facts, max_rows)
    kind = KINDS[facts["task"]]
    if kind == "regression":
        y = target.to_numpy(float)
    else:
        y = np.unique(target.astype(str), return_inverse=True)[1]
    X, X_test, y, y_test = train_test_split(
        frame, y, test_size=0.25, random_state=0, stratify=None if kind == "regression" else y
    )
    return Task(f"{facts['name']}, {len(y):,} x {X.shape[1]}", kind, X, y, X_test, y_test)
