"""Small tables for programs that were written for LightGBM and XGBoost, and their scores."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from sklearn.metrics import (
    accuracy_score,
    d2_absolute_error_score,
    d2_pinball_score,
    d2_tweedie_score,
    r2_score,
    roc_auc_score,
)
from sklearn.model_selection import KFold

N_FOLDS = 4


@dataclass(frozen=True)
class Part:
    """Rows to fit, rows to stop by, and rows to score."""

    train: tuple
    valid: tuple
    test: tuple


def _numbers(n_rows=1200):
    rng = np.random.default_rng(7)
    X = rng.normal(size=(n_rows, 8))
    signal = 1.5 * X[:, 0] - X[:, 1] + np.sin(3 * X[:, 2]) + X[:, 3] * (X[:, 4] > 0)
    return rng, X, signal


@cache
def make_table(task):
    rng, X, signal = _numbers()
    noise = rng.normal(size=len(X))
    means = np.exp(0.4 * signal)
    targets = {
        "binary": (signal + noise > 0).astype(int),
        "rare": (signal + noise > 3).astype(int),
        "classes": np.digitize(signal + 0.7 * noise, [-1.5, 1.5]),
        "values": signal + noise,
        "counts": rng.poisson(means),
        "amounts": rng.poisson(means**1.5) * rng.gamma(5.0, 1.0, size=len(X)),
        "labels": np.column_stack([signal + noise > 0, X[:, 5] + noise > 0.5]).astype(int),
        "outputs": np.column_stack([signal + noise, X[:, 5] - X[:, 6] + 0.5 * noise]),
    }
    if task != "frame":
        return X, targets[task]
    frame = pd.DataFrame(X[:, :5], columns=list("abcde"))
    towns = rng.integers(0, 6, size=len(X))
    frame["town"] = pd.Categorical.from_codes(towns, [f"town {k}" for k in range(6)])
    return frame, (signal + 2 * np.isin(towns, [1, 4]) + noise > 0.5).astype(int)


def _take(table, rows):
    return table.iloc[rows] if hasattr(table, "iloc") else table[rows]


def split(task):
    X, y = make_table(task)
    for seed, (rest, test) in enumerate(KFold(N_FOLDS, shuffle=True, random_state=0).split(X)):
        rows = np.random.default_rng(seed).permutation(rest)
        parts = (rows[150:], rows[:150], test)
        yield Part(*((_take(X, some), y[some]) for some in parts))


def _positive(predictions):
    return np.maximum(predictions, 1e-6)


SCORES = {
    "auc": lambda model, X, y: roc_auc_score(y, model.predict_proba(X)[:, 1]),
    "auc of scores": lambda model, X, y: roc_auc_score(y, _raw(model, X)),
    "accuracy": lambda model, X, y: accuracy_score(y, model.predict(X)),
    "labels": lambda model, X, y: np.mean(model.predict(X) == y),
    "r2": lambda model, X, y: r2_score(y, model.predict(X)),
    "absolute": lambda model, X, y: d2_absolute_error_score(y, model.predict(X)),
    "quantile": lambda model, X, y: d2_pinball_score(y, model.predict(X), alpha=0.9),
    "poisson": lambda model, X, y: d2_tweedie_score(y, _positive(model.predict(X)), power=1),
    "tweedie": lambda model, X, y: d2_tweedie_score(y, _positive(model.predict(X)), power=1.5),
}


def _raw(model, X):
    """Return raw scores by the argument of either library."""
    name = "output_margin" if type(model).__name__.startswith("XGB") else "raw_score"
    return model.predict(X, **{name: True})
